"""The prefetcher: leases commands for the engine as soon as the frontier announces them."""

import asyncio
import contextlib
import time
from typing import Self, assert_never

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler

from research_crawler.core import crawler_services
from research_crawler.core.errors import BadMessage, RedisFull
from research_crawler.core.failpoints import failpoint
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import (
    Lease,
    ProjectRequest,
    SearchCommand,
    SectionCommand,
    VendorCommand,
    VisitCommand,
    is_rendered,
)
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.core.ports.frontier import WakeUps
from research_crawler.core.tasks.leases import Task
from research_crawler.extensions.project_request import project_request
from research_crawler.frontier.inlet import Inlet
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import first_state
from research_crawler.frontier.spider_requests import queue_of

log = get_log(__name__)
RENDER = ("render",)
FULL_REDIS_S = 5.0
"""Pause after Redis has refused a lease because its memory is full."""
IDLE_S, LOST_REDIS_S = 1.0, 1.0
"""Longest sleep without a wake-up; pause after a call that Redis did not answer."""


class Prefetcher:
    """Leases as many commands as the node can take, whenever the frontier publishes a wake-up.

    It leases only commands that can be dispatched at once, so commands in the local buffer never block a host.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._task: asyncio.Task[None] | None = None
        self._wakes: WakeUps | None = None
        self._inlet: Inlet | None = None
        self._inlet_at_s = 0.0
        self._looks = 0
        crawler.signals.connect(self.start, signals.spider_opened)
        crawler.signals.connect(self.stop, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the extension for a crawler, as Scrapy does."""
        return cls(crawler)

    def start(self, spider: Spider) -> None:
        """Begin to lease commands of the spider's queues."""
        # Each of our spiders has `queues`; a project's own spider has one queue under its name.
        queues: tuple[str, ...] = getattr(spider, "queues", None) or (queue_of(spider.name),)
        node = crawler_services.of(self.crawler).node
        self._inlet = Inlet.of(self.crawler, node, spider)
        node.on_free = self._on_free
        self._task = asyncio.ensure_future(self._run(node, queues))

    def _on_free(self) -> None:
        """Wake the prefetcher only when a quarter of the places is free, so that it leases in batches."""
        node = crawler_services.of(self.crawler).node
        if self._wakes and node.free * 4 >= node.capacity:
            self._wakes.wake()

    async def stop(self) -> None:
        """Stop leasing."""
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
            except RedisFull as error:
                log.warning("no command is leased", reason=str(error))
                await asyncio.sleep(FULL_REDIS_S)
            except Exception:
                log.exception("leasing failed; trying again")
                await asyncio.sleep(LOST_REDIS_S)

    async def _round(self, node: CrawlNode, queues: tuple[str, ...]) -> float:
        """Lease once; return how long to sleep if there is no wake-up."""
        if node.free <= 0 or node.heartbeat_overdue:
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
            failpoint("after-lease")
            return 0.0 if node.free > 0 else IDLE_S
        return IDLE_S if due_ms is None else min(IDLE_S, max(due_ms, 1) / 1000)

    async def _lease(self, node: CrawlNode, queues: tuple[str, ...]) -> tuple[list[Lease], int | None]:
        """Lease as many commands as there are places, and as many pages to render as the browser can take."""
        leases = await node.frontier.lease(node.name, node.free, self._in_turn(queues))
        due_ms = node.frontier.due_in_ms
        rendering = sum(is_rendered(task.command) for task in node.tasks.values())
        places = min(
            crawler_services.of(self.crawler).config.browser_pages - rendering, node.free - len(leases)
        )
        if places <= 0 or not self._render_queue(queues):
            return leases, due_ms
        leases += await node.frontier.lease(node.name, places, RENDER)
        dues_ms = [due for due in (due_ms, node.frontier.due_in_ms) if due is not None]
        return leases, min(dues_ms, default=None)

    def _in_turn(self, queues: tuple[str, ...]) -> tuple[str, ...]:
        """The queues, each time another one first: searches and visits that wait for the same host take turns."""
        self._looks += 1
        first = self._looks % len(queues)
        return queues[first:] + queues[:first]

    def _render_queue(self, queues: tuple[str, ...]) -> tuple[str, ...]:
        """The queue of pages to render, for nodes that visit pages or vendors and have a browser."""
        return (
            RENDER if {"page", "vendor"} & set(queues) and crawler_services.of(self.crawler).browser else ()
        )

    async def _hand_over(self, task: Task) -> None:
        try:
            request = scrapy_request(task, self.crawler)
        except BadMessage as error:
            await self._refuse(task, str(error))
        else:
            self.crawler.engine.crawl(request)

    async def _refuse(self, task: Task, reason: str) -> None:
        """Settle a queued request that this spider cannot make, such as one whose callback no longer exists."""
        log.warning("a queued request cannot be decoded", command=task.command.id, reason=reason)
        node = crawler_services.of(self.crawler).node
        await node.drop_holds(task)
        event = CommandDone(
            uid=task.command.id,
            command=task.command.id,
            job=task.command.job,
            outcome="failed",
            reason=Why(Reason.BAD_REQUEST, reason).cut(200),
        )
        await node.frontier.settle(event, task.token)
        node.release(task)


def scrapy_request(task: Task, crawler: Crawler) -> Request:
    """The request that carries a leased command through the engine.

    Raises:
        BadMessage: a project's request cannot be decoded.
    """
    match task.command:
        case ProjectRequest() as command:
            return project_request(task, command, crawler)
        case SearchCommand() as command:
            return _own_request(task, f"command://{command.kind}/{command.id}", crawler)
        case VisitCommand() | SectionCommand() | VendorCommand() as command:
            return _own_request(task, command.url, crawler)
        case _ as unknown:
            assert_never(unknown)


def _own_request(task: Task, url: str, crawler: Crawler) -> Request:
    """The request for a command of our own spiders."""
    spider, headers = crawler.spider, {"Accept-Language": _languages(task.lease)}
    return Request(
        url,
        meta=first_state(task).meta,
        headers=headers,
        callback=spider.parse,  # type: ignore[union-attr]  # a node has its spider
        errback=spider.parse_failure,  # type: ignore[union-attr]
        dont_filter=True,
    )


def _languages(lease: Lease) -> str:
    language = lease.command.job_context.language if lease.command.job_context else "en"
    return "en" if language == "en" else f"{language},en;q=0.7"
