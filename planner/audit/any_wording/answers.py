"""Read the answer of the asked kind that a piece of a page gives, whatever verb it uses: the one nearest to the
question's words."""

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from planner.audit.any_wording.amount_answers import amount_answer
from planner.audit.any_wording.answer import LIKELY, POSSIBLE, SURELY_ASKED, ToldAnswer, distance_to_asked
from planner.audit.any_wording.asked import AskedAnswer
from planner.audit.any_wording.pieces import Piece
from planner.audit.asked_names import name_beside, new_names
from planner.verify.dates import dates_of
from planner.verify.figures import Figure
from research_crawler.text.agreement import stems_of
from research_crawler.text.words import STOPWORDS, WORD, stem

_FARTHEST: Final = 20.0
"""Amounts that differ by more than this factor are of different things."""
_PLACED: Final = frozenset(
    "in at near from to of into bei aus à au en a de w em nel nella te i zu von da nach im am".split()  # noqa: SIM905
)
_NOT_BEFORE_SOMEBODY: Final = frozenset("in at near from into during after before since until".split())  # noqa: SIM905
_LIFE: Final = re.compile(r"\(\W{0,2}(?P<begin>1\d{3}|20\d\d)\s?[-–—]\s?†?(?P<end>1\d{3}|20\d\d)\)")
"""The years of a life: "(1889–1961)"."""
_DIED: Final = re.compile(
    r"\b(?:die[ds]?|death|gestorben|starb|mort|mourut|murió|morì|morto|morta|stierf|overleed)\b", re.I
)
_BORN: Final = re.compile(r"\b(?:born|birth|geboren|née?|naquit|nació|nacque|nat[oa])\b", re.I)
_THING_CHARS: Final = 3


def answer_of(asked: AskedAnswer, piece: Piece) -> ToldAnswer | None:
    """The answer of a piece; None if it gives none of the kind."""
    read = _READERS.get(asked.kind)
    return read(asked, piece) if read else None


def _time(asked: AskedAnswer, piece: Piece) -> ToldAnswer | None:
    known = {one.text for one in dates_of(asked.question)[0]}
    dates = [one for one in dates_of(piece.text)[0] if (one.year or one.month) and one.text not in known]
    life = _LIFE.search(piece.text)
    if life:
        wanted = (
            life["end"]
            if _DIED.search(asked.question)
            else life["begin"]
            if _BORN.search(asked.question)
            else ""
        )
        dates = [one for one in dates if one.text == wanted]
    if not dates:
        return None
    best = min(dates, key=lambda one: distance_to_asked(asked, piece.text, *_place(piece.text, one.text)))
    return ToldAnswer(
        piece,
        SURELY_ASKED if life else LIKELY,
        len(dates) - 1,
        best.text,
        date=best,
        start=_place(piece.text, best.text)[0],
    )


def _who(asked: AskedAnswer, piece: Piece) -> ToldAnswer | None:
    if near := name_beside(asked.question, piece.text):
        return ToldAnswer(piece, SURELY_ASKED, 0, piece.text[near[0] : near[1]], name=near[2], start=near[0])
    found = [
        one
        for one in new_names(asked.question, piece.text)
        if _before(piece.text, one[0]) not in _NOT_BEFORE_SOMEBODY
    ]
    return _nearest_name(asked, piece, found)


def _where(asked: AskedAnswer, piece: Piece) -> ToldAnswer | None:
    found = [one for one in new_names(asked.question, piece.text) if _before(piece.text, one[0]) in _PLACED]
    return _nearest_name(asked, piece, found)


def _nearest_name(
    asked: AskedAnswer, piece: Piece, found: Sequence[tuple[int, int, frozenset[str]]]
) -> ToldAnswer | None:
    if not found:
        return None
    start, end, name = min(found, key=lambda one: distance_to_asked(asked, piece.text, one[0], one[1]))
    return ToldAnswer(
        piece,
        LIKELY if len(found) == 1 else POSSIBLE,
        len(found) - 1,
        piece.text[start:end],
        name=name,
        start=start,
    )


def _thing(asked: AskedAnswer, piece: Piece) -> ToldAnswer | None:
    known = {
        stem(word.lower().removesuffix("'s")) for word in WORD.findall(f"{asked.question} {piece.title}")
    }
    words = (match[0].replace("’", "'").removesuffix("'s") for match in WORD.finditer(piece.text))
    told = [
        word
        for word in words
        if word.lower() not in STOPWORDS and len(word) >= _THING_CHARS and word.isalpha()
    ]
    new = tuple(dict.fromkeys(word.lower() for word in told if stem(word.lower()) not in known))
    return ToldAnswer(piece, POSSIBLE, 0, "", words=new) if new else None


def _place(text: str, part: str) -> tuple[int, int]:
    start = max(0, text.find(part))
    return start, start + len(part)


def _before(text: str, start: int) -> str:
    words = WORD.findall(text[max(0, start - 30) : start])
    word = words[-1].lower() if words else ""
    return (
        words[-2].lower()
        if word in ("the", "la", "le", "der", "den", "dem", "el", "il") and len(words) > 1
        else word
    )


_READERS: Final[dict[str, Callable[[AskedAnswer, Piece], ToldAnswer | None]]] = {
    "amount": amount_answer,
    "time": _time,
    "who": _who,
    "where": _where,
    "thing": _thing,
}


def differ(one: ToldAnswer, other: ToldAnswer) -> bool:
    """Whether two answers of a kind cannot be the same."""
    if one.span and other.span:
        if one.figure and other.figure and _is_same_amount(one.figure, other.figure):
            return False
        sizes = sorted(
            max(each.span.high if each.span.high < math.inf else each.span.low, 1e-9)
            for each in (one, other)
            if each.span
        )
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
    return stems_of(f"{finding.title}. {finding.quote}")
