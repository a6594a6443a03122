"""The start of a job: what is known from earlier jobs and the caller decides its strategy. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime

from planner.goal.goal_subject import asked_of
from planner.job.earlier.prior_intelligence import PriorIntelligence, prior_intelligence_of
from planner.job.job_editor import JobEditor
from planner.job.results import MAX_TITLE
from planner.job.strategy import choose_strategy
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.planning_state import StoredSource

MAX_PAGES_AGAIN = 6
"""Most pages of an earlier job that are read again for a follow-up question."""


def wants_recall(job: Job) -> bool:
    """Whether to look for earlier findings now: once, at the start of a job that does research."""
    is_new = not (job.plan.started_ms or job.plan.recalled)
    return is_new and job.inputs.watch is None


def prior_intelligence_for(job: Job) -> PriorIntelligence:
    """What the caller knows already; empty if it is about another product or too old."""
    if job.inputs.intent != "commerce":
        return PriorIntelligence()
    oldest = ""
    if job.created_at:
        oldest_s = datetime.fromisoformat(job.created_at).timestamp() - job.limits.memory_max_age_seconds
        oldest = datetime.fromtimestamp(max(0.0, oldest_s), UTC).date().isoformat()
    return prior_intelligence_of(job.inputs.context, asked_of(job.inputs), oldest=oldest)


def may_recall(job: Job) -> bool:
    """Whether findings of earlier jobs may be used: not if the caller forbids it or has chosen phases for an offer."""
    inputs = job.inputs
    has_choice = inputs.intent == "commerce" and inputs.strategy is not None
    return inputs.memory and job.limits.memory_max_age_seconds > 0 and not has_choice


def with_findings_for_answer(job: Job, findings: Sequence[Finding], now_ms: int) -> Job:
    """The job with findings of earlier jobs in its evidence, beside its own search, whose place they never take.

    A follow-up question also reads the pages of the job that it is about, for itself. They come from the archive: this
    costs no fetch, and counts against no allowance of pages.
    """
    editor = JobEditor(job, now_ms)
    again = reversed(findings) if job.inputs.about_job else ()
    pages = list({finding.page_sha256: _source_of(finding) for finding in again}.values())
    stored = [*job.inputs.files, *pages[::-1][:MAX_PAGES_AGAIN]]
    editor.plan(recalled=True, findings=len(findings), remembered=len(findings), stored=stored)
    if findings:
        days = sorted(finding.fetched_at[:10] for finding in findings)
        jobs = list(dict.fromkeys(finding.command.rpartition(":")[0] for finding in findings))
        span = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
        editor.note("memory", f"{len(findings)} findings of {', '.join(jobs)}, from pages read {span}")
    return editor.job


def _source_of(finding: Finding) -> StoredSource:
    return StoredSource(
        url=finding.url,
        sha=finding.page_sha256,
        title=finding.title[:MAX_TITLE],
        fetched_at=finding.fetched_at,
        origin="memory",
    )


def with_findings_for_offer(job: Job, findings: Sequence[Finding], now_ms: int) -> Job:
    """The job with the strategy that follows from earlier findings and what the caller knows.

    Args:
        findings: of the job that the caller names, or of earlier jobs about the same kind of product.
    """
    editor = JobEditor(job, now_ms)
    editor.plan(recalled=True, findings=len(findings), remembered=len(findings), stored=job.inputs.files)
    from_caller = prior_intelligence_for(job)
    sources = [f"job {id_}" for id_ in dict.fromkeys(f.command.rpartition(":")[0] for f in findings)]
    if from_caller.kinds:
        sources.insert(0, "§2 of the context")
    kinds = {finding.kind for finding in findings} | set(from_caller.kinds)
    choice = choose_strategy(job.inputs, kinds, ", ".join(sources))
    editor.set(strategy=choice.strategy, strategy_reason=choice.reason)
    editor.plan(targets=list(choice.targets))
    for warning in choice.warnings:
        editor.warn(warning)
    return editor.job
