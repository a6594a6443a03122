"""The prefetcher: leases commands ahead of the engine and hands them over without a poll."""

import asyncio
import contextlib
import time
from typing import Self

import structlog
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler

from research_crawler.core import services
from research_crawler.core.crawl_ports import CrawlNode, WakeUps
from research_crawler.core.errors import BadMessage
from research_crawler.core.failpoints import reach
from research_crawler.core.leases import Task
from research_crawler.core.models.commands import Lease
from research_crawler.core.models.events import Event
from research_crawler.extensions.project_request import project_request
from research_crawler.frontier.inlet import Inlet
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import first_state
from research_crawler.frontier.requests import queue_of

log = structlog.get_logger(__name__)
RENDER = ("render",)
IDLE_S, LOST_REDIS_S = 1.0, 1.0
"""Longest sleep without a wake-up; pause after Redis did not answer."""


class Prefetcher:
    """Leases as many commands as the node has free places, woken by publications of the frontier.

    Only what can be dispatched at once is leased, so the local buffer never holds a host back.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._task: asyncio.Task[None] | None = None
        self._wakes: WakeUps | None = None
        self._inlet: Inlet | None = None
        self._inlet_at_s = 0.0
        crawler.signals.connect(self.start, signals.spider_opened)
        crawler.signals.connect(self.stop, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    def start(self, spider: Spider) -> None:
        """Begin to lease for the spider's queues."""
        # All our spiders have queues; a project's own spider has one under its name.
        queues: tuple[str, ...] = getattr(spider, "queues", None) or (queue_of(spider.name),)
        node = services.of(self.crawler).node
        self._inlet = Inlet.of(self.crawler, node, spider)
        node.on_free = self._on_free
        self._task = asyncio.ensure_future(self._run(node, queues))

    def _on_free(self) -> None:
        """Lease in batches: one call for a quarter of the places, not one for each."""
        node = services.of(self.crawler).node
        if self._wakes and node.free * 4 >= node.capacity:
            self._wakes.wake()

    async def stop(self) -> None:
        """Lease nothing more."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, node: CrawlNode, queues: tuple[str, ...]) -> None:
        while self.crawler.crawling:
            try:
                async with node.frontier.subscribe_wake(
                    (*queues, *self._render_queue(queues))
                ) as self._wakes:
                    while self.crawler.crawling:
                        idle_s = await self._round(node, queues)
                        if idle_s > 0:
                            await self._wakes.wait(idle_s)
            except OUT_OF_REACH as error:
                log.warning("redis does not answer", error=str(error))
                await asyncio.sleep(LOST_REDIS_S)
            except Exception:
                log.exception("leasing failed; trying again")
                await asyncio.sleep(LOST_REDIS_S)

    async def _round(self, node: CrawlNode, queues: tuple[str, ...]) -> float:
        """Lease once; how long to sleep unless woken."""
        if node.free <= 0 or node.mute:
            return IDLE_S
        if self._inlet and time.monotonic() >= self._inlet_at_s:
            self._inlet_at_s = time.monotonic() + IDLE_S
            await self._inlet.drain()
        sent_s, pushes = time.monotonic(), node.pushes
        leases, due_ms = await self._lease(node, queues)
        node.note_look(pushes, found=bool(leases) or due_ms is not None)
        for lease in leases:
            await self._hand_over(node.accept(lease, sent_s))
        if leases:
            reach("after-lease")
            return 0.0 if node.free > 0 else IDLE_S
        return IDLE_S if due_ms is None else min(IDLE_S, max(due_ms, 1) / 1000)

    async def _lease(self, node: CrawlNode, queues: tuple[str, ...]) -> tuple[list[Lease], int | None]:
        """As much as there are places; of what is to be rendered no more than the browser takes at once."""
        leases = await node.frontier.lease(node.name, node.free, queues)
        due_ms = node.frontier.due_in_ms
        rendering = sum(task.command.render for task in node.tasks.values())
        places = min(services.of(self.crawler).config.browser_pages - rendering, node.free - len(leases))
        if places <= 0 or not self._render_queue(queues):
            return leases, due_ms
        leases += await node.frontier.lease(node.name, places, RENDER)
        dues_ms = [due for due in (due_ms, node.frontier.due_in_ms) if due is not None]
        return leases, min(dues_ms, default=None)

    def _render_queue(self, queues: tuple[str, ...]) -> tuple[str, ...]:
        """Pages to render are for nodes that read pages, vendors' too, and have a browser."""
        return RENDER if {"page", "vendor"} & set(queues) and services.of(self.crawler).browser else ()

    async def _hand_over(self, task: Task) -> None:
        try:
            request = (project_request if task.command.kind == "request" else request_of)(task, self.crawler)
        except BadMessage as error:
            await self._refuse(task, str(error))
        else:
            self.crawler.engine.crawl(request)

    async def _refuse(self, task: Task, reason: str) -> None:
        """End a queued request that this spider cannot make, such as one whose callback is gone."""
        log.warning("a queued request cannot be made", command=task.command.id, reason=reason)
        node = services.of(self.crawler).node
        await node.drop_holds(task)
        event = Event(
            uid=task.command.id,
            kind="done",
            command=task.command.id,
            job=task.command.job,
            what="failed",
            reason=f"bad_request: {reason}"[:200],
        )
        await node.frontier.settle(event, task.token)
        node.release(task)


def request_of(task: Task, crawler: Crawler) -> Request:
    """The request that carries a leased command of our own spiders through the engine."""
    command, lease, spider = task.command, task.lease, crawler.spider
    url = command.url if command.kind != "search" else f"command://{command.kind}/{command.id}"
    headers = {"Accept-Language": _languages(lease)}
    return Request(
        url,
        meta=first_state(task).meta,
        headers=headers,
        callback=spider.parse,  # type: ignore[union-attr]  # a node has its spider
        errback=spider.parse_failure,  # type: ignore[union-attr]
        dont_filter=True,
    )


def _languages(lease: Lease) -> str:
    language = lease.command.purpose.language if lease.command.purpose else "en"
    return "en" if language == "en" else f"{language},en;q=0.7"
