"""The plan for typing a query into a search engine's own page at a person's speed; it needs no browser
itself.

The pauses are politeness: 3–5 s before typing, 50–150 ms a key, 2–3 s for the results. Nothing is disguised:
the browser sends its real user agent, and does not request a results page that robots.txt disallows.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from research_crawler.core.tasks.leases import HeldPermit, Task

BEFORE_MS, KEY_MS, RESULTS_MS = (3_000, 5_000), (50, 150), (2_000, 3_000)
"""Least and most time before the first key, between two keys, and until the results are read."""
MAX_QUERY_CHARS = 256
"""What Mojeek's search field accepts; other engines accept more."""
Draw = Callable[[int, int], int]
default_draw: Draw = random.randint


@dataclass(frozen=True, kw_only=True)
class TypingPlan:
    """What the browser does on one page."""

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
        """The sum of all pauses: the search takes at least this long."""
        return self.before_ms + sum(self.keys_ms) + self.results_ms


@dataclass(frozen=True, kw_only=True)
class TypedPage:
    """The results page, read from the browser's DOM."""

    url: str
    status: int
    html: str


class Typist(Protocol):
    """The browser's side of a typed search.

    It applies the guard, robots.txt and the host's permit to the home page and again to the results page. If
    the rules do not allow the results page, it stops without reading it.
    """

    async def type_query(
        self, plan: TypingPlan, *, task: Task, timeout_s: float, permit: HeldPermit | None = None
    ) -> TypedPage:
        """Open the page, find its search field, type the query, press Enter, wait, and return the results
        page.

        Args:
            plan: what to type, and the pauses.
            task: the leased command (`core.tasks.leases.Task`) whose permits the navigations take.
            timeout_s: for the whole search, including the pauses.
            permit: the permit of the home page, if it came with the search's turn.

        Raises:
            ResearchError: guard or robots.txt refused it, it has no search field, or it was too slow.
        """
        ...


def plan_typing(home_url: str, query: str, *, draw: Draw = default_draw) -> TypingPlan:
    """Make the plan for one query, with pauses drawn evenly from their ranges.

    Args:
        home_url: the page with the search field.
        query: one line of text without control characters.
        draw: returns an integer between two bounds, both included.
    """
    return TypingPlan(
        home_url=home_url,
        query=query,
        before_ms=draw(*BEFORE_MS),
        keys_ms=tuple(draw(*KEY_MS) for _ in query),
        results_ms=draw(*RESULTS_MS),
    )
