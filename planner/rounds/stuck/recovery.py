"""Take the next strategy of recovery from a loop or from uncertain evidence, and say what is decided by it."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.goal.report_language import messages_of
from planner.job.allowances import may_ask_reviewer
from planner.job.job_editor import JobEditor
from planner.quality.quality_policy import is_evidence_uncertain
from planner.rounds.stuck.stuck_rules import (
    STRATEGY_WORDS,
    RecoveryStrategy,
    narrower_query,
    next_strategy,
    step_after,
    stuck_because,
    unused_lead,
)
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job import Job


@dataclass(frozen=True)
class RecoveryResult:
    """The job with a strategy of recovery that was taken."""

    job: Job
    strategy: RecoveryStrategy | None = None
    """The one that is taken; None: none is needed."""
    reason: str = ""
    """Why one is needed."""


def leave_loop(job: Job, findings: Sequence[Finding], now_ms: int) -> RecoveryResult:
    """The next step out of a loop, noted in the timeline."""
    stuck = stuck_because(job)
    return _strategy_taken(job, findings, stuck, now_ms) if stuck else RecoveryResult(job)


def search_on_if_uncertain(job: Job, findings: Sequence[Finding], now_ms: int) -> RecoveryResult:
    """The next step of a job that would end with uncertain evidence after two attempts, noted in the timeline.

    Uncertainty alone is no dead end: when all strategies were taken, the job ends as decided, with a warning.
    """
    if not is_evidence_uncertain(job):
        return RecoveryResult(job)
    taken = _strategy_taken(job, findings, _why_uncertain(job), now_ms)
    return _warned_of_uncertainty(job, now_ms) if taken.strategy is RecoveryStrategy.LAST_RESORT else taken


def ask_or_warn_if_uncertain(job: Job, now_ms: int) -> RecoveryResult:
    """The same for a job that can neither search nor read any more: only a person is left."""
    if not is_evidence_uncertain(job):
        return RecoveryResult(job)
    if may_ask_reviewer(job) and job.plan.recovery_step < step_after(RecoveryStrategy.ASK_PERSON):
        return _noted(job, RecoveryStrategy.ASK_PERSON, _why_uncertain(job), now_ms)
    return _warned_of_uncertainty(job, now_ms)


def decision_of_strategy(
    strategy: RecoveryStrategy | None, job: Job, findings: Sequence[Finding], reason: str
) -> Decision | None:
    """The decision that a strategy is, where no brain is needed for it; None: ask a brain."""
    why = reason or "the last steps brought nothing new"
    if strategy is RecoveryStrategy.NARROWER_QUESTION:
        return Decision(action="search", queries=[narrower_query(job)], reason=why)
    if strategy is RecoveryStrategy.UNUSED_LEAD:
        return Decision(action="visit", urls=[unused_lead(job, findings)], reason=why)
    if strategy is RecoveryStrategy.ASK_PERSON:
        return Decision(action="ask_human", reason=reason)
    return None


def _why_uncertain(job: Job) -> str:
    return messages_of(job.inputs)("low_confidence", n=len(job.assessed.attempts))


def _warned_of_uncertainty(job: Job, now_ms: int) -> RecoveryResult:
    editor, reason = JobEditor(job, now_ms), _why_uncertain(job)
    editor.warn(f"{reason[:1].upper()}{reason[1:]}.")
    return RecoveryResult(editor.job)


def _strategy_taken(job: Job, findings: Sequence[Finding], reason: str, now_ms: int) -> RecoveryResult:
    strategy = next_strategy(job, findings)
    if strategy is RecoveryStrategy.LAST_RESORT:
        return RecoveryResult(job, strategy, reason)
    return _noted(job, strategy, reason, now_ms)


def _noted(job: Job, strategy: RecoveryStrategy, reason: str, now_ms: int) -> RecoveryResult:
    editor = JobEditor(job, now_ms)
    editor.plan(recovery_step=step_after(strategy), barren_rounds=0, repeats=0)
    editor.note("stuck", f"{reason}; the next step is {STRATEGY_WORDS[strategy]}")
    return RecoveryResult(editor.finish_step(), strategy, reason)
