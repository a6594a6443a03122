"""Find statements of different pages of which one answers a question with yes, and one with no."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from planner.audit.akin import AkinWords
from planner.audit.asked_values import VALUED_FINDINGS
from planner.audit.contradictions import is_own_case
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.lexicon.opposites import without_words
from planner.audit.restrictions import without_lookalikes
from planner.audit.same_fact import Stated
from planner.audit.yes_or_no import (
    AskedYesOrNo,
    YesOrNo,
    answers_yes_or_no,
    asked_yes_or_no,
    tells_something_else,
)
from planner.verify.polarity import is_limited
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.sentences import units
from research_crawler.text.words import terms

ANSWERS_YES_OR_NO: Final = 0.55
"""Least cosine with a question of yes or no of a statement that answers it."""
ANSWERS_BY_PROPERTY: Final = 0.42
"""The same for one that tells the property that the question asks for, or its opposite."""
ASPECTS_TOLD: Final = 0.5
"""Least share of what the question asks about that an answer in other words has, by words that are akin."""
MOST_SHORT_WORDS: Final = 8
"""Words of a sentence that is compared though it is no statement by itself, because it is short or begins with "it"."""
MOST_PAIRS: Final = 6
"""Most pairs of a yes and a no whose words are compared by their vectors."""
_MANNER: Final = re.compile(
    r"\ba\s(?:few|couple of)\b|\bonly\W*$|\b(?:without|ohne|sans|sin|senza|zonder|sem|bez)\b|,\s?(?:where|when"
    r"|which|who)\b"
    r"|\bbefore(?=\s(?:his|her|its|their|your|the first|you|they|we|it|he|she|one|[a-z]{2,15}ing)\b)",
    re.I,
)
"""Words behind which stands how or when something is done, and not in which case it holds."""
_MAY: Final = re.compile(r"\bmay\b|\bonly(?=\s(?:if|when)?\b)")
_CONDITIONAL: Final = re.compile(
    r"(?:^|[,;:(]|\b(?:but|and|though|although))\s?(?:only\s)?(?:if|unless|when|once|until|provided|as\slong\sas"
    r"|except|wenn|falls|sofern"
    r"|solange|außer|bis|si|sauf|à\scondition|siempre\sque|salvo|se|purché|tenzij|mits|als|desde\sque|jeśli|chyba)\b",
    re.I,
)
"""What a clause begins with that says in which case the other one holds."""

_PARTED: Final = re.compile(
    r"[;:—–]|\b(?:because|although|though|whereas|but|weil|denn|obwohl|aber|mais|car|parce que|pero|porque|aunque"
    r"|ma|perché|maar"
    r"|want|omdat|mas|ale|bo)\b",
    re.I,
)
"""What divides parts of a sentence of which each says something by itself."""
_WEEKDAYS: Final = re.compile(
    r"\b(?:from |on |between )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:to|till|until|and) (?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)days?)?\b",
    re.I,
)

Answered = tuple[EvidenceStatement, YesOrNo]


async def opposite_answers(
    question: str, said: Sequence[EvidenceStatement], findings: Sequence[Finding], embedder: Embedder
) -> list[tuple[EvidenceStatement, EvidenceStatement]]:
    """Pairs of statements that answer a question of yes or no in opposite ways, without a limit of their own.

    What a statement says of the question's quality counts, be it by the word, by its opposite or by a negation. An
    answer for a case of its own ("on Sundays", "in version 4") denies nothing.

    Args:
        question: what is asked.
        said: statements of the findings.
        findings: the best first; their sentences that are too short for a statement are looked at too.
        embedder: compares words of answers that share few with the question.
    """
    asked = asked_yes_or_no(question)
    if asked is None:
        return []
    answers = [
        (one, answer)
        for one in (*said, *_short_sentences(said, findings))
        if one.nearness >= ANSWERS_BY_PROPERTY
        and asked.is_about(one.text)
        and (answer := answers_yes_or_no(asked, one.text)) is not None
        and (answer.named or one.nearness >= ANSWERS_YES_OR_NO)
        and not _holds_in_a_case(asked, one.text, answer)
    ]
    opposed = [
        (one, other)
        for one, other in combinations(answers, 2)
        if one[1].is_yes != other[1].is_yes and one[0].finding.url != other[0].finding.url
    ][:MOST_PAIRS]
    if not opposed:
        return []
    words = await AkinWords.of([question, *(each.text for pair in opposed for each, _ in pair)], embedder)
    return [(one[0], other[0]) for one, other in opposed if _are_opposed(asked, one, other, words)]


def _are_opposed(asked: AskedYesOrNo, one: Answered, other: Answered, words: AkinWords) -> bool:
    """Whether a yes and a no answer the same, of the same, in the same case."""
    (mine, yes), (theirs, no) = one, other
    for said, answer in (one, other):
        wanted = asked.aspects or tuple(
            word for pair, _ in asked.qualities for word in pair.told_by(asked.question)
        )
        if not answer.is_sure and words.told(wanted, said.text) < ASPECTS_TOLD:
            return False
    known = " ".join(
        (
            *(_WEEKDAYS.findall(f"{mine.text} {theirs.text}") if asked.asks_whether_still else ()),
            *yes.named,
            *no.named,
            words.related(mine.text, asked.question),
            words.related(theirs.text, asked.question),
        )
    )
    parts = (_part_with(mine.text, yes.clause), _part_with(theirs.text, no.clause))
    if is_own_case(asked.question, mine, theirs, known=known, parts=parts):
        return False
    return not any(
        tells_something_else(asked, answer, opposite) and words.told(asked.aspects, said.text) <= ASPECTS_TOLD
        for said, answer, opposite in ((mine, yes, no), (theirs, no, yes))
    )


def _part_with(text: str, clause: str) -> str:
    """The part of a sentence in which an answer stands, with what begins and ends it behind a comma."""
    return next((part for part in _PARTED.split(text) if clause.strip() in part), text)


def _short_sentences(
    said: Sequence[EvidenceStatement], findings: Sequence[Finding]
) -> Iterator[EvidenceStatement]:
    """Sentences that are too short for statements and may answer all the same: "Mapleaf works offline.".

    They have no vector, so they get the nearness that an answer needs.
    """
    known = {one.text for one in said}
    for place, finding in enumerate(findings[:VALUED_FINDINGS]):
        for unit in units(finding.quote):
            is_short = len(unit.text.split()) <= MOST_SHORT_WORDS and unit.text[-1:] == "."
            if is_short and unit.form == "sentence" and unit.text not in known:
                yield EvidenceStatement(place, finding, Stated(unit.text), (), ANSWERS_YES_OR_NO)


def _holds_in_a_case(asked: AskedYesOrNo, text: str, answer: YesOrNo) -> bool:
    """Whether an answer has a limit or a condition. What something is done without is none, and neither is what may be
    done, where the question asks whether it may."""
    clause = without_lookalikes(without_words(answer.clause, list(answer.named)))
    clause = _MANNER.sub(" ", clause)
    if asked.asks_permission:
        clause = _MAY.sub(" ", clause)
    if is_limited(clause, terms(clause)):
        return True
    return _CONDITIONAL.search(without_lookalikes(text)) is not None
