"""A sentence parsed once: its figures, dates, names and words, and whether another one states the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from planner.evidence.quantities import Quantity, quantities_of
from planner.verify.dates import Date, dates_of
from planner.verify.figures import Figure, figures_of, unstated
from planner.verify.names import names_of
from research_crawler.text.likeness import is_negated
from research_crawler.text.words import terms

SAME_WORDS: Final = 0.6
"""Least share of the words of the shorter of two sentences that the other one has for them to say the same."""


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence with what it is compared by, each part read when it is first needed."""

    text: str

    @cached_property
    def dates(self) -> list[Date]:
        """Days, months and years that it names."""
        return self._dated[0]

    @cached_property
    def figures(self) -> list[Figure]:
        """Its numbers that are no dates, with their units."""
        return figures_of(self._dated[1])

    @cached_property
    def names(self) -> frozenset[str]:
        """Stems of its names; that of a month is part of a date."""
        return frozenset(names_of(self._dated[1]))

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of the words that say what it is about: without numbers and dates."""
        return frozenset(word for word in terms(self._dated[1]) if not word[0].isdigit())

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Its numbers as intervals."""
        return quantities_of(self.figures, self.text)

    @cached_property
    def is_negated(self) -> bool:
        """Whether it has a negation."""
        return is_negated(self.text)

    @cached_property
    def _dated(self) -> tuple[list[Date], str]:
        return dates_of(self.text)


def shared_words(one: ParsedSentence, other: ParsedSentence) -> float:
    """The share of the words of the shorter sentence that the other one has."""
    fewer = min(len(one.words), len(other.words))
    return len(one.words & other.words) / fewer if fewer else 0.0


def have_same_names(one: ParsedSentence, other: ParsedSentence) -> bool:
    """Whether each name of one sentence is at least a word of the other."""
    return one.names <= other.words | other.names and other.names <= one.words | one.names


def is_same_fact(one: ParsedSentence, other: ParsedSentence) -> bool:
    """Whether both state the same: words, names, numbers with units, dates, and both or neither a negation."""
    if shared_words(one, other) < SAME_WORDS or not have_same_names(one, other):
        return False
    if one.is_negated != other.is_negated:
        return False
    if unstated(one.figures, other.figures) or unstated(other.figures, one.figures):
        return False
    return _fit(one.dates, other.dates) and _fit(other.dates, one.dates)


def _fit(dates: Sequence[Date], others: Sequence[Date]) -> bool:
    return all(any(date.fits(other) for other in others) for date in dates)
