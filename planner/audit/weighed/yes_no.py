"""Whether a piece speaks for or against what is asked: by the rules for yes and no, and by signs of any wording."""

from typing import Final

from planner.audit.lexicon.answering_words import ANSWERED_BY
from planner.audit.lexicon.opposite_words import PAIRS
from planner.audit.lexicon.word_lists import WordList
from planner.audit.weighed.asked import Asked
from planner.audit.weighed.pieces import Piece
from planner.audit.yes_or_no import answers_yes_or_no, asked_yes_or_no
from planner.verify.polarity import main_clauses_of

POLARITY_SIGNS: Final = ("read_opposed", "read_same", "read_one", "denies_one", "valence_apart")
_VALUED: Final = ("allowed", "safe", "fit", "has", "available", "supported")


def _side(number: int) -> WordList:
    found = [PAIRS[name][number] for name in _VALUED if name in PAIRS]
    return WordList.of(", ".join([*found, *(ANSWERED_BY[name][number] for name in _VALUED)]))


_GOOD, _BAD = _side(0), _side(1)


def polarity_signs(asked: Asked, one: Piece, other: Piece) -> list[float]:
    """The signs of a pair that one says yes and the other one no, in the order of POLARITY_SIGNS."""
    rule = asked_yes_or_no(asked.question)
    read = [answers_yes_or_no(rule, piece.text) if rule else None for piece in (one, other)]
    both = read[0] is not None and read[1] is not None
    opposed = both and read[0] and read[1] and read[0].is_yes != read[1].is_yes
    denied = [_denies(asked, piece) for piece in (one, other)]
    valued = [_valence(piece) for piece in (one, other)]
    return [
        float(bool(opposed)),
        float(both and not opposed),
        float(sum(each is not None for each in read) == 1),
        float(denied[0] != denied[1]),
        min(2.0, abs(valued[0] - valued[1])) / 2,
    ]


def _denies(asked: Asked, piece: Piece) -> bool:
    """Whether the clause of a piece that has most words of the question denies something."""
    wanted = asked.aspects | asked.names
    clauses = main_clauses_of(piece.text)
    best = max(clauses, key=lambda clause: len(clause.terms & wanted), default=None)
    return best is not None and best.denies


def _valence(piece: Piece) -> float:
    """How many words speak for something, less those against it; a negation turns them round."""
    total = 0.0
    for clause in main_clauses_of(piece.text):
        good, bad = len(list(_GOOD.found(clause.text))), len(list(_BAD.found(clause.text)))
        value = float((good > bad) - (bad > good))
        total += (-value or -1.0) if clause.denies else value
    return max(-1.0, min(1.0, total))
