"""Read the quantities of a sentence as intervals: a number, a range, an estimate or a bound, and what it counts."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from planner.verify.figures import Figure
from research_crawler.text.words import STOPWORDS, WORD, stem

ESTIMATE_APART: Final = 1.25
"""Values of which one is an estimate ("nearly 150") differ from this factor on."""
CONVERTED: Final = 1.03
"""How far two amounts in different units may lie apart that are one: whoever converts rounds."""
_LIKE: Final = 1 + 1e-6
_MOST_BETWEEN: Final = 6
"""Most characters between the two ends of a range: "60 to 90", "2–8", "between 2 and 8"."""
_DIGITS: Final = re.compile(r"\W*\d[\d.,'’\u00a0\u202f]*")
_NO_LETTER: Final = re.compile(r"[\W\d_]+")


@dataclass(frozen=True)
class Quantity:
    """An amount of one unit, or of one counted thing."""

    text: str
    unit: str
    low: float
    high: float
    """Low and high are the same for a plain number; a bound is open to one side."""
    counts: frozenset[str] = frozenset()
    """Stems of the words beside a number without a unit: what it counts or numbers ("port 7400", "41 stations")."""
    symbol: str = ""
    """How the unit is written; the same amount in another unit is rounded."""

    @property
    def size(self) -> float:
        """The amount, or that end of it that is known."""
        return self.high if math.isfinite(self.high) else self.low

    @property
    def is_bound(self) -> bool:
        """Whether only one end is told."""
        return self.low == 0 < self.high or math.isinf(self.high)

    def is_of(self, other: "Quantity") -> bool:
        """Whether both measure in one dimension, or count the same."""
        if self.unit or other.unit:
            return self.unit == other.unit
        return not self.counts.isdisjoint(other.counts)

    def meets(self, other: "Quantity") -> bool:
        """Whether one value can be both; two bounds to one side only if they are the same."""
        if self.is_bound and other.is_bound and math.isinf(self.high) == math.isinf(other.high):
            return math.isclose(self.size, other.size, rel_tol=_LIKE - 1)
        factor = CONVERTED if self.symbol != other.symbol else _LIKE
        return self.low <= other.high * factor and other.low <= self.high * factor


def quantities_of(figures: Sequence[Figure], text: str) -> list[Quantity]:
    """The quantities of a text, from its figures; a range is one of them."""
    placed = sorted(
        ((text.find(one.text), one) for one in figures if one.values and one.text in text),
        key=lambda pair: pair[0],
    )
    joined = {n for n, (one, other) in enumerate(pairwise(placed)) if _is_range(one, other)}
    found = []
    for n, (start, figure) in enumerate(placed):
        if n in joined:
            continue
        low, high = _interval(figure)
        if n - 1 in joined:
            low = min(abs(placed[n - 1][1].values[0]) * _factor(figure, placed[n - 1][1]), low)
        found.append(
            Quantity(figure.text, figure.unit, low, high, _counted(figure, text, start), _symbol(figure))
        )
    return found


def _is_range(one: tuple[int, Figure], other: tuple[int, Figure]) -> bool:
    """Whether two figures are the ends of a range: nothing but a dash or one short word stands between them."""
    (start, low), (end, high) = one, other
    number = _DIGITS.match(low.text)
    stop = start + (number.end() if number and not low.unit else len(low.text))
    return (
        end - stop <= _MOST_BETWEEN
        and low.unit in ("", high.unit)
        and abs(low.values[0]) * _factor(high, low) < abs(high.values[0])
    )


def _factor(whole: Figure, part: Figure) -> float:
    """What the first number of "2 to 3 million" or "60 to 90 cm" has to be multiplied by."""
    number = _DIGITS.match(whole.text)
    if part.unit or not number:
        return 1.0
    bare = float(re.sub(r"[^\d.]", "", number[0]).strip(".") or 0)
    return abs(whole.values[0]) / bare if bare else 1.0


def _interval(figure: Figure) -> tuple[float, float]:
    value = abs(figure.values[0])
    if figure.kind == "about":
        return value / ESTIMATE_APART, value * ESTIMATE_APART
    if figure.kind in ("over", "at_least"):
        return value, math.inf
    return (0.0, value) if figure.kind in ("under", "at_most") else (value, value)


def _counted(figure: Figure, text: str, start: int) -> frozenset[str]:
    """The words right before and behind a number."""
    number = _DIGITS.match(figure.text)
    stop = start + (number.end() if number and not figure.spelled else len(figure.text))
    beside = [*WORD.findall(text[:start])[-1:], *WORD.findall(text[stop:])[:1]]
    return frozenset(
        stem(word.lower()) for word in beside if word.isalpha() and word.lower() not in STOPWORDS
    )


def _symbol(figure: Figure) -> str:
    words = _NO_LETTER.sub(" ", figure.text).split()
    return words[0].lower() if words else ""
