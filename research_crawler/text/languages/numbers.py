"""Read the figures of a text: numbers in digits and in words, with their units.

One table says what the units are (`data/units.toml`); numbers in words are read by text2num, in the languages it has.
"""

import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, assert_never

from research_crawler.text.languages.language import Language, language_of, phrases

Kind = Literal["exact", "about", "over", "under"]

_DIGITS: Final = re.compile(
    r"(?<![\w.,/])(?<![^\W\d_][-–])(?<!\w`[-–])(?<!\w`(?=[-–]))(?P<money>US\$|[$€£¥])?\s?(?P<sign>[-−](?=\d))?"
    r"(?P<digits>\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})++(?:[.,]\d+)?(?!\d)|\d++(?:[.,]\d++)*+)(?P<part>[¼½¾])?"
)
_TAIL: Final = re.compile(
    r"[-\s]?(?:d['’])?((?:%|°\s?[CFcf]?(?![^\W\d_])|(?i:us)?[$€£¥]|[℃℉]|[^\W\d_]++(?:/[^\W\d_]+)?[²³23]?))"
    r"(?:[-\s](?:d['’])?([^\W\d_]++[²³]?))?(?:[-\s]([^\W\d_]++))?"
)
"""Up to three words behind a number."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_VERSION: Final = re.compile(r"\d+(?:\.\d+){2,}")
_GROUPED: Final = re.compile(r"\d{1,3}(?:[,.]\d{3})+")
_OF: Final = frozenset(("of", "de", "di", "d"))
"""What may stand between a power and a unit: "deux millions d'euros"."""
_AND_A_HALF: Final = re.compile(r"\s+(?:and a half|et demie?|y medi[ao]|e mezz[oa]|e mei[ao])\b", re.I)
_RANGE: Final = re.compile(r"\s?[-–—]\s?|\s(?:to|or|bis|oder|à|ou|a|o|do|lub|tot|of|até)\s", re.I)
_WITHOUT_TEXT2NUM: Final = frozenset(("pl",))
_BEFORE: Final = 40
"""Characters before a number in which words make a bound or an estimate of it."""
_CACHE, _CACHED_CHARS = 16_384, 4_000
"""Texts whose figures are remembered, and the longest of them."""

_NEAR: Final = 0.06
"""How far a figure said to be about another may be from it."""
_CONVERTED: Final = 0.03
"""How far an amount may be from the same one in a unit of another system, which whoever converts rounds."""
_BOUND: Final = 0.35
"""How far a figure may be from the bound that a sentence gives for it ("more than 100" of 128)."""


@dataclass(frozen=True)
class Measure:
    """A unit: what it measures and how much of that dimension's base unit it is."""

    name: str = ""
    dimension: str = ""
    factor: float = 1.0

    def base(self, value: float) -> float:
        """A value in the dimension's base unit."""
        return (value - 32) / self.factor if self.name == "°F" else value * self.factor

    def of_base(self, base: float) -> float:
        """A value in the base unit, in this one."""
        return base * self.factor + 32 if self.name == "°F" else base / self.factor


@dataclass(frozen=True)
class Figure:
    """A number with its unit: `text` is what stands at `start:end`."""

    value: float
    unit: str
    """The unit's short name (`km`, `%`, `EUR`); "" without a unit."""
    base: float
    """The value in the dimension's base unit: 7.5 t and 7,500 kg have the same."""
    dimension: str
    start: int
    end: int
    text: str
    alternative: float | None = None
    """The base value where a mark is read the other way: `1.200` as 1200, or as 1.2."""
    kind: Kind = "exact"
    """What the words before it make of it: an estimate or a bound."""
    digits: int = 15
    """Significant digits; a figure may be rounded to as many."""
    is_spelled: bool = False
    is_version: bool = False
    """`2.4.1`: compared as text."""
    counted: str = ""
    """The stem of the word behind a number without a unit: what it counts."""

    @property
    def is_money(self) -> bool:
        """Whether it is an amount of a currency."""
        return len(self.dimension) == 3 and self.dimension.isupper()

    @property
    def is_year(self) -> bool:
        """Whether it can be read as a year: four digits without a unit."""
        return not self.unit and re.fullmatch(r"(?:1[5-9]|20)\d\d", self.text) is not None


def figures(text: str, language: str = "en") -> list[Figure]:
    """The figures of a text in its order, those in words too."""
    read = _figures if len(text) <= _CACHED_CHARS else _figures.__wrapped__
    return list(read(text, language[:2].lower()))


def same_figure(first: Figure, second: Figure) -> bool:
    """Whether the second figure, which a source gives, says the first: by value and unit, in any unit of the dimension.

    An estimate, a bound or a rounded figure is said by one that it fits: "about 100" by 98, "5.9 million" by
    5,912,345.
    """
    if first.is_version or second.is_version:
        return first.text == second.text
    if first.dimension != second.dimension and first.dimension and second.dimension:
        return False
    if first.is_year != second.is_year and (first.unit or second.unit):
        return False
    mine = [value for value in (first.base, first.alternative) if value is not None]
    theirs = [value for value in (second.base, second.alternative) if value is not None]
    return any(_meets(a, b, first, second) for a in mine for b in theirs)


