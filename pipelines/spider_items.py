"""Reads the items of a project's own spider and puts the page of each item into the archive.

An item with a page has `url`, and one of `html`, `body` and `text`; it may also have `title`, `content_type`,
`status`, `fetched_at` and `goal`. It can be a dict, a dataclass, an attrs class, a pydantic model or a Scrapy item:
`ItemAdapter` reads all of them. If the item has fields for the results (`findings`, `page_sha256`), they are filled in.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import AddressRefused, PageBlocked, PageUnreadable
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import JobContext, VisitCommand
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.extraction.evidence.identity import page_sha
from research_crawler.frontier.settlements import Settlement, settlements_of

log = get_log(__name__)
_CONTENTS: Final = {"html": "text/html", "body": "text/html", "text": "text/plain"}
"""Fields that may hold the page, in order of preference, with their content type if the item states none."""
_RESULT_FIELDS: Final = ("findings", "page_sha256")
"""Fields that are filled in if the item has them."""
_STATS: Final = "research/items"


class NoPage(ValueError):
    """The item holds no page that can be read. `word` names the reason in a counter, the message explains it."""

    def __init__(self, word: str, sentence: str) -> None:
        super().__init__(sentence)
        self.word = word


@dataclass(frozen=True)
class PageItem:
    """The page of an item, as the item's fields describe it."""

    url: str
    content: bytes
    content_type: str
    status: int = 200
    title: str = ""
    fetched_at: str = ""
    goal: str = ""

    @classmethod
    def of(cls, item: Any) -> "PageItem":
        """Read the page of an item.

        Raises:
            NoPage: a field is missing or has the wrong type.
        """
        fields = ItemAdapter(item)
        url = canonical_url(str(fields.get("url") or ""))
        if not url:
            raise NoPage("no_url", "the item has no http(s) address in `url`")
        name = next((name for name in _CONTENTS if fields.get(name)), "")
        if not name:
            raise NoPage("no_content", "the item has none of `html`, `body` and `text`")
        content, declared = fields[name], str(fields.get("content_type") or _CONTENTS[name])
        if isinstance(content, str):
            content, declared = (
                content.encode("utf-8", "replace"),
                f"{declared.split(';', maxsplit=1)[0]}; charset=utf-8",
            )
        if not isinstance(content, bytes):
            raise NoPage("bad_content", f"`{name}` is a {type(content).__name__}; it must be str or bytes")
        status = fields.get("status")
        return cls(
            url=url,
            content=content,
            content_type=declared,
            status=status if isinstance(status, int) else 200,
            title=str(fields.get("title") or ""),
            fetched_at=_iso(fields.get("fetched_at")),
            goal=str(fields.get("goal") or ""),
        )


@dataclass(frozen=True)
class SpiderItem:
    """An item of a project's spider, on its way through the pipelines."""

    item: Any
    """The item itself; the reference keeps its `id()` from being reused."""
    settlement: Settlement | None
    """The settlement of the leased request that the item came from, even after the lease is lost."""
    outcome: CommandItem | None
    """None if the item holds no page."""


