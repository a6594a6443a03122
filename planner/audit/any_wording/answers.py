"""Read the answer of the asked kind that a piece of a page gives, whatever verb it uses: the one nearest to the
question's words."""

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from planner.audit.asked_names import name_beside, new_names
from planner.audit.restrictions import is_one_of
from planner.audit.same_fact import VARIES
from planner.audit.spans import Span
from planner.audit.any_wording.amounts import Amount, amounts_of
from planner.audit.any_wording.asked import Asked
from planner.audit.any_wording.pieces import Piece
from planner.text.words import STOPWORDS, WORD, stem
from planner.verify.dates import Date, dates_of
from planner.verify.figures import Figure
from planner.verify.units import POWERS, UNITS

_MONTH_S: Final = 30.44 * 86_400
_FARTHEST: Final = 20.0
"""Amounts that differ by more than this factor are of different things."""
_ALIKE: Final = 0.07
"""Times in days and in months that differ by less are the same."""
_PLACED: Final = frozenset(
    "in at near from to of into bei aus à au en a de w em nel nella te i zu von da nach im am".split()  # noqa: SIM905
)
_NOT_BEFORE_SOMEBODY: Final = frozenset("in at near from into during after before since until".split())  # noqa: SIM905
_MONEY_BEHIND: Final = re.compile(
    r"^\W?(?:pounds?|francs?|franken|z[łl]ot\w+|kron\w+|crowns?|pence|cents?|rupees?|pesos?|reais|real|marks?|coins?|quid)\b", re.I
)
_COIN: Final = re.compile(r"\b(?:an?|one) (?P<coin>pound|euro|dollar|franc|crown)\b(?! (?:of|extra|less|more))", re.I)
_AGE_BEFORE: Final = re.compile(r"\b(?:was|were|is|are|aged?|age of|at|turns?|turned|only|just|alter von|avait|tenía)\W{1,3}(?:\w+\W)?$", re.I)
_AGE_BEHIND: Final = re.compile(r"^[\s-](?:years?\b|when\b)|^[,.]", re.I)
_OLDEST: Final = 120.0
_PERIOD: Final = re.compile(
    r"\b(?:every|each|once an?|once every|alle|jede[nrs]?|tous les|chaque|cada|ogni|elke|per)\s(?P<few>[^\W_]{1,8})(?:\s(?P<unit>[^\W\d_]{3,9}))?",
    re.I,
)
_PERIODS: Final[dict[str, float]] = {
    word: days
    for days, words in (
        (1.0, "day days daily tag tage jour jours día días giorno giorni dag dagen"),
        (7.0, "week weeks weekly woche wochen semaine semaines semana semanas settimana settimane weken"),
        (30.44, "month months monthly monat monate mois mes meses mese mesi maand maanden"),
        (365.25, "year years yearly annually jahr jahre an ans année año años anno anni jaar"),
    )
    for word in words.split()
}
_FEW: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "zwei": 2, "drei": 3, "deux": 2, "trois": 3, "dos": 2, "tres": 3}
_LIFE: Final = re.compile(r"\(\W{0,2}(?P<begin>1\d{3}|20\d\d)\s?[-–—]\s?†?(?P<end>1\d{3}|20\d\d)\)")
"""The years of a life: "(1889–1961)"."""
_DIED: Final = re.compile(r"\b(?:die[ds]?|death|gestorben|starb|mort|mourut|murió|morì|morto|morta|stierf|overleed)\b", re.I)
_BORN: Final = re.compile(r"\b(?:born|birth|geboren|née?|naquit|nació|nacque|nat[oa])\b", re.I)
_HEAD_WORDS: Final = 3
_LABEL_WORDS: Final = 3
_THING_CHARS: Final = 3
SURE, LIKELY, POSSIBLE = 1.0, 0.6, 0.3


@dataclass(frozen=True)
class Answer:
    """What a piece answers."""

    piece: Piece
    certainty: float
    """How surely it is what is asked for, by its unit, its head or the word that tells what happened."""
    rivals: int = 0
    """How many others of the kind stand in the piece."""
    text: str = ""
    """The answer as the page has it."""
    span: Span | None = None
    figure: Figure | None = None
    date: Date | None = None
    name: frozenset[str] = frozenset()
    start: int = 0
    """Where it begins in the piece."""
    words: tuple[str, ...] = field(default=())
    """Those that may be the thing that is asked for."""


def answer_of(asked: Asked, piece: Piece) -> Answer | None:
    """The answer of a piece; None if it gives none of the kind."""
    read = _READERS.get(asked.kind)
    return read(asked, piece) if read else None


