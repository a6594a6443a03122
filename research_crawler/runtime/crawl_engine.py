"""Runs one Scrapy engine on the running asyncio loop, and drains the node's leases when it stops."""

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING, ClassVar

from research_crawler.core import crawler_services
from research_crawler.runtime.container import Container
from research_crawler.spiders.command_spider import CommandSpider
from research_crawler.spiders.page_spider import PageSpider
from research_crawler.spiders.search_spider import SearchSpider
from research_crawler.spiders.vendor_spider import VendorSpider

if TYPE_CHECKING:  # Importing Scrapy takes half a second: only a process that crawls imports it.
    from scrapy.crawler import Crawler

_START_S = 60.0
"""How long Scrapy may take to open its components."""
STOP_S = 20.0
"""How long Scrapy may take to stop, after the leases are drained."""


class CrawlEngine:
    """Runs a spider with the parts of an open `Container`."""

    def __init__(self, container: Container, spider: str) -> None:
        """`spider` is the name of the spider; `node` runs all kinds of commands."""
        self._container, self._spider = container, spider
        self._crawler: Crawler | None = None
        self._crawl: asyncio.Task[None] | None = None
        self._is_running = asyncio.Event()

    async def start(self) -> asyncio.Task[None]:
        """Start the engine, wait until it runs, and return the task that ends with it.

        Raises:
            whatever the engine or one of its components raised while it started.
        """
        use_reactor_of_running_loop()
        from scrapy import signals
        from scrapy.crawler import AsyncCrawlerRunner

        from research_crawler.settings import scrapy_settings

        runner = AsyncCrawlerRunner(scrapy_settings(self._container.config) | {"ASYNCIO_EVENT_LOOP": None})
        self._crawler = runner.create_crawler(spider_named(self._spider))
        crawler_services.provide(self._crawler, self._container.services)
        self._crawler.signals.connect(self._is_running.set, signals.engine_started)
        self._crawl = runner.crawl(self._crawler)
        await self._end_of_start(self._crawl)
        if self._crawl.done():
            self._crawl.result()
        return self._crawl

    async def stop(self) -> None:
        """Take no more leases, let running commands end (at most 20 s), return the others, stop Scrapy."""
        if self._crawler is None or self._crawl is None:
            return
        await self._end_of_start(self._crawl)
        if self._is_running.is_set() and not self._crawl.done():
            await self._drain(self._crawler)
            await asyncio.wait({self._crawl}, timeout=STOP_S)
        self._crawl.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await self._crawl

    async def _end_of_start(self, crawl: asyncio.Task[None]) -> None:
        """Wait until Scrapy runs or has failed.

        If Scrapy were cancelled half-way, its components would not clean up.
        """
        running = asyncio.ensure_future(self._is_running.wait())
        try:
            await asyncio.wait({crawl, running}, timeout=_START_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            running.cancel()

    async def _drain(self, crawler: "Crawler") -> None:
        from research_crawler.extensions.lease_keeper import LeaseKeeper
        from research_crawler.extensions.prefetch import Prefetcher

        if prefetcher := crawler.get_extension(Prefetcher):
            await prefetcher.stop()
        if keeper := crawler.get_extension(LeaseKeeper):
            # While Redis refuses writes, no command can be settled.
            await (keeper.leave() if self._container.presence.fault() else keeper.drain())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await crawler.stop_async()


def use_reactor_of_running_loop() -> None:
    """Install a Twisted reactor on the running asyncio loop, so that Scrapy runs in an asyncio program."""
    if "twisted.internet.reactor" not in sys.modules:
        from twisted.internet import asyncioreactor

        asyncioreactor.install(asyncio.get_running_loop())  # type: ignore[no-untyped-call]  # Twisted has no types there


# The spider that runs every kind of command in one engine.
#
# `scrapy list` does not show it, because only the `research` command uses it.


class NodeSpider(SearchSpider, VendorSpider):
    """The spider of `research run`, `up` and `crawl`. `scrapy crawl page` runs one kind of command."""

    name = "node"
    queues: ClassVar[tuple[str, ...]] = ("search", "page", "vendor")


def spider_named(name: str) -> type[CommandSpider]:
    """The spider with this name. `research search` and `research page` lease only their own kind."""
    return {spider.name: spider for spider in (NodeSpider, SearchSpider, PageSpider, VendorSpider)}[name]
