"""A figure that no quote has, worked out from figures that the quotes have: checked by its parts."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from planner.verify.cited_source import CitedSource
from research_crawler.text.languages.numbers import figures

MOST_NUMBERS: Final = 6
"""A calculation with more numbers is not checked."""
MOST_ROUNDED: Final = Fraction(1, 20)
"""A result that is rounded by a larger share of itself, as in `2 / 3 = 1`, is another number."""
_PART: Final = re.compile(r"\s*+(\d{1,15}(?:\.\d{1,6})?)\s*+([-+*/×÷−–]?)")
_SIGNS: Final = {"*": "×", "/": "÷", "-": "−", "–": "−"}


@dataclass(frozen=True)
class Calculation:
    """A calculation whose result is right."""

    text: str
    """As a report shows it: `2 + 1 = 3`."""
    parts: tuple[Fraction, ...]
    result: Fraction

    def rests_on(self, sources: Collection[CitedSource]) -> bool:
        """Whether each of its numbers stands in one of these quotes, as a figure or as a year."""
        known = {
            Fraction(figure.value).limit_denominator(10**6) for source in sources for figure in source.figures
        }
        known |= {Fraction(date.year) for source in sources for date in source.dates if date.year}
        return known.issuperset(self.parts)

    def gives(self, text: str) -> bool:
        """Whether a text names its result and nothing else."""
        return [Fraction(figure.value).limit_denominator(10**6) for figure in figures(text)] == [self.result]


def calculation_in(text: str) -> Calculation | None:
    """The calculation that a text is, such as `2003 - 1999 = 4`; None if it is none, or its result is wrong."""
    left, _, right = text.partition("=")
    numbers, signs, at = list[str](), list[str](), 0
    while len(numbers) < MOST_NUMBERS and (found := _PART.match(left, at)):
        numbers.append(found[1])
        signs.append(_SIGNS.get(found[2], found[2]))
        at = found.end()
    given = _PART.fullmatch(right.strip())
    if left[at:].strip() or len(numbers) < 2 or signs[-1] or "" in signs[:-1] or not given or given[2]:
        return None
    parts, result = tuple(map(Fraction, numbers)), Fraction(given[1])
    found_result = _worked(parts, signs)
    decimals = len(given[1].partition(".")[2])
    if found_result is None:
        return None
    error = abs(found_result - result)
    if error * 2 * 10**decimals > 1 or error > MOST_ROUNDED * abs(found_result):
        return None
    formula = " ".join(one for pair in zip(numbers, signs, strict=True) for one in pair if one)
    return Calculation(f"{formula} = {given[1]}", parts, result)


def _worked(parts: tuple[Fraction, ...], signs: list[str]) -> Fraction | None:
    """The result, products before sums; None where it divides by nothing."""
    terms = [parts[0]]
    for sign, part in zip(signs, parts[1:], strict=False):
        if sign == "÷" and not part:
            return None
        if sign in "×÷":
            terms[-1] = terms[-1] * part if sign == "×" else terms[-1] / part
        else:
            terms.append(-part if sign == "−" else part)
    return sum(terms, Fraction())
