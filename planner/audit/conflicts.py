"""All that the pages of a job say against each other, as far as code can tell, for those who write the report."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from planner.audit.asked_values import differing_values
from planner.audit.contradictions import MOST, Difference, difference_of, differences
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.told_disputes import told_disputes
from planner.goal.asked_price import asks_price
from planner.text.agreement import is_negated
from planner.text.statements import is_personal
from planner.text.subject import subject_of
from planner.verify.polarity import is_limited
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder

ANSWERS_YES_OR_NO: Final = 0.75
"""Least cosine with a question of yes or no of a statement that answers it."""
_YES_OR_NO: Final = re.compile(
    r"(?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should|may|must"
    r"|ist|sind|war|waren|kann|können|hat|haben|wird|werden|darf|muss|gibt|läuft|unterstützt"
    r"|est-ce|peut-on|est|sont|puede|es|son|tiene|è|sono|può|kan|kunnen|heeft|pode|tem|czy)\b",
    re.I,
)

_WE: Final = re.compile(
    r"\b(?:we|us|our|ours|wir|uns|unser\w*|nous|notre|nos|nosotros|noi|wij|ons|nós|nasz\w*)\b", re.I
)


async def conflicts(
    questions: Sequence[str],
    findings: Sequence[Finding],
    said: Sequence[EvidenceStatement],
    embedder: Embedder,
) -> list[Difference]:
    """Contradictions, replaced values, and disagreements that a page tells itself, at most MOST of them.

    Args:
        questions: the question first, then its parts.
        findings: the best first.
        said: their statements, those nearest to the question first.
        embedder: compares sentences by their meaning.
    """
    kept = differences(said, questions[0])
    for one, other in _opposite_answers(questions[0], said):
        _add(kept, difference_of(one, other))
    for one, other in await differing_values(questions, findings, embedder):
        found = difference_of(one, other)
        if found.kind == "replaced" and _is_experience(found.one.text):
            found = Difference("contradiction", found.one, found.other)
        if found.kind == "replaced" or not asks_price(questions[0]):  # shops have prices of their own
            _add(kept, found)
    for about, disagreement in await told_disputes(questions[0], findings, embedder):
        if not any(about.text in pair or disagreement.text in pair for pair in map(_texts, kept)):
            kept.append(Difference("told", about, disagreement))
    return kept[:MOST]


def _add(kept: list[Difference], found: Difference) -> None:
    """Add a difference, unless the same pages are known to differ."""
    for one in kept:
        if {found.one.finding.url, found.other.finding.url} == {one.one.finding.url, one.other.finding.url}:
            return
        if set(_texts(found)) <= set(_texts(one)):
            return
    kept.append(found)


def _is_experience(text: str) -> bool:
    """Whether somebody tells what he met with: that does not replace what a maker or an office states."""
    return is_personal(text) or _WE.search(text) is not None


def _texts(found: Difference) -> tuple[str, str]:
    return found.one.text, found.other.text


def _opposite_answers(
    question: str, said: Sequence[EvidenceStatement]
) -> Iterator[tuple[EvidenceStatement, EvidenceStatement]]:
    """Statements of different pages of which one answers a question with yes, and one with no."""
    subject = subject_of(question)
    if not _YES_OR_NO.match(question) or not subject.words:
        return
    answers = [
        one
        for one in said
        if one.nearness >= ANSWERS_YES_OR_NO
        and subject.share(one.text) == 1
        and not is_limited(one.text, subject.words)
    ]
    for one, other in combinations(answers, 2):
        if one.finding.url != other.finding.url and is_negated(one.text) != is_negated(other.text):
            yield one, other
