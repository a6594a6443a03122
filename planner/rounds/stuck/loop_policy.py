"""Take the next way out of a loop, or on from uncertain evidence, and say what is decided by it."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.goal.report_language import messages_of
from planner.job.allowances import may_ask
from planner.job.job_editor import JobEditor
from planner.quality.quality_policy import is_evidence_uncertain
from planner.rounds.stuck.loop_exits import (
    WAYS,
    WayOut,
    narrower_query,
    steps_tried,
    stuck_because,
    unused_lead,
    way_out,
)
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job import Job


@dataclass(frozen=True)
class OnItsWay:
    """The job on its way out."""

    job: Job
    way: WayOut | None = None
    """The way that is taken; None: none is needed."""
    reason: str = ""
    """Why a way out is needed."""


def leave_loop(job: Job, findings: Sequence[Finding], now_ms: int) -> OnItsWay:
    """The next step out of a loop, noted in the timeline."""
    stuck = stuck_because(job)
    return _way_taken(job, findings, stuck, now_ms) if stuck else OnItsWay(job)


def search_on_if_uncertain(job: Job, findings: Sequence[Finding], now_ms: int) -> OnItsWay:
    """The next step of a job that would end with uncertain evidence after two attempts, noted in the timeline.

    Uncertainty alone is no dead end: when all ways were taken, the job ends as decided, with a warning.
    """
    if not is_evidence_uncertain(job):
        return OnItsWay(job)
    taken = _way_taken(job, findings, _why_uncertain(job), now_ms)
    return _warned_of_uncertainty(job, now_ms) if taken.way is WayOut.LAST_RESORT else taken


def ask_or_warn_if_uncertain(job: Job, now_ms: int) -> OnItsWay:
    """The same for a job that can neither search nor read any more: only a person is left."""
    if not is_evidence_uncertain(job):
        return OnItsWay(job)
    if may_ask(job) and job.plan.stuck_step < steps_tried(WayOut.ASK_PERSON):
        return _noted(job, WayOut.ASK_PERSON, _why_uncertain(job), now_ms)
    return _warned_of_uncertainty(job, now_ms)


def decision_of_way(
    way: WayOut | None, job: Job, findings: Sequence[Finding], reason: str
) -> Decision | None:
    """The decision that a way out is, where no brain is needed for it; None: ask a brain."""
    why = reason or "the last steps brought nothing new"
    if way is WayOut.NARROWER_QUESTION:
        return Decision(action="search", queries=[narrower_query(job)], reason=why)
    if way is WayOut.UNUSED_LEAD:
        return Decision(action="visit", urls=[unused_lead(job, findings)], reason=why)
    if way is WayOut.ASK_PERSON:
        return Decision(action="ask_human", reason=reason)
    return None


def _why_uncertain(job: Job) -> str:
    return messages_of(job.inputs)("low_confidence", n=len(job.assessed.attempts))


def _warned_of_uncertainty(job: Job, now_ms: int) -> OnItsWay:
    editor, reason = JobEditor(job, now_ms), _why_uncertain(job)
    editor.warn(f"{reason[:1].upper()}{reason[1:]}.")
    return OnItsWay(editor.job)


def _way_taken(job: Job, findings: Sequence[Finding], reason: str, now_ms: int) -> OnItsWay:
    way = way_out(job, findings)
    if way is WayOut.LAST_RESORT:
        return OnItsWay(job, way, reason)
    return _noted(job, way, reason, now_ms)


def _noted(job: Job, way: WayOut, reason: str, now_ms: int) -> OnItsWay:
    editor = JobEditor(job, now_ms)
    editor.plan(stuck_step=steps_tried(way), barren_rounds=0, repeats=0)
    editor.note("stuck", f"{reason}; the next step is {WAYS[way]}")
    return OnItsWay(editor.finish_step(), way, reason)
