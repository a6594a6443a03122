"""A crawler node without extraction, for timing: it leases, checks, fetches and settles commands."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import ClassVar

from scrapy import signals
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import Response

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from research_crawler.adapters.data_folder import DataFolder
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.memory_provider_health import MemoryHealth
from research_crawler.core import crawler_services
from research_crawler.core.config import Config
from research_crawler.core.models.messages.commands import Command, VisitCommand
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.ports.crawler import PageReaders
from research_crawler.core.tasks.leases import Task
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.urls import frontier_target
from research_crawler.extraction.process.pool import ParsePool
from research_crawler.frontier.node import Node
from research_crawler.frontier.store import Frontier
from research_crawler.runtime.crawl_engine import use_reactor_of_running_loop
from research_crawler.settings import scrapy_settings
from research_crawler.spiders.page_spider import PageSpider

CommandCallback = Callable[[str], None]
"""Called with the id of a command."""
PUSH_AT_ONCE = 500


class BareSpider(PageSpider):
    """Reports whose response was parsed, and reads nothing from it."""

    parsed: ClassVar[CommandCallback]

    async def visit(self, task: Task, response: Response) -> CommandItem:
        """Return an item without a page."""
        assert response.status == 200 and response.body, f"{response.url} answered {response.status}"
        type(self).parsed(task.command.id)
        return CommandItem(command=task.command, token=task.token)


class SettledPipeline:
    """Comes after the pipeline that settles commands."""

    settled: ClassVar[CommandCallback]

    def process_item(self, item: CommandItem) -> CommandItem:
        """Report which command was settled."""
        assert item.outcome == "ok", f"{item.command.url}: {item.outcome} {item.reason}"
        type(self).settled(item.command.id)
        return item


def ignore(_: str) -> None:
    """A callback that does nothing."""


def guard_of(config: Config) -> AddressGuard:
    """The address guard of a real node."""
    return AddressGuard(
        allow_private=config.allow_private_hosts,
        allowed_hosts=config.web_allowed_hosts,
        blocked_hosts=config.web_blocked_hosts,
    )


def commands_for(urls: Iterator[str] | list[str], *, job: str = "-") -> list[Command]:
    """One visit per URL, numbered from 0."""
    targets = [frontier_target(url) for url in urls]
    return [
        VisitCommand(id=f"{job}:{n}", job=job, url=target.url, slot=target.slot, page_key=target.page_key)
        for n, target in enumerate(targets)
    ]


@asynccontextmanager
async def open_frontier(config: Config) -> AsyncIterator[Frontier]:
    """The frontier of the configured Redis."""
    folder = DataFolder(config)
    await folder.open()
    frontier = Frontier(folder.redis, prefix=config.redis_prefix)
    await frontier.configure(
        default_delay_ms=int(config.phase1_visit_delay_seconds * 1000),
        host_permits=config.host_permits,
        model_permits=config.model_concurrency,
    )
    try:
        yield frontier
    finally:
        await frontier.close()
        await folder.close()


async def push_all(frontier: Frontier, commands: list[Command]) -> None:
    """Push commands into their queues, some hundred per call."""
    for start in range(0, len(commands), PUSH_AT_ONCE):
        await frontier.push(commands[start : start + PUSH_AT_ONCE])


def _services(config: Config, frontier: Frontier) -> crawler_services.CrawlServices:
    """The services of a node that stores and reads nothing. Unused ones are in memory, or never start."""

    async def none_renders() -> bool:
        return False

    async def extractive(_: str) -> PageReaders:
        return PageReaders(brain=ExtractiveBrain(embedder))

    embedder = HashEmbedder()
    return crawler_services.CrawlServices(
        config=config,
        guard=guard_of(config),
        archive=MemoryArchive(),
        embedder=embedder,
        readers_for=extractive,
        frontier=frontier,
        node=Node(frontier, leases=config.node_leases),
        parse_pool=ParsePool(1),
        provider_health=MemoryHealth(),
        renders_elsewhere=none_renders,
    )


@asynccontextmanager
async def bare_node(
    config: Config, frontier: Frontier, *, parsed: CommandCallback = ignore, settled: CommandCallback = ignore
) -> AsyncIterator[None]:
    """Run a node for the length of a block."""
    use_reactor_of_running_loop()
    BareSpider.parsed, SettledPipeline.settled = staticmethod(parsed), staticmethod(settled)
    settings = scrapy_settings(config) | {
        "ASYNCIO_EVENT_LOOP": None,
        "ITEM_PIPELINES": {"pipelines.notify.NotifyPipeline": 900, SettledPipeline: 950},
    }
    runner = AsyncCrawlerRunner(settings)
    crawler = runner.create_crawler(BareSpider)
    crawler_services.provide(crawler, _services(config, frontier))
    opened = asyncio.Event()
    crawler.signals.connect(opened.set, signals.engine_started, weak=False)
    crawl = asyncio.ensure_future(runner.crawl(crawler))
    await opened.wait()
    try:
        yield
    finally:
        await crawler.stop_async()
        await crawl
