"""Turns query texts and search options into what providers accept."""

import re
import unicodedata
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

PERIODS_DAYS = (("day", 1), ("week", 7), ("month", 31), ("year", 366))
"""The periods that search pages offer, with the longest time each covers in days."""
UNIT_DAYS = {"d": 1, "w": 7, "m": 30.5, "y": 365}
"""Days of a day, week, month and year in a limit of age such as `w2`."""
PERIOD = re.compile(r"([dwmy])(\d{1,4})")
BANG = re.compile(r"(?<!\S)[!\\]+(?=\S)|(?<=\S)!+(?!\S)")
"""Bangs: `!wiki x`, `x wiki!` and `\\x` make DuckDuckGo and SearXNG redirect to another site."""


def cleaned_query(
    query: str, *, max_chars: int, max_bytes: int | None = None, max_words: int | None = None
) -> str:
    """A query without control characters and bangs, cut between words to the length a provider accepts."""
    printable = "".join(
        " " if unicodedata.category(char) in ("Cc", "Cs", "Co", "Zl", "Zp") else char for char in query
    )
    words = BANG.sub("", " ".join(printable.split())).split()
    text = " ".join(words)
    if _fits(text, max_chars, max_bytes) and (max_words is None or len(words) <= max_words):
        return text
    words = words[:max_words]
    while len(words) > 1 and not _fits(" ".join(words), max_chars, max_bytes):
        words.pop()
    text = " ".join(words)
    if not _fits(text, max_chars, max_bytes):
        text = _cut(text, max_chars, max_bytes)
    if text.count('"') % 2:  # the cut went through a phrase
        head, _, tail = text.rpartition('"')
        text = " ".join((head + tail).split())
    return text


def today_utc() -> date:
    """Today in UTC; periods are counted back from it."""
    return datetime.now(UTC).date()


def first_day(date_restrict: str, today: date) -> date | None:
    """The first day of a period such as Google's `d7`, `w2`, `m6`, `y1`; None for "" and for unknown forms.

    Months and years are calendar ones. If the month has no such day, it is the last day of the month.
    """
    match = PERIOD.fullmatch(date_restrict)
    if not match or int(match[2]) == 0:
        return None
    unit, count = match[1], int(match[2])
    try:
        if unit in "dw":
            return today - timedelta(days=count * (7 if unit == "w" else 1))
        month = today.year * 12 + today.month - 1 - count * (12 if unit == "y" else 1)
        year, month = divmod(month, 12)
        return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        return None


def covering_period(date_restrict: str) -> tuple[str, bool]:
    """The shortest of day, week, month and year that covers a period such as `d7`, and whether it is exact.

    ("", True) if there is no restriction; ("", False) if no period covers it or its form is unknown.
    """
    if not date_restrict:
        return "", True
    match = PERIOD.fullmatch(date_restrict)
    if not match or int(match[2]) == 0:
        return "", False
    days = UNIT_DAYS[match[1]] * int(match[2])
    for name, most in PERIODS_DAYS:
        if days <= most:
            return name, days == UNIT_DAYS[name[0]]
    return "", False


def ignored_period(date_restrict: str) -> list[str]:
    """`Provider.ignores` of a date restriction, for a provider that knows day, week, month and year."""
    period, exact = covering_period(date_restrict)
    if exact:
        return []
    return [f"date_restrict (widened to {period})" if period else "date_restrict"]


def language_parts(language: str) -> tuple[str, str]:
    """("de", "ch") for the tag `de-CH`; the region is "" if there is none; ("", "") if malformed."""
    match = re.fullmatch(r"([a-zA-Z]{2,3})(?:[-_][a-zA-Z]{4})?(?:[-_]([a-zA-Z]{2}))?", language.strip())
    return (match[1].lower(), (match[2] or "").lower()) if match else ("", "")


def _fits(text: str, max_chars: int, max_bytes: int | None) -> bool:
    return len(text) <= max_chars and (max_bytes is None or len(text.encode()) <= max_bytes)


def _cut(text: str, max_chars: int, max_bytes: int | None) -> str:
    text = text[:max_chars]
    return text if max_bytes is None else text.encode()[:max_bytes].decode(errors="ignore")
