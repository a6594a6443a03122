"""The inlet: reads scrapy-redis' key `<spider>:start_urls` with scrapy-redis' own spiders.

A `RedisSpider` knows the key, its type, the batch size, the encoding and how to make requests of an entry. This module
differs from the library in one point: one script removes an entry from its key and queues the entry's requests, where
the library removes the entry first.
"""

import hashlib
import secrets
from collections.abc import Iterable
from typing import Any, Final, Self

from pydantic import ValidationError
from redis.exceptions import ResponseError
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy_redis import defaults
from scrapy_redis.spiders import RedisMixin, RedisSpider

from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import Command, VisitCommand
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.core.ports.frontier import InletKind
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.frontier.scheduler import FrontierScheduler

log = get_log(__name__)
_OPTIONS: Final = ("priority", "max_age_s")
_SHOWN: Final = 200
"""So much of an entry that cannot be read is shown in the log."""


class PageStartUrls(RedisSpider):  # type: ignore[misc]  # scrapy-redis has no types
    """Reads `page:start_urls` for nodes that visit pages; it never runs as a spider."""

    name = "page"

    def setup_redis(self, crawler: Crawler | None = None) -> None:
        """Set up as scrapy-redis does, and also honour its older setting for the batch size."""
        if crawler is not None:
            self.redis_batch_size = crawler.settings.getint("REDIS_START_URLS_BATCH_SIZE") or None
        super().setup_redis(crawler)


class Inlet:
    """Moves the entries of a spider's start_urls key into the frontier."""

    def __init__(self, crawler: Crawler, node: CrawlNode, reader: Any) -> None:
        """`reader`: a spider of scrapy-redis; its `make_request_from_data` makes the requests."""
        self._crawler, self._node, self._reader = crawler, node, reader
        self._kind = start_urls_type(crawler)
        self._is_refused = False
        self.waiting = 0
        """How many entries the last read found."""

    @classmethod
    def of(cls, crawler: Crawler, node: CrawlNode, spider: Spider) -> Self | None:
        """The inlet of the crawler's spider, or None if it has none."""
        if isinstance(spider, RedisMixin):
            inlet = cls(crawler, node, spider)
            spider.count_size = lambda _key: inlet.waiting
            return inlet
        if "page" in getattr(spider, "queues", ()):
            return cls(crawler, node, PageStartUrls.from_crawler(crawler))
        return None

    async def drain(self) -> int:
        """Queue the next batch of entries and return their number."""
        key, frontier = self._reader.redis_key, self._node.frontier
        try:
            entries = await frontier.inlet_read(key, self._kind, self._reader.redis_batch_size)
        except ResponseError as error:
            if not self._is_refused:
                log.warning(
                    f"the key of start_urls is not a {self._kind}; delete the key", key=key, error=str(error)
                )
            self._is_refused, entries = True, []
        else:
            self._is_refused = False
        self.waiting = len(entries)
        for entry in entries:
            if await frontier.inlet_take(key, self._kind, entry, self._commands(entry)):
                self._node.note_push()
        return len(entries)

    def _commands(self, entry: bytes) -> list[Command]:
        """The commands of an entry; none, with a warning, if the spider cannot make requests of it."""
        try:
            made = self._reader.make_request_from_data(entry)
            requests = [made] if isinstance(made, Request) else list(made or ())
        except Exception as error:  # a project's code may raise anything; the next entry may be good
            log.warning(
                "the spider cannot make a request of an entry of start_urls",
                entry=_shown(entry),
                error=repr(error),
            )
            return []
        if isinstance(self._reader, PageStartUrls):
            return [command for request in requests if (command := visit_of(request, entry))]
        return self._project_commands(requests)

    def _project_commands(self, requests: Iterable[Request]) -> list[Command]:
        scheduler: FrontierScheduler = self._crawler.engine.scheduler  # type: ignore[assignment]  # ours
        pushed = f"entry {secrets.token_hex(8)}"
        made = [scheduler.command_for(request, pushed, n) for n, request in enumerate(requests)]
        return [command for command in made if command]


def start_urls_type(crawler: Crawler) -> InletKind:
    """The type of the start_urls key, from scrapy-redis' settings."""
    if crawler.settings.getbool("REDIS_START_URLS_AS_SET", defaults.START_URLS_AS_SET):
        return "set"
    is_sorted = crawler.settings.getbool("REDIS_START_URLS_AS_ZSET", defaults.START_URLS_AS_ZSET)
    return "zset" if is_sorted else "list"


def visit_of(request: Request, entry: bytes) -> VisitCommand | None:
    """The visit that an entry of `page:start_urls` asks for; `priority` and `max_age_s` are read from its meta.

    The command's id is made from the entry's text, so that equal entries that wait at the same time are one command.
    """
    url = canonical_url(request.url)
    if not url or request.method != "GET":
        log.warning(
            "an entry of start_urls is skipped: it is not a GET request for an http(s) URL",
            entry=_shown(entry),
        )
        return None
    target = frontier_target(url)
    number = hashlib.sha256(entry).hexdigest()[:16]
    fields = {"id": f"-:{number}", "job": "-", "url": url, "slot": target.slot, "h": target.page_key}
    fields |= {"asked": url, "asked_h": target.page_key}
    options = {name: request.meta[name] for name in _OPTIONS if name in request.meta}
    try:
        return VisitCommand.model_validate(fields | options)
    except ValidationError:
        log.warning("the meta of an entry of start_urls is invalid and is ignored", entry=_shown(entry))
        return VisitCommand.model_validate(fields)


def _shown(entry: bytes) -> str:
    return entry[:_SHOWN].decode("utf-8", "replace")
