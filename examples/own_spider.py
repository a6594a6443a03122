"""A spider of one's own on this project's frontier: its requests wait in Redis under leases and permits of hosts.

The spider is plain Scrapy; the add-on does the rest. It crawls the demo web, offline.

python examples/own_spider.py
"""

import os
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response, TextResponse

from research_crawler.demo.process import local_web_process


class TopicsSpider(scrapy.Spider):
    """Follows the links of an overview, and yields each page with its title."""

    name = "topics"

    def parse(self, response: Response) -> Iterator[Any]:
        """The overview: every page that it links."""
        if isinstance(response, TextResponse):
            yield from response.follow_all(css="main a[href^='/']", callback=self.parse_page)

    def parse_page(self, response: Response) -> Iterator[dict[str, str]]:
        """A page. With its `html`, the pipelines archive it; `goal` would let them extract findings."""
        title = response.css("h1::text").get("")
        print(title)
        yield {"url": response.url, "html": response.text, "title": title}


def demo_settings(home: str) -> dict[str, str]:
    """The settings for the demo web. For the real web, none of them is needed."""
    return {
        "RESEARCH_HOME": home,
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
        "PHASE1_VISIT_DELAY_SECONDS": "0",
    }


def main() -> None:
    """Crawl the lore host of the demo web with a data folder of its own."""
    with TemporaryDirectory() as home, local_web_process() as web:
        os.environ |= demo_settings(home)
        process = AsyncCrawlerProcess(
            {"ADDONS": {"research_crawler.runtime.addon.ResearchAddon": 0}, "LOG_LEVEL": "WARNING"}
        )
        process.crawl(TopicsSpider, start_urls=[f"{web.hosts['lore']}/"])
        process.start()


if __name__ == "__main__":
    main()
