"""Finds the stretches of a price chart without a price, and why they have none. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import Final, Literal

from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.watches.watch import Observation

LATE: Final = 2.5
"""Two checks more intervals apart have left one out: jitter and work delay a check by less than half of one."""
MOST_GAPS: Final = 5
"""The newest stretches that are told; the table of what was seen has all."""

GapKind = Literal["unread", "not_offered", "unchecked"]


@dataclass(frozen=True)
class ChartGap:
    """A stretch without a price.

    `unread`: the page was asked for and gave no price; `not_offered`: the watch was checked, and this offer was not
    among what it found; `unchecked`: nothing was checked.
    """

    begin_ms: int
    end_ms: int
    kind: GapKind
    reason: Reason = Reason.NONE
    checks: int = 0


def gaps_of(
    observations: Sequence[Observation], checked_ms: Sequence[int], every_ms: int = 0
) -> list[ChartGap]:
    """The newest stretches of an offer without a price, the oldest first.

    Args:
        observations: what was seen of the offer, in the order of time.
        checked_ms: when the watch has seen any of its offers.
        every_ms: the time between two checks; 0: as it mostly was.
    """
    found = [*_unread(observations), *_between(observations, checked_ms, every_ms)]
    return sorted(found, key=lambda gap: gap.begin_ms)[-MOST_GAPS:]


def _unread(observations: Sequence[Observation]) -> Iterator[ChartGap]:
    """Checks without a price, those that follow each other as one; that an offer was sold out is marked by itself."""
    for has_none, group in groupby(observations, lambda one: one.state in ("unclear", "blocked", "failed")):
        seen = list(group)
        if has_none:
            reason = Counter(one.reason.kind for one in seen).most_common(1)[0][0]
            yield ChartGap(seen[0].at_ms, seen[-1].at_ms, "unread", reason, len(seen))


def _between(
    observations: Sequence[Observation], checked_ms: Sequence[int], every_ms: int
) -> Iterator[ChartGap]:
    """Two neighbours that are too far apart."""
    times = [one.at_ms for one in observations]
    usual = every_ms or (median(later - at for at, later in pairwise(times)) if len(times) > 2 else 0)
    for at, later in pairwise(times):
        if usual and later - at > LATE * usual:
            checks = sum(at + usual / 2 < checked < later - usual / 2 for checked in checked_ms)
            yield ChartGap(at, later, "not_offered" if checks else "unchecked", checks=checks)
