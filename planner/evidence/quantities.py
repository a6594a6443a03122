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
"""Most characters between the two ends of a range, or between hours and minutes: "60 to 90", "2–8", "2 h and 9 min"."""
_NEXT: Final = re.compile(r"[\s-]{1,3}([^\W\d_]+)")
_LAST: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[\s:]{1,3}[$€£¥]?$")
_VERSION: Final = re.compile(r"\d+(?:\.\d+)+")


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
    numbered: str = ""
    """Stem of the word before it: "port 7400", "seats 620"."""
    is_range: bool = False
    """Whether both ends are told: "60 to 90 cm"."""

    @property
    def size(self) -> float:
        """The amount: the middle of an estimate or a range, the end of a bound that is known."""
        if self.is_bound:
            return self.high if math.isfinite(self.high) else self.low
        return math.sqrt(self.low * self.high)

    @property
    def is_version(self) -> bool:
        """Whether it is written as versions are, and counts nothing: `3.11`, `2.4.1`."""
        return not self.dimension and not self.counted and _VERSION.fullmatch(self.text) is not None

    @property
    def is_bound(self) -> bool:
        """Whether only one end is given, as in "at most 5"."""
        return self.low == 0 < self.high or math.isinf(self.high)

    def is_of(self, counter: "Quantity") -> bool:
        """Whether both measure in one dimension, or count the same."""
        if self.dimension or counter.dimension:
            return self.dimension == counter.dimension
        if self.is_version or counter.is_version:
            return self.is_version == counter.is_version
        mine, theirs = {self.counted, self.numbered} - {""}, {counter.counted, counter.numbered} - {""}
        return not mine.isdisjoint(theirs)

    def meets(self, counter: "Quantity") -> bool:
        """Whether both can be one value; two bounds in the same direction can only if they are equal."""
        if self.is_version or counter.is_version:
            return self.text == counter.text
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
        figure, low, added = placed[place], None, 0.0
        if place + 1 < len(placed):
            following = placed[place + 1]
            if _is_range(figure, following):
                low, figure, place = figure, following, place + 1
            elif _is_joined(figure, following):
                added, place = following.base, place + 1
        found.append(_quantity(figure, low, added, text, known))
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


def _is_joined(first: Figure, second: Figure) -> bool:
    """Whether the second figure is the smaller part of one amount: "2 hours and 9 minutes"."""
    return (
        0 <= second.start - first.end <= _MOST_BETWEEN
        and bool(first.dimension)
        and first.dimension == second.dimension
        and first.unit != second.unit
        and abs(second.base) < abs(first.base)
    )


def _quantity(figure: Figure, lower: Figure | None, added: float, text: str, language: Language) -> Quantity:
    scale = MONTH_S if figure.dimension == "calendar" else 1.0
    low, high = (end * scale for end in _interval(figure, added))
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
        *_beside(figure, text, start, language),
        lower is not None,
    )


def _interval(figure: Figure, added: float) -> tuple[float, float]:
    value = abs(figure.base) + added
    if figure.kind == "about":
        return value / ESTIMATE_APART, value * ESTIMATE_APART
    if figure.kind == "over":
        return value, math.inf
    return (0.0, value) if figure.kind == "under" else (value, value)


def _beside(figure: Figure, text: str, start: int, language: Language) -> tuple[str, str]:
    """The stems of the words right behind a number and right before it; empty for function words."""
    behind = _NEXT.match(text, figure.end)
    before = _LAST.search(text, 0, start)
    words = [match[1].lower() if match else "" for match in (behind, before)]
    counted, numbered = ("" if word in language.stop_words else language.stem(word) for word in words)
    return counted, numbered
