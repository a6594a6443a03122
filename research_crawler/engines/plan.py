"""Decides which providers a search asks, and when.

Providers are asked in three waves:

1. *at once*: the providers that the search names. If it names none, all that cost nothing. If there is none
   of these either, the first one that may be asked.
2. *held back*: the others in their order, one at a time. The next one is asked when the running ones have
   ended or are past their own p95 latency, and there are not enough results yet.
3. *last resort*: all providers whose circuit is open or whose host was busy. They are asked only while there
   is no result at all, so that a search is never empty while some provider answers. For the same reason all
   remaining providers are asked at once when half of the time has passed without a result.

The plan does no I/O: the caller reports ends and the time, and the plan returns which providers to ask now.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from research_crawler.core.web.urls import dedupe_key

Readiness = Literal["ready", "resting", "used_up"]

LATE_SHARE = 0.5
"""Share of the search's time after which, without any result, all remaining providers are asked."""
ENOUGH_SHARE = 0.5
"""Share of the wanted results that is enough to ask no further provider, if a general engine gave some."""
WAIT_FOR_ONE_S = 8.0
"""Longest wait for a permit while another provider may still answer."""
LEAST_DOWNLOAD_S, PATIENCES = 8.0, 4.0
"""A call ends after four times its provider's p95 latency, but not before 8 s."""


@dataclass(frozen=True, kw_only=True)
class ProviderCandidate:
    """A provider as the plan sees it."""

    name: str
    paid: bool = False
    general: bool = True
    readiness: Readiness = "ready"
    patience_s: float = 2.0


@dataclass(frozen=True, kw_only=True)
class PlannedCall:
    """One provider to ask now."""

    name: str
    wait_s: float
    """Longest wait for its permit."""
    download_s: float
    forced: bool = False
    """Ask even if the circuit is open."""


@dataclass
class SearchPlan:
    """The plan of one search, and its progress."""

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
        usable = [candidate for candidate in self.candidates if candidate.readiness == "ready"]
        named = [candidate for candidate in usable if candidate.name in self.preferred]
        first = named or [candidate for candidate in usable if not candidate.paid] or usable[:1]
        later = sorted(
            (candidate for candidate in usable if candidate not in first),
            key=lambda candidate: candidate.paid,
        )
        resting = [candidate for candidate in self.candidates if candidate.readiness == "resting"]
        self._waves = (first, later, resting)

    def start(self) -> list[PlannedCall]:
        """The providers to ask at once."""
        first, _, _ = self._waves
        self._waves = ([], *self._waves[1:])
        return [self._ask(candidate, 0.0) for candidate in first] or self._next(0.0)

    def next_look_s(self) -> float | None:
        """When to call `waited` if no provider ends before, in seconds from the start; None: never."""
        _, later, last = self._waves
        times_s: list[float] = []
        if not self._pages and (later or last):
            times_s.append(self.timeout_s * LATE_SHARE)
        if later and not self.enough:
            patience = {candidate.name: candidate.patience_s for candidate in self.candidates}
            times_s.append(max(asked + patience[name] for name, asked in self._asked_s.items()))
        return min(times_s) if times_s and self._asked_s else None

    def waited(self, now_s: float) -> list[PlannedCall]:
        """Time has passed: the providers to ask beside the slow ones."""
        look_s = self.next_look_s()
        if look_s is None or now_s < look_s:
            return []
        if self._pages or now_s < self.timeout_s * LATE_SHARE:
            return self._next(now_s)
        _, later, _ = self._waves
        return [*(self._ask(candidate, now_s) for candidate in later), *self._last_resort(now_s)]

    def ended(self, name: str, urls: Iterable[str], now_s: float, *, busy: bool = False) -> list[PlannedCall]:
        """A provider ended with these results: the providers to ask now. `busy`: its host was not free in
        time."""
        self._asked_s.pop(name, None)
        found = {key for url in urls if (key := dedupe_key(url))}
        candidate = next(candidate for candidate in self.candidates if candidate.name == name)
        self._pages |= found
        self._general = self._general or (bool(found) and candidate.general)
        if busy and not self._tried_last:
            self._waves[2].append(candidate)
        if self.enough or self._asked_s:
            return []
        return self._next(now_s)

    @property
    def enough(self) -> bool:
        """Whether there are enough results to ask no further provider."""
        return self._general and len(self._pages) >= max(1, int(self.wanted * ENOUGH_SHARE))

    def _next(self, now_s: float) -> list[PlannedCall]:
        _, later, last = self._waves
        if later:
            return [self._ask(later.pop(0), now_s)]
        if self._pages or self._asked_s or not last or now_s >= self.timeout_s:
            return []
        return self._last_resort(now_s)

    def _last_resort(self, now_s: float) -> list[PlannedCall]:
        candidates = list(self._waves[2])
        self._waves, self._tried_last = ([], [], []), True
        return [self._ask(candidate, now_s, forced=True) for candidate in candidates]

    def _ask(self, candidate: ProviderCandidate, now_s: float, *, forced: bool = False) -> PlannedCall:
        self._asked_s[candidate.name] = now_s
        left_s = max(0.0, self.timeout_s - now_s)
        alone = forced or len(self.candidates) == 1
        return PlannedCall(
            name=candidate.name,
            wait_s=left_s if alone else min(left_s, WAIT_FOR_ONE_S),
            download_s=max(LEAST_DOWNLOAD_S, PATIENCES * candidate.patience_s),
            forced=forced,
        )
