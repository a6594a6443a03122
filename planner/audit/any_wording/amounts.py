"""Read the amounts of a text as spans, with shares ("a third of"), ranges in words ("two or three") and ages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from planner.audit.same_fact import Stated
from planner.audit.spans import Span, span_of
from planner.verify.dates import dates_of
from planner.verify.figures import Figure, figures_of
from planner.verify.number_words import NUMBER_WORDS
from planner.verify.units import UNITS

_GROUPED: Final = re.compile(r"(?<![\d.,])(\d{1,3})\s(?=\d{3}(?!\d))")
"""Thousands with a blank: "3 200"."""
_PARTS: Final[dict[str, int]] = {
    word: parts
    for parts, words in (
        (2, "half halves hälfte moitié mitad metà helft metade połowa połowę"),
        (3, "third thirds drittel tiers tercio terzo derde terço"),
        (4, "quarter quarters viertel quart quarts cuarto cuartos quarto quarti kwart kwartier kwadrans"),
        (5, "fifth fifths fünftel cinquième quinto vijfde"),
        (10, "tenth tenths zehntel dixième décimo tiende"),
    )
    for word in words.split()
}
_FRACTION: Final = re.compile(
    r"\b(?:(?P<many>[^\W\d_]{2,10}|\d)\s)?(?P<part>"
    + "|".join(sorted(_PARTS, key=len, reverse=True))
    + r")\b"
    r"(?:\s(?:of|von|des?|der|di|van|d['’]))?(?:\s(?:an?|the|the\s\w+|einer|une?"
    r"|una?))?(?:\s(?P<unit>[^\W\d_]{2,12}))?",
    re.I,
)
_QUARTERS_ALONE: Final = frozenset(("kwartier", "kwadrans"))
"""Quarters of an hour."""
_PERCENT: Final = 100.0
_TO: Final = re.compile(
    r"\W{0,3}(?:(?:or|to|and|bis|oder|und|à|ou|et|o|a|e|of|tot|en|lub|i)\b)?\W{0,3}(?:[-–—])?\s?", re.I
)
_TIMES: Final[dict[str, int]] = {"once": 1, "twice": 2, "thrice": 3, "einmal": 1, "zweimal": 2, "dreimal": 3}


@dataclass(frozen=True)
class Amount:
    """A number of a text with what it leaves open."""

    figure: Figure
    span: Span
    start: int
    end: int

    @property
    def unit(self) -> str:
        """What it measures; empty for a count."""
        return self.figure.unit


def amounts_of(text: str) -> list[Amount]:
    """The amounts of a text that are no dates, in its order; ranges are one."""
    text = _GROUPED.sub(lambda match: f"{match[1]}\u00a0", text)
    bare = dates_of(text)[1]
    shares = list(_fractions(bare))
    for share in shares:
        bare = bare[: share.start] + " " * (share.end - share.start) + bare[share.end :]
    found, place = list(shares), dict[str, int]()
    for figure in [*Stated(bare).figures, *_times(bare)]:
        start = bare.find(figure.text, place.get(figure.text, 0))
        if start < 0 or not figure.values:
            continue
        place[figure.text] = start + len(figure.text)
        found.append(Amount(figure, span_of(figure, bare), start, start + len(figure.text)))
    return _joined(bare, sorted(found, key=lambda one: one.start))


def _fractions(text: str) -> Iterator[Amount]:
    for match in _FRACTION.finditer(text):
        part, many = match["part"].lower(), (match["many"] or "").lower()
        count = int(many) if many.isdigit() else NUMBER_WORDS.get(many, 1)
        value, unit = count / _PARTS[part], (match["unit"] or "").lower()
        if part in _QUARTERS_ALONE:
            figure = Figure(match[0], (value * 3600,), "second", spelled=True)
            yield Amount(figure, Span(value * 3600, value * 3600), match.start(), match.end())
        elif unit in UNITS and len(unit) > 2:
            base, factor = UNITS[unit]
            figure = Figure(match[0], (value * factor,), base, spelled=True)
            yield Amount(figure, Span(value * factor, value * factor), match.start(), match.end())
        elif value <= 1 and re.search(r"\s(?:of|von|des?|der|di|van|d['’])\b", match[0], re.I):
            share = value * _PERCENT
            figure = Figure(match[0], (share,), "%", spelled=True)
            yield Amount(figure, Span(share * 0.9, share * 1.1), match.start("part"), match.end("part"))


def _times(text: str) -> Iterator[Figure]:
    for match in re.finditer(r"\b(?:once|twice|thrice|einmal|zweimal|dreimal)\b", text, re.I):
        yield Figure(match[0], (float(_TIMES[match[0].lower()]),), "", spelled=True)


def _joined(text: str, found: list[Amount]) -> list[Amount]:
    """Two numbers with "or" or "to" between them are one range."""
    kept: list[Amount] = []
    for one in found:
        before = kept[-1] if kept else None
        if before and before.end > one.start:
            continue
        between = text[before.end : one.start] if before else ""
        is_range = (
            before is not None and _TO.fullmatch(between) and (not before.unit or before.unit == one.unit)
        )
        if is_range and before and len(between.strip()) > 0 and before.span.low < one.span.high:
            factor = (
                one.figure.values[0] / max(_bare(one.figure), 1e-9) if not before.unit and one.unit else 1.0
            )
            low = before.span.low * factor
            if low < one.span.high:
                kept[-1] = Amount(one.figure, Span(low, one.span.high), before.start, one.end)
                continue
        kept.append(one)
    return kept


def _bare(figure: Figure) -> float:
    """The number without its unit's factor."""
    alone = figures_of(re.split(r"\s", figure.text)[0]) if not figure.spelled else []
    return abs(alone[0].values[0]) if alone and alone[0].values else 1.0
