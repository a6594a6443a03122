"""Typing a query into a search engine's own page as a person would, and no further: the plan, without a browser.

The pauses are the ones the source asks for, and here they are politeness: 3–5 s before typing, 50–150 ms a key,
2–3 s for the results. There is no disguise: the browser says who it is, and a results page that robots.txt
does not allow is not asked for.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from research_crawler.core.leases import Task

BEFORE_MS, KEY_MS, RESULTS_MS = (3_000, 5_000), (50, 150), (2_000, 3_000)
MAX_QUERY_CHARS = 256
"""What the field of Mojeek takes; others take more."""
Draw = Callable[[int, int], int]
default_draw: Draw = random.randint


@dataclass(frozen=True, kw_only=True)
class TypingPlan:
    """What the browser is to do on one page."""

    home_url: str
    """The page with the search field."""
    query: str
    before_ms: int
    """Pause on the loaded page before the first key."""
    keys_ms: tuple[int, ...]
    """Pause after each character of the query."""
    results_ms: int
    """Pause after Enter, on top of the navigation, before the page is read."""

    @property
    def total_ms(self) -> int:
        """All pauses together: the least time the search takes."""
        return self.before_ms + sum(self.keys_ms) + self.results_ms


@dataclass(frozen=True, kw_only=True)
class TypedPage:
    """The page after the query: what the browser shows, read from its DOM."""

    url: str
    status: int
    html: str


class Typist(Protocol):
    """The browser's side of a typed search.

    It honours the guard, robots.txt and the host's permit for the home page and again for the page that the
    query leads to, where it stops without reading when the rules do not allow it.
    """

    async def type_query(self, plan: TypingPlan, *, task: Task, timeout_s: float) -> TypedPage:
        """Open the page, find its search field, type, press Enter, wait, and hand the results page back.

        Args:
            plan: what to type, and the pauses.
            task: the leased command (`core.leases.Task`) whose permits the navigations take.
            timeout_s: for everything, the pauses included.

        Raises:
            ResearchError: refused by guard or robots, no search field, or too slow; the message is the reason.
        """
        ...


def plan_typing(home_url: str, query: str, *, draw: Draw = default_draw) -> TypingPlan:
    """The pauses for one query, drawn evenly from their ranges.

    Args:
        home_url: the page with the search field.
        query: one line of text without control characters.
        draw: answers an integer between two bounds, both included.
    """
    return TypingPlan(
        home_url=home_url,
        query=query,
        before_ms=draw(*BEFORE_MS),
        keys_ms=tuple(draw(*KEY_MS) for _ in query),
        results_ms=draw(*RESULTS_MS),
    )
