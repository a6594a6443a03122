"""The scheduler: it reads scrapy-redis' settings, but never blocks and never removes a request before it is done.

Requests wait in the frontier and come back under leases. The requests of our own spiders are made from commands. The
requests of a project's spider (a stock spider, or one written for scrapy-redis) are stored as commands by
`frontier.spider_requests`.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Iterator
from typing import Any, Final, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.spider import DefaultSpider
from scrapy_redis.dupefilter import RFPDupeFilter
from scrapy_redis.scheduler import Scheduler
from scrapy_redis.spiders import RedisMixin
from twisted.internet.defer import Deferred

from research_crawler.core import crawler_services
from research_crawler.core.errors import BadMessage, NotStarted
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import Command, ProjectRequest
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.queue import LocalBuffer
from research_crawler.frontier.request_state import find_state
from research_crawler.frontier.settlements import settlements_of
from research_crawler.frontier.spider_requests import JsonRequests, command_of, queue_of

log = get_log(__name__)
_PUSH_AT_ONCE: Final = 256
"""Requests that are pushed at once."""
_RETRY_S: Final = 1.0
"""Wait after a failed push."""
_PROJECT_SPIDER_CLOSE_S: Final = 10.0
"""How long a project's own spider waits for its work when it closes; what is not settled by then is crawled again."""
_ADD_ON = (
    "this crawler has no services; add the add-on to the project's settings: "
    'ADDONS = {"research_crawler.runtime.addon.ResearchAddon": 0}'
)


