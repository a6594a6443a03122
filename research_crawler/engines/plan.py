"""Whom a search asks, and when: at once, when the first are slow, when they did not give enough, last of all.

Waves, in this order:

1. *at once*: the engines that were asked for by name; without such, all that cost nothing. Where that would be
   nobody, the first that may be asked.
2. *held back*: the others in their order, one at a time: the next is asked when those asked are past their own
   p95 latency or have ended, and there are not results enough.
3. *last resort*: those whose circuit is open or whose host was busy, all of them, and only while there is no
   result at all: a search is never empty while one provider answers. For the same reason everybody left is asked
   at once when half of the time has passed without a result.

Pure: told of endings and of the time, it answers with whom to ask now.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from research_crawler.core.urls import dedupe_key

Readiness = Literal["ready", "resting", "used_up"]

LATE_SHARE = 0.5
"""Of the search's time: without any result by then, nobody is held back any more."""
ENOUGH_SHARE = 0.5
"""Of the results wanted: with half of them, from a general engine, nobody is paid for more."""
WAIT_FOR_ONE_S = 8.0
"""How long a permit is waited for while somebody else may still answer."""
LEAST_DOWNLOAD_S, PATIENCES = 8.0, 4.0
"""A call is ended after four times its provider's p95, but not before 8 s."""


@dataclass(frozen=True, kw_only=True)
class ProviderCandidate:
    """A provider as the plan sees it."""

    name: str
    paid: bool = False
    general: bool = True
    standing: Readiness = "ready"
    patience_s: float = 2.0


@dataclass(frozen=True, kw_only=True)
class PlannedCall:
    """One provider is to be asked now."""

    name: str
    wait_s: float
    """Longest wait for its permit."""
    download_s: float
    forced: bool = False
    """Also through an open circuit."""


@dataclass
class SearchPlan:
    """The course of one search."""

    candidates: Sequence[ProviderCandidate]
    wanted: int
    timeout_s: float
    preferred: Sequence[str] = ()
    _waves: tuple[list[ProviderCandidate], list[ProviderCandidate], list[ProviderCandidate]] = field(
        init=False
    )
    _asked_s: dict[str, float] = field(init=False, default_factory=dict)
    _pages: set[str] = field(init=False, default_factory=set)
    _general: bool = field(init=False, default=False)
    _tried_last: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        usable = [one for one in self.candidates if one.standing == "ready"]
        named = [one for one in usable if one.name in self.preferred]
        first = named or [one for one in usable if not one.paid] or usable[:1]
        later = sorted((one for one in usable if one not in first), key=lambda one: one.paid)
        resting = [one for one in self.candidates if one.standing == "resting"]
        self._waves = (first, later, resting)

    def start(self) -> list[PlannedCall]:
        """Whom to ask at once."""
        first, _, _ = self._waves
        self._waves = ([], *self._waves[1:])
        return [self._ask(one, 0.0) for one in first] or self._next(0.0)

    def next_look_s(self) -> float | None:
        """When to call `waited` if nobody ends before, in seconds from the start; None: never."""
        _, later, last = self._waves
        looks: list[float] = []
        if not self._pages and (later or last):
            looks.append(self.timeout_s * LATE_SHARE)
        if later and not self.enough:
            patience = {one.name: one.patience_s for one in self.candidates}
            looks.append(max(asked + patience[name] for name, asked in self._asked_s.items()))
        return min(looks) if looks and self._asked_s else None

    def waited(self, now_s: float) -> list[PlannedCall]:
        """Time has passed: whom to ask beside those who are slow."""
        look_s = self.next_look_s()
        if look_s is None or now_s < look_s:
            return []
        if self._pages or now_s < self.timeout_s * LATE_SHARE:
            return self._next(now_s)
        _, later, _ = self._waves
        return [*(self._ask(one, now_s) for one in later), *self._last_resort(now_s)]

    def ended(self, name: str, urls: Iterable[str], now_s: float, *, busy: bool = False) -> list[PlannedCall]:
        """A provider gave these results, or none: whom to ask now. `busy`: its host was not free in time."""
        self._asked_s.pop(name, None)
        found = {key for url in urls if (key := dedupe_key(url))}
        one = next(one for one in self.candidates if one.name == name)
        self._pages |= found
        self._general = self._general or (bool(found) and one.general)
        if busy and not self._tried_last:
            self._waves[2].append(one)
        if self.enough or self._asked_s:
            return []
        return self._next(now_s)

    @property
    def enough(self) -> bool:
        """Whether nobody more needs to be asked."""
        return self._general and len(self._pages) >= max(1, int(self.wanted * ENOUGH_SHARE))

    def _next(self, now_s: float) -> list[PlannedCall]:
        _, later, last = self._waves
        if later:
            return [self._ask(later.pop(0), now_s)]
        if self._pages or self._asked_s or not last or now_s >= self.timeout_s:
            return []
        return self._last_resort(now_s)

    def _last_resort(self, now_s: float) -> list[PlannedCall]:
        forced = list(self._waves[2])
        self._waves, self._tried_last = ([], [], []), True
        return [self._ask(one, now_s, forced=True) for one in forced]

    def _ask(self, one: ProviderCandidate, now_s: float, *, forced: bool = False) -> PlannedCall:
        self._asked_s[one.name] = now_s
        left_s = max(0.0, self.timeout_s - now_s)
        alone = forced or len(self.candidates) == 1
        return PlannedCall(
            name=one.name,
            wait_s=left_s if alone else min(left_s, WAIT_FOR_ONE_S),
            download_s=max(LEAST_DOWNLOAD_S, PATIENCES * one.patience_s),
            forced=forced,
        )