def _amount(asked: Asked, piece: Piece) -> Answer | None:
    text = piece.text
    if VARIES.search(text):
        return None
    if asked.is_often:
        return _often(piece)
    found = [(one, _certainty(asked, one, text)) for one in amounts_of(text)]
    told = [(one, sure) for one, sure in found if sure]
    if not told and asked.units & {"money"} and (coin := _COIN.search(text)):
        return Answer(piece, LIKELY, 0, coin[0], Span(1.0, 1.0), start=coin.start())
    if not told:
        return None
    best = max(sure for _, sure in told)
    chosen = [one for one, sure in told if sure == best]
    one = min(chosen, key=lambda each: _distance(asked, text, each.start, each.end))
    scope = {each.span for each in amounts_of(asked.question)}
    if one.span in scope:
        return None
    return Answer(piece, best, len(chosen) - 1, _without_next_word(one.figure.text), _timed(one), one.figure, start=one.start)


def _certainty(asked: Asked, one: Amount, text: str) -> float:
    """How surely an amount is what is asked for; 0: it is not."""
    before, behind = text[: one.start], text[one.end :]
    if asked.is_age:
        is_age = bool(_AGE_BEFORE.search(before) or _AGE_BEHIND.match(behind) or "age" in before.lower().split()[-3:])
        if one.unit == "month":
            return SURE
        return LIKELY if not one.unit and one.span.high <= _OLDEST and is_age else 0.0
    if asked.is_count:
        return _count_certainty(asked, one, text)
    if asked.units:
        if one.unit in asked.units:
            return SURE
        is_money = "money" in asked.units and not one.unit
        return LIKELY if is_money and _MONEY_BEHIND.match(_behind_number(one, text)) else 0.0
    if asked.labels:
        around = " ".join([*WORD.findall(before)[-_LABEL_WORDS:], *WORD.findall(behind)[:2]]).lower()
        return SURE if not one.unit and any(label in around for label in asked.labels) else (POSSIBLE if not one.unit else 0.0)
    return LIKELY if one.unit else POSSIBLE


def _without_next_word(text: str) -> str:
    """An amount without the word behind it that is no unit: "2.1 kg without"."""
    words = text.split(" ")
    while len(words) > 1 and words[-1].lower() not in UNITS.keys() | POWERS.keys():
        words.pop()
    return " ".join(words)


def _behind_number(one: Amount, text: str) -> str:
    words = re.sub(r"^[\d.,\s\u00a0]+", "", one.figure.text)
    return f"{words} {text[one.end : one.end + 20]}".strip() if words else text[one.end : one.end + 20].lstrip()


def _count_certainty(asked: Asked, one: Amount, text: str) -> float:
    if one.unit:
        return 0.0
    inside = [] if one.figure.spelled else [word for word in WORD.findall(one.figure.text) if word.isalpha()]
    head = [*inside, *WORD.findall(text[one.end :])[:_HEAD_WORDS]]
    label = WORD.findall(text[: one.start])[-_HEAD_WORDS:]
    if any(is_one_of(stem(word.lower()), asked.counted) for word in (*head, *label)):
        return SURE
    wanted = asked.counted | frozenset(map(stem, asked.aspects))
    if any(is_one_of(stem(word.lower()), wanted) for word in WORD.findall(text)):
        return LIKELY
    return POSSIBLE


def _timed(one: Amount) -> Span:
    """A span of months in seconds, to be compared with days."""
    if one.unit != "month":
        return one.span
    return Span(one.span.low * _MONTH_S * (1 - _ALIKE), one.span.high * _MONTH_S * (1 + _ALIKE))


def _often(piece: Piece) -> Answer | None:
    for match in _PERIOD.finditer(piece.text):
        few, unit = match["few"].lower(), (match["unit"] or "").lower()
        days = _PERIODS.get(few) or _PERIODS.get(unit, 0.0) * float(_FEW.get(few) or (few if few.isdigit() else 0))
        if days:
            return Answer(piece, SURE, 0, match[0], Span(days * (1 - _ALIKE), days * (1 + _ALIKE)), start=match.start())
    return None


