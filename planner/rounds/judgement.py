"""Take a judgement of the evidence into the job's record, and keep a decision to what follows from it."""

from collections.abc import Sequence

from planner.job.allowances import may_ask_reviewer
from planner.job.job_editor import JobEditor
from planner.quality.attempts import with_evaluation
from planner.quality.quality_policy import is_settled_by, wants_help
from planner.rounds.brain_view import planner_view
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import Analysis, Evaluation
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.ports.models import EvidenceJudge


async def with_last_judgement(
    job: Job, findings: Sequence[Finding], judge: EvidenceJudge, now_ms: int
) -> Job:
    """The job with the score of its last attempt, before it ends without a decision of its brain."""
    attempts = job.assessed.attempts
    if attempts and attempts[-1].by not in ("", "extractive"):
        return job  # a model has judged it
    view = planner_view(job, findings, now_ms=now_ms, waits={})
    judged = await judge.judged(view)
    if judged is None:
        return job
    assessed = with_evaluation(job.assessed, *judged, judged[1].by)
    return job.changed(assessed=assessed)


def note_judgement(
    editor: JobEditor, evaluation: Evaluation | None, analysis: Analysis | None, by: str
) -> None:
    """Record a judgement of the evidence, with a line of the timeline."""
    if evaluation is None and analysis is None:
        return
    editor.set(assessed=with_evaluation(editor.job.assessed, evaluation, analysis, by))
    if evaluation:
        editor.note("judged", f"{evaluation.scores_text}: {evaluation.reasons}", by)


def within_quality_policy(job: Job, decision: Decision) -> Decision:
    """The decision, without a search that the ladder of attempts does not allow.

    A job that needs strong evidence and has none asks a person, where one may be asked, instead of being done. A brain
    that searches on though the evidence is good enough reads the pages that it named beside, or is done.
    """
    if decision.action == "done" and wants_help(job) and may_ask_reviewer(job):
        return decision.changed(action="ask_human")
    if decision.action != "search" or not is_settled_by(job.assessed, job.limits.quality, job.outline):
        return decision
    return decision.changed(action="visit" if decision.urls else "done", queries=[])
