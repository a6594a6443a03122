"""Decides which providers a search asks, and when.

A search waits in the queue of one provider until it has a turn there. With the turn it asks that provider, and beside
it, as far as their hosts are free soon:

1. *at once*: the providers that the search names. If it names none, all that cost nothing. If there is none of these
   either, the first one that may be asked.
2. *held back*: the others in their order, one at a time. The next one is asked when the running ones have ended or are
   past their own p95 latency, and there are not enough results yet.
3. *last resort*: all providers whose circuit is open or whose slot is closed. They are asked only while there is no
   result at all, so that a search is never empty while some provider answers. For the same reason all remaining
   providers are asked at once when half of the time has passed without a result.

A provider that was not free soon is *passed over*. A search that ends without results of a general engine then waits
for a turn at the first provider that it has passed over (`next_turn`).

The plan does no I/O: the caller reports ends and the time, and the plan returns which providers to ask now.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from research_crawler.core.web.urls import dedupe_key

Readiness = Literal["ready", "resting", "used_up"]
Ending = Literal["done", "passed_over", "limited"]
"""How asking a provider ended: it is done with; it was not free in time; it gets too many calls now, or was too late
for the first time, and is asked again where nothing else was found."""

LATE_SHARE = 0.5
"""Share of the search's time after which, without any result, all remaining providers are asked."""
ENOUGH_SHARE = 0.5
"""Share of the wanted results that is enough to ask no further provider, if a general engine gave some."""
WAIT_BESIDE_S = 2.0
"""Longest wait for the permit of a provider whose turn it is not; the search would hold a place of its node for it."""
LEAST_DOWNLOAD_S, PATIENCES = 8.0, 4.0
"""A call ends after four times its provider's p95 latency, but not before 8 s."""


@dataclass(frozen=True, kw_only=True)
class ProviderCandidate:
    """A provider as the plan sees it."""

    name: str
    paid: bool = False
    is_general: bool = True
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
class _Waves:
    """The providers that have not been asked yet, by when that happens; the head of this file describes each wave."""

    at_once: list[ProviderCandidate] = field(default_factory=list)
    held_back: list[ProviderCandidate] = field(default_factory=list)
    last_resort: list[ProviderCandidate] = field(default_factory=list)


