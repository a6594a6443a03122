"""Spiders that know nothing of this project: one for each kind of item, and one that yields requests of every kind."""

ITEMS = """
import dataclasses

import attrs
import pydantic
import scrapy


@dataclasses.dataclass
class DataclassPage:
    url: str
    html: str
    findings: list = dataclasses.field(default_factory=list)


@attrs.define
class AttrsPage:
    url: str
    body: bytes
    title: str
    page_sha256: str = ""


class PydanticPage(pydantic.BaseModel):
    url: str
    text: str
    findings: list = []


class Page(scrapy.Spider):
    def parse(self, response):
        yield self.item(response)


class DictSpider(Page):
    name = "of_dicts"

    def item(self, response):
        return {"url": response.url, "html": response.text, "findings": None}


class DataclassSpider(Page):
    name = "of_dataclasses"

    def item(self, response):
        return DataclassPage(url=response.url, html=response.text)


class AttrsSpider(Page):
    name = "of_attrs"

    def item(self, response):
        return AttrsPage(url=response.url, body=response.body, title="Named by its spider")


class PydanticSpider(Page):
    name = "of_pydantic"

    def item(self, response):
        return PydanticPage(url=response.url, text=" ".join(response.css("main ::text").getall()))


class IncompleteSpider(scrapy.Spider):
    name = "incomplete"

    def parse(self, response):
        yield {"headline": response.css("h1::text").get()}
        yield {"url": response.url}
        yield {"url": response.url, "html": 7}
"""

RUN_ALL = """
import asyncio
import json
import sys

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

start, goal, names = sys.argv[1], sys.argv[2], sys.argv[3:]
process = AsyncCrawlerProcess(get_project_settings())
told = {}
for name in names:
    crawler = process.create_crawler(name)

    def scraped(item, name=name, **_):
        from itemadapter import ItemAdapter

        fields = ItemAdapter(item).asdict()
        fields.pop("body", None)
        told.setdefault(name, []).append(fields)

    crawler.signals.connect(scraped, signals.item_scraped, weak=False)
    told[f"{name} stats"] = crawler
    process.crawl(crawler, start_urls=[start], goal=goal)
process.start()
for name in names:
    stats = told[f"{name} stats"].stats.get_stats()
    told[f"{name} stats"] = {key: value for key, value in stats.items() if key.startswith("research/")}
print(json.dumps(told))
"""

EVERY_REQUEST = '''
import scrapy
from scrapy.exceptions import DontCloseSpider


class EveryRequest(scrapy.Spider):
    """Yields requests of every kind, and tells what came of each."""

    name = "every"
    allowed_domains = ["127.0.62.1"]

    async def start(self):
        yield scrapy.Request(self.base + "/start", meta={"page": 7, "task": "mine", "deep": {"a": [1, None]}})

    def parse(self, response):
        meta = {name: value for name, value in response.meta.items() if not name.startswith("download")}
        yield {"what": "meta", "meta": meta}
        yield scrapy.Request(self.base + "/get", self.named, cb_kwargs={"word": "kept"}, headers={"X-Mine": "1"})
        yield scrapy.Request(self.base + "/get", self.named, cb_kwargs={"word": "twice"})
        yield scrapy.Request(self.base + "/again", self.named, cb_kwargs={"word": "a"}, dont_filter=True)
        yield scrapy.Request(self.base + "/again", self.named, cb_kwargs={"word": "b"}, dont_filter=True)
        yield scrapy.FormRequest(self.base + "/form", formdata={"q": "x y"}, callback=self.posted)
        yield scrapy.Request(self.base + "/cookie", self.posted, cookies={"a": "b"})
        yield scrapy.Request(self.base + "/moved", self.named, cb_kwargs={"word": "moved"})
        yield scrapy.FormRequest(self.base + "/kept", formdata={"q": "kept"}, callback=self.posted)
        yield scrapy.Request(self.base + "/flaky", self.named, cb_kwargs={"word": "flaky"})
        yield scrapy.Request(self.base + "/gone", self.named, errback=self.failed)
        yield scrapy.Request(self.base + "/gone?quiet", self.named)
        yield scrapy.Request(self.base + "/secret", self.named, errback=self.failed)
        yield scrapy.Request("http://10.0.0.1/private", self.named, errback=self.failed, meta={"allow_offsite": True})
        yield scrapy.Request("http://127.0.62.9/elsewhere", self.named)
        yield scrapy.Request(self.base + "/lambda", lambda response: None)
        yield scrapy.Request(self.base + "/object", self.named, meta={"spider": self})
        yield scrapy.Request(self.base + "/raises", self.raises)
        yield scrapy.Request(self.base + "/inline", self.inline)
        mine = {"research": {"exempt": True}, "proxy": "http://10.0.0.1:1", "download_timeout": 0.001}
        yield scrapy.Request(self.base + "/service", self.named, cb_kwargs={"word": "s"}, meta=mine)

    def named(self, response, word):
        yield {"what": word, "path": response.url.removeprefix(self.base)}

    def posted(self, response):
        yield {"what": "echo", "said": response.json()}

    def failed(self, failure):
        yield {"what": "failed", "path": failure.request.url, "error": repr(failure.value)}
        yield scrapy.Request(self.base + "/after-" + failure.request.url[-4:], self.named, cb_kwargs={"word": "after"})

    def raises(self, response):
        yield {"what": "before it raised"}
        yield scrapy.Request(self.base + "/before", self.named, cb_kwargs={"word": "before"})
        raise RuntimeError("broken")

    async def inline(self, response):
        try:
            await self.crawler.engine.download_async(scrapy.Request(self.base + "/not-leased"))
        except Exception as error:
            yield {"what": "inline", "error": repr(error)}
'''
