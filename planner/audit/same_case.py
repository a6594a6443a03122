"""Say whether two statements are about the same case: what holds in one mode, cycle or year is not denied by what
holds in another one."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from planner.text.subject import subject_of
from planner.text.words import STOPWORDS, WORD, stem, terms
from planner.verify.dates import Date, dates_of
from planner.verify.figures import Figure

_FRONTED: Final = re.compile(
    r"^\W{0,3}(?:in|with|without|among|at|under|during|for|when|while|if|bei|mit|ohne|im|beim|unter|für|während|wenn"
    r"|avec|sans|pendant|pour|chez|en|con|sin|durante|para|senza|per|met|zonder|tijdens|voor|com|sem|bez|podczas)\s"
    r"(?:the |an? |der |die |das |dem |den |einem |einer |le |la |les |el |los |las |il |lo |de |het |o |os )?"
    r"(?P<what>[^,;:()]{2,80})",
    re.I,
)
"""A case that a sentence begins with: "In boost mode the motor …", "Among teenagers, …", "Without a tripod …"."""
_ENDS_PHRASE: Final = re.compile(
    r"\s(?:the|an?|it|its|he|she|they|we|you|there|this|that|is|are|was|were|does?|can|der|die|das|er|sie|es|wir|man|le"
    r"|la|les|il|elle|on|el|los|las|lo|gli|het|een|o|os|as)\s",
    re.I,
)
_LONGEST_CASE: Final = 6
"""Words of a fronted phrase that are looked at where no comma ends it."""
_NO_CASE: Final = frozenset(
    map(
        stem,
        """total all general fact contrast addition short practice test tests testing measurement use review report
        study survey experience opinion view case end meantime morning afternoon evening night today yesterday spring
        summer autumn fall winter monday tuesday wednesday thursday friday saturday sunday week month year time day
        first example instance comparison statement interview letter page article""".split(),  # noqa: SIM905  # a list of words reads better so
    )
)
"""Words of phrases that say who tells something, or when, and not in which case it holds."""
_VARIANTS: Final = re.compile(
    r"(?<![\w-])(?P<which>[^\W_][\w-]{0,30}+)\s(?P<of>modes?|cycles?|phases?|quality|settings?|editions?|versions?|variants?|models?"
    r"|configurations?|levels?|stages?|sizes?|class|category|categories|seasons?|shifts?|trims?|plans?|tiers?|conditions"
    r"|modus|zyklus|phase|ausgabe|fassung|ausführung|stufe|größe|klasse|version|édition|niveau|taille|edición|modo|nivel"
    r"|edizione|modello|livello)\b",
    re.I,
)
_PLACED: Final = re.compile(
    r"\b(?:above|below|beneath|from|away|north|south|east|west|inland|offshore|off|outside|beyond|behind|inside|über|unter"
    r"|vor|hinter|von|entfernt|nördlich|südlich|östlich|westlich|au-dessus|sous|loin|au nord|au sud|sobre|bajo|al norte"
    r"|al sur|sopra|sotto|boven|onder)\b",
    re.I,
)
_ASKS_PLACE: Final = re.compile(
    r"\b(?:far|distance|above|below|altitude|elevation|away|from|weit|entfernt|entfernung|über|loin|distance|lejos"
    r"|distancia|lontano|ver|afstand)\b",
    re.I,
)
_PLACE_WORDS: Final = 2
"""How many words after a length may say that it is a distance: "21 metres above the sea", "200 m further north"."""
_MANNERS: Final = (
    ("needed", re.compile(r"\b(?:in|within|innerhalb von|binnen|dans|entro)\W{1,2}$", re.I)),
    (
        "every",
        re.compile(
            r"\b(?:every|each|per|alle|jede[rsn]?|tou(?:te)?s les|chaque|cada|ogni|elke)\W{1,2}$", re.I
        ),
    ),
    ("after", re.compile(r"\b(?:after|nach|après|después de|dopo|na)\W{1,2}$", re.I)),
)
"""What the word before a time makes of it: how long something takes, how often it comes, when it begins."""
_LASTS: Final = re.compile(r"^\W{0,2}(?:of|long|lang|de|di)\b", re.I)
_LASTING: Final = re.compile(r"\b(?:for|lasts?|lasted|hält|dure|dura|duurt)\W{1,2}$", re.I)
_BEFORE: Final = 24
_AMOUNT: Final = re.compile(r"[\d.,’'\s]*")


def is_other_case(one: str, other: str, *, question: str = "") -> bool:
    """Whether a statement names a case, a variant or a sibling that the other one does not speak of.

    Args:
        one: the first statement.
        other: the second statement.
        question: what both answer; a case that it names is the one that is asked about.
    """
    if _variants_differ(one, other):
        return True
    if _has_case_of_its_own(one, f"{other} {question}") or _has_case_of_its_own(other, f"{one} {question}"):
        return True
    return subject_of(_undated(one)).is_neighbour(_undated(other)) or subject_of(
        _undated(other)
    ).is_neighbour(_undated(one))


def is_same_time(dates: Sequence[Date], others: Sequence[Date]) -> bool:
    """Whether two statements can be about the same time: what holds in 2019 does not contradict what holds in 2024,
    and neither does that of one day what held on another."""
    years, other_years = _of(date.year for date in dates), _of(date.year for date in others)
    if years and other_years and not years & other_years:
        return False
    days, other_days = ([date for date in both if date.month] for both in (dates, others))
    return not days or not other_days or any(one.fits(other) for one in days for other in other_days)


def is_distance(figure: Figure, text: str, question: str = "") -> bool:
    """Whether a length says how far something is from something else, unless the question asks for just that."""
    if figure.unit != "m" or _ASKS_PLACE.search(question):
        return False
    _, behind = _around(figure, text)
    words = WORD.findall(behind)[1 : 1 + _PLACE_WORDS]  # the unit is the first
    return _PLACED.search(" ".join(words)) is not None


def is_other_measure(one: Figure, text: str, other: Figure, other_text: str) -> bool:
    """Whether two numbers of one unit measure different things: a size and a distance, how long something takes and
    how long it lasts."""
    if is_distance(one, text) != is_distance(other, other_text):
        return True
    manners = {_manner_of(one, text), _manner_of(other, other_text)} - {""}
    return len(manners) > 1


def _manner_of(figure: Figure, text: str) -> str:
    """How a time is meant: `needed`, `every`, `after` or `lasts`; empty if the words beside it do not say."""
    if figure.unit not in ("second", "month"):
        return ""
    before, behind = _around(figure, text)
    if manner := next((name for name, pattern in _MANNERS if pattern.search(before)), ""):
        return manner
    is_lasting = _LASTING.search(before) or _LASTS.match(behind.lstrip(" -").partition(" ")[2])
    return "lasts" if is_lasting else ""


def _around(figure: Figure, text: str) -> tuple[str, str]:
    """What stands before a number, and what behind it, its unit first."""
    start = max(0, text.find(figure.text))
    amount = figure.text if figure.spelled or not (digits := _AMOUNT.match(figure.text)) else digits[0]
    return text[max(0, start - _BEFORE) : start], text[start + len(amount) :][: 2 * _BEFORE]


def _has_case_of_its_own(text: str, known: str) -> bool:
    """Whether a sentence begins with a case of which the other texts have no word."""
    fronted = _FRONTED.match(_undated(text))
    if not fronted:
        return False
    phrase = _ENDS_PHRASE.split(f"{fronted['what']} ", maxsplit=1)[0]
    words = WORD.findall(phrase)[:_LONGEST_CASE]
    own = {stem(word.lower()) for word in words if word.lower() not in STOPWORDS and not word[0].isdigit()}
    return bool(own) and not own & (_NO_CASE | set(terms(known)))


def _variants_differ(one: str, other: str) -> bool:
    """Whether both name another one of the same: "in the WLTP cycle", "in the EPA cycle"."""
    mine, theirs = _variants(one), _variants(other)
    return any(mine[of].isdisjoint(theirs[of]) for of in mine.keys() & theirs.keys())


def _variants(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in _VARIANTS.finditer(text):
        if (which := match["which"].lower()) not in STOPWORDS:
            found.setdefault(stem(match["of"].lower()), set()).add(which)
    return found


def _undated(text: str) -> str:
    return dates_of(text)[1]


def _of(numbers: Iterable[int]) -> set[int]:
    return {number for number in numbers if number}