@dataclass
class SearchPlan:
    """The plan of one turn of a search, and its progress."""

    candidates: Sequence[ProviderCandidate]
    wanted: int
    timeout_s: float
    preferred: Sequence[str] = ()
    found: Iterable[str] = ()
    """URLs that earlier turns have found."""
    has_general_results: bool = False
    """Whether a general engine found some of them."""
    _waves: _Waves = field(init=False)
    _asked_s: dict[str, float] = field(init=False, default_factory=dict)
    _pages: set[str] = field(init=False, default_factory=set)
    _passed_over: list[ProviderCandidate] = field(init=False, default_factory=list)
    _limited: list[ProviderCandidate] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        usable = [candidate for candidate in self.candidates if candidate.readiness == "ready"]
        named = [candidate for candidate in usable if candidate.name in self.preferred]
        first = named or [candidate for candidate in usable if not candidate.paid] or usable[:1]
        later = sorted(
            (candidate for candidate in usable if candidate not in first),
            key=lambda candidate: candidate.paid,
        )
        resting = [candidate for candidate in self.candidates if candidate.readiness == "resting"]
        self._waves = _Waves(first, later, resting)
        self._add_pages(self.found)

    def first_turn(self) -> str:
        """The provider to wait for before anything is asked; "" if none may be asked."""
        waves = (self._waves.at_once, self._waves.held_back, self._waves.last_resort)
        return next((_first_of(wave) for wave in waves if wave), "")

    def may_use(self, turn: str) -> bool:
        """Whether the provider whose turn it is should be asked: it is ready, or no other one is."""
        ready = [*self._waves.at_once, *self._waves.held_back]
        return any(candidate.name == turn for candidate in ready or self._waves.last_resort)

    def first_calls(self, turn: str) -> list[PlannedCall]:
        """The providers to ask when the turn begins: the one whose turn it is, and the first wave beside it."""
        own = self._candidate(turn)
        beside = [candidate for candidate in self._waves.at_once if candidate != own]
        self._waves = _Waves(
            held_back=[candidate for candidate in self._waves.held_back if candidate != own],
            last_resort=[candidate for candidate in self._waves.last_resort if candidate != own],
        )
        call = self._ask(own, 0.0, forced=own.readiness == "resting", has_turn=True)
        return [call, *(self._ask(candidate, 0.0) for candidate in beside)]

    def next_look_s(self) -> float | None:
        """When to call `calls_after_waiting` if no provider ends before, in seconds from the start; None: never."""
        if not self._asked_s:
            return None
        times_s = [time_s for time_s in (self._late_s(), self._patience_ends_s()) if time_s is not None]
        return min(times_s, default=None)

    def _late_s(self) -> float | None:
        """When all providers that are left are asked, because nothing is found yet; None: never."""
        has_left = self._waves.held_back or self._waves.last_resort
        return self.timeout_s * LATE_SHARE if has_left and not self._pages else None

    def _patience_ends_s(self) -> float | None:
        """When all running providers are past their p95 latency, so that the next one is asked; None: never."""
        if not self._waves.held_back or self.has_enough:
            return None
        return max(asked_s + self._candidate(name).patience_s for name, asked_s in self._asked_s.items())

    def calls_after_waiting(self, now_s: float) -> list[PlannedCall]:
        """The providers to ask beside the slow ones, now that time has passed and no provider has ended."""
        look_s = self.next_look_s()
        if look_s is None or now_s < look_s:
            return []
        late_s = self._late_s()
        if late_s is None or now_s < late_s:
            return self._ask_next(now_s)
        held_back = [self._ask(candidate, now_s) for candidate in self._waves.held_back]
        return [*held_back, *self._ask_last_resort(now_s)]

    def calls_after_end(
        self, name: str, urls: Iterable[str], now_s: float, *, ending: Ending = "done"
    ) -> list[PlannedCall]:
        """The providers to ask now that one has ended with these results."""
        self._asked_s.pop(name, None)
        candidate = self._candidate(name)
        has_results = self._add_pages(urls)
        self.has_general_results = self.has_general_results or (has_results and candidate.is_general)
        if ending == "passed_over":
            self._passed_over.append(candidate)
        elif ending == "limited":
            self._limited.append(candidate)
        if self.has_enough or self._asked_s:  # the others still run
            return []
        return self._ask_next(now_s)

    def next_turn(self) -> str:
        """The provider to wait for, now that nothing is running; "" if the search has what it can get.

        Results of a general engine are enough to end with; an encyclopedia's are, unless a general engine is left.
        """
        if self.has_general_results:
            return ""
        for waiting in (self._passed_over, self._limited):
            in_order = [candidate for candidate in self.candidates if candidate in waiting]
            useful = [candidate for candidate in in_order if candidate.is_general or not self._pages]
            if useful:
                return _first_of(useful)
        return ""

    @property
    def has_enough(self) -> bool:
        """Whether there are enough results to ask no further provider."""
        return self.has_general_results and len(self._pages) >= max(1, int(self.wanted * ENOUGH_SHARE))

    def _candidate(self, name: str) -> ProviderCandidate:
        return next(candidate for candidate in self.candidates if candidate.name == name)

    def _add_pages(self, urls: Iterable[str]) -> bool:
        """Count the pages that results lead to; returns whether there are any."""
        keys = {key for url in urls if (key := dedupe_key(url))}
        self._pages |= keys
        return bool(keys)

    def _ask_next(self, now_s: float) -> list[PlannedCall]:
        """The next provider that was held back; after the last of them, and with no result at all, the last resort."""
        if self._waves.held_back:
            return [self._ask(self._waves.held_back.pop(0), now_s)]
        has_hope = self._pages or self._asked_s or self._passed_over
        return [] if has_hope or now_s >= self.timeout_s else self._ask_last_resort(now_s)

    def _ask_last_resort(self, now_s: float) -> list[PlannedCall]:
        """All that rest or are closed; after them no provider is left."""
        candidates = self._waves.last_resort
        self._waves = _Waves()
        return [self._ask(candidate, now_s, forced=True) for candidate in candidates]

    def _ask(
        self, candidate: ProviderCandidate, now_s: float, *, forced: bool = False, has_turn: bool = False
    ) -> PlannedCall:
        self._asked_s[candidate.name] = now_s
        left_s = max(0.0, self.timeout_s - now_s)
        return PlannedCall(
            name=candidate.name,
            wait_s=left_s if has_turn else min(left_s, WAIT_BESIDE_S),
            download_s=max(LEAST_DOWNLOAD_S, PATIENCES * candidate.patience_s),
            forced=forced,
        )


def _first_of(candidates: Sequence[ProviderCandidate]) -> str:
    """The first general engine, since only its results can be enough; else the first one."""
    return next((candidate.name for candidate in candidates if candidate.is_general), candidates[0].name)
