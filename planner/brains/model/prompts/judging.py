"""The attempts and the analysis as the planner's prompt shows them, and the judgement that its answer makes of them."""

import math
from collections.abc import Mapping

from planner.analysis.advice import DIFFERENCE_CHARS, LEAD_CHARS, MOST_LEADS, URL_CHARS
from planner.brains.model.answers.evidence_ids import normal_id
from planner.brains.model.prompts.document_parts import shortened_text
from prompts.fences import fenced_lines
from prompts.judgement_answers import AnalysisAnswer, EvaluationAnswer
from prompts.loader import Document
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import (
    Analysis,
    Attempt,
    Evaluation,
    Inconsistency,
    ResearchLead,
)
from research_crawler.core.models.jobs.caller_question import ResearchType
from research_crawler.core.models.jobs.decisions import PlannerView

MOST_SHOWN_ATTEMPTS = 5
"""Most earlier attempts that the planner is shown."""
PLANNED_QUERIES = 3, 5
"""Least and most queries that deep research plans before its first page."""

_WORDED: Mapping[ResearchType, str] = {
    "news": ": name what happened and where, and no date",
    "technical": ": use the words of the documentation",
}
"""How queries of a type of research are worded."""


def is_judged(view: PlannerView) -> bool:
    """Whether there is something to judge: a page was read, or earlier jobs have found something."""
    return bool(view.findings) or any(visit.outcome == "ok" for visit in view.visited)


def query_documents(view: PlannerView, fence: str) -> dict[str, Document]:
    """Inputs of the prompts that write queries: the plan before the first search, the attempts after it."""
    lines = [_attempt_line(one) for one in view.assessed.attempts[-MOST_SHOWN_ATTEMPTS:]]
    left = min(view.remaining_attempts, view.remaining_searches)
    return {
        "stack": view.stack or "",
        "type": "" if view.searches else f"{view.type}{_WORDED.get(view.type, '')}",
        "plan": "" if view.searches else _plan_of_queries(view),
        "attempts": fenced_lines(fence, lines),
        "attempts_left": str(left) if view.searches else "",
    }


def enough_document(view: PlannerView) -> str:
    """The scores with which research ends, which stay the same in a job."""
    least = view.quality
    return (
        f"a relevance of {least.enough_relevance:g} with a coverage of {least.enough_coverage:g}, or a confidence of "
        f"{_finishing(view)}"
    )


def _plan_of_queries(view: PlannerView) -> str:
    """How many queries are written before anything was read."""
    least, most = (min(count, view.remaining_searches) for count in PLANNED_QUERIES)
    if view.depth != "deep" or most < PLANNED_QUERIES[0]:
        return f"One for each thing that is asked, at most {max(1, most)}."
    many = str(least) if least == most else f"{least} to {most}"
    return f"{many} `queries`"


def judging_documents(view: PlannerView, fence: str) -> dict[str, Document]:
    """Inputs of the evaluator's and the analyst's prompts; none before there is something to judge."""
    leaves = view.outline.leaves
    filled = sum(leaf.state == "filled" for leaf in leaves)
    return {
        "answered": f"{filled} of {len(leaves)}" if leaves and is_judged(view) else "",
        "analysis": fenced_lines(fence, _analysis_lines(view.assessed.analysis)),
    }


def _finishing(view: PlannerView) -> str:
    """The confidence with which an answered question is finished."""
    return f"{math.ceil(round(view.quality.answered_confidence * 10, 6)) / 10:.1f}"


def evaluation_from(answer: EvaluationAnswer | None) -> Evaluation | None:
    """The model's scores, with one decimal."""
    if answer is None:
        return None
    return Evaluation(
        relevance=round(answer.relevance, 1),
        confidence=round(answer.confidence, 1),
        coverage=round(answer.coverage, 1),
        should_retry=answer.should_retry,
        reasons=" ".join(answer.reasons.split()),
    )


def analysis_from(
    answer: AnalysisAnswer | None,
    view: PlannerView,
    *,
    pages: Mapping[str, str],
    named: Mapping[str, Finding],
    by: str,
) -> Analysis | None:
    """The model's analysis: pages and findings that it was not shown are dropped.

    Args:
        answer: what the model said; None: nothing.
        view: what it was asked about.
        pages: URLs by the ids that it was shown.
        named: the findings that it may name, by their ids.
        by: its name.
    """
    if answer is None:
        return None
    urls = [pages.get(name.strip().upper(), "") for name in answer.new_potential_urls]
    pairs = [
        (one.about, _named(one.one, named), _named(one.other, named)) for one in answer.inconsistencies_found
    ]
    conflicts = [
        _inconsistency(about, one, other)
        for about, one, other in pairs
        if one and other and one.id != other.id
    ]
    led = [finding for name in answer.leads if (finding := _named(name, named))]
    return Analysis(
        by=by,
        round=max((visit.round for visit in view.visited), default=0),
        assessment=shortened_text(answer.assessment, 400),
        confidence_score=round(answer.confidence_score, 1),
        is_answered=answer.is_answered,
        suggestions_for_next_step=[
            shortened_text(one, 160) for one in answer.suggestions_for_next_step[:4] if one
        ],
        new_potential_urls=[url for url in dict.fromkeys(urls) if url and len(url) <= URL_CHARS],
        inconsistencies_found=conflicts or None,
        leads=[
            ResearchLead(text=shortened_text(finding.claim, LEAD_CHARS), url=finding.url[:URL_CHARS])
            for finding in led[:MOST_LEADS]
        ],
    )


def _named(id_: str, named: Mapping[str, Finding]) -> Finding | None:
    return named.get(normal_id(id_, "E"))


def _inconsistency(about: str, first: Finding, second: Finding) -> Inconsistency:
    return Inconsistency(
        about=shortened_text(about, 120),
        one=shortened_text(first.quote, DIFFERENCE_CHARS),
        one_url=first.url[:URL_CHARS],
        other=shortened_text(second.quote, DIFFERENCE_CHARS),
        other_url=second.url[:URL_CHARS],
    )


def _attempt_line(attempt: Attempt) -> str:
    rated = attempt.evaluation
    scores = (
        f"relevance {rated.relevance:.1f}, coverage {rated.coverage:.1f}, confidence {rated.confidence:.1f}: "
        f"{shortened_text(rated.reasons)}"
        if rated
        else "not graded yet"
    )
    refused = f" | refused: {'; '.join(attempt.refused)}" if attempt.refused else ""
    return f"{attempt.n}. {'; '.join(attempt.queries)} | {scores}{refused}"


def _analysis_lines(analysis: Analysis | None) -> list[str]:
    if analysis is None:
        return []
    lines = [
        f"assessment: {analysis.assessment}",
        f"confidence: {analysis.confidence_score:.1f}, answered: {'yes' if analysis.is_answered else 'no'}",
        *(f"next: {one}" for one in analysis.suggestions_for_next_step),
        *(f"conflict: “{one.one}” against “{one.other}”" for one in analysis.inconsistencies_found or []),
        *(f"lead: {one.text} ({one.url})" for one in analysis.leads),
    ]
    return [line for line in lines if line.strip()]
