"""Keeps the node's leases alive, and makes sure that each leased command is settled or given back."""

import asyncio
import contextlib
import time
from typing import Any, Final, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from research_crawler.core import crawler_services
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.core.tasks.every import every
from research_crawler.core.tasks.leases import Task
from research_crawler.core.tasks.work_time import active_s
from research_crawler.extensions.engine_view import EngineView
from research_crawler.frontier.node import OUT_OF_REACH, WORK_S
from research_crawler.frontier.request_state import find_state, state_of

log = get_log(__name__)
BEAT_S, _LOOK_S = 2.0, 1.0
"""Time between beats, and between checks for forgotten leases."""
DRAIN_S = 20.0
"""How long a crawler that ends, on Ctrl-C too, waits for the pages that are under way."""
ORPHAN_LOOKS: Final = 3
"""A lease fails after this many checks that do not find it: a request is briefly in no stage of Scrapy's engine."""


class LeaseKeeper:
    """Sends the node's beats, ends work on lost leases, and settles commands that Scrapy has dropped.

    At the end it gives the remaining leases back. Like every process of the system, it also takes back the leases of
    dead nodes.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._loops: list[asyncio.Task[None]] = []
        self._endings: set[asyncio.Task[None]] = set()
        self._orphans: dict[str, int] = {}
        self._draining: asyncio.Task[None] | None = None
        for handler, signal in (
            (self.start, signals.spider_opened),
            (self.stop, signals.spider_closed),
            (self.item_failed, signals.item_error),
            (self.item_dropped, signals.item_dropped),
            (self.callback_failed, signals.spider_error),
            (self.request_dropped, signals.request_dropped),
        ):
            crawler.signals.connect(handler, signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the extension for a crawler, as Scrapy does."""
        return cls(crawler)

    @property
    def node(self) -> CrawlNode:
        """The node of this process."""
        return crawler_services.of(self.crawler).node

    def start(self, spider: Spider) -> None:
        """Start the loops that send beats, check the leases and listen for withdrawals."""
        self._view = EngineView(self.crawler)
        work = [
            every(BEAT_S, self._beat, "the heartbeat", longest_s=BEAT_S),
            every(_LOOK_S, self._look, "the look at lost commands", longest_s=_LOOK_S),
            every(_LOOK_S, self.node.frontier.reap, "taking back the leases of dead nodes"),
            every(BEAT_S, self._end_withdrawn, "listening for withdrawn leases", longest_s=BEAT_S),
        ]
        self._loops = [asyncio.ensure_future(loop) for loop in work]

    async def stop(self, spider: Spider, reason: str) -> None:
        """Give the remaining leases back, without counting an attempt, when Scrapy's pipelines have ended."""
        if self._draining:
            self._draining.cancel()
        await self.leave()

    async def drain(self) -> None:
        """Give the buffered commands back, wait for running ones (`DRAIN_S`), then give those back too."""
        self.node.draining = True
        await self._give_buffer_back()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_S):
                await self.node.idle.wait()
        await self.leave()

    async def leave(self) -> None:
        """End the node: stop its running work and give the commands back without counting an attempt."""
        self.node.draining = True
        for loop in self._loops:
            loop.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await loop
        self._loops = []
        await asyncio.gather(*(self.node.cancel(task) for task in list(self.node.tasks.values())))
        if self._endings:
            await asyncio.wait(self._endings)
        try:
            await self.node.frontier.leave(self.node.name)
        except OUT_OF_REACH as error:
            log.warning("redis does not answer; the node's leases are taken back later", error=str(error))

    async def _beat(self) -> None:
        named = {task.command.id: task for task in self.node.tasks.values()}
        sent_s = time.monotonic()
        active_s()  # the clock of this process counts only time between readings
        lost = await self.node.frontier.beat(
            self.node.name,
            {id_: task.token for id_, task in named.items()},
            {id_: int(task.watch.worked_s * 1000) for id_, task in named.items()},
        )
        self.node.last_beat_s = sent_s
        self.node.on_free()
        # A command may have been leased again in the meantime; only the lease that the beat named is lost.
        await asyncio.gather(*(self.node.cancel(named[id_]) for id_ in lost))

    async def _end_withdrawn(self) -> None:
        """End the work for cancelled and finished jobs at once; the next beat finds leases whose message was missed."""
        async with self.node.frontier.subscribe_withdrawn() as wakes:
            async for _ in wakes:
                ids = {id_ for text in wakes.take_texts() for id_ in text.split()}
                withdrawn = [task for task in self.node.tasks.values() if task.command.id in ids]
                await asyncio.gather(*(self.node.cancel(task) for task in withdrawn))

    async def _look(self) -> None:
        """Fail commands that are no longer in Scrapy's engine, or that take longer than a lease may last."""
        if self.node.heartbeat_overdue and self.node.last_beat_s:
            await self._give_buffer_back()
        if not self.crawler.crawling and not self.node.draining:
            # Scrapy itself was asked to stop (`scrapy crawl`); running work gets the same time to end.
            self._draining = asyncio.ensure_future(self.drain())
        alive = self._view.tasks()
        for task in list(self.node.tasks.values()):
            if task.seconds > WORK_S:
                await self._fail(task, Why(Reason.TOO_LONG))
                await self.node.cancel(task)
            elif task.token in alive:
                self._orphans.pop(task.token, None)
            else:
                looks = self._orphans[task.token] = self._orphans.get(task.token, 0) + 1
                if looks >= ORPHAN_LOOKS:
                    await self._fail(task, Why(Reason.DROPPED))
        for token in [token for token in self._orphans if token not in self.node.tasks]:
            del self._orphans[token]

    async def _give_buffer_back(self) -> None:
        scheduler = self.crawler.engine.scheduler if self.crawler.engine else None
        while scheduler is not None and (request := scheduler.next_request()) is not None:
            await self.node.give_back(state_of(request).task, "drain")

    async def item_failed(self, item: Any, failure: Failure, **_: Any) -> None:
        """Fail the command of an item for which a pipeline raised."""
        if task := self._task_of(item):
            await self._fail(task, Why(Reason.PIPELINE, _name(failure)))

    async def item_dropped(self, item: Any, exception: Exception, **_: Any) -> None:
        """Fail the command of an item that a pipeline dropped."""
        if task := self._task_of(item):
            await self._fail(task, Why(Reason.DROPPED, str(exception)))

    def callback_failed(self, failure: Failure, response: Any, **_: Any) -> None:
        """Fail the command whose callback or errback raised. Scrapy does not await handlers of this signal."""
        request = getattr(response, "request", None)
        self._fail_soon(request, Why(Reason.SPIDER, _name(failure)))

    def request_dropped(self, request: Request, **_: Any) -> None:
        """Fail the command of a request that the scheduler refused. Scrapy does not await handlers of this signal."""
        self._fail_soon(request, Why(Reason.REQUEST_DROPPED))

    def _task_of(self, item: Any) -> Task | None:
        return self.node.tasks.get(item.token) if isinstance(item, CommandItem) else None

    def _fail_soon(self, request: Request | None, reason: Why) -> None:
        state = find_state(request) if request is not None else None
        if state is None or state.task.token not in self.node.tasks:
            return
        ending = asyncio.ensure_future(self._fail(state.task, reason))
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)

    async def _fail(self, task: Task, reason: Why) -> None:
        log.warning("command failed in the node", command=task.command.id, reason=reason.text)
        await self.node.drop_holds(task)
        item = CommandItem(
            command=task.command,
            token=task.token,
            outcome="failed",
            reason=reason.cut(200),
            query=task.command.query,
            downloads=task.downloads,
            pages_fetched=task.pages_fetched,
            seconds=task.spent_s,
        )
        try:
            await self.node.frontier.settle(item.to_event(), task.token)
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", command=task.command.id, error=str(error))
        self.node.release(task)


def _name(failure: Failure) -> str:
    return f"{type(failure.value).__name__}: {failure.value}"
