"""Query text and search options as providers take them."""

import re
import unicodedata
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

PERIODS_DAYS = (("day", 1), ("week", 7), ("month", 31), ("year", 366))
"""The periods that search pages offer, with the most days each covers."""
UNIT_DAYS = {"d": 1, "w": 7, "m": 30.5, "y": 365}
PERIOD = re.compile(r"([dwmy])(\d{1,4})")
BANG = re.compile(r"(?<!\S)[!\\]+(?=\S)|(?<=\S)!+(?!\S)")
"""`!wiki x`, `x wiki!` and `\\x` make DuckDuckGo and SearXNG redirect to another site."""


def cleaned_query(
    query: str, *, max_chars: int, max_bytes: int | None = None, max_words: int | None = None
) -> str:
    """A query without control characters and redirecting bangs, cut at a word to what a provider takes."""
    kept = "".join(
        " " if unicodedata.category(char) in ("Cc", "Cs", "Co", "Zl", "Zp") else char for char in query
    )
    words = BANG.sub("", " ".join(kept.split())).split()
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
    """The day that a period is counted back from."""
    return datetime.now(UTC).date()


def first_day(date_restrict: str, today: date) -> date | None:
    """The first day inside Google's `d7`, `w2`, `m6`, `y1`; None for any date or another form.

    Months and years are those of the calendar; a day that a month lacks becomes its last one.
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
    """The shortest of day, week, month, year that covers Google's `d7`, `w2`, `y1`; whether it fits.

    ("", True) for any date; ("", False) where nothing covers it or it is not of that form.
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
    """What a provider with day, week, month and year has to say about a date restriction."""
    period, exact = covering_period(date_restrict)
    if exact:
        return []
    return [f"date_restrict (widened to {period})" if period else "date_restrict"]


def language_parts(language: str) -> tuple[str, str]:
    """("de", "ch") of the tag `de-CH`; region "" where none is given, ("", "") if malformed."""
    match = re.fullmatch(r"([a-zA-Z]{2,3})(?:[-_][a-zA-Z]{4})?(?:[-_]([a-zA-Z]{2}))?", language.strip())
    return (match[1].lower(), (match[2] or "").lower()) if match else ("", "")


def _fits(text: str, max_chars: int, max_bytes: int | None) -> bool:
    return len(text) <= max_chars and (max_bytes is None or len(text.encode()) <= max_bytes)


def _cut(text: str, max_chars: int, max_bytes: int | None) -> str:
    text = text[:max_chars]
    return text if max_bytes is None else text.encode()[:max_bytes].decode(errors="ignore")
