"""End the research where the model that read the pages found in them all that is asked: no other call decides it."""

from collections.abc import Sequence
from typing import Final

from planner.analysis.lexical_judge import ANSWERS, nearest_ids
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import Analysis, Evaluation
from research_crawler.core.models.jobs.decisions import Answered, Decision, PlannerView
from research_crawler.core.models.jobs.outline import Leaf, Outline
from research_crawler.core.models.jobs.records import VisitRecord

_REASON: Final = "The pages that were read answer all that is asked."


def answered_by_reading(view: PlannerView, by: str) -> Answered | None:
    """The end of a job whose last reading answers all that is asked; None: a model decides.

    Thorough research, news and offers want more than one reading; and a job that is stuck, or whose goal nobody has
    read yet, is decided by a model.

    Args:
        view: what is known.
        by: the name of the brain whose model has read the pages.
    """
    wants_more = view.depth == "deep" or view.quality.is_thorough or view.type == "news"
    is_plain = view.intent == "informational" and not (view.stuck or view.reads_goal)
    read = [] if wants_more or not is_plain else _answering_visits(view)
    found = [finding for finding in view.findings if finding.command in {visit.command for visit in read}]
    if not found or "done" not in view.allowed:
        return None
    relevance = round(max(visit.relevance for visit in read), 1)
    confidence = round(min(visit.confidence for visit in read), 1)
    return Answered(
        by=by,
        decision=Decision(action="done", reason=_REASON),
        outline=_filled(view.outline, view.findings, view.language),
        evaluation=Evaluation(relevance=relevance, confidence=confidence, coverage=1.0, reasons=_REASON),
        analysis=Analysis(
            by=by,
            round=read[-1].round,
            assessment=_REASON,
            confidence_score=confidence,
            is_answered=True,
        ),
    )


def _answering_visits(view: PlannerView) -> list[VisitRecord]:
    """The visits of the last round whose reading answers all that is asked, if it is relevant and sure enough."""
    last = max((visit.round for visit in view.visited), default=0)
    enough = view.quality
    return [
        visit
        for visit in view.visited
        if visit.answers_all
        and visit.round == last > view.rounds_before
        and visit.relevance >= enough.enough_relevance
        and visit.confidence >= enough.answered_confidence
    ]


def _filled(outline: Outline, found: Sequence[Finding], language: str) -> Outline:
    """The outline with the findings that answer each sub-question; where none has most of its words, the nearest."""
    return outline.with_leaves(
        {leaf.id: _with_nearest(leaf, found, language) for leaf in outline.leaves if leaf.state != "filled"}
    )


def _with_nearest(leaf: Leaf, found: Sequence[Finding], language: str) -> Leaf:
    nearest = nearest_ids(leaf.question, found, language, least=ANSWERS) or nearest_ids(
        leaf.question, found, language, most=1
    )
    evidence = list(dict.fromkeys([*leaf.evidence, *nearest]))
    return leaf.changed(state="filled", evidence=evidence, reason="")
