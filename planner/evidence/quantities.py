"""Read the quantities of a sentence as intervals: a number, a range, an estimate or a bound, and what it counts."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from research_crawler.text.languages.language import language_of
from research_crawler.text.languages.numbers import Figure, figures

ESTIMATE_APART: Final = 1.1
"""Values of which one is an estimate ("nearly 150") differ from this factor on. At 1.25, 20 instead of 23 of 50
disagreements are found, and as many other cases called."""
CONVERSION_TOLERANCE: Final = 0.03
"""How far an amount may be from the same one in a unit of another system, which whoever converts rounds."""
MONTH_S: Final = 30.44 * 86_400
"""Seconds of a mean month. Years and months are compared with days as loosely as CONVERSION_TOLERANCE allows."""
_LIKE: Final = 1 + 1e-6
"""How far apart two amounts of one unit may be and count as equal: errors of arithmetic alone."""
_MOST_BETWEEN: Final = 6
"""Most characters between the two ends of a range: "60 to 90", "2–8"."""
_NEXT: Final = re.compile(r"[\s-]{1,3}([^\W\d_]+)")


@dataclass(frozen=True)
class Quantity:
    """An amount of one dimension, or of one counted thing; a bound is open to one side."""

    start: int
    end: int
    dimension: str
    unit: str
    low: float
    high: float
    counted: str = ""
    """Stem of the word behind a number without a unit; empty for a function word."""

    @property
    def size(self) -> float:
        """The amount: the middle of an estimate or a range, the end of a bound that is known."""
        if self.is_bound:
            return self.high if math.isfinite(self.high) else self.low
        return math.sqrt(self.low * self.high)

    @property
    def is_bound(self) -> bool:
        """Whether only one end is given, as in "at most 5"."""
        return self.low == 0 < self.high or math.isinf(self.high)

    def meets(self, counter: "Quantity") -> bool:
        """Whether both can be one value; two bounds can only if they are equal."""
        if self.is_bound and counter.is_bound:
            return (self.low, self.high) == (counter.low, counter.high)
        factor = 1 + CONVERSION_TOLERANCE if self.unit != counter.unit else _LIKE
        return self.low <= counter.high * factor and counter.low <= self.high * factor


def quantities_of(text: str, without: Sequence[tuple[int, int]], language: str = "en") -> list[Quantity]:
    """The quantities of a text that stand outside of some places, such as its dates; a range is one of them."""
    placed = [
        each
        for each in figures(text, language)
        if not any(start < each.end and each.start < end for start, end in without)
    ]
    lows = {second.start: first for first, second in pairwise(placed) if _is_range(first, second)}
    ends = {first.start for first in lows.values()}
    return [
        _quantity(figure, lows.get(figure.start), text, language)
        for figure in placed
        if figure.start not in ends
    ]


def _is_range(first: Figure, second: Figure) -> bool:
    """Whether two figures are the ends of a range: nothing but a dash or one short word stands between them."""
    return (
        0 <= second.start - first.end <= _MOST_BETWEEN
        and first.dimension in ("", second.dimension)
        and _in_unit_of(first, second) < abs(second.base)
        and not first.is_version
    )


def _in_unit_of(first: Figure, second: Figure) -> float:
    """The value of the first end of a range, which mostly has no unit of its own: "60 and 90 cm"."""
    if first.dimension or not second.dimension or not second.value:
        return abs(first.base)
    return abs(first.base * second.base / second.value)


def _quantity(figure: Figure, lower: Figure | None, text: str, language: str) -> Quantity:
    value, known = abs(figure.base), language_of(language)
    intervals = {
        "about": (value / ESTIMATE_APART, value * ESTIMATE_APART),
        "over": (value, math.inf),
        "under": (0.0, value),
    }
    low, high = intervals.get(figure.kind, (value, value))
    low = min(low, _in_unit_of(lower, figure)) if lower else low
    is_calendar = figure.dimension == "calendar"
    scale = MONTH_S if is_calendar else 1.0
    behind = _NEXT.match(text, figure.end)
    word = behind[1].lower() if behind else ""
    return Quantity(
        lower.start if lower else figure.start,
        figure.end,
        "time" if is_calendar else figure.dimension,
        figure.unit,
        low * scale,
        high * scale,
        "" if word in known.stop_words else known.stem(word),
    )