class FrontierScheduler(Scheduler):  # type: ignore[misc]  # scrapy-redis has no types
    """Gives the engine the requests that the prefetcher leased, and queues the start requests of a project's spider.

    It reads these settings of scrapy-redis: SCHEDULER_PERSIST, SCHEDULER_FLUSH_ON_START, SCHEDULER_IDLE_BEFORE_CLOSE,
    and DUPEFILTER_CLASS, whose fingerprints decide which requests are equal.
    """

    def __init__(self, crawler: Crawler, queue_cls: type[LocalBuffer] = LocalBuffer) -> None:
        settings = crawler.settings
        super().__init__(
            server=None,
            persist=settings.getbool("SCHEDULER_PERSIST"),
            flush_on_start=settings.getbool("SCHEDULER_FLUSH_ON_START"),
            queue_cls=queue_cls,
            dupefilter=None,
            idle_before_close=settings.getint("SCHEDULER_IDLE_BEFORE_CLOSE"),
            serializer=JsonRequests,
        )
        self.crawler, self.stats = crawler, crawler.stats
        self._started = 0
        self._pushes: deque[Command] = deque()
        self._pushing: asyncio.Task[None] | None = None
        self._attended: dict[str, Request] = {}
        """Command → its request, for a tool of Scrapy that waits for the response in this process."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the scheduler without scrapy-redis' `server.ping()`, which blocks.

        SCHEDULER_QUEUE_CLASS is used only if it is a `LocalBuffer`; scrapy-redis' own queues lose requests in flight.
        """
        queue_cls = load_object(crawler.settings.get("SCHEDULER_QUEUE_CLASS") or LocalBuffer)
        return cls(crawler, queue_cls if issubclass(queue_cls, LocalBuffer) else LocalBuffer)

    def open(self, spider: Spider) -> Deferred[None]:
        """Open the queue, and the services if they are not open yet."""
        self.spider = spider
        self.queue: LocalBuffer = self.queue_cls(
            spider=spider, key=self.queue_key, serializer=self.serializer
        )
        return deferred_from_coro(self._open(spider))

    async def _open(self, spider: Spider) -> None:
        await self._open_services()
        if not self.is_of_project:
            return
        if isinstance(domains := getattr(spider, "allowed_domains", None), Iterator):
            # scrapy-redis' examples set an iterator, but Scrapy's offsite filter reads the value for every request.
            spider.allowed_domains = list(domains)  # type: ignore[attr-defined]  # a project's spider has it
        if isinstance(spider, RedisMixin):
            # `frontier.inlet` reads the key instead, and removes an entry only when its requests are queued.
            spider.fetch_data = _no_entries
        if self.is_tool:  # a queue of its own, because only this process has the tool's callback
            spider.name = f"{spider.name}.{secrets.token_hex(4)}"
        self.df = self._dupefilter(spider)
        if self.flush_on_start:
            await self._node.frontier.flush(queue_of(spider.name), everything=True)

    async def _open_services(self) -> None:
        """Open the crawler's services, unless they are open.

        Raises:
            NotStarted: the project's settings lack the add-on.
        """
        try:
            crawler_services.fetching_of(self.crawler)
        except NotStarted:
            raise NotStarted(_ADD_ON) from None
        if opening := crawler_services.opening_of(self.crawler):
            crawler_services.provide(self.crawler, await opening())

    def _dupefilter(self, spider: Spider) -> BaseDupeFilter | None:
        """The project's filter; it only makes fingerprints, and the frontier stores which ones were seen."""
        cls = load_object(self.crawler.settings["DUPEFILTER_CLASS"])
        if cls is BaseDupeFilter:
            return None
        made: BaseDupeFilter = (
            cls.from_spider(spider)
            if issubclass(cls, RFPDupeFilter)
            else build_from_crawler(cls, self.crawler)
        )
        return made

    @property
    def is_tool(self) -> bool:
        """Whether the spider is the one that `scrapy fetch` and `scrapy view` make: it has nothing but a request."""
        return type(self.spider) is DefaultSpider

    @property
    def is_of_project(self) -> bool:
        """Whether the spider is a project's own, not one of ours that serves commands."""
        return not hasattr(self.spider, "queues")

    def close(self, reason: str) -> Deferred[None]:
        """Wait until all new requests are in the frontier; queued requests stay there."""
        return deferred_from_coro(self._close(reason))

    async def _close(self, reason: str) -> None:
        if not self.is_of_project:
            return
        await settlements_of(self._node).wait_empty(_PROJECT_SPIDER_CLOSE_S)
        if self._pushing:
            await asyncio.wait({self._pushing}, timeout=_PROJECT_SPIDER_CLOSE_S)
        if reason == "finished" and not self.persist:
            await self._node.frontier.flush(queue_of(self.spider.name))

    def enqueue_request(self, request: Request) -> bool:
        """Accept a leased request, or a start request of a project's spider."""
        if find_state(request) is not None:
            self.queue.push(request)
            return True
        if not self.is_of_project:
            log.warning(
                f"{request.url} is not fetched: the spider {self.spider.name} takes commands from the frontier; "
                f"`scrapy fetch {request.url}` without --spider fetches it"
            )
            return False
        self._started += 1
        command = self._tool_command(request) if self.is_tool else None
        command = command or self.command_for(request, "start", self._started)
        if command is None:
            return False
        self._pushes.append(command)
        if self._pushing is None or self._pushing.done():
            self._pushing = asyncio.ensure_future(self._push())
        return True

    def _tool_command(self, request: Request) -> Command | None:
        """The command of a tool's request, whose callback is not a method of a spider and stays in this process."""
        plain = Request(request.url, method=request.method, headers=request.headers, body=request.body)
        command = self.command_for(plain, "start", self._started)
        if command is not None:
            self._attended[command.id] = request
        return command

    def request_of(self, command: ProjectRequest) -> Request:
        """The request that a leased command carries, as the spider made it.

        Raises:
            BadMessage: it cannot be decoded, for example because its callback no longer exists.
        """
        return self._attended.get(command.id) or self.queue.decode(command.request)

    def command_for(self, request: Request, parent: str, number: int) -> Command | None:
        """The command of a project's request; None, logged and counted, if the request cannot be queued.

        Args:
            request: the request as the spider made it.
            parent: the id of the command whose response the request was made from.
            number: the request's place among everything that was made from that response.
        """
        name = self.spider.name
        try:
            fingerprint = self._fingerprint(request)
            is_filtered = self.df is not None and not request.dont_filter
            command = command_of(
                self.queue.encode(request),
                url=request.url,
                spider=name,
                identity=fingerprint if is_filtered else f"{parent} {number} {fingerprint}",
                priority=request.priority,
                fingerprint=fingerprint if is_filtered else "",
            )
        except BadMessage as error:
            log.warning("a request cannot be queued", spider=name, reason=str(error))
            self.stats.inc_value("scheduler/refused")
            return None
        self.stats.inc_value("scheduler/enqueued/redis")
        return command

    def _fingerprint(self, request: Request) -> str:
        if isinstance(self.df, RFPDupeFilter):
            return str(self.df.request_fingerprint(request))
        return self.crawler.request_fingerprinter.fingerprint(request).hex()

    async def _push(self) -> None:
        """Push the waiting commands into the frontier, in order; retry while Redis does not answer."""
        while self._pushes:
            batch = [self._pushes[n] for n in range(min(len(self._pushes), _PUSH_AT_ONCE))]
            try:
                await self._node.frontier.push(batch)
            except OUT_OF_REACH as error:
                log.warning("redis does not answer", error=str(error))
                await asyncio.sleep(_RETRY_S)
                continue
            self._node.note_push()
            for _ in batch:
                self._pushes.popleft()

    def next_request(self) -> Request | None:
        """The next leased request, or None."""
        return self.queue.pop()

    def has_pending_requests(self) -> bool:
        """Whether the engine should stay open.

        Always true for our own spiders, whose node waits for new commands. For a project's spider it is true while
        something is queued or under way here, and for SCHEDULER_IDLE_BEFORE_CLOSE seconds more; a spider of
        scrapy-redis then decides by itself whether it stays open.
        """
        if not self.is_of_project or len(self.queue) or self._pushes or self._node.tasks:
            return True
        since_s = self._node.nothing_queued_since_s
        return since_s is None or time.monotonic() - since_s < self.idle_before_close

    @property
    def _node(self) -> CrawlNode:
        return crawler_services.of(self.crawler).node

    def __len__(self) -> int:
        return len(self.queue)


def _no_entries(*_: Any) -> list[bytes]:
    return []
