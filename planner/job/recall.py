"""The start of a job: what is known from earlier jobs and the caller decides its strategy. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime

from planner.goal.about import asked_of
from planner.job.draft import Draft
from planner.job.prior_intelligence import PriorIntelligence, prior_intelligence_of
from planner.job.strategy import choose_strategy
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job


def wants_recall(job: Job) -> bool:
    """Whether to look for earlier findings now: once, at the start of a job that looks for an offer."""
    is_new = not (job.plan.started_ms or job.plan.recalled)
    return is_new and job.inputs.intent == "commerce" and job.inputs.watch is None


def prior_intelligence_for(job: Job) -> PriorIntelligence:
    """What the caller knows already; empty if it is about another product or too old."""
    if job.inputs.intent != "commerce":
        return PriorIntelligence()
    oldest = ""
    if job.created_at:
        oldest_s = datetime.fromisoformat(job.created_at).timestamp() - job.limits.memory_max_age_s
        oldest = datetime.fromtimestamp(max(0.0, oldest_s), UTC).date().isoformat()
    return prior_intelligence_of(job.inputs.context, asked_of(job.inputs), oldest=oldest)


def with_known(job: Job, findings: Sequence[Finding], now_ms: int) -> Job:
    """The job with the strategy that follows from earlier findings and what the caller knows.

    Args:
        findings: of the job that the caller names, or of earlier jobs about the same kind of product.
    """
    draft = Draft(job, now_ms)
    draft.plan(recalled=True, findings=len(findings))
    from_caller = prior_intelligence_for(job)
    sources = [f"job {id_}" for id_ in dict.fromkeys(f.command.rpartition(":")[0] for f in findings)]
    if from_caller.kinds:
        sources.insert(0, "§2 of the context")
    kinds = {finding.kind for finding in findings} | set(from_caller.kinds)
    choice = choose_strategy(job.inputs, kinds, ", ".join(sources))
    draft.set(strategy=choice.strategy, strategy_reason=choice.reason)
    draft.plan(targets=list(choice.targets))
    for warning in choice.warnings:
        draft.warn(warning)
    return draft.job
