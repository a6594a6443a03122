"""Take the next way out of a loop, or out of doubt, and say what is decided by it."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.goal.language import messages_of
from planner.job.draft import Draft
from planner.quality.ladder import is_doubtful
from planner.rounds.stuck import WAYS, narrower_query, steps_tried, stuck_because, unused_lead, way_out
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
    """The next step out of a loop, or out of doubt after two attempts, noted in the timeline.

    Doubt alone is no dead end: when all ways were taken, the report tells how uncertain the evidence is.
    """
    stuck = stuck_because(job)
    if not stuck and not is_doubtful(job):
        return LeftLoop(job)
    step = way_out(job, findings)
    if step == "last_resort":
        return LeftLoop(job, step if stuck else "", stuck)
    reason = stuck or messages_of(job.inputs)("low_confidence", n=len(job.assessed.attempts))
    draft = Draft(job, now_ms)
    draft.plan(stuck_step=steps_tried(step), barren_rounds=0, repeats=0)
    draft.note("stuck", f"{reason}; the next step is {WAYS[step]}")
    return LeftLoop(draft.closed(), step, reason)


def decision_of_way(step: str, job: Job, findings: Sequence[Finding], reason: str) -> Decision | None:
    """The decision that a way out of a loop is, where no brain is needed for it; None: ask a brain."""
    why = "the last steps brought nothing new"
    if step == "narrower_question":
        return Decision(action="search", queries=[narrower_query(job)], reason=why)
    if step == "unused_lead":
        return Decision(action="visit", urls=[unused_lead(job, findings)], reason=why)
    if step == "ask_human":
        return Decision(action="ask_human", reason=reason)
    return None
