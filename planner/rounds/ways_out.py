"""Take the next way out of a loop, or out of doubt, and say what is decided by it."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.goal.language import messages_of
from planner.job.draft import Draft
from planner.job.limits import may_ask
from planner.quality.ladder import is_doubtful
from planner.rounds.stuck import (
    WAYS,
    WayOut,
    narrower_query,
    steps_tried,
    stuck_because,
    unused_lead,
    way_out,
)
from research_crawler.core.models.decisions import Decision
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job


@dataclass(frozen=True)
class LeftLoop:
    """The job on its way out."""

    job: Job
    step: str = ""
    """The way that is taken; empty: the job is in no loop."""
    reason: str = ""
    """Why a way out is needed."""


def leave_loop(job: Job, findings: Sequence[Finding], now_ms: int) -> LeftLoop:
    """The next step out of a loop, noted in the timeline."""
    stuck = stuck_because(job)
    return _way_taken(job, findings, stuck, now_ms) if stuck else LeftLoop(job)


def leave_doubt(job: Job, findings: Sequence[Finding], now_ms: int) -> LeftLoop:
    """The next step of a job that would end with uncertain evidence after two attempts, noted in the timeline.

    Doubt alone is no dead end: when all ways were taken, the job ends as decided, with a warning.
    """
    if not is_doubtful(job):
        return LeftLoop(job)
    left = _way_taken(job, findings, _doubt(job), now_ms)
    return left if left.step != "last_resort" else _warned_of_doubt(job, now_ms)


def doubt_at_end(job: Job, now_ms: int) -> LeftLoop:
    """The same for a job that can neither search nor read any more: only a person is left."""
    if not is_doubtful(job):
        return LeftLoop(job)
    if may_ask(job) and job.plan.stuck_step < steps_tried("ask_human"):
        return _noted(job, "ask_human", _doubt(job), now_ms)
    return _warned_of_doubt(job, now_ms)


def _doubt(job: Job) -> str:
    return messages_of(job.inputs)("low_confidence", n=len(job.assessed.attempts))


def _warned_of_doubt(job: Job, now_ms: int) -> LeftLoop:
    draft, reason = Draft(job, now_ms), _doubt(job)
    draft.warn(f"{reason[:1].upper()}{reason[1:]}.")
    return LeftLoop(draft.job)


def _way_taken(job: Job, findings: Sequence[Finding], reason: str, now_ms: int) -> LeftLoop:
    step = way_out(job, findings)
    if step == "last_resort":
        return LeftLoop(job, step, reason)
    return _noted(job, step, reason, now_ms)


def _noted(job: Job, step: WayOut, reason: str, now_ms: int) -> LeftLoop:
    draft = Draft(job, now_ms)
    draft.plan(stuck_step=steps_tried(step), barren_rounds=0, repeats=0)
    draft.note("stuck", f"{reason}; the next step is {WAYS[step]}")
    return LeftLoop(draft.closed(), step, reason)


def decision_of_way(step: str, job: Job, findings: Sequence[Finding], reason: str) -> Decision | None:
    """The decision that a way out of a loop is, where no brain is needed for it; None: ask a brain."""
    why = reason or "the last steps brought nothing new"
    if step == "narrower_question":
        return Decision(action="search", queries=[narrower_query(job)], reason=why)
    if step == "unused_lead":
        return Decision(action="visit", urls=[unused_lead(job, findings)], reason=why)
    if step == "ask_human":
        return Decision(action="ask_human", reason=reason)
    return None
