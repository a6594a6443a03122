"""A sentence parsed once: its quantities, dates, names and words, and whether another one states the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from planner.evidence.quantities import Quantity, quantities_of
from research_crawler.text.languages.dates import Date, agree, dates
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.negation import is_negated
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import shared

_KEPT: Final = 8_192
"""Sentences that a process remembers, those of some eighty jobs: what pages say differently is looked for in them, and
the report is written from them, while the other jobs do the same."""
SAME_MIN_WORD_SHARE: Final = 0.6
"""Least share of the words of the shorter of two sentences that the other one has for them to say the same."""


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence with what it is compared by, each part read when it is first needed."""

    text: str
    language: str = "en"

    @cached_property
    def dates(self) -> list[Date]:
        """Days, months and years that it names."""
        return dates(self.text, self.language)

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Its numbers that are no dates, as intervals."""
        return quantities_of(self.text, [(date.start, date.end) for date in self.dates], self.language)

    @cached_property
    def names(self) -> frozenset[str]:
        """Stems of its names; a number is none, and that of a month is part of a date."""
        return frozenset(
            name
            for name in names_in(_without(self._undated, self.quantities), self.language)
            if not name.isdecimal()
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of the words that say what it is about: without dates, numbers and their units."""
        text = _without(self._undated, self.quantities)
        return frozenset(word for word in terms(text, self.language) if not word[0].isdigit())

    @cached_property
    def is_negated(self) -> bool:
        """Whether it has a negation."""
        return is_negated(self.text, self.language)

    @cached_property
    def _undated(self) -> str:
        return _without(self.text, self.dates)


@lru_cache(maxsize=_KEPT)
def parsed_sentence(text: str, language: str) -> ParsedSentence:
    """The parsed sentence; the same text is parsed once and kept."""
    return ParsedSentence(text, language)


def is_same_fact(first: ParsedSentence, second: ParsedSentence) -> bool:
    """Whether both state the same fact: alike in words, names, quantities and dates, and both or neither denied."""
    if shared(first.words, second.words) < SAME_MIN_WORD_SHARE or first.is_negated != second.is_negated:
        return False
    return _is_stated(first, second) and _is_stated(second, first)


def _is_stated(stated: ParsedSentence, stating: ParsedSentence) -> bool:
    """Whether a sentence has the names, quantities and dates of another one."""
    return (
        stated.names <= stating.words | stating.names
        and all(any(agree(date, theirs) for theirs in stating.dates) for date in stated.dates)
        and all(
            any(own.dimension == theirs.dimension and own.meets(theirs) for theirs in stating.quantities)
            for own in stated.quantities
        )
    )


def _without(text: str, parts: Sequence[Date] | Sequence[Quantity]) -> str:
    """A text with blanks in the places of its dates or quantities."""
    for part in parts:
        text = text[: part.start] + " " * (part.end - part.start) + text[part.end :]
    return text
