"""What the analyst without a model advises: an assessment, next steps, promising pages and leads."""

from collections.abc import Sequence
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import Analysis, Evaluation, ResearchLead
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.models.jobs.outline import Outline

MOST_ADVICE, MOST_URLS, MOST_LEADS = 4, 3, 5
"""Most next steps, promising pages and leads that an analysis without a model names."""
DIFFERENCE_CHARS, LEAD_CHARS, URL_CHARS = 200, 160, 300
"""Longest text of a side of a difference, of a lead, and longest address, in characters."""
NEXT_HOP: Final = "next hop: "
"""Begins the suggestion to search by a name that the evidence gives."""
ADVISED_MIN_SCORE: Final = 0.5
"""Least score of a page that is advised."""
LEAD_MIN_COSINE: Final = 0.3
"""Least cosine with the question of a fact that is kept as a lead: less is irrelevant."""


def lexical_analysis(
    view: PlannerView,
    outline: Outline,
    evaluation: Evaluation,
    *,
    nearness: Sequence[float],
    hop_query: str,
    by: str,
) -> Analysis:
    """The analysis of all findings of a job, remembered ones too.

    Args:
        nearness: the cosine of each finding of the view with the question.
        hop: a query by a name that the evidence gives; "" if it gives none.
        by: the brain that judges.
    """
    is_answered = bool(outline.leaves) and not outline.unanswered and evaluation.coverage == 1.0
    urls = _promising_pages(view)
    return Analysis(
        by=by,
        round=max((visit.round for visit in view.visited), default=0),
        assessment=evaluation.reasons,
        confidence_score=evaluation.confidence,
        is_answered=is_answered,
        suggestions_for_next_step=_suggestions(outline, urls, hop_query, is_answered=is_answered),
        new_potential_urls=urls,
        leads=leads(view.findings, outline, nearness),
    )


def leads(findings: Sequence[Finding], outline: Outline, nearness: Sequence[float]) -> list[ResearchLead]:
    """Facts that answer no sub-question but come close to one, closest first, one a page."""
    used = {id_ for leaf in outline.leaves for id_ in leaf.evidence}
    beside = [
        (near, finding)
        for near, finding in zip(nearness, findings, strict=True)
        if finding.id not in used and near >= LEAD_MIN_COSINE
    ]
    best: dict[str, Finding] = {}
    for _, finding in sorted(beside, key=lambda pair: -pair[0]):
        best.setdefault(finding.url, finding)
    return [
        ResearchLead(text=" ".join(finding.claim.split())[:LEAD_CHARS], url=finding.url[:URL_CHARS])
        for finding in list(best.values())[:MOST_LEADS]
    ]


def _promising_pages(view: PlannerView) -> list[str]:
    good = [
        candidate.result.url
        for candidate in view.candidates
        if candidate.result.scored
        and candidate.result.score >= ADVISED_MIN_SCORE
        and candidate.result.priority != "skip"
    ]
    return [url for url in good if len(url) <= URL_CHARS][:MOST_URLS]


def _suggestions(outline: Outline, urls: Sequence[str], hop_query: str, *, is_answered: bool) -> list[str]:
    if is_answered:
        return ["every sub-question has evidence"]
    searches = [f"{NEXT_HOP}{hop_query}"] if hop_query else []
    searches += [f"search: {leaf.query or leaf.question}" for leaf in outline.leaves if leaf.state == "open"]
    return [*(f"read: {url}" for url in urls[:1]), *searches][:MOST_ADVICE]
