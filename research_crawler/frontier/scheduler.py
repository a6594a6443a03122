"""The scheduler: scrapy-redis' by name and settings, without its blocking client and without its pop-and-forget."""

import json
from typing import Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import load_object
from scrapy_redis.scheduler import Scheduler
from twisted.internet.defer import Deferred

from research_crawler.core import services
from research_crawler.frontier.queue import LocalBuffer


class FrontierScheduler(Scheduler):  # type: ignore[misc]  # scrapy-redis has no types
    """Hands out what the prefetcher leased. It never talks to Redis itself: leases do (see `extensions.prefetch`)."""

    def __init__(self, crawler: Crawler, queue_cls: type[LocalBuffer] = LocalBuffer) -> None:
        super().__init__(server=None, persist=True, queue_cls=queue_cls, dupefilter=None, serializer=json)
        self.crawler = crawler
        self.queue: LocalBuffer = queue_cls()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Built without `server.ping()`: nothing here blocks."""
        return cls(crawler, load_object(crawler.settings.get("SCHEDULER_QUEUE_CLASS") or LocalBuffer))

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Open the services where nobody did. No dupefilter: two commands may want one URL."""
        self.spider = spider
        opening = services.opening_of(self.crawler)
        return deferred_from_coro(self._open_services(opening)) if opening else None

    async def _open_services(self, opening: services.Opening) -> None:
        services.provide(self.crawler, await opening())

    def close(self, reason: str) -> None:
        """Nothing is flushed: what was leased is given back by the lease keeper."""

    def enqueue_request(self, request: Request) -> bool:
        """Take a leased request (`engine.crawl`)."""
        self.queue.push(request)
        return True

    def next_request(self) -> Request | None:
        """The next leased request, or None."""
        return self.queue.pop()

    def has_pending_requests(self) -> bool:
        """Always: the node stays open for commands that do not exist yet."""
        return True

    def __len__(self) -> int:
        return len(self.queue)
