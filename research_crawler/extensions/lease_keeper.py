"""Leases kept alive, and none forgotten: every command this node leased ends in one settlement, whatever happens."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Self

import structlog
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from research_crawler.core import services
from research_crawler.core.crawl_ports import CrawlNode
from research_crawler.core.leases import Task
from research_crawler.core.models.items import CommandItem
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.extensions.engine_view import EngineView
from research_crawler.frontier.node import OUT_OF_REACH, WORK_S
from research_crawler.frontier.request_state import find_state, state_of

log = structlog.get_logger(__name__)
BEAT_S, _LOOK_S, DRAIN_S = 2.0, 1.0, 20.0
"""Between beats; between looks for forgotten leases; for what is under way at the end."""
ORPHAN_LOOKS: Final = 3
"""Looks that find a lease nowhere before it fails: between two of Scrapy's stages a request is nowhere for a moment."""


class LeaseKeeper:
    """Beats for the node, ends what it lost, settles what fell out of Scrapy's hands, gives the rest back at the end.

    It also reaps for everybody, as each process of the system does.
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
        """Scrapy builds its components this way."""
        return cls(crawler)

    @property
    def node(self) -> CrawlNode:
        """This process's node."""
        return services.of(self.crawler).node

    def start(self, spider: Spider) -> None:
        """Announce the node, and keep watch from now on."""
        self._view = EngineView(self.crawler)
        work = [
            _every(BEAT_S, self._beat),
            _every(_LOOK_S, self._look),
            _every(_LOOK_S, self.node.frontier.reap),
            self._hear_of_withdrawals(),
        ]
        self._loops = [asyncio.ensure_future(one) for one in work]

    async def stop(self, spider: Spider, reason: str) -> None:
        """Scrapy's pipelines are done: what is left goes back, not counted."""
        if self._draining:
            self._draining.cancel()
        await self.leave()

    async def drain(self) -> None:
        """Give the local buffer back, wait for what is under way (at most 20 s), then give that back too."""
        self.node.draining = True
        await self._give_buffer_back()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.node.idle.wait(), DRAIN_S)
        await self.leave()

    async def leave(self) -> None:
        """End the node: what it still works on is ended and goes back, uncounted."""
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
        lost = await self.node.frontier.beat(self.node.name, {id_: task.token for id_, task in named.items()})
        self.node.last_beat_s = sent_s
        self.node.on_free()
        # A command may have been leased anew meanwhile: only the lease that was named is lost.
        await asyncio.gather(*(self.node.cancel(named[id_]) for id_ in lost))

    async def _hear_of_withdrawals(self) -> None:
        """End at once what a cancelled or finished job had under way; a message missed is seen at the next beat."""
        while True:
            try:
                async with self.node.frontier.subscribe_withdrawn() as wakes:
                    async for _ in wakes:
                        ids = {id_ for text in wakes.take_texts() for id_ in text.split()}
                        gone = [task for task in self.node.tasks.values() if task.command.id in ids]
                        await asyncio.gather(*(self.node.cancel(task) for task in gone))
            except Exception as error:  # whatever it was: without this loop nothing is wrong, only late
                log.warning("cannot hear of withdrawn leases; trying again", error=repr(error))
                await asyncio.sleep(BEAT_S)

    async def _look(self) -> None:
        """Fail what is nowhere in Scrapy, or takes longer than a lease may live."""
        if self.node.mute and self.node.last_beat_s:
            await self._give_buffer_back()
        if not self.crawler.crawling and not self.node.draining:
            # Scrapy was asked to stop by itself (`scrapy crawl`): what is under way gets the same time to end.
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
        """A pipeline raised."""
        if task := self._task_of(item):
            await self._fail(task, Why(Reason.PIPELINE, _name(failure)))

    async def item_dropped(self, item: Any, exception: Exception, **_: Any) -> None:
        """A pipeline dropped the item."""
        if task := self._task_of(item):
            await self._fail(task, Why(Reason.DROPPED, str(exception)))

    def callback_failed(self, failure: Failure, response: Any, **_: Any) -> None:
        """The spider's callback or errback raised. Scrapy does not await handlers of this signal."""
        request = getattr(response, "request", None)
        self._fail_soon(request, Why(Reason.SPIDER, _name(failure)))

    def request_dropped(self, request: Request, **_: Any) -> None:
        """The scheduler did not take a request. Scrapy does not await handlers of this signal."""
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
            what="failed",
            reason=reason.cut(200),
            query=task.command.search.query if task.command.search else "",
            downloads=task.downloads,
            pages_fetched=task.pages_fetched,
            seconds=task.seconds,
        )
        try:
            await self.node.frontier.settle(item.to_event(), task.token)
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", command=task.command.id, error=str(error))
        self.node.release(task)


async def _every(seconds: float, action: Callable[[], Awaitable[Any]]) -> None:
    """Now and again and again: a fault costs one turn, never the loop."""
    while True:
        try:
            await action()
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", error=str(error))
        except Exception:
            log.exception("the lease keeper goes on after a fault")
        await asyncio.sleep(seconds)


def _name(failure: Failure) -> str:
    return f"{type(failure.value).__name__}: {failure.value}"
