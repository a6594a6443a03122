"""Read the numbers of a text with their units, and say whether another text states them."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from planner.verify.number_words import DOZENS, JOINING, NUMBER_WORDS, halves_of
from planner.verify.units import POWERS, UNITS

_NUMBER: Final = re.compile(
    r"(?<![\w.,/])(?<![^\W\d_]-)(?P<before>US\$|[$€£¥])?\s?(?P<sign>[-−](?=\d))?"
    r"(?P<digits>\d{1,3}(?:[,.'’\u00a0\u202f]\d{3})++(?:[.,]\d+)?(?![\d])|\d++(?:[.,]\d++)*+)"
    r"(?P<after>(?:\s|-|\u00a0|\u202f)?(?:%|°(?:\s?[CF]\b)?|[$€£¥]|[^\W\d_]+)(?:-[^\W\d_]+)?)?"
    r"(?P<next>\s(?:[$€£¥]|[^\W\d_]+))?"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_VERSION: Final = re.compile(r"\d+(?:\.\d+){2,}")
_ABOUT: Final = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|c\.|close to|~|etwa|rund|ungefähr|"
    r"fast|environ|près de|presque|unos|unas|cerca de|casi|circa|quasi|ongeveer|bijna|około|prawie)\s*$",
    re.I,
)
_OVER: Final = re.compile(
    r"(?:more than|over|at least|above|\bexceed\w*+|upwards of|mehr als|(?<!verfügt )(?<!verfügen )über|mindestens|"
    r"plus de|más de|oltre|meer dan)\s*$",
    re.I,
)
_UNDER: Final = re.compile(
    r"(?:less than|fewer than|under|below|at most|up to|maximum of|as many as|as much as|weniger als|unter|höchstens"
    r"|maximal|bis zu|moins de|au plus|menos de|como máximo|meno di|al massimo|minder dan|hoogstens|maximaal|najwyżej"
    r"|maksymalnie|no máximo)\s*$",
    re.I,
)
_DENIED: Final = re.compile(
    r"\b(?:no|not|never|cannot|nicht|nie|keine|pas|ne|non|niet|não)(?:\s[^\W\d_]{2,12}){0,3}?\s$|n['’]t(?:\s[^\W\d_]{2,12}){0,2}?\s$",
    re.I,
)
"""What makes the other bound of one: "not take more than 400 mg"."""
_NEAR: Final = 0.06
"""How far a number said to be about another may be from it."""
_CONVERTED: Final = 0.03
"""How far an amount may be from the same one in another unit."""
_BOUND: Final = 0.35
"""How far a number may be from the bound that a sentence gives for it ("more than 100" of 128)."""

_BEFORE: Final = 40
"""Characters before a number in which a word makes a bound or an estimate of it."""

_BLANKS: Final = frozenset((" ", "\u00a0", "\u202f"))
_MEASURED: Final = frozenset(
    """long high deep wide tall thick above below from off away and to or by is in on at with of hoch lang tief breit
    und über unter von bis de et sur en y e di da su a à na do""".split()  # noqa: SIM905  # a list of words reads better so
)
"""Words behind "m" that show that it stands for metres and not for millions: "38 m above", but "38 m people"."""
_DEGREES: Final = "°"
_SCALES: Final = {"c": "°c", "celsius": "°c", "f": "°f", "fahrenheit": "°f"}
"""The words behind "degrees"."""

Kind = Literal["exact", "about", "over", "under", "at_most", "at_least"]
"""`at_most`: a bound that is told as one ("not more than"); what is below it need not be near."""
BOUNDS: Final = frozenset[Kind](("over", "under", "at_most", "at_least"))


@dataclass(frozen=True)
class Figure:
    """A number with its unit, as a text gives it."""

    text: str
    values: tuple[float, ...]
    """What it can mean in its base unit: `1.200` is 1200, or 1.2. Empty for a version, which must be the same text."""
    unit: str = ""
    kind: Kind = "exact"
    digits: int = 15
    """Significant digits; a number may be rounded to as many."""
    spelled: bool = False

    @property
    def is_slight(self) -> bool:
        """Whether it is a small number in words, which a writer may have counted himself ("three ways")."""
        return self.spelled and not self.unit and all(value <= 10 for value in self.values)

    @property
    def is_year(self) -> bool:
        """Whether it can only be read as a year: four digits without a unit."""
        return not self.unit and re.match(r"(?:1[5-9]|20)\d\d(?![\d.,])", self.text) is not None

    def is_stated_by(self, other: "Figure") -> bool:
        """Whether the other number, which a source gives, says this one."""
        if not self.values or not other.values:
            return self.text == other.text
        if self.unit and other.unit and not self.is_of_unit(other.unit):
            return False
        if self.unit and other.is_year:  # "opened in 1998" says nothing of 1998 percent
            return False
        return any(self._is_met(mine, theirs, other.kind) for mine in self.values for theirs in other.values)

    def is_of_unit(self, unit: str) -> bool:
        """Whether it has this unit; "35 degrees" leaves open which ones."""
        return self.unit == unit or (_DEGREES in (self.unit, unit) and self.unit[:1] == unit[:1])

    def is_converted(self, other: "Figure") -> bool:
        """Whether both are one amount in two units ("10 kg", "22 lb"), which whoever converts rounds."""
        if not self.unit or self.unit != other.unit or _letters(self.text) == _letters(other.text):
            return False
        return any(
            math.isclose(mine, theirs, rel_tol=_CONVERTED) for mine in self.values for theirs in other.values
        )

    def _is_met(self, mine: float, theirs: float, kind: Kind) -> bool:
        if math.isclose(mine, theirs, rel_tol=1e-6):
            return True
        if kind in BOUNDS:  # "up to 30" is not "up to 40"
            return False
        if self.kind == "about":
            return math.isclose(mine, theirs, rel_tol=_NEAR)
        if self.kind == "over":
            return mine <= theirs <= mine * (1 + _BOUND)
        if self.kind == "under":
            return mine >= theirs >= mine * (1 - _BOUND)
        return (
            self.kind not in BOUNDS
            and self.digits >= 2
            and abs(mine) >= 1e4
            and math.isclose(mine, _rounded(theirs, self.digits))
        )


def figures_of(text: str) -> list[Figure]:
    """The numbers of a text in its order, those in words last."""
    found = [_figure(match) for match in _NUMBER.finditer(text)]
    return found + list(_spelled_figures(text))


def unstated(figures: Sequence[Figure], source: Sequence[Figure]) -> list[Figure]:
    """Those of the figures that none of a source's figures states."""
    return [figure for figure in figures if not any(figure.is_stated_by(other) for other in source)]


