"""Read the dates of a text, and say whether another text states them."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from babel import Locale

from research_crawler.text.messages import REPORT_LANGUAGES

_YEAR: Final = r"(?P<y>1\d{3}|20\d\d)"
_DAY: Final = r"(?P<d>[0-2]?\d|3[01])(?:st|nd|rd|th|\.)?"
_MONTH: Final = r"(?<!\w)(?P<m>[^\W\d_]{3,12})\.?"
_PERCENT: Final = r"\s?%|\s(?:percent|per\s?cento?|prozent|procent|pour cent|por cien|por cento)"
_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<y>1\d{3}|20\d\d)-(?P<m>0\d|1[0-2])-(?P<d>[0-2]\d|3[01])(?!\d)",
        r"(?<![\d.])(?P<d>[0-2]?\d|3[01])\.\s?(?P<m>0?\d|1[0-2])\.\s?(?P<y>1\d{3}|20\d\d)(?!\d)",
        r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>1\d{3}|20\d\d)(?!\d)",
        rf"(?<![\w.,:]){_DAY}\s(?:of\s|de\s)?{_MONTH}(?:,?\s(?:de\s)?{_YEAR}(?!\w))?",
        rf"{_MONTH}\s{_DAY}(?:,?\s{_YEAR}(?!\w))?(?![\w:])",
        rf"{_MONTH},?\s(?:of\s|de\s)?{_YEAR}(?!\w)",
        rf"(?<![\w.,$€£/-])(?P<y>1\d{{3}}|20\d\d)(?![\d,.]\d|[%\w]|{_PERCENT})",
    )
)
"""From the most to the least exact. A word is a month if `_months` has it; "may" alone is none."""


@dataclass(frozen=True)
class Date:
    """A day, a month or a year; 0 stands for what the text leaves open."""

    text: str
    year: int = 0
    month: int = 0
    day: int = 0

    def fits(self, other: "Date") -> bool:
        """Whether both can be the same time."""
        mine, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        return all(not a or not b or a == b for a, b in zip(mine, theirs, strict=True))

    def is_stated_by(self, other: "Date", years: Collection[int]) -> bool:
        """Whether a source's date says this one; a year that it leaves open may be one of `years`."""
        if not self.fits(other) or (self.month and not other.month) or (self.day and not other.day):
            return False
        return not self.year or other.year == self.year or (not other.year and self.year in years)


def dates_of(text: str) -> tuple[list[Date], str]:
    """The dates of a text, and the text with blanks in their places."""
    found: list[Date] = []
    if not any(char.isdecimal() for char in text):
        return found, text
    for pattern in _PATTERNS:
        for match in list(pattern.finditer(text)):
            if dates := list(_date(match)):
                found += dates
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return found, text


def unstated_dates(dates: Sequence[Date], source: Sequence[Date], years: Collection[int] = ()) -> list[Date]:
    """Those of the dates that no date of a source states; `years` may stand for a year that it leaves open."""
    known = {date.year for date in source if date.year} | set(years)
    # `3/4/2020` is read in two ways, of which one is enough.
    stated = {
        date.text
        for date in dates
        if any(date.is_stated_by(other, known) for other in source) or (date.year in known and not date.month)
    }
    return [date for date in dates if date.text not in stated]


def month_of(word: str) -> int:
    """The month that a word names, in any language of reports, as 1 to 12; 0 if it names none."""
    return _months().get(word.lower().rstrip("."), 0)


def _date(match: re.Match[str]) -> Iterator[Date]:
    parts = match.groupdict()
    year, text = int(parts.get("y") or 0), match[0].strip()
    if "a" in parts:
        for month, day in ((parts["a"], parts["b"]), (parts["b"], parts["a"])):
            if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
                yield Date(text, year, int(month), int(day))
        return
    month = parts.get("m") or ""
    number = int(month) if month.isdecimal() else _months().get(month.lower(), 0)
    if number or not month:
        yield Date(text, year, number, int(parts.get("d") or 0))


@cache
def _months() -> dict[str, int]:
    """The names of months in all languages of reports, with the common short forms."""
    names: dict[str, int] = {"sept": 9}
    for language in REPORT_LANGUAGES:
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in Locale(language).months[form][width].items():
                    names.setdefault(str(name).lower().rstrip("."), int(number))
    return {name: number for name, number in names.items() if len(name) > 2}
