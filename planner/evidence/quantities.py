"""Read the quantities of a sentence as intervals: a number, a range, an estimate or a bound, and what it counts."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.text.languages.language import Language, language_of
from research_crawler.text.languages.numbers import Figure, figures

ESTIMATE_APART: Final = 1.1
"""Values of which one is an estimate ("nearly 150") differ from this factor on. At 1.25, 20 instead of 23 of 50
disagreements are found, and as many other cases called."""
CONVERTED: Final = 0.03
"""How far an amount may be from the same one in a unit of another system, which whoever converts rounds."""
MONTH_S: Final = 30.44 * 86_400
"""Seconds of a mean month. Years and months are compared with days as loosely as CONVERTED allows."""
_LIKE: Final = 1 + 1e-6
_MOST_BETWEEN: Final = 6
"""Most characters between the two ends of a range: "60 to 90", "2–8"."""
_NEXT: Final = re.compile(r"[\s-]{1,3}([^\W\d_]+)")


@dataclass(frozen=True)
class Quantity:
    """An amount of one dimension, or of one counted thing; a bound is open to one side."""

    text: str
    start: int
    end: int
    dimension: str
    unit: str
    low: float
    high: float
    counted: str = ""
    """Stem of the word behind a number without a unit."""
    is_range: bool = False
    """Whether both ends are told: "60 to 90 cm"."""

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
        """Whether both can be one value; two bounds in the same direction can only if they are equal."""
        ends = [quantity.high for quantity in (self, counter) if quantity.is_bound or quantity.is_range]
        if len(ends) == 2 and (self.is_bound or counter.is_bound) and all(map(math.isfinite, ends)):
            return math.isclose(*ends, rel_tol=_LIKE - 1)
        if len(ends) == 2 and all(map(math.isinf, ends)):
            return math.isclose(self.low, counter.low, rel_tol=_LIKE - 1)
        factor = 1 + CONVERTED if self.unit != counter.unit else _LIKE
        return self.low <= counter.high * factor and counter.low <= self.high * factor


def quantities_of(text: str, without: Sequence[tuple[int, int]], language: str = "en") -> list[Quantity]:
    """The quantities of a text that stand outside of some places, such as its dates; a range is one of them."""
    placed = [
        each
        for each in figures(text, language)
        if not any(start < each.end and each.start < end for start, end in without)
    ]
    known = language_of(language)
    found: list[Quantity] = []
    place = 0
    while place < len(placed):
        figure, low = placed[place], None
        if place + 1 < len(placed) and _is_range(figure, placed[place + 1]):
            low, figure, place = figure, placed[place + 1], place + 1
        found.append(_quantity(figure, low, text, known))
        place += 1
    return found


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


def _quantity(figure: Figure, lower: Figure | None, text: str, language: Language) -> Quantity:
    scale = MONTH_S if figure.dimension == "calendar" else 1.0
    low, high = (end * scale for end in _interval(figure))
    start = figure.start
    if lower:
        low, start = min(low, _in_unit_of(lower, figure) * scale), lower.start
    return Quantity(
        figure.text,
        start,
        figure.end,
        "time" if figure.dimension == "calendar" else figure.dimension,
        figure.unit,
        low,
        high,
        _counted_by(figure, text, language),
        lower is not None,
    )


def _interval(figure: Figure) -> tuple[float, float]:
    value = abs(figure.base)
    if figure.kind == "about":
        return value / ESTIMATE_APART, value * ESTIMATE_APART
    if figure.kind == "over":
        return value, math.inf
    return (0.0, value) if figure.kind == "under" else (value, value)


def _counted_by(figure: Figure, text: str, language: Language) -> str:
    """The stem of the word right behind a number; empty for a function word."""
    behind = _NEXT.match(text, figure.end)
    word = behind[1].lower() if behind else ""
    return "" if word in language.stop_words else language.stem(word)
