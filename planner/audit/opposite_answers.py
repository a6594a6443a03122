"""Find statements of different pages of which one answers a question with yes, and one with no."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.same_case import is_other_case
from planner.text.subject import subject_of
from planner.text.words import stem, terms
from planner.verify.polarity import is_limited, main_clauses_of

ANSWERS_YES_OR_NO: Final = 0.55
"""Least cosine with a question of yes or no of a statement that answers it."""
SHARED_WITH_QUESTION: Final = 0.6
"""Least share of the question's words that one clause of the answer has."""
_YES_OR_NO: Final = re.compile(
    r"(?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should|may|must"
    r"|ist|sind|war|waren|kann|können|hat|haben|wird|werden|darf|muss|gibt|läuft|unterstützt"
    r"|est-ce|peut-on|est|sont|puede|es|son|tiene|è|sono|può|kan|kunnen|heeft|mag|mogen|pode|tem|czy)\b",
    re.I,
)
_SAYS_NO: Final = frozenset(
    map(
        stem,
        """closed shut geschlossen fermé fermée fermés fermées cerrado cerrada chiuso chiusa gesloten zamknięte fechado
        dangerous unsafe harmful gefährlich dangereux peligroso pericoloso gevaarlijk perigoso niebezpieczne verboten
        untersagt interdit interdite interdits prohibido prohibida prohibidos vietato vietata verboden zabronione
        proibido proibida proibidos unnecessary unnötig false wrong falsch falso""".split(),  # noqa: SIM905  # a list of words reads better so
    )
)
"""Words that make a no of a yes, beside negations: what is closed is not open."""


def opposite_answers(
    question: str, said: Sequence[EvidenceStatement]
) -> Iterator[tuple[EvidenceStatement, EvidenceStatement]]:
    """Pairs of statements that answer a question of yes or no in opposite ways, without a limit of their own."""
    subject = subject_of(question)
    asked = frozenset(terms(question)) - _SAYS_NO
    if not _YES_OR_NO.match(question.lstrip("¿ ")) or not subject.words or not asked:
        return
    answers = [
        (one, answer)
        for one in said
        if one.nearness >= ANSWERS_YES_OR_NO
        and subject.share(one.text) == 1
        and not is_limited(one.text, subject.words)
        and (answer := _answer(question, asked, one.text)) is not None
    ]
    for (one, mine), (other, theirs) in combinations(answers, 2):
        is_same_page = one.finding.url == other.finding.url
        if mine != theirs and not is_same_page and not is_other_case(one.text, other.text, question=question):
            yield one, other


def _answer(question: str, asked: frozenset[str], text: str) -> bool | None:
    """Whether a text says yes to a question; None if no clause of it has enough of the question's words."""
    clauses = main_clauses_of(text)
    best = max(clauses, key=lambda one: len(one.terms & asked), default=None)
    if best is None:
        return None
    flips = _says_no(best.terms)
    if len(best.terms & asked) + flips < SHARED_WITH_QUESTION * len(asked):
        return None
    return (best.denies + flips + _says_no(frozenset(terms(question))) + _denies(question)) % 2 == 0


def _says_no(words: frozenset[str]) -> bool:
    return not words.isdisjoint(_SAYS_NO)


def _denies(question: str) -> bool:
    return any(clause.denies for clause in main_clauses_of(question))
