"""Find statements of different pages of which one answers a question with yes, and one with no."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from planner.audit.asked_values import VALUED_FINDINGS
from planner.audit.contradictions import is_own_case
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.lexicon.opposites import Opposites, opposites_asked, turned_round
from planner.audit.restrictions import is_one_of
from planner.audit.same_fact import Stated
from planner.goal.language import report_language
from planner.text.agreement import LIGHT, denied_words
from planner.text.sentences import units
from planner.text.subject import Subject, subject_of
from planner.text.words import stem, terms
from planner.verify.polarity import Clause, denies, is_limited, main_clauses_of
from research_crawler.core.models.findings import Finding

ANSWERS_YES_OR_NO: Final = 0.55
"""Least cosine with a question of yes or no of a statement that answers it."""
SHARED_WITH_QUESTION: Final = 0.6
"""Least share of the question's words that one clause of the answer has."""
SHARED_BESIDE_OPPOSITE: Final = 0.5
"""The same without the property that the question asks for, where the answer names it or its opposite."""
MOST_SHORT_WORDS: Final = 8
"""Words of a sentence that is compared though it is no statement by itself, because it is short or begins with "it"."""
_YES_OR_NO: Final = re.compile(
    r"(?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should|may|must"
    r"|ist|sind|war|waren|kann|können|hat|haben|wird|werden|darf|muss|gibt|läuft|unterstützt"
    r"|est-ce|peut-on|est|sont|puede|es|son|tiene|è|sono|può|kan|kunnen|heeft|mag|mogen|pode|tem|czy)\b",
    re.I,
)
_ASKS_OPENLY: Final = re.compile(
    r"\b(?:wh\w+|how|was|wer|wie\w*|wo|wann|warum|welche\w*|qui|que|quoi|quel\w*|comment|combien|où|quand|pourquoi"
    r"|qué|quién\w*|cuál\w*|cómo|cu[aá]nt\w+|dónde|cuándo|chi|che|cosa|quale|quant\w+|come|dove|quando|perché|wat|waar"
    r"|hoe\w*|wanneer|welke?|quem|qual|quais|onde|como|kto|co|jak\w*|gdzie|kiedy|ile|dlaczego|któr\w+)\b",
    re.I,
)
_AND: Final = re.compile(r"\s(?:and|und|et|y|e|en|i|oraz)\s")
_LACKING: Final = re.compile(
    r"\b(?:without|ohne|sans|sin|senza|zonder|sem|bez)\s(?:(?:any|an?|jede[nrs]?|eine?n?|un[ae]?|een|uma?)\s)?"
    r"(?P<what>[^\W\d_]{3,})",
    re.I,
)
"""What is done without that of which the question asks whether it is needed is no limit: it says no."""

_LIGHT_STEMS: Final = frozenset(map(stem, LIGHT))


@dataclass(frozen=True)
class _AskedYesOrNo:
    """What a question of yes or no asks."""

    question: str
    subject: Subject
    words: frozenset[str]
    quality: tuple[Opposites, bool] | None
    """The opposites of which it asks for one."""
    is_denied: bool

    @property
    def predicate(self) -> frozenset[str]:
        """What it asks of its subject."""
        return self.words - self.subject.words - _LIGHT_STEMS


@dataclass(frozen=True)
class _YesOrNo:
    """A yes or a no."""

    is_yes: bool
    named: str = ""
    """The words of the question's quality, or of its opposite, by which it answers."""
    told: frozenset[str] = frozenset()
    """What its clause says, where it does not answer by a property."""


def opposite_answers(
    question: str, said: Sequence[EvidenceStatement], findings: Sequence[Finding] = ()
) -> Iterator[tuple[EvidenceStatement, EvidenceStatement]]:
    """Pairs of statements that answer a question of yes or no in opposite ways, without a limit of their own.

    What a statement says of the question's quality counts, be it by the word, by its opposite or by a negation. An
    answer for a case of its own ("on Sundays", "in version 4") denies nothing.

    Args:
        question: what is asked.
        said: statements of the findings.
        findings: the best first; their sentences that are too short for a statement are looked at too.
    """
    asked = _asked(question)
    if asked is None:
        return
    answers = [
        (one, answer)
        for one in (*said, *_short_sentences(said, findings))
        if one.nearness >= ANSWERS_YES_OR_NO
        and asked.subject.share(one.text) == 1
        and not is_limited(_without_asked(one.text, asked.words), asked.subject.words)
        and (answer := _answer(asked, one.text)) is not None
    ]
    for (one, mine), (other, theirs) in combinations(answers, 2):
        if mine.is_yes == theirs.is_yes or one.finding.url == other.finding.url:
            continue
        if is_own_case(question, one, other, known=f"{mine.named} {theirs.named}"):
            continue
        if not _tells_something_else(asked, mine, theirs) and not _tells_something_else(asked, theirs, mine):
            yield one, other