def is_replaced(figure: Figure, source: Sequence[Figure]) -> bool:
    """Whether the source gives another number of the same unit where it does not give this one."""
    return any(figure.is_of_unit(other.unit) and other.values for other in source)


def _figure(match: re.Match[str]) -> Figure:
    digits, text = match["digits"], match[0].strip()
    if _VERSION.fullmatch(digits) and not re.fullmatch(r"\d{1,3}(?:\.\d{3})+", digits):
        return Figure(digits, ())
    factor, unit = _scaled(match)
    sign = -1.0 if match["sign"] and not unit.startswith("second") else 1.0
    values = tuple(sign * value * factor for value in _readings(digits))
    significant = len(re.sub(r"\D", "", digits).strip("0")) or 1
    return Figure(text, values, unit, _kind(match.string, match.start()), significant)


def _readings(digits: str) -> list[float]:
    """What a number can mean: `1,200` is 1200 (or 1.2), `1,5` is 1.5, `1.234,5` is 1234.5."""
    bare = re.sub(r"['’\u00a0\u202f]", "", digits)
    marks = [char for char in bare if char in ".,"]
    if not marks:
        return [float(bare)]
    last = marks[-1]
    decimal = (
        bare[: bare.rindex(last)].replace(",", "").replace(".", "") + "." + bare[bare.rindex(last) + 1 :]
    )
    grouped = re.sub(r"[.,]", "", bare)
    if len(marks) > 1 and len(set(marks)) == 1:
        return [float(grouped)]
    if len(marks) > 1 or len(bare) - bare.rindex(last) - 1 != 3:
        return [float(decimal)]
    return [float(grouped), float(decimal)]


