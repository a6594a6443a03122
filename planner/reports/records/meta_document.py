"""Render research-meta.json: how the research was made and how good its evidence is, for programs."""

import json

from planner.quality.attempts import best_attempt
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.report import Quality


def meta_document(job: Job) -> str:
    """research-meta.json of a job, which is up to date after every step."""
    inputs = job.inputs
    document = {
        "job": job.id,
        "goal": inputs.goal,
        "type": inputs.type,
        "depth": inputs.depth,
        "stack": inputs.stack,
        "quality": quality_of(job).model_dump(),
        "attempts": [one.model_dump() for one in job.assessed.attempts],
        "analysis": job.assessed.analysis.model_dump() if job.assessed.analysis else None,
        "thresholds": {
            "max_attempts": job.limits.max_attempts,
            **job.limits.quality.model_dump(exclude={"v"}),
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def quality_of(job: Job) -> Quality:
    """The quality of a job's evidence: the scores of its best attempt, with that attempt's last query."""
    attempts = job.assessed.attempts
    best = best_attempt(attempts)
    made = attempts[-1].n if attempts else None
    if best is None or best.evaluation is None:
        return Quality(attempts=made)
    rated = best.evaluation
    return Quality(
        query=best.queries[-1] if best.queries else None,
        relevance=rated.relevance,
        confidence=rated.confidence,
        coverage=rated.coverage,
        attempts=made,
        reasons=[rated.reasons] if rated.reasons else [],
    )
