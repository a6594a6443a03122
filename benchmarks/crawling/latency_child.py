"""An idle crawler that reports when a response is parsed: `python -m benchmarks.crawling.latency_child ours|stock`.

stdout: {"up": true}, then per response [number in the URL's query or the command's id, CLOCK_MONOTONIC in ns].
Ends with its stdin. Settings come from the environment.
"""

import asyncio
import json
import sys
import time
from typing import Any

import uvloop
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy_redis.spiders import RedisSpider

from benchmarks.crawling.bare_node import bare_node, open_frontier
from benchmarks.crawling.crawl_child import QUIET, stock_settings
from research_crawler.configuration import load_system_config


def say(message: Any) -> None:
    """Write a line to the parent at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


class StockSpider(RedisSpider):  # type: ignore[misc]  # scrapy-redis has no types
    """Waits for URLs as described in the README of scrapy-redis."""

    name = "stock"

    def parse(self, response: Response) -> None:
        """Report the time."""
        say([response.url.rpartition("/")[2], time.monotonic_ns()])


def stock() -> None:
    """Stock Scrapy with stock scrapy-redis."""
    process = AsyncCrawlerProcess(QUIET | stock_settings(load_system_config().redis_url))
    crawler = process.create_crawler(StockSpider)
    crawler.signals.connect(lambda: say({"up": True}), signals.spider_opened, weak=False)
    process.crawl(crawler)
    process.start()


async def ours() -> None:
    """Our node; the parent pushes commands."""
    config = load_system_config()
    async with (
        open_frontier(config) as frontier,
        bare_node(config, frontier, parsed=lambda id_: say([id_, time.monotonic_ns()])),
    ):
        say({"up": True})
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    if sys.argv[1] == "stock":
        stock()
    else:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(ours())
