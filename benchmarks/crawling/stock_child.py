"""A scrapy-redis process with a delay: `python -m benchmarks.crawling.stock_child REDIS_URL DELAY_S`.

It prints {"up": true} when it runs. The process that gets a list of URLs on stdin shares them with all others
on that Redis, through scrapy-redis' own list of start URLs.
"""

import json
import sys
import threading

import redis
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess

from benchmarks.crawling.crawl_child import QUIET, stock_settings
from benchmarks.crawling.latency_child import StockSpider, say


class SilentSpider(StockSpider):
    """Reports nothing, because only the server's log is used."""

    redis_batch_size = 200

    def parse(self, response: object) -> None:
        """Nothing."""


def share(redis_url: str) -> None:
    """Wait for URLs and share them with all processes."""
    if line := sys.stdin.readline():
        client = redis.Redis.from_url(redis_url, socket_timeout=30)
        client.rpush("stock:start_urls", *(json.dumps({"url": url}) for url in json.loads(line)))
        client.close()


def main() -> None:
    """Crawl until ended."""
    redis_url, delay_s = sys.argv[1], float(sys.argv[2])
    polite = {
        "DOWNLOAD_DELAY": delay_s,
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    }
    process = AsyncCrawlerProcess(QUIET | stock_settings(redis_url) | polite)
    crawler = process.create_crawler(SilentSpider)
    crawler.signals.connect(lambda: say({"up": True}), signals.spider_opened, weak=False)
    threading.Thread(target=share, args=(redis_url,), daemon=True).start()
    process.crawl(crawler)
    process.start()


if __name__ == "__main__":
    main()
