"""What follows from the scores of a job: another attempt, the end, a warning, or a call for help."""

from collections.abc import Sequence

from planner.quality.attempts import attempts_allowed, attempts_used, best_attempt
from research_crawler.core.models.evidence.quality import Assessed, Attempt, Evaluation, QualityThresholds
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.outline import Outline

LEAST_ATTEMPTS = 2
"""After fewer attempts, uncertain evidence is no reason for another way: the next attempt may settle it."""
OWN_SEARCHES = 2
"""A sub-question was searched for by the words of the whole question first, and then by its own."""


def is_enough(evaluation: Evaluation | None, thresholds: QualityThresholds) -> bool:
    """Whether the evidence is good enough to make no new attempt."""
    return (
        evaluation is not None
        and evaluation.relevance >= thresholds.enough_relevance
        and evaluation.coverage >= thresholds.enough_coverage
    )


def may_attempt(job: Job) -> bool:
    """Whether the job may search again: attempts are left, and the last one was not enough."""
    if attempts_used(job) >= attempts_allowed(job):
        return False
    return not is_settled_by(job.assessed, job.limits.quality, job.outline)


def is_settled_by(assessed: Assessed, thresholds: QualityThresholds, outline: Outline) -> bool:
    """Whether the last attempt was enough, and no sub-question still waits for a search of its own.

    Scores do not overrule a judge who says in the same breath that the question is not answered and is worth another
    search: the attempts that a job may make bound him.
    """
    last = assessed.attempts[-1].evaluation if assessed.attempts else None
    asks_more = last is not None and last.should_retry
    is_open = asks_more and assessed.analysis is not None and not assessed.analysis.is_answered
    waits = _waits_for_search(outline, is_thorough=thresholds.is_thorough)
    return is_enough(last, thresholds) and not is_open and not waits


def should_finish(assessed: Assessed, thresholds: QualityThresholds) -> bool:
    """Whether the planner is told to finish: the analyst is sure that the question is answered."""
    analysis = assessed.analysis
    return (
        analysis is not None
        and analysis.is_answered
        and analysis.confidence_score >= thresholds.answered_confidence
    )


def is_hardly_relevant(attempts: Sequence[Attempt], thresholds: QualityThresholds) -> bool:
    """Whether even the best attempt is hardly about what was asked; False if nothing was evaluated."""
    best = best_attempt(attempts)
    return (
        best is not None
        and best.evaluation is not None
        and best.evaluation.relevance < thresholds.weak_relevance
    )


def is_hopeless(attempts: Sequence[Attempt], thresholds: QualityThresholds) -> bool:
    """Whether no attempt came near the question, so that only a person can help."""
    rated = [attempt.evaluation.relevance for attempt in attempts if attempt.evaluation is not None]
    return bool(rated) and max(rated) < thresholds.hopeless_relevance


def is_evidence_uncertain(job: Job) -> bool:
    """Whether the evidence is uncertain after two attempts whose pages were read."""
    attempts = job.assessed.attempts
    last = attempts[-1] if attempts else None
    if len(attempts) < LEAST_ATTEMPTS or last is None or last.evaluation is None:
        return False
    has_read = any(visit.outcome == "ok" and visit.round > last.round for visit in job.visits)
    return has_read and last.evaluation.confidence < job.limits.quality.doubtful_confidence


def wants_help(job: Job) -> bool:
    """Whether a person must be asked: the caller wants strong evidence, and no attempt found any."""
    return job.inputs.require_evidence and is_hopeless(job.assessed.attempts, job.limits.quality)


def _waits_for_search(outline: Outline, *, is_thorough: bool) -> bool:
    """Whether a sub-question lacks a search of its own: one without an answer, in thorough research any."""
    leaves = outline.leaves
    if is_thorough:
        return any(leaf.state != "unavailable" and leaf.searches < OWN_SEARCHES for leaf in leaves)
    return len(leaves) > 1 and any(leaf.state == "open" and leaf.searches < OWN_SEARCHES for leaf in leaves)