def _time(asked: Asked, piece: Piece) -> Answer | None:
    known = {one.text for one in dates_of(asked.question)[0]}
    dates = [
        one for one in dates_of(piece.text)[0] if (one.year or one.month) and one.text not in known
    ]
    if life := _LIFE.search(piece.text):
        wanted = life["end"] if _DIED.search(asked.question) else life["begin"] if _BORN.search(asked.question) else ""
        dates = [one for one in dates if one.text == wanted]
    if not dates:
        return None
    best = min(dates, key=lambda one: _distance(asked, piece.text, *_place(piece.text, one.text)))
    return Answer(piece, LIKELY, len(dates) - 1, best.text, date=best, start=_place(piece.text, best.text)[0])


def _who(asked: Asked, piece: Piece) -> Answer | None:
    if near := name_beside(asked.question, piece.text):
        return Answer(piece, SURE, 0, piece.text[near[0] : near[1]], name=near[2], start=near[0])
    found = [one for one in new_names(asked.question, piece.text) if _before(piece.text, one[0]) not in _NOT_BEFORE_SOMEBODY]
    return _nearest_name(asked, piece, found)


def _where(asked: Asked, piece: Piece) -> Answer | None:
    found = [one for one in new_names(asked.question, piece.text) if _before(piece.text, one[0]) in _PLACED]
    return _nearest_name(asked, piece, found)


def _nearest_name(asked: Asked, piece: Piece, found: Sequence[tuple[int, int, frozenset[str]]]) -> Answer | None:
    if not found:
        return None
    start, end, name = min(found, key=lambda one: _distance(asked, piece.text, one[0], one[1]))
    return Answer(piece, LIKELY if len(found) == 1 else POSSIBLE, len(found) - 1, piece.text[start:end], name=name, start=start)


def _thing(asked: Asked, piece: Piece) -> Answer | None:
    known = {stem(word.lower().removesuffix("'s")) for word in WORD.findall(f"{asked.question} {piece.title}")}
    words = (match[0].replace("’", "'").removesuffix("'s") for match in WORD.finditer(piece.text))
    told = [word for word in words if word.lower() not in STOPWORDS and len(word) >= _THING_CHARS and word.isalpha()]
    new = tuple(dict.fromkeys(word.lower() for word in told if stem(word.lower()) not in known))
    return Answer(piece, POSSIBLE, 0, "", words=new) if new else None


def _distance(asked: Asked, text: str, start: int, end: int) -> float:
    """How many characters a span is from the nearest word of what is asked."""
    wanted = asked.counted | frozenset(map(stem, asked.aspects))
    places = [match.span() for match in WORD.finditer(text) if is_one_of(stem(match[0].lower()), wanted)]
    return min((max(0, place[0] - end, start - place[1]) for place in places), default=math.inf)


def _place(text: str, part: str) -> tuple[int, int]:
    start = max(0, text.find(part))
    return start, start + len(part)


def _before(text: str, start: int) -> str:
    words = WORD.findall(text[max(0, start - 30) : start])
    word = words[-1].lower() if words else ""
    return words[-2].lower() if word in ("the", "la", "le", "der", "den", "dem", "el", "il") and len(words) > 1 else word


_READERS: Final[dict[str, Callable[[Asked, Piece], Answer | None]]] = {
    "amount": _amount,
    "time": _time,
    "who": _who,
    "where": _where,
    "thing": _thing,
}


def differ(one: Answer, other: Answer) -> bool:
    """Whether two answers of a kind cannot be the same."""
    if one.span and other.span:
        if one.figure and other.figure and _is_same_amount(one.figure, other.figure):
            return False
        sizes = sorted(max(each.span.high if each.span.high < math.inf else each.span.low, 1e-9) for each in (one, other) if each.span)
        return not one.span.meets(other.span) and sizes[1] <= _FARTHEST * sizes[0]
    if one.date and other.date:
        return not one.date.fits(other.date)
    if one.name and other.name:
        scripts = _scripts(one.name), _scripts(other.name)
        if all(scripts) and scripts[0].isdisjoint(scripts[1]):  # one name in two scripts may be the same
            return False
        return not (one.name & _stems(other.piece) or other.name & _stems(one.piece))
    return False


def _is_same_amount(one: Figure, other: Figure) -> bool:
    return one.is_stated_by(other) or other.is_stated_by(one) or one.is_converted(other)


def _scripts(name: frozenset[str]) -> set[str]:
    """The scripts of a name's letters: LATIN, CYRILLIC."""
    return {unicodedata.name(char, "").partition(" ")[0] for word in name for char in word if char.isalpha()}


def _stems(piece: Piece) -> set[str]:
    finding = piece.said.finding
    return {stem(word.lower().replace("’", "'").removesuffix("'s")) for word in WORD.findall(f"{finding.title}. {finding.quote}")}
