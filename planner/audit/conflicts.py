"""All that the pages of a job say against each other, as far as code can tell, for those who write the report."""

from collections.abc import Sequence

from planner.audit.any_wording.pairs import answers_in_any_wording
from planner.audit.asked_causes import differing_causes
from planner.audit.asked_facts import differing_facts
from planner.audit.asked_values import differing_values
from planner.audit.contradictions import MOST, Difference, difference_of, differences
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.opposite_answers import opposite_answers
from planner.audit.series import LikeSeries
from planner.audit.told_disputes import told_disputes
from planner.goal.asked_price import asks_price
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.query_words import settings_in
from research_crawler.text.statements import is_experience


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
    series = LikeSeries(findings)
    kept = differences(said, questions[0], series)
    for one, other in [
        *await opposite_answers(questions[0], said, findings, embedder),
        *differing_facts(questions, findings),
        *await differing_causes(questions[0], findings, embedder),
    ]:
        if not series.has(one.finding, other.finding):
            _add(kept, difference_of(one, other))
    for one, other in [
        *await differing_values(questions, findings, embedder),
        *await answers_in_any_wording(questions[0], said, findings, embedder),
    ]:
        if series.has(one.finding, other.finding):
            continue
        found = difference_of(one, other)
        if found.kind == "replaced" and is_experience(found.one.text):
            found = Difference("contradiction", found.one, found.other)
        if found.kind == "replaced" or not asks_price(questions[0]):  # shops have prices of their own
            _add(kept, found)
    for about, disagreement in await told_disputes(questions[0], findings, embedder):
        if not any(about.text in pair or disagreement.text in pair for pair in map(_texts, kept)):
            kept.append(Difference("told", about, disagreement))
    return [one for one in kept if one.kind == "told" or not _are_of_other_settings(*_texts(one))][:MOST]


def _are_of_other_settings(one: str, other: str) -> bool:
    """Whether two sentences are about two settings: each begins with another one."""
    first, second = settings_in(one)[:1], settings_in(other)[:1]
    return bool(first and second) and first != second


def _add(kept: list[Difference], found: Difference) -> None:
    """Add a difference, unless the same pages are known to differ."""
    for one in kept:
        if {found.one.finding.url, found.other.finding.url} == {one.one.finding.url, one.other.finding.url}:
            return
        if set(_texts(found)) <= set(_texts(one)):
            return
    kept.append(found)


def _texts(found: Difference) -> tuple[str, str]:
    return found.one.text, found.other.text