class SpiderItems:
    """The outcomes for the items of one crawler, kept apart so that an item passes the pipelines unchanged."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._known: dict[int, SpiderItem] = {}
        self._warned: set[str] = set()
        """Reasons that a warning was already logged for."""
        for signal in (signals.item_dropped, signals.item_error):
            crawler.signals.connect(self.forget, signal)

    def forget(self, item: Any) -> None:
        """Drop the outcome of an item that has left the pipelines."""
        self._known.pop(id(item), None)

    async def read(self, item: Any) -> "SpiderItem":
        """The item with its outcome; the item's first pipeline creates it."""
        if id(item) not in self._known:
            settlement = settlements_of(crawler_services.of(self._crawler).node).of_item(item)
            self._known[id(item)] = SpiderItem(item, settlement, await self._read(item, settlement))
        return self._known[id(item)]

    async def _read(self, item: Any, settlement: Settlement | None) -> CommandItem | None:
        try:
            page = PageItem.of(item)
            outcome = await self._archived(page, settlement, item)
        except (NoPage, PageUnreadable, PageBlocked, AddressRefused) as error:
            self._warn(error)
            return None
        self._count("read")
        return outcome

    async def _archived(self, page: PageItem, settlement: Settlement | None, item: Any) -> CommandItem:
        """Sanitize and archive the page, as for a page that one of our own spiders visits."""
        crawl_services = crawler_services.of(self._crawler)
        crawl_services.guard.check_url(page.url)
        response = settlement.response if settlement else None
        headers = _headers_of(response, page) | {"content-type": page.content_type}
        text: PageText = await crawl_services.parse_pool.read(
            page.content, url=page.url, headers=headers, status=page.status
        )
        text = text.changed(title=page.title) if page.title else text
        stored = StoredPage(
            sha=page_sha(text.markdown, page.url),
            url=page.url,
            final_url=page.url,
            status=page.status,
            fetched_at=page.fetched_at or datetime.now(UTC).isoformat(timespec="seconds"),
            content_type=page.content_type,
            page=text,
            tokens=await asyncio.to_thread(crawl_services.embedder.count_tokens, text.markdown),
        )
        await crawl_services.archive.put_page(stored, None if text.noarchive else page.content)
        command = self._command(page, stored, settlement, item)
        token = settlement.task.token if settlement else ""
        return CommandItem(command=command, token=token, page=stored, raw=page.content)

    def _command(
        self, page: PageItem, stored: StoredPage, settlement: Settlement | None, item: Any
    ) -> VisitCommand:
        """A command without a job that represents the item; the same item always gives the same command id."""
        index = f"{settlement.task.command.id} {item_number(settlement, item)}" if settlement else stored.sha
        number = hashlib.sha256(f"item {index}\n{page.url}".encode()).hexdigest()[:20]
        target = frontier_target(page.url)
        goal = page.goal or str(getattr(self._crawler.spider, "goal", "") or "")
        return VisitCommand(
            id=f"-:{number}",
            job="-",
            url=page.url,
            asked=page.url,
            slot=target.slot,
            page_key=target.page_key,
            job_context=JobContext(goal=goal) if goal else None,
        )

    def _warn(self, error: NoPage | PageUnreadable | PageBlocked | AddressRefused) -> None:
        word = error.word if isinstance(error, NoPage) else _word_of(error)
        self._count("not_read")
        self._count(f"not_read/{word}")
        if word not in self._warned:
            self._warned.add(word)
            name = self._crawler.spider.name if self._crawler.spider else ""
            log.warning("items are passed on without extraction", spider=name, why=word, reason=str(error))

    def _count(self, name: str) -> None:
        self._crawler.stats.inc_value(f"{_STATS}/{name}")


def _word_of(error: PageUnreadable | PageBlocked | AddressRefused) -> str:
    """The error's reason as one word, for the name of a counter."""
    return (error.blocker if isinstance(error, PageBlocked) else error.reason).kind.value


def fill_in(item: Any, outcome: CommandItem) -> None:
    """Write the results into the item's own fields, if it has them."""
    fields = ItemAdapter(item)
    values: Mapping[str, Any] = {
        "findings": [finding.model_dump(mode="json", exclude={"v"}) for finding in outcome.findings],
        "page_sha256": outcome.page.sha if outcome.page else "",
    }
    for name in _RESULT_FIELDS:
        if name in fields.field_names():
            fields[name] = values[name]


def _headers_of(response: Response | None, page: PageItem) -> dict[str, str]:
    """The response's headers, which may forbid storing or quoting the page; none if the response is another page."""
    if response is None or canonical_url(response.url) != page.url:
        return {}
    return {k.decode("latin-1").lower(): v[-1].decode("latin-1") for k, v in response.headers.items()}


def item_number(settlement: Settlement, item: Any) -> int:
    """The item's number among the items that its spider made from the response; -1 if it is not one of them."""
    return next((n for n, other in enumerate(settlement.items) if other is item), -1)


def _iso(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return str(value or "")


_items: WeakKeyDictionary[Crawler, SpiderItems] = WeakKeyDictionary()


def items_of(crawler: Crawler) -> SpiderItems:
    """The outcomes for the items of a crawler."""
    if crawler not in _items:
        _items[crawler] = SpiderItems(crawler)
    return _items[crawler]
