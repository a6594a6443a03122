"""A Scrapy project of the make that scrapy-redis shows in its example: three spiders, and the settings that it has.

One crawls by rules from its start URLs, one reads its URLs from Redis, one does both. The settings are those of a
project that runs on scrapy-redis, with the two lines that bring it to our frontier.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import warm

ROOT = Path(__file__).parents[2]

SETTINGS = """
SPIDER_MODULES = ["example.spiders"]
USER_AGENT = "example (+https://example.org)"
DUPEFILTER_CLASS = "scrapy_redis.dupefilter.RFPDupeFilter"
SCHEDULER_PERSIST = True
SCHEDULER_QUEUE_CLASS = "scrapy_redis.queue.SpiderPriorityQueue"
ITEM_PIPELINES = {
    "example.pipelines.Stamp": 300,
    "scrapy_redis.pipelines.RedisPipeline": 400,
}
LOG_LEVEL = "DEBUG"
DOWNLOAD_DELAY = 1

SCHEDULER = "research_crawler.frontier.scheduler.FrontierScheduler"
ADDONS = {"research_crawler.runtime.addon.ResearchAddon": 0}
"""

PIPELINES = """
class Stamp:
    @classmethod
    def from_crawler(cls, crawler):
        made = cls()
        made.crawler = crawler
        return made

    def process_item(self, item):
        item["spider"] = self.crawler.spider.name
        return item
"""

DMOZ = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Directory(CrawlSpider):
    name = "dmoz"
    allowed_domains = ["DOMAIN"]
    start_urls = ["START"]
    rules = [Rule(LinkExtractor(restrict_css=("nav", "main")), callback="parse_directory", follow=True)]

    def parse_directory(self, response):
        yield {"name": response.css("h1::text").get(), "link": response.url}
"""

MYSPIDER = """
from scrapy_redis.spiders import RedisSpider


class FromRedis(RedisSpider):
    name = "myspider_redis"
    redis_key = "myspider:start_urls"
    redis_batch_size = 1
    max_idle_time = 7

    def __init__(self, *args, **kwargs):
        self.allowed_domains = filter(None, kwargs.pop("domain", "").split(","))
        super().__init__(*args, **kwargs)

    def parse(self, response):
        return {"name": response.css("title::text").get(), "url": response.url, "meta": response.meta.get("job-id")}
"""

MYCRAWLER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import Rule
from scrapy_redis.spiders import RedisCrawlSpider


class CrawlFromRedis(RedisCrawlSpider):
    name = "mycrawler_redis"
    redis_key = "mycrawler:start_urls"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    def __init__(self, *args, **kwargs):
        self.allowed_domains = filter(None, kwargs.pop("domain", "").split(","))
        super().__init__(*args, **kwargs)

    def parse_page(self, response):
        return {"name": response.css("title::text").get(), "url": response.url}
"""


@contextlib.contextmanager
def no_indexer(crawl: Any) -> Iterator[None]:
    """Own the data folder, so that nobody takes events out of the outbox."""
    with (crawl.home / "owner.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Project:
    """A project in a folder, run by Scrapy's own command line on the Redis of a `Crawl`."""

    def __init__(self, folder: Path, crawl: Any, **spiders: str) -> None:
        self.folder, self.crawl = folder, crawl
        package = folder / "example"
        (package / "spiders").mkdir(parents=True)
        files = {
            folder / "scrapy.cfg": "[settings]\ndefault = example.settings\n",
            package / "__init__.py": "",
            package / "settings.py": SETTINGS,
            package / "pipelines.py": PIPELINES,
            package / "spiders" / "__init__.py": "",
        }
        files |= {package / "spiders" / f"{name}.py": source for name, source in spiders.items()}
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")

    def environment(self, **more: str) -> dict[str, str]:
        settings = self.crawl.settings
        return (
            os.environ
            | {
                "RESEARCH_HOME": settings["home"],
                "RESEARCH_REDIS_PREFIX": settings["redis_prefix"],
                "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
                "RESEARCH_PARSE_PROCESSES": "1",
                "PHASE1_VISIT_DELAY_SECONDS": "0.02",
                "PYTHONPATH": f"{ROOT}:{self.folder}",
            }
            | more
        )

    @contextlib.contextmanager
    def running(
        self, spider: str, *arguments: str, failpoint: str = "", **settings: Any
    ) -> Iterator[warm.WarmProcess]:
        """`scrapy crawl` for the length of a block."""
        given = {"REDIS_URL": self.crawl.redis_url} | settings
        options = [word for name, value in given.items() for word in ("-s", f"{name}={value}")]
        command = ["-m", "scrapy", "crawl", spider, *options, *arguments]
        log = self.crawl.home / f"node-{spider}.log"
        environment = self.environment(**({"RESEARCH_FAILPOINT": failpoint} if failpoint else {}))
        with (
            log.open("a") as stderr,
            warm.start(command, cwd=self.folder, env=environment, stderr=stderr, stdout=stderr) as process,
        ):
            try:
                yield process
            finally:
                process.kill()

    def run(self, spider: str, *arguments: str, timeout_s: float = 100.0, **settings: Any) -> int:
        """`scrapy crawl` to its end; the exit code."""
        with self.running(spider, *arguments, **settings) as process:
            return process.wait(timeout_s)