def _short_sentences(
    said: Sequence[EvidenceStatement], findings: Sequence[Finding]
) -> Iterator[EvidenceStatement]:
    """Short sentences that name all that the question names: "Mapleaf works offline."."""
    known = {one.text for one in said}
    for place, finding in enumerate(findings[:VALUED_FINDINGS]):
        for unit in units(finding.quote):
            is_short = len(unit.text.split()) <= MOST_SHORT_WORDS and unit.text[-1:] == "."
            if is_short and unit.form == "sentence" and unit.text not in known:
                yield EvidenceStatement(place, finding, Stated(unit.text), (), ANSWERS_YES_OR_NO)


def _asked(question: str) -> _AskedYesOrNo | None:
    """What a question asks; None if it is none of yes or no, or names nothing."""
    bare = question.lstrip("¿ ")
    is_foreign = report_language(question) != "en" or not question.isascii()
    is_closed = bare.rstrip().endswith("?") and is_foreign and not _ASKS_OPENLY.search(bare)
    subject = subject_of(question)
    if not (_YES_OR_NO.match(bare) or is_closed) or not subject.words:
        return None
    is_denied = any(clause.denies for clause in main_clauses_of(question))
    found = opposites_asked(question)
    return _AskedYesOrNo(question, subject, frozenset(terms(question)), found, is_denied and not found)


def _answer(asked: _AskedYesOrNo, text: str) -> _YesOrNo | None:
    """Whether a text says yes to a question; None if no clause of it tells what the question asks."""
    clauses = main_clauses_of(text)
    if asked.quality:
        pair, is_first = asked.quality
        for part in (part for clause in clauses for part in _AND.split(clause.text)):
            side = pair.side_of(part)
            found = [*pair.one.found(part), *pair.other.found(part)]
            if side is not None and _shares_rest(asked, pair, text):
                return _YesOrNo((side == is_first) != denies(_without(part, found)), " ".join(found))
    best = max(clauses, key=lambda one: _shared(one, asked.words), default=None)
    if best is None:
        return None
    turned = turned_round(best.text, asked.words)
    shared = sum(is_one_of(word, best.terms) or word in turned for word in asked.words)
    if shared < SHARED_WITH_QUESTION * len(asked.words) or not _tells_predicate(asked, best, turned):
        return None
    is_yes = (best.denies + bool(turned) + asked.is_denied) % 2 == 0
    return _YesOrNo(is_yes, told=best.terms | turned)


def _shares_rest(asked: _AskedYesOrNo, pair: Opposites, text: str) -> bool:
    """Whether an answer has what the question has beside the property."""
    own = terms(_without(asked.question, list(pair.one.found(asked.question))))
    rest = [word for word in own if not pair.other.is_in(word)]
    known = set(terms(text))
    return sum(is_one_of(word, known) for word in rest) >= SHARED_BESIDE_OPPOSITE * len(rest)


def _tells_predicate(asked: _AskedYesOrNo, clause: Clause, turned: set[str]) -> bool:
    """Whether a clause says something of what is asked, and denies that if it denies anything."""
    if asked.predicate and not turned and not any(is_one_of(one, clause.terms) for one in asked.predicate):
        return False
    denied = denied_words(clause.text) if clause.denies else set()
    return not denied or bool(denied & asked.words)


def _tells_something_else(asked: _AskedYesOrNo, one: _YesOrNo, other: _YesOrNo) -> bool:
    """Whether an answer is about something else than what is asked: "resist salt water" for "resist frost"."""
    known = asked.words | other.told | _LIGHT_STEMS
    lacks = any(not is_one_of(word, one.told) for word in asked.predicate)
    return bool(one.told) and lacks and any(not is_one_of(word, known) for word in one.told)


def _shared(clause: Clause, words: frozenset[str]) -> int:
    return sum(is_one_of(word, clause.terms) for word in words)


def _without_asked(text: str, words: frozenset[str]) -> str:
    """A text in which nothing is without that of which the question asks."""
    return _LACKING.sub(
        lambda match: " " if words & set(terms(match["what"])) else match[0],
        text,
    )


def _without(text: str, words: Sequence[str]) -> str:
    """A text without some of its words or phrases, so that they are not counted twice."""
    low = text.lower().replace("’", "'")
    for word in sorted(words, key=len, reverse=True):
        low = low.replace(word, " ", 1)
    return low
