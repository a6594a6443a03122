"""When something happened, as a sentence of a report says it: dates, days of the week, yesterday. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

from babel import Locale

from planner.verify.dates import Date, dates_of
from research_crawler.text.messages import REPORT_LANGUAGES

_AHEAD_DAYS: Final = 60
"""A day without a year that would be later than so many days after its page was published is of the year before."""
_RELATIVE: Final[Mapping[str, int]] = {
    word: days
    for days, words in (
        (0, "today|tonight|this morning|this afternoon|this evening|heute|aujourd'hui|hoy|oggi|vandaag|hoje|dzisiaj"),
        (1, "yesterday|last night|gestern|hier soir|ayer|ieri|gisteren|ontem|wczoraj"),
        (2, "vorgestern|avant-hier|anteayer|eergisteren|anteontem|przedwczoraj"),
    )
    for word in words.split("|")
}  # fmt: skip
_AGO: Final = re.compile(r"\b(?P<n>\d{1,2}|two|three|four|five|six) days (?:ago|earlier)\b", re.I)
_NUMBERS: Final[Mapping[str, int]] = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_NO_DAY_BEFORE: Final = re.compile(
    r"\b(?:black|good|cyber|fat|super|palm|easter|giving|shrove|ash|maundy|bloody|every|each|next|coming|most|on a|"
    r"jeden|chaque|tous les|cada|ogni|elke|toda|każdy|nächsten?|kommenden?|prochain)\s*$",
    re.I,
)
"""`Black Friday` and `every Monday` are no days that have been."""
_NO_DAY_BEHIND: Final = re.compile(
    r"\s*(?:next|prochain|próximo|prossimo)\b|['’]?s?\s(?:Times|Night|Telegraph|Mirror|Express)\b"
)
_AHEAD: Final = re.compile(
    r"\b(?:will|(?:is|are) (?:set to|due|expected to|scheduled)|plans? to|"
    r"wird|werden|sera|seront|será|serán|sarà|saranno|zal|zullen|będzie)\b",
    re.I,
)
"""A day of the week in a sentence about the future is not the one before."""

_ANNOUNCED: Final = re.compile(
    r"\b(?:will|shall|(?:is|are|was|were) (?:to|going to|planned|due)|wird|werden|sera|seront|será|serán|sarà|zal)\b",
    re.I,
)
"""What is announced is ahead of the page that tells it: "on 12 December it will open"."""


@dataclass(frozen=True)
class Moment:
    """A day, or a month of which no day is told."""

    iso: str
    """`2026-11-16`, or `2026-11`."""

    @property
    def is_day(self) -> bool:
        """Whether the day is known."""
        return len(self.iso) == len("2026-11-16")


def moment_of(text: str, published: str) -> Moment | None:
    """When that happened which a sentence tells of; None if it does not say so.

    Args:
        text: a sentence.
        published: the ISO day of its page, by which `on Monday` and `5 November` are read; "" if it is not known.
    """
    dates = dates_of(text)[0]
    told = _day(published)
    for one in dates:
        if one.day and one.month and (found := _resolved(one, told, is_ahead=bool(_ANNOUNCED.search(text)))):
            return Moment(found)
    if told and (days := _days_back(text, told)) is not None:
        return Moment(_days_from(told, -days).isoformat())
    month = next((one for one in dates if one.year and one.month), None)
    return Moment(f"{month.year:04}-{month.month:02}") if month else None


def _resolved(found: Date, told: date | None, *, is_ahead: bool) -> str:
    years = [found.year] if found.year else ([told.year, told.year + (1 if is_ahead else -1)] if told else [])
    for year in years:
        try:
            day = date(year, found.month, found.day)
        except ValueError:
            continue
        if found.year or (told and (day >= told if is_ahead else day <= _days_from(told, _AHEAD_DAYS))):
            return day.isoformat()
    return ""


def _days_from(day: date, days: int) -> date:
    """The day so many days later; at the ends of the calendar the day itself: pages and files give any date."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


def _days_back(text: str, told: date) -> int | None:
    """How many days before its page was published that was of which a sentence tells."""
    low = text.lower().replace("’", "'")
    for match in _named_days().finditer(low):
        word = match[0]
        if word in _RELATIVE:
            return _RELATIVE[word]
        before, behind = low[: match.start()], text[match.end() :]
        if not _NO_DAY_BEFORE.search(before) and not _NO_DAY_BEHIND.match(behind) and not _AHEAD.search(low):
            return (told.weekday() - _weekdays()[word]) % 7
    if ago := _AGO.search(text):
        return _NUMBERS.get(ago["n"].lower()) or int(ago["n"])
    return None


@cache
def _weekdays() -> dict[str, int]:
    """The names of the days in all languages of reports; Monday is 0."""
    names: dict[str, int] = {}
    for language in REPORT_LANGUAGES:
        for form in ("format", "stand-alone"):
            for number, name in Locale(language).days[form]["wide"].items():
                names.setdefault(str(name).lower(), int(number))
    return names


@cache
def _named_days() -> re.Pattern[str]:
    words = sorted([*_weekdays(), *_RELATIVE], key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])")


def _day(iso: str) -> date | None:
    try:
        return date.fromisoformat(iso[:10]) if iso else None
    except ValueError:
        return None
