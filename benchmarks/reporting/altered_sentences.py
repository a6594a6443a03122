"""Sentences of saved articles, altered by machine: honestly (a unit converted, a title before a name, a date written in
another way) and falsely (a figure, a date or a name swapped, a "not" put in, a unit swapped).

Nothing here knows the rules of `planner.verify`. All choices are by hash, so that every run makes the same.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.reporting.careless_writer import LEAST_CHARS, MONTHS, MOST_CHARS, number_of
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.sentences import quotable_pieces

PER_KIND: Final = 120
"""Most sentences of a kind."""


@dataclass(frozen=True)
class Altered:
    """A sentence made of a quote, and what was done to it."""

    text: str
    quote: str
    host: str
    kind: str
    is_honest: bool


def altered_sentences(articles: Path) -> list[Altered]:
    """The alterations that can be made, at most PER_KIND of each kind, one a sentence and kind."""
    quotes = sorted(_quotes(articles), key=lambda quote: number_of(quote[0]))
    names = [match[0] for text, _ in quotes for match in _NAME.finditer(text)]
    made = []
    for is_honest, changes in ((True, HONEST), (False, FALSE)):
        for kind, change in changes.items():
            found = (
                Altered(text, quote, host, kind, is_honest)
                for quote, host in quotes
                if (text := change(quote, names)) and text != quote
            )
            made += [one for one, _ in zip(found, range(PER_KIND), strict=False)]
    return made


def _quotes(articles: Path) -> Iterator[tuple[str, str]]:
    """Whole sentences with the hosts of their pages."""
    truth = json.loads((articles / "ground-truth.json").read_text("utf-8"))
    for page in sorted(truth):
        for piece in quotable_pieces(truth[page]["articleBody"]):
            if (
                piece.form == "sentence"
                and LEAST_CHARS <= len(piece.text) <= MOST_CHARS
                and piece.text[-1] in '.!”"'
            ):
                yield piece.text, host_of(truth[page]["url"])


Change = Callable[[str, Sequence[str]], str]
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-zà-ÿ]{2,} [A-Z][a-zà-ÿ]{2,}(?![\w-])")
_NUMBER: Final = re.compile(
    r"(?<![\w.,$€£:/-])[1-9]\d{0,2}(?:,\d{3})*(?:\.\d+)?(?![\w,.:/-]|\s(?:and|to|or)\s\d)"
)
_DATE: Final = re.compile(rf"\b(?P<month>{MONTHS}) (?P<day>\d{{1,2}})(?P<year>, \d{{4}})?(?![\w,])")
_YEAR: Final = re.compile(r"(?<=\bin )(?:19|20)\d\d(?![\w-])")
_MEASURES: Final = (
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) (?:kilograms?|kg)\b"), 1000, "grams"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) (?:kilometers?|kilometres?|km)\b"), 1000, "metres"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) (?:tonnes|tons of CO2)\b"), 1000, "kg"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) hours\b"), 60, "minutes"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) minutes\b"), 60, "seconds"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) weeks\b"), 7, "days"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) (?:metres|meters)\b"), 100, "cm"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) GB\b"), 1000, "MB"),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) million\b"), 1_000_000, ""),
    (re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?) billion\b"), 1000, "million"),
)
_SWAPPED_UNITS: Final = (
    (r"\bkg\b", "km"), (r"\bhours\b", "days"), (r"\bminutes\b", "hours"), (r"(?<=\d)%", " million"),
    (r"\bmillion\b", "billion"), (r"\bbillion\b", "million"), (r"\bmiles\b", "feet"), (r"\byears\b", "months"),
    (r"\bmonths\b", "weeks"), (r"\bdays\b", "years"), (r"\bGB\b", "TB"), (r"\bpercent\b", "kg"),
)  # fmt: skip
_TITLES: Final = ("Dr", "Professor", "Mr", "Ms", "Sir", "Dr.", "Chairman")
_VERB: Final = re.compile(r"\b(?:is|are|was|were|will|can|has|have|had)\b(?! not| no\b|n['’]t)")


def _converted(text: str, _: Sequence[str]) -> str:
    for pattern, factor, unit in _MEASURES:
        if match := pattern.search(text):
            value = float(match[1]) * factor
            return f"{text[: match.start()]}{value:,.0f}{' ' * bool(unit)}{unit}{text[match.end() :]}"
    return ""


def _titled(text: str, _: Sequence[str]) -> str:
    match = _NAME.search(text)
    title = _TITLES[number_of(text) % len(_TITLES)]
    return f"{text[: match.start()]}{title} {text[match.start() :]}" if match else ""


def _other_form_of_date(text: str, _: Sequence[str]) -> str:
    return _DATE.sub(
        lambda match: f"{match['day']} {match['month']}{(match['year'] or '').replace(',', '')}",
        text,
        count=1,
    )


def _led(text: str, _: Sequence[str]) -> str:
    return f"The report says that {text[0].lower() if text.split(maxsplit=1)[0] in _FUNCTION else text[0]}{text[1:]}"


_FUNCTION: Final = frozenset({"The", "A", "An", "It", "In", "This", "We", "He", "She", "They", "But", "And"})


def _abridged(text: str, _: Sequence[str]) -> str:
    return re.sub(r", (?:but|and|while|which) [^,;]{20,}[.!]$", ".", text)


def _number_swapped(text: str, _: Sequence[str]) -> str:
    found = list(_NUMBER.finditer(_DATE.sub(lambda match: "x" * len(match[0]), text)))
    if not found:
        return ""
    match = found[number_of(text) % len(found)]
    other = str((int(match[0][0]) + number_of(text) % 8) % 9 + 1)
    if other == match[0][0]:
        return ""
    return f"{text[: match.start()]}{other}{match[0][1:]}{text[match.end() :]}"


def _date_swapped(text: str, _: Sequence[str]) -> str:
    months = MONTHS.split("|")
    if match := _DATE.search(text):
        other = months[(months.index(match["month"]) + 1 + number_of(text) % 10) % 12]
        return text[: match.start()] + other + text[match.start() + len(match["month"]) :]
    return _YEAR.sub(lambda match: str(int(match[0]) - 1 - number_of(text) % 9), text, count=1)


def _name_swapped(text: str, names: Sequence[str]) -> str:
    match = _NAME.search(text)
    other = names[number_of(text) % len(names)]
    return f"{text[: match.start()]}{other}{text[match.end() :]}" if match and other not in text else ""


def _denied(text: str, _: Sequence[str]) -> str:
    match = _VERB.search(text)
    return f"{text[: match.end()]} not{text[match.end() :]}" if match else ""


def _affirmed(text: str, _: Sequence[str]) -> str:
    return re.sub(r"\b(is|are|was|were|will|has|have|had) not\b(?! (?:only|just))", r"\1", text, count=1)


def _unit_swapped(text: str, _: Sequence[str]) -> str:
    for pattern, other in _SWAPPED_UNITS:
        changed = re.sub(rf"(?<=\d) ?{pattern}" if pattern[0] != "(" else pattern, f" {other}", text, count=1)
        if changed != text:
            return changed
    return ""


HONEST: Final[dict[str, Change]] = {
    "unit converted": _converted,
    "title before a name": _titled,
    "date in another form": _other_form_of_date,
    "told as reported": _led,
    "abridged": _abridged,
}
FALSE: Final[dict[str, Change]] = {
    "figure swapped": _number_swapped,
    "unit swapped": _unit_swapped,
    "date swapped": _date_swapped,
    "name swapped": _name_swapped,
    "not put in": _denied,
    "not left out": _affirmed,
}
