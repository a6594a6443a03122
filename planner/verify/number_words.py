"""Numbers in words as texts of several languages write them: "sechsundzwanzig", "two dozen", "an hour and a half"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from planner.verify.units import SPELLED, UNITS

_GERMAN_ONES: Final = "ein zwei drei vier fünf sechs sieben acht neun".split()  # noqa: SIM905
_GERMAN_TENS: Final = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()  # noqa: SIM905
_DUTCH_ONES: Final = "een twee drie vier vijf zes zeven acht negen".split()  # noqa: SIM905
_DUTCH_TENS: Final = "twintig dertig veertig vijftig zestig zeventig tachtig negentig".split()  # noqa: SIM905
_ITALIAN_ONES: Final = "uno due tre quattro cinque sei sette otto nove".split()  # noqa: SIM905
_ITALIAN_TENS: Final = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split()  # noqa: SIM905
_SPANISH_ONES: Final = "uno dós trés cuatro cinco séis siete ocho nueve".split()  # noqa: SIM905
_FURTHER: Final = (
    (10, "dix tien dez dziesięć"),
    (11, "elf undici onze jedenaście"),
    (12, "zwölf douze doce dodici twaalf dwanaście"),
    (13, "dreizehn treize trece tredici dertien treze trzynaście"),
    (14, "vierzehn quatorze catorce quattordici veertien czternaście"),
    (15, "fünfzehn quinze quindici vijftien piętnaście"),
    (16, "sechzehn dieciséis sedici zestien dezasseis szesnaście"),
    (17, "siebzehn diecisiete diciassette zeventien dezassete siedemnaście"),
    (18, "achtzehn dieciocho diciotto achttien dezoito osiemnaście"),
    (19, "neunzehn diecinueve diciannove negentien dezanove dziewiętnaście"),
    (20, "vinte dwadzieścia"),
    (30, "treinta trenta trinta dertig trzydzieści"),
    (40, "cuarenta quaranta quarenta veertig czterdzieści"),
    (50, "cincuenta cinquanta cinquenta vijftig pięćdziesiąt"),
    (60, "soixante sesenta sessanta sessenta zestig sześćdziesiąt"),
    (70, "setenta settanta zeventig siedemdziesiąt"),
    (80, "ochenta ottanta oitenta tachtig osiemdziesiąt"),
    (90, "noventa novanta negentig dziewięćdziesiąt"),
    (100, "cien ciento honderd"),
    (3, "três trzy"),
    (4, "quatro cztery"),
    (5, "pięć"),
    (6, "zes sześć"),
    (7, "sete siedem"),
    (8, "oito osiem"),
    (9, "negen dziewięć"),
)


def _without_last_vowel(tens: str, one: str) -> str:
    """Italian joins "venti" and "otto" to "ventotto"."""
    return f"{tens[:-1]}{one}" if one[0] in "uo" else f"{tens}{one}"


NUMBER_WORDS: Final[dict[str, int]] = {
    **{word: value for value, words in _FURTHER for word in words.split()},
    **{
        f"{one}und{tens}": 10 * m + n
        for (n, one), (m, tens) in product(enumerate(_GERMAN_ONES, 1), enumerate(_GERMAN_TENS, 2))
    },
    **{
        f"{one}{'ën' if one.endswith('e') else 'en'}{tens}": 10 * m + n
        for (n, one), (m, tens) in product(enumerate(_DUTCH_ONES, 1), enumerate(_DUTCH_TENS, 2))
    },
    **{
        _without_last_vowel(tens, one): 10 * m + n
        for (n, one), (m, tens) in product(enumerate(_ITALIAN_ONES, 1), enumerate(_ITALIAN_TENS, 2))
    },
    **{f"veinti{one}": 20 + n for n, one in enumerate(_SPANISH_ONES, 1)},
    **SPELLED,
}
"""All words for a number that are one word, of the languages of reports, without those that are other words in another
of them: "once", "seize", "cent"."""

DOZENS: Final = frozenset("dozen dutzend douzaine docena dozzina dozijn dúzia tuzin".split())  # noqa: SIM905
JOINING: Final = frozenset(("y", "e", "et", "i"))
"""What stands between tens and ones in words: "treinta y seis"."""

_UNIT: Final = r"(?P<unit>[^\W\d_]{3,12})"
_HALVES: Final = (
    (re.compile(rf"\b(?:an?|one)\s{_UNIT}\sand\sa\shalf\b", re.I), 1.5),
    (re.compile(rf"\b(?:une?|un['’])\s?{_UNIT}\set\sdemie?\b", re.I), 1.5),
    (re.compile(rf"\b(?:una?\s)?{_UNIT}\sy\smedi[ao]\b", re.I), 1.5),
    (re.compile(rf"\b(?:un['’]|una?\s){_UNIT}\se\smezz[oa]\b", re.I), 1.5),
    (re.compile(rf"\b(?:uma?\s){_UNIT}\se\smei[ao]\b", re.I), 1.5),
    (re.compile(rf"\b(?:anderthalb|eineinhalb|anderhal(?:f|ve)|półtorej|półtora)\s{_UNIT}\b", re.I), 1.5),
    (re.compile(rf"(?<!\ba )\bhalf\s(?:an?\s)?{_UNIT}\b", re.I), 0.5),
    (re.compile(rf"\b(?:eine?\s)?halbe[nrs]?\s{_UNIT}\b", re.I), 0.5),
    (re.compile(rf"\b(?:une\s)?demi[-\s]{_UNIT}\b", re.I), 0.5),
    (re.compile(rf"\b(?:medi[ao]|mezz['’o]|mei[ao])\s?{_UNIT}\b", re.I), 0.5),
)
"""An amount of one or of half a unit. Others are numbers with "and a half" behind them."""
_AND_A_HALF: Final = re.compile(
    rf"\b(?P<number>[^\W\d_]{{2,12}})(?:\sand\sa\shalf\s|(?<=[a-z])einhalb\s){_UNIT}", re.I
)


@dataclass(frozen=True)
class Halves:
    """An amount with a half, in words."""

    start: int
    end: int
    amount: float
    """How much of the unit."""
    unit: str
    """The unit as it is written."""


def halves_of(text: str) -> Iterator[Halves]:
    """The amounts of a unit that are told with a half: "an hour and a half", "two and a half minutes"."""
    if "hal" not in (low := text.lower()) and not re.search(r"demi|medi[ao]|me[zi][zaio]|półtor", low):
        return
    for match in _AND_A_HALF.finditer(text):
        value = NUMBER_WORDS.get(match["number"].lower())
        if value and match["unit"].lower() in UNITS:
            yield Halves(match.start(), match.end(), value + 0.5, match["unit"].lower())
    for pattern, amount in _HALVES:
        for match in pattern.finditer(text):
            if match["unit"].lower() in UNITS:
                yield Halves(match.start(), match.end(), amount, match["unit"].lower())