def unit_of(words: str) -> Measure | None:
    """The unit that a word or phrase names, in any language of reports."""
    table = units()
    return table.get(words) or (table.get(words.lower()) if len(words) > 1 else None)


def _meets(a: float, b: float, first: Figure, second: Figure) -> bool:
    if math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12):
        return True
    if first.unit != second.unit and first.unit and second.unit and not _is_decimal(first.unit, second.unit):
        return math.isclose(a, b, rel_tol=_CONVERTED)
    if second.kind in ("over", "under"):  # "up to 30" is not "up to 40"
        return False
    match first.kind:
        case "about":
            return math.isclose(a, b, rel_tol=_NEAR)
        case "over":
            return a <= b <= a * (1 + _BOUND)
        case "under":
            return a >= b >= a * (1 - _BOUND)
        case "exact":
            return first.digits >= 2 and abs(a) >= 1e4 and math.isclose(a, float(f"{b:.{first.digits - 1}e}"))
        case unknown:
            assert_never(unknown)


def _is_decimal(one: str, other: str) -> bool:
    """Whether one unit is a power of ten of the other, so that nothing is rounded between them."""
    exponent = math.log10(_by_name()[one].factor / _by_name()[other].factor)
    return math.isclose(exponent, round(exponent), abs_tol=1e-9)


@lru_cache(maxsize=_CACHE)
def _figures(text: str, code: str) -> tuple[Figure, ...]:
    language = language_of(code)
    found = [_in_digits(text, match, language) for match in _DIGITS.finditer(text)]
    spelled = list(_in_words(text, language))
    if spelled:
        taken = {place for figure in found for place in range(figure.start, figure.end)}
        found += [figure for figure in spelled if figure.start not in taken]
        found.sort(key=lambda figure: figure.start)
    for place in range(len(found) - 2, -1, -1):  # "10 to 15 kg": both are kilograms
        first, second = found[place], found[place + 1]
        if not first.unit and second.unit and _RANGE.fullmatch(text, first.end, second.start):
            unit = _by_name().get(second.unit) or Measure(second.unit, second.dimension)
            found[place] = replace(
                first, unit=unit.name, dimension=unit.dimension, base=unit.base(first.value), counted=""
            )
    return tuple(found)


def _in_digits(text: str, match: re.Match[str], language: Language) -> Figure:
    digits, start = match["digits"], match.start() + len(match[0]) - len(match[0].lstrip())
    if _VERSION.fullmatch(digits) and not _GROUPED.fullmatch(digits):
        return Figure(0.0, "", 0.0, "", start, match.end(), text[start : match.end()], is_version=True)
    value, alternative = _readings(digits, language.decimal)
    extra = {"¼": 0.25, "½": 0.5, "¾": 0.75}.get(match["part"] or "", 0.0)
    end = match.end()
    if half := _AND_A_HALF.match(text, end):
        extra, end = extra + 0.5, half.end()
    sign = -1.0 if match["sign"] else 1.0
    unit, factor, end, counted = _unit_behind(text, end, match["money"] or "", language)
    return Figure(
        value=sign * (value + extra) * factor,
        unit=unit.name,
        base=unit.base(sign * (value + extra) * factor),
        dimension=unit.dimension,
        start=start,
        end=end,
        text=text[start:end],
        alternative=None if alternative is None else unit.base(sign * alternative * factor),
        kind=_kind(text, start, language),
        digits=len(re.sub(r"\D", "", digits).strip("0")) or 1,
        counted=counted,
    )


def _readings(digits: str, decimal: str) -> tuple[float, float | None]:
    """A number as the language writes it, and how others read the same: `1,200` is 1200, elsewhere 1.2."""
    bare = re.sub(r"['’\u00a0\u202f ]", "", digits)
    marks = [char for char in bare if char in ".,"]
    if not marks:
        return float(bare), None
    at = bare.rindex(marks[-1])
    grouped = float(re.sub(r"[.,]", "", bare))
    if len(marks) > 1 and len(set(marks)) == 1:
        return grouped, None
    fraction = float(f"{re.sub('[.,]', '', bare[:at])}.{bare[at + 1 :]}")
    if len(marks) > 1 or len(bare) - at - 1 != 3 or bare[0] == "0":
        return fraction, None
    return (fraction, grouped) if marks[0] == decimal else (grouped, fraction)


class _WordBehind(NamedTuple):
    """A word behind a number, and where it ends in the text."""

    text: str
    end: int


def _unit_behind(text: str, end: int, money: str, language: Language) -> tuple[Measure, float, int, str]:
    """The unit behind a number, the factor of a power before it, where they end, and else what is counted."""
    words, factor = _words_behind(text, end), 1.0
    if words and (power := _power(words[0].text, text[end : end + 1], money)):
        factor, end = power, words[0].end
        has_of = len(words) > 1 and words[1].text.lower() in _OF
        words = words[2 if has_of else 1 :]
    if money:
        return _by_name()[_money()[money]], factor, end, ""
    for count in range(len(words), 0, -1):
        name = " ".join(word.text for word in words[:count])
        unit = unit_of(name) or (unit_of(name.replace(" ", "")) if count == 1 else None)
        if unit:
            return unit, factor, words[count - 1].end, ""
    if not words:
        return Measure(), factor, end, ""
    first = words[0].text.lower()
    if "/" in first or first[-1] in "²³":
        return Measure(first, first), factor, words[0].end, ""
    return Measure(), factor, end, "" if first in language.stop_words else language.stem(first)


