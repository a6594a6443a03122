"""Read the dates of a text: days, months and years, with the names of months of the text's language and of English."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from research_crawler.text.languages.language import LANGUAGES, language_of

_YEAR: Final = r"(?P<y>1\d{3}|20\d\d)"
_DAY: Final = r"(?P<d>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|º|\.)?"
_MONTH: Final = r"(?<!\w)(?P<m>[^\W\d_]{3,12})\.?"
_LINK: Final = r"(?:of\s|de\s|di\s)?"
_PERCENT: Final = r"\s?%|\s(?:percent|per\s?cento?|prozent|procent|pour cent|por cien|por cento)"
_PATTERNS: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"(?<![\d/-])(?P<y>1\d{3}|20\d\d)(?P<sep>[-/])(?P<m>0?[1-9]|1[0-2])(?P=sep)(?P<d>0?[1-9]|[12]\d|3[01])(?!\d)",
        r"(?<![\d.])(?P<d>[0-2]?\d|3[01])\.\s?(?P<m>0?\d|1[0-2])\.\s?(?P<y>1\d{3}|20\d\d)(?!\.?\d)",
        r"(?<![\d/-])(?P<a>\d{1,2})(?P<sep>[-/])(?P<b>\d{1,2})(?P=sep)(?P<y>1\d{3}|20\d\d)(?!\d)",
        rf"(?<![\w.,:]){_DAY}\s{_LINK}{_MONTH}(?:,?\s(?:de\s|del\s)?{_YEAR}(?!\w))?",
        rf"{_MONTH}\s{_DAY}(?:\s?[-–]\s?\d{{1,2}})?(?:,?\s{_YEAR}(?!\w))?(?![\w:])",
        rf"{_MONTH},?\s{_LINK}{_YEAR}(?!\w)",
        rf"(?<![\w.,$€£/-]){_YEAR}(?![\d,.]\d|[%\w]|{_PERCENT})",
    )
)
"""From the most to the least exact; a word is a month if the language has it."""
_CACHE, _CACHED_CHARS = 16_384, 4_000
"""Texts whose dates are remembered, and the longest of them."""


@dataclass(frozen=True)
class Date:
    """A day, a month or a year; None stands for what the text leaves open."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int
    text: str
    is_ambiguous: bool = False
    """Whether day and month may be the other way round: `3/4/2020`, `3-4-2020`."""


def dates(text: str, language: str = "en") -> list[Date]:
    """The dates of a text in its order; none overlaps another. With "" as language, months of any language are read."""
    read = _dates if len(text) <= _CACHED_CHARS else _dates.__wrapped__
    return list(read(text, language[:2].lower()))


def without_dates(text: str) -> str:
    """A text with blanks in the places of its dates."""
    return _blanked(text, [(date.start, date.end) for date in dates(text)])


def agree(first: Date, second: Date) -> bool:
    """Whether both can be the same time: what both give is the same, and they give one part in common."""
    mine, theirs = (first.year, first.month, first.day), (second.year, second.month, second.day)
    if _fit(mine, theirs):
        return True
    swapped = (first.year, first.day, first.month)
    return (first.is_ambiguous or second.is_ambiguous) and _fit(swapped, theirs)


def states(source: Date, claim: Date) -> bool:
    """Whether a source's date gives all that a claim's does; a year that it leaves open is the reader's to judge."""
    if claim.month and not source.month:
        return False
    return agree(source, claim) and not (claim.day and not source.day)


def month_of(word: str, language: str = "en") -> int:
    """The month that a word names, 1 to 12; 0 if it names none."""
    return _months(language[:2].lower()).get(word.lower().rstrip("."), 0)


def _fit(one: tuple[int | None, ...], other: tuple[int | None, ...]) -> bool:
    common = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    return bool(common) and all(a == b for a, b in common)


@lru_cache(maxsize=_CACHE)
def _dates(text: str, code: str) -> tuple[Date, ...]:
    if not any(char.isdecimal() for char in text):
        return ()
    found: list[Date] = []
    left = text
    for pattern in _PATTERNS:
        read = [date for match in pattern.finditer(left) for date in _read(match, text, code)]
        left = _blanked(left, [(date.start, date.end) for date in read])
        found += read
    return tuple(sorted(found, key=lambda date: date.start))


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with blanks in spans that follow each other; the text is copied once, however many there are."""
    pieces, done = list[str](), 0
    for start, end in spans:
        pieces += [text[done:start], " " * (end - start)]
        done = end
    return "".join([*pieces, text[done:]])


def _read(match: re.Match[str], text: str, code: str) -> Iterator[Date]:
    parts = match.groupdict()
    year = int(parts["y"]) if parts.get("y") else None
    start, end = match.span()
    if "a" in parts:
        first, second = int(parts["a"]), int(parts["b"])
        day, month = (second, first) if (code == "en" and first <= 12) or second > 12 else (first, second)
        if 1 <= month <= 12 and 1 <= day <= 31:
            is_ambiguous = day <= 12 and day != month
            yield Date(year, month, day, start, end, text[start:end], is_ambiguous)
        return
    word = parts.get("m") or ""
    number = int(word) if word.isdecimal() else _months(code).get(word.lower(), 0)
    if word and (not number or (not year and _is_no_month(word, code))):
        return
    at = int(parts["d"]) if parts.get("d") else None
    yield Date(year, number or None, at, start, end, text[start:end])


def _is_no_month(word: str, code: str) -> bool:
    """Whether a word without a year beside it is written as no month is: "may 5 people enter"."""
    return word.islower() and not word.isdecimal() and language_of(code).has_capital_months


@cache
def _months(code: str) -> Mapping[str, int]:
    known = (*reversed(LANGUAGES), "en") if not code else ("en", code)
    return {name: number for one in known for name, number in language_of(one).months.items()}
