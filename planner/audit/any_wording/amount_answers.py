"""Read the amount, age, count or frequency that a piece of a page gives for what a question asks."""

import re
from typing import Final

from planner.audit.any_wording.amounts import Amount, amounts_of
from planner.audit.any_wording.answer import LIKELY, POSSIBLE, SURELY_ASKED, ToldAnswer, distance_to_asked
from planner.audit.any_wording.asked import AskedAnswer
from planner.audit.any_wording.pieces import Piece
from planner.audit.restrictions import is_one_of
from planner.audit.same_fact import VARIES
from planner.audit.spans import Span
from planner.verify.units import POWERS, UNITS
from research_crawler.text.words import WORD, stem

_MONTH_S: Final = 30.44 * 86_400
_ALIKE: Final = 0.07
"""Times in days and in months that differ by less are the same."""
_MONEY_BEHIND: Final = re.compile(
    r"^\W?(?:pounds?|francs?|franken|z[łl]ot\w+|kron\w+|crowns?|pence|cents?|rupees?|pesos?|reais|real|marks?"
    r"|coins?|quid)\b",
    re.I,
)
_COIN: Final = re.compile(
    r"\b(?:an?|one) (?P<coin>pound|euro|dollar|franc|crown)\b(?! (?:of|extra|less|more))", re.I
)
_AGE_BEFORE: Final = re.compile(
    r"\b(?:was|were|is|are|aged?|age of|at|turns?|turned|only|just|alter von|avait|tenía)\W{1,3}(?:\w+\W)?$",
    re.I,
)
_AGE_BEHIND: Final = re.compile(r"^[\s-](?:years?\b|when\b)|^[,.]", re.I)
_OLDEST: Final = 120.0
_PERIOD: Final = re.compile(
    r"\b(?:every|each|once an?|once every|alle|jede[nrs]?|tous les|chaque|cada|ogni|elke"
    r"|per)\s(?P<few>[^\W_]{1,8})(?:\s(?P<unit>[^\W\d_]{3,9}))?",
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
_FEW: Final = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "zwei": 2,
    "drei": 3,
    "deux": 2,
    "trois": 3,
    "dos": 2,
    "tres": 3,
}
_HEAD_WORDS: Final = 3
_LABEL_WORDS: Final = 3


def amount_answer(asked: AskedAnswer, piece: Piece) -> ToldAnswer | None:
    """The amount of a piece that is nearest to what is asked; None if it gives none of the kind."""
    text = piece.text
    if VARIES.search(text):
        return None
    if asked.is_often:
        return _often(piece)
    found = [(one, _certainty(asked, one, text)) for one in amounts_of(text)]
    told = [(one, sure) for one, sure in found if sure]
    if not told and asked.units & {"money"} and (coin := _COIN.search(text)):
        return ToldAnswer(piece, LIKELY, 0, coin[0], Span(1.0, 1.0), start=coin.start())
    if not told:
        return None
    best = max(sure for _, sure in told)
    chosen = [one for one, sure in told if sure == best]
    one = min(chosen, key=lambda each: distance_to_asked(asked, text, each.start, each.end))
    scope = {each.span for each in amounts_of(asked.question)}
    if one.span in scope:
        return None
    return ToldAnswer(
        piece,
        best,
        len(chosen) - 1,
        _without_next_word(one.figure.text),
        _timed(one),
        one.figure,
        start=one.start,
    )


def _certainty(asked: AskedAnswer, one: Amount, text: str) -> float:
    """How surely an amount is what is asked for; 0: it is not."""
    before, behind = text[: one.start], text[one.end :]
    if asked.is_age:
        is_age = bool(
            _AGE_BEFORE.search(before) or _AGE_BEHIND.match(behind) or "age" in before.lower().split()[-3:]
        )
        if one.unit == "month":
            return SURELY_ASKED
        return LIKELY if not one.unit and one.span.high <= _OLDEST and is_age else 0.0
    if asked.is_count:
        return _count_certainty(asked, one, text)
    if asked.units:
        if one.unit in asked.units:
            return SURELY_ASKED
        is_money = "money" in asked.units and not one.unit
        return LIKELY if is_money and _MONEY_BEHIND.match(_behind_number(one, text)) else 0.0
    if asked.labels:
        around = " ".join([*WORD.findall(before)[-_LABEL_WORDS:], *WORD.findall(behind)[:2]]).lower()
        return (
            SURELY_ASKED
            if not one.unit and any(label in around for label in asked.labels)
            else (POSSIBLE if not one.unit else 0.0)
        )
    return LIKELY if one.unit else POSSIBLE


def _without_next_word(text: str) -> str:
    """An amount without the word behind it that is no unit: "2.1 kg without"."""
    words = text.split(" ")
    while len(words) > 1 and words[-1].lower() not in UNITS.keys() | POWERS.keys():
        words.pop()
    return " ".join(words)


def _behind_number(one: Amount, text: str) -> str:
    words = re.sub(r"^[\d.,\s\u00a0]+", "", one.figure.text)
    return (
        f"{words} {text[one.end : one.end + 20]}".strip() if words else text[one.end : one.end + 20].lstrip()
    )


def _count_certainty(asked: AskedAnswer, one: Amount, text: str) -> float:
    if one.unit:
        return 0.0
    inside = [] if one.figure.spelled else [word for word in WORD.findall(one.figure.text) if word.isalpha()]
    head = [*inside, *WORD.findall(text[one.end :])[:_HEAD_WORDS]]
    label = WORD.findall(text[: one.start])[-_HEAD_WORDS:]
    if any(is_one_of(stem(word.lower()), asked.counted) for word in (*head, *label)):
        return SURELY_ASKED
    wanted = asked.counted | frozenset(map(stem, asked.aspects))
    if any(is_one_of(stem(word.lower()), wanted) for word in WORD.findall(text)):
        return LIKELY
    return POSSIBLE


def _timed(one: Amount) -> Span:
    """A span of months in seconds, to be compared with days."""
    if one.unit != "month":
        return one.span
    return Span(one.span.low * _MONTH_S * (1 - _ALIKE), one.span.high * _MONTH_S * (1 + _ALIKE))


def _often(piece: Piece) -> ToldAnswer | None:
    for match in _PERIOD.finditer(piece.text):
        few, unit = match["few"].lower(), (match["unit"] or "").lower()
        days = _PERIODS.get(few) or _PERIODS.get(unit, 0.0) * float(
            _FEW.get(few) or (few if few.isdigit() else 0)
        )
        if days:
            return ToldAnswer(
                piece,
                SURELY_ASKED,
                0,
                match[0],
                Span(days * (1 - _ALIKE), days * (1 + _ALIKE)),
                start=match.start(),
            )
    return None