def _words_behind(text: str, end: int) -> list[_WordBehind]:
    """Up to three words behind a number that ends at `end`."""
    tail = _TAIL.match(text, end)
    if tail is None:
        return []
    return [_WordBehind(word, tail.end(group)) for group, word in enumerate(tail.groups(), 1) if word]


def _power(word: str, before: str, money: str) -> float:
    """What a word multiplies a number by; 0 if it is no power. "k" stands right behind it, "m" behind money alone."""
    if word in ("m", "M") and money:
        return 1e6
    if word.lower() == "k":
        return 1e3 if not before.isspace() or money else 0.0
    return powers().get(word.lower(), 0.0)


def _in_words(text: str, language: Language) -> Iterator[Figure]:
    """The numbers in words: "three", "twenty-five years", "two million dollars"."""
    tokens = list(_WORD.finditer(text))
    for first, last, value in _spelled(text, tokens, language):
        start, end = tokens[first].start(), tokens[last].end()
        if half := _AND_A_HALF.match(text, end):
            end = half.end()
        unit, factor, end, counted = _unit_behind(text, end, "", language)
        amount = (value + 0.5 if half else value) * factor
        if value == 1 and not unit.name and factor == 1:  # mostly an article
            continue
        yield Figure(
            amount, unit.name, unit.base(amount), unit.dimension, start, end, text[start:end],
            kind=_kind(text, start, language), is_spelled=True, counted=counted,
        )  # fmt: skip


class _Token:
    """A word as text2num takes it."""

    __slots__ = ("apart", "word")

    def __init__(self, word: str, apart: bool) -> None:
        self.word, self.apart = word, apart

    def text(self) -> str:
        return self.word

    def nt_separated(self, previous: "_Token") -> bool:
        return self.apart

    def not_a_number_part(self) -> bool:
        return False


def _spelled(text: str, tokens: list[re.Match[str]], language: Language) -> Iterator[tuple[int, int, float]]:
    """First and last token of each number in words, with its value."""
    own = language.number_words
    place = 0
    while own and place < len(tokens):
        last, total = place, 0.0
        while last < len(tokens) and (value := own.get(tokens[last][0].lower())):
            if last > place and text[tokens[last - 1].end() : tokens[last].start()].strip(" -\u00a0"):
                break
            total, last = total + value, last + 1
        if last > place:
            yield place, last - 1, total
        place = max(last, place + 1)
    if language.code in _WITHOUT_TEXT2NUM or not language.data:
        return
    from text_to_num import find_numbers

    ends = [0, *(token.end() for token in tokens)]
    marked = [
        _Token(token[0].lower(), bool(text[end : token.start()].strip(" -\u00a0\n")))
        for end, token in zip(ends, tokens, strict=False)
    ]
    for found in find_numbers(marked, language.code, 0):
        if not found.is_ordinal:
            yield found.start, found.end - 1, float(found.value)


def _kind(text: str, start: int, language: Language) -> Kind:
    before = text[max(0, start - _BEFORE) : start].lower().rstrip()
    if not before:
        return "exact"
    for ending, kind in _endings(language.code):
        if before.endswith(ending) and not before[: -len(ending)][-1:].isalpha():
            return kind
    return "exact"


@cache
def _endings(code: str) -> tuple[tuple[str, Kind], ...]:
    """What makes an estimate or a bound of the number behind it, longest first: "no more than" before "more than"."""
    kinds = language_of(code).data.get("kinds", {})
    names: tuple[Kind, ...] = ("about", "over", "under")
    found = [(ending, kind) for kind in names for ending in phrases(kinds, kind)]
    return tuple(sorted(found, key=lambda one: -len(one[0])))


@cache
def _file() -> dict[str, dict[str, list[float | str]]]:
    return tomllib.loads(files(__package__).joinpath("data/units.toml").read_text("utf-8"))


@cache
def units() -> dict[str, Measure]:
    """All units by their names."""
    return {
        str(name): Measure(unit, dimension, float(names[0]))
        for dimension, members in _file().items()
        if dimension != "powers"
        for unit, names in members.items()
        for name in names[1:]
    }


@cache
def dimensions() -> frozenset[str]:
    """All that the units measure: `length`, `mass`."""
    return frozenset(unit.dimension for unit in units().values())


@cache
def powers() -> dict[str, float]:
    """Words that multiply a number."""
    return {str(name): float(power) for power, names in _file()["powers"].items() for name in names}


@cache
def _by_name() -> dict[str, Measure]:
    return {unit.name: unit for unit in units().values()}


@cache
def _money() -> dict[str, str]:
    return {"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
