"""Collects what a project's own spider makes of a response, until one step settles it.

The requests and items of a callback leave this process in the same step that ends their command. If the process is
killed before that, the command is leased again and none of its output has been published.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.http import Response

from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.reasons import OutcomeKind
from research_crawler.core.models.why import NO_REASON, Why
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.core.tasks.leases import Task
from research_crawler.frontier.request_state import KEY, find_state

RESERVED: Final = frozenset(
    {
        KEY, "download_slot", "download_timeout", "download_maxsize", "download_latency", "bindaddress", "proxy",
        "autothrottle_dont_adjust_delay",
    }
)  # fmt: skip
"""Request meta for the downloader: our own key, and the keys that Scrapy's downloader reads. If a spider sets one of
them, only its callback sees the value; the spider cannot switch off our limits with it."""


@dataclass(eq=False)
class Settlement:
    """The results of one leased request so far."""

    task: Task
    request: Request
    """The request as the spider made it, with its own meta and errback."""
    response: Response | None = None
    callback_reached: bool = False
    """Whether the callback or errback was called or is about to be called."""
    commands: list[Command] = field(default_factory=list)
    events: list[CommandDone] = field(default_factory=list)
    """One event for each item that the pipelines have read."""
    items: list[Any] = field(default_factory=list)
    outputs_made: int = 0
    """How many requests and items were made, including refused ones, so that a repeated run gives the same numbers."""
    outcome: OutcomeKind = "ok"
    reason: Why = NO_REASON
    settling: bool = False

    def end(self, outcome: OutcomeKind, reason: Why) -> None:
        """Set the outcome and its reason, unless they are already set."""
        if self.outcome == "ok":
            self.outcome, self.reason = outcome, reason


class Settlements:
    """The open settlements of one node."""

    def __init__(self) -> None:
        self._by_token: dict[str, Settlement] = {}
        self._by_response: dict[int, Settlement] = {}
        self._by_item: dict[int, Settlement] = {}
        self.opened, self.empty = asyncio.Event(), asyncio.Event()
        self.empty.set()

    def __iter__(self) -> Iterator[Settlement]:
        return iter(list(self._by_token.values()))

    def __len__(self) -> int:
        return len(self._by_token)

    def open(self, task: Task, request: Request) -> Settlement:
        """Open a settlement for a leased request."""
        settlement = self._by_token[task.token] = Settlement(task, request)
        self.empty.clear()
        self.opened.set()
        return settlement

    def of_request(self, request: Request) -> Settlement | None:
        """The settlement of the leased command that a request belongs to."""
        state = find_state(request)
        return self._by_token.get(state.task.token) if state else None

    def of_response(self, response: Any) -> Settlement | None:
        """The settlement that a response belongs to."""
        return self._by_response.get(id(response))

    def of_item(self, item: Any) -> Settlement | None:
        """The settlement that an item belongs to; None if it has no response or another middleware replaced it."""
        return self._by_item.get(id(item))

    def note_response(self, settlement: Settlement, response: Response) -> None:
        """Note the response that goes to the callback."""
        settlement.response = response
        self._by_response[id(response)] = settlement

    def note_item(self, settlement: Settlement, item: Any) -> None:
        """Note an item that the spider made from the response."""
        settlement.items.append(item)
        self._by_item[id(item)] = settlement

    def close(self, settlement: Settlement) -> None:
        """Remove a settlement whose command is settled, given back or lost."""
        self._by_token.pop(settlement.task.token, None)
        if settlement.response is not None:
            self._by_response.pop(id(settlement.response), None)
        for item in settlement.items:
            self._by_item.pop(id(item), None)
        if not self._by_token:
            self.opened.clear()
            self.empty.set()

    async def wait_empty(self, timeout_s: float) -> None:
        """Wait until no settlement is open, for `timeout_s` at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self.empty.wait()


_settlements: WeakKeyDictionary[CrawlNode, Settlements] = WeakKeyDictionary()


def settlements_of(node: CrawlNode) -> Settlements:
    """The open settlements of a node."""
    return _settlements.setdefault(node, Settlements())
