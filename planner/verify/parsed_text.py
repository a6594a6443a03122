"""A sentence read once: its figures and dates. Kept by its text, for all that compare it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.text.languages.dates import Date, dates
from research_crawler.text.languages.numbers import Figure, figures

LONGEST: Final = 20_000
"""Most characters of a text that are read; a longer one is no quote."""


@dataclass(frozen=True)
class ParsedText:
    """A sentence with what code can compare in it."""

    text: str
    dates: tuple[Date, ...]
    figures: tuple[Figure, ...]
    """Its numbers that are no dates."""


@lru_cache(maxsize=8_192)
def parse_text(text: str, language: str = "en") -> ParsedText:
    """The sentence with its figures and dates."""
    text = text[:LONGEST]
    numbers = figures(text, language)
    dates_found = [date for date in dates(text, language) if date.month or not _is_measured(date, numbers)]
    rest = [
        figure
        for figure in numbers
        if not any(figure.start < date.end and date.start < figure.end for date in dates_found)
    ]
    return ParsedText(text, tuple(dates_found), tuple(rest))


def _is_measured(year: Date, numbers: Sequence[Figure]) -> bool:
    """Whether what looks like a year is a number with a unit: "was 1000 seconds"."""
    return any(number.unit and number.start <= year.start < number.end for number in numbers)
