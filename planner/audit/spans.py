"""Say from where to where a number of a sentence can be: a range, an estimate, a bound, or the number itself."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.verify.figures import Figure, figures_of
from planner.verify.number_words import NUMBER_WORDS
from planner.verify.units import UNITS

_AMOUNT: Final = r"(?<![\w.,])(?P<low>\d[\d.,]{0,12})(?:\s?(?P<unit>[^\W\d_]{1,12})|\s?[%°€$£]C?)?"
_RANGED: Final = re.compile(rf"{_AMOUNT}\s?(?:[-–—]|to|bis|à|al?|tot|do|até|hasta|ad)\s{{0,2}}$", re.I)
_BETWEEN: Final = re.compile(
    rf"\b(?:between|zwischen|entre|tra|fra|tussen|między)\s{_AMOUNT}\s(?:and|und|et|y|e|en|i)\s$", re.I
)
_JOINED_TIME: Final = re.compile(
    r"(?<![\w.,])(?P<many>\d{1,3}(?:[.,]\d)?|[^\W\d_]{1,12})\s?"
    r"(?P<long>days?|hours?|hrs?|h|tagen?|tage?|stunden?|jours?|heures?|días?|horas?|giorni?|giorno|ore|dagen|uur"
    r"|dias|dni"
    r"|minutes?|mins?|minuten?|minutos?|minuti)"
    r",?\s(?:(?:and|und|et|y|e|en|i)\s)?(?P<few>\d{1,2}|[^\W\d_]{2,12})\s?"
    r"(?P<short>hours?|hrs?|h|stunden?|heures?|horas?|ore|uur|minutes?|mins?|minuten?|minutos?|minuti|seconds?|secs?"
    r"|sekunden?|secondes?|segundos?|secondi)(?!\w)",
    re.I,
)
_ONE: Final = dict.fromkeys(("a", "an", "one", "eine", "ein", "einer", "une", "una", "un", "een", "uma"), 1)
_DIGITS: Final = re.compile(r"\d[\d.,]*")
_BEFORE: Final = 48
_LIKE: Final = 1e-6
ESTIMATE_APART: Final = 1.25
"""Values of which one is an estimate ("nearly 150") differ from this factor on."""


@dataclass(frozen=True)
class Span:
    """The least and the greatest value that a sentence leaves open."""

    low: float
    high: float

    def meets(self, other: "Span") -> bool:
        """Whether a value can be in both."""
        return self.low <= other.high * (1 + _LIKE) and other.low <= self.high * (1 + _LIKE)


def range_of(figure: Figure, text: str) -> Span | None:
    """The range whose upper end a number is: "60 to 90 cm", "between 2 and 8 °C"; None if it is none."""
    place = text.find(figure.text)
    digits = _DIGITS.search(figure.text)
    if place < 0 or not digits or not figure.values:
        return None
    before = text[max(0, place - _BEFORE) : place + digits.start()]
    match = _RANGED.search(before) or _BETWEEN.search(before)
    if not match or (match["unit"] and match["unit"].lower() not in UNITS):
        return None
    ends = figures_of(figure.text[digits.start() :].replace(digits[0], match["low"].rstrip(".,"), 1))
    high = abs(figure.values[0])
    low = abs(ends[0].values[0]) if ends and ends[0].values else high
    return Span(low, high) if low < high else None


def span_of(figure: Figure, text: str) -> Span:
    """The values that a number of a text leaves open."""
    value = abs(figure.values[0])
    if figure.kind == "about":
        return Span(value / ESTIMATE_APART, value * ESTIMATE_APART)
    if figure.kind in ("over", "at_least"):
        return Span(value, math.inf)
    if figure.kind in ("under", "at_most"):
        return Span(0.0, value)
    return range_of(figure, text) or Span(value, value)


def with_joined_times(figures: Sequence[Figure], text: str) -> list[Figure]:
    """The numbers of a text, with hours and the minutes behind them as one: "2 hours and 9 minutes"."""
    rest = list(figures)
    for match in _JOINED_TIME.finditer(text):
        amounts = [_amount(match[name]) for name in ("many", "few")]
        units = [UNITS.get(match[name].lower(), ("", 0.0)) for name in ("long", "short")]
        if not all(amounts) or units[0][1] <= units[1][1] or {base for base, _ in units} != {"second"}:
            continue
        total = sum(amount * factor for amount, (_, factor) in zip(amounts, units, strict=True))
        inside = [one for one in rest if match.start() <= text.find(one.text) < match.end()]
        kind = inside[0].kind if inside else "exact"
        rest = [one for one in rest if one not in inside]
        rest.append(Figure(match[0], (total,), "second", kind))
    return rest


def _amount(word: str) -> float:
    """How much a number in digits or words is; 0 if it is none."""
    if word[0].isdigit():
        return float(word.replace(",", "."))
    return float(_ONE.get(word.lower()) or NUMBER_WORDS.get(word.lower(), 0))
