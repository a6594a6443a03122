"""One timed crawl of the load site: `python -m benchmarks.crawling.crawl_child MODE PORT PAGES HOSTS`.

The modes: `plain` is Scrapy with its defaults, `memory` is Scrapy's own scheduler in memory on our handler
and loop, `ours` is our node, and `stock` is Scrapy with its defaults and scrapy-redis' scheduler. All of them
log only errors.

stdout gets {"pages", "seconds", "cpu_s"}, measured from the end of the warm-up (the first tenth of the pages)
to the end of the last page. `ours` counts a page when it is settled. cpu_s is the CPU time of this process,
without Redis and the site. Settings come from the environment.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import scrapy
import uvloop
from scrapy.crawler import AsyncCrawlerProcess, AsyncCrawlerRunner
from scrapy.http import Response

from benchmarks.crawling.bare_node import bare_node, commands_for, guard_of, open_frontier, push_all
from research_crawler.configuration import load_system_config
from research_crawler.core import crawler_services
from research_crawler.runtime.crawl_engine import use_reactor_of_running_loop
from research_crawler.settings import HANDLER

QUIET = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "LOGSTATS_INTERVAL": 0}
WARM_UP = 0.1


def urls(port: int, pages: int, hosts: int) -> Iterator[str]:
    """The URLs of pages, taking the hosts in turn."""
    for n in range(pages):
        yield f"http://127.0.40.{n % hosts + 1}:{port}/p/{n}"


class Counter:
    """Counts pages, and measures the time from the end of the warm-up to the last page."""

    def __init__(self, pages: int) -> None:
        self.pages, self.warm = pages, int(pages * WARM_UP)
        self.done = 0
        self.begun = self.ended = self.cpu_begun = self.cpu_ended = 0.0
        self.on_end: Callable[[], None] = lambda: None

    def count(self, _: str = "") -> None:
        """Count one more page."""
        self.done += 1
        if self.done == self.warm:
            self.begun, self.cpu_begun = time.perf_counter(), time.process_time()
        if self.done == self.pages:
            self.ended, self.cpu_ended = time.perf_counter(), time.process_time()
            self.on_end()

    def result(self) -> dict[str, Any]:
        """The figures for the parent process."""
        return {
            "pages": self.done - self.warm,
            "seconds": self.ended - self.begun,
            "cpu_s": self.cpu_ended - self.cpu_begun,
        }


class PlainSpider(scrapy.Spider):
    """Requests every page once and does nothing with it."""

    name = "plain"

    def __init__(self, counter: Counter, addresses: list[str]) -> None:
        super().__init__()
        self.counter, self.addresses = counter, addresses

    async def start(self) -> AsyncIterator[Any]:
        """Yield all requests."""
        for url in self.addresses:
            yield scrapy.Request(url, dont_filter=True)

    def parse(self, response: Response) -> None:
        """Count the page."""
        assert response.status == 200
        self.counter.count()


def plain(counter: Counter, addresses: list[str], settings: dict[str, Any]) -> None:
    """Crawl with Scrapy's own crawler process."""
    process = AsyncCrawlerProcess(QUIET | settings)
    process.crawl(PlainSpider, counter=counter, addresses=addresses)
    process.start()


def stock_settings(redis_url: str) -> dict[str, Any]:
    """The settings of scrapy-redis' README; everything else has its default."""
    return {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "REDIS_URL": redis_url,
    }


async def memory(counter: Counter, addresses: list[str]) -> None:
    """Crawl with Scrapy's own scheduler and as many concurrent requests as our node has."""
    use_reactor_of_running_loop()
    config = load_system_config()
    settings = {
        "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
        "CONCURRENT_REQUESTS": config.node_leases,
        "COOKIES_ENABLED": False,
    }
    runner = AsyncCrawlerRunner(QUIET | settings)
    crawler = runner.create_crawler(PlainSpider)
    crawler_services.provide(crawler, crawler_services.FetchServices(guard=guard_of(config), config=config))
    await runner.crawl(crawler, counter=counter, addresses=addresses)


async def ours(counter: Counter, addresses: list[str]) -> None:
    """Crawl with our node, on a frontier that has all commands."""
    config = load_system_config()
    finished = asyncio.Event()
    counter.on_end = finished.set
    async with open_frontier(config) as frontier:
        await push_all(frontier, commands_for(addresses))
        async with bare_node(config, frontier, settled=counter.count):
            await finished.wait()


def main() -> None:
    """Run one mode and print its figure."""
    mode, port, pages, hosts = sys.argv[1], *(int(argument) for argument in sys.argv[2:5])
    counter, addresses = Counter(pages), list(urls(port, pages, hosts))
    if mode in ("plain", "stock"):
        plain(counter, addresses, stock_settings(load_system_config().redis_url) if mode == "stock" else {})
    else:
        work = memory if mode == "memory" else ours
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(work(counter, addresses))
    print(json.dumps(counter.result()))


if __name__ == "__main__":
    main()
