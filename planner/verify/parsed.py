"""A sentence read once: its figures and dates. Kept by its text, for all that compare it."""

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
def parsed(text: str, language: str = "en") -> ParsedText:
    """The sentence with its figures and dates."""
    text = text[:LONGEST]
    dates_found = dates(text, language)
    rest = [
        figure
        for figure in figures(text, language)
        if not any(figure.start < date.end and date.start < figure.end for date in dates_found)
    ]
    return ParsedText(text, tuple(dates_found), tuple(rest))