def _scaled(match: re.Match[str]) -> tuple[float, str]:
    """The factor to the base unit, and the unit; both are neutral where the text names none."""
    raw = match["after"] or ""
    after, behind = (
        raw.strip(" -\u00a0\u202f").replace(" ", "").lower(),
        (match["next"] or "").strip().lower(),
    )
    after, _, hyphenated = after.partition("-")
    power = 1.0
    if after in POWERS and (len(after) > 1 or raw[:1] not in " -" or match["before"]):
        power, after, behind = POWERS[after], hyphenated or behind, ""
    elif after == "per" and behind == "cent":
        after = "%"
    if raw[:1] in _BLANKS and after == "m" and not match["before"] and (not behind or behind in _MEASURED):
        return 1.0, "m"
    if after in UNITS and hyphenated in UNITS:  # "414 lb-ft" is neither a weight nor a length
        return power, f"{after}-{hyphenated}"
    before = (match["before"] or "").lower()
    base, factor = UNITS.get(before or after) or UNITS.get(hyphenated) or ("", 1.0)
    if base == _DEGREES:
        base = _SCALES.get(behind, base)
    return power * factor, base


def _kind(text: str, start: int) -> Kind:
    """What the words before a number make of it."""
    before = text[max(0, start - _BEFORE) : start]
    if _ABOUT.search(before):
        return "about"
    if bound := _OVER.search(before):
        return "at_most" if _DENIED.search(before[: bound.start()]) else "over"
    if bound := _UNDER.search(before):
        return "at_least" if _DENIED.search(before[: bound.start()]) else "under"
    return "exact"


def _spelled_figures(text: str) -> Iterator[Figure]:
    """The numbers in words: "three", "twenty-five years", "two million dollars"."""
    for half in halves_of(text):
        base, factor = UNITS[half.unit]
        shown = text[half.start : half.end]
        yield Figure(shown, (half.amount * factor,), base, _kind(text, half.start), spelled=True)
        text = f"{text[: half.start]}{' ' * len(shown)}{text[half.end :]}"
    matches = list(_WORD.finditer(text))
    words = [match[0].lower() for match in matches]
    place = len(words) if NUMBER_WORDS.keys().isdisjoint(words) and DOZENS.isdisjoint(words) else 0
    while place < len(words):
        start, value = place, 0.0
        while place < len(words) and (number := _step(value, words[place], first=place == start)):
            value, place = number, place + 1
            if value % 10 == 0 and words[place : place + 1] and words[place] in JOINING:
                place += 1 if _joins(value, words[place + 1 : place + 2]) else 0
        if place == start:
            place += 1
            continue
        unit, factor = (
            UNITS.get(words[place], ("", 1.0)) if place < len(words) and len(words[place]) > 2 else ("", 1.0)
        )
        shown = text[matches[start].start() : matches[place - 1].end()]
        yield Figure(shown, (value * factor,), unit, _kind(text, matches[start].start()), spelled=True)


def _joins(value: float, behind: Sequence[str]) -> bool:
    """Whether ones stand behind tens and the word that joins them: "treinta y seis"."""
    return value % 100 >= 20 and any(0 < NUMBER_WORDS.get(word, 0) < 10 for word in behind)


def _step(value: float, word: str, *, first: bool) -> float:
    """The number that a further word makes of one; 0 if the word does not belong to it."""
    if word == "one" and not first and 20 <= value % 100 <= 90 and value % 10 == 0:  # "thirty-one"
        return value + 1
    if word in DOZENS:
        return 12.0 * (value or 1.0)
    if word in NUMBER_WORDS:
        added = float(NUMBER_WORDS[word])
        if first:
            return added
        if added == 100:  # "three hundred"
            return value * 100
        return value + added if added < 10 and value % 10 == 0 and value else 0.0
    power = POWERS.get(word, 0.0) if len(word) > 2 else 0.0
    return value * power if not first else 0.0


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalpha())


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}") if value else 0.0
