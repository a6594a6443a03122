"""The day of an event, as a sentence gives it by a date. Pure."""

from dataclasses import dataclass
from datetime import date

from research_crawler.text.languages.dates import Date, dates


@dataclass(frozen=True)
class EventDay:
    """A day, or a month of which no day is told."""

    iso: str
    """`2026-11-16`, or `2026-11`."""

    @property
    def is_day(self) -> bool:
        """Whether the day is known."""
        return len(self.iso) == len("2026-11-16")


def event_day_of(text: str, published: str, language: str = "en") -> EventDay | None:
    """When that happened which a sentence tells of; None if it has no date.

    Args:
        text: a sentence.
        published: the ISO day of its page; a date without a year is the one nearest to it. "" if it is not known.
    """
    found_dates = dates(text, language)
    for found_date in found_dates:
        if found_date.day and found_date.month and (day := _day(found_date, published)):
            return EventDay(day)
    month = next((date for date in found_dates if date.year and date.month), None)
    return EventDay(f"{month.year:04}-{month.month:02}") if month else None


def _day(found: Date, published: str) -> str:
    date = _parsed(published[:10])
    years = [found.year] if found.year else [date.year + more for more in (-1, 0, 1)] if date else []
    days = [day for year in years if (day := _parsed(f"{year:04}-{found.month:02}-{found.day:02}"))]
    if date and not found.year:
        days.sort(key=lambda day: abs((day - date).days))
    return days[0].isoformat() if days else ""


def _parsed(iso: str) -> date | None:
    try:
        return date.fromisoformat(iso)
    except ValueError:
        return None
