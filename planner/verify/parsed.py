"""A sentence read once: its figures and dates. Kept by its text, for all that compare it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from planner.verify.dates import Date, dates_of
from planner.verify.figures import Figure, figures_of

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
def parsed(text: str) -> ParsedText:
    """The sentence with its figures and dates."""
    dates, rest = dates_of(text[:LONGEST])
    return ParsedText(text, tuple(dates), tuple(figures_of(rest)))
