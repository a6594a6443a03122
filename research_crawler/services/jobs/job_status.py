"""Tells where a job stands, for every interface: its progress, what it has found so far, what it waits for."""

import time
from collections.abc import Sequence
from datetime import datetime

from planner.job.clock import work_and_waiting_s
from planner.job.outcome import outcome_of
from planner.job.tokens_by_role import token_lines
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, status_of
from research_crawler.core.models.jobs.status import JobStatus, NeedsInput
from research_crawler.core.tasks.shared_run import SharedRun
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import find_job, findings_of
from research_crawler.services.jobs.waiting import Surroundings, waits_of

ASKS_FOR_REVIEW = "Is the answer good enough? Accept it, reject it with a reason, or add what is known."
"""What a person is asked if the job has put no question of its own."""


async def current_status(
    runtime: Runtime, job_id: str, shared: SharedRun[Surroundings] | None = None
) -> JobStatus:
    """The status of a job, with everything that is looked up for it.

    Args:
        runtime: a connected process.
        job_id: the job.
        shared: what is looked up for all who ask in this process; None: it is looked up now.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    job = await find_job(runtime, job_id)
    around = (await shared.result()).result if shared and job.state not in FINAL_STATES else None
    return await current_status_of(runtime, job, around)


async def current_status_of(runtime: Runtime, job: Job, around: Surroundings | None = None) -> JobStatus:
    """The status of a job that was read already; `around`: what was looked up for several jobs."""
    found = await findings_of(runtime, job) if _is_cut(job) else ()
    return status_of_record(job, found, waits=await waits_of(runtime, job, around))


def status_of_record(
    job: Job, found: Sequence[Finding] = (), *, waits: Sequence[str] = (), now_ms: int | None = None
) -> JobStatus:
    """The status of a job as its record tells it. Pure, but for the clock if `now_ms` is not given.

    Args:
        job: its record.
        found: its findings; they stand in for summaries that the record no longer has.
        waits: what it waits for.
        now_ms: the time.
    """
    worked_s, waited_s = work_and_waiting_s(job, job.plan.touched_ms)
    return JobStatus(
        task_id=job.id,
        status=status_of(job.state),
        state=job.state,
        outcome=outcome_of(job),
        topic=job.topic,
        intent=job.inputs.intent,
        type=job.inputs.type,
        progress=job.progress,
        partial_results=partial_results(job, found),
        needs_input=NeedsInput(question=_question(job)) if job.state == "waiting_for_human" else None,
        error=job.error or None,
        warnings=job.warnings,
        waits_for=list(waits),
        last_action_age_seconds=_age_s(job, int(time.time() * 1000) if now_ms is None else now_ms),
        searches=job.plan.searches_used,
        visits=job.plan.visits_used,
        findings=job.plan.findings,
        seconds=round(worked_s, 3),
        waited_seconds=round(waited_s, 3),
        tokens=token_lines(job),
        created_at=job.created_at,
        completed_at=job.completed_at or None,
    )


def partial_results(job: Job, found: Sequence[Finding] = ()) -> list[str]:
    """What each page gave: its summary, or its best finding if the record has lost the summary or the visit.

    A job's record is bounded: the oldest visits lose their summaries first. Findings are kept.
    """
    summaries = {visit.command: visit.summary for visit in job.visits if visit.summary}
    claims: dict[str, str] = {}
    for finding in sorted(found, key=lambda finding: -finding.score):
        claims.setdefault(finding.command, finding.claim)
    lines = claims | summaries
    return list(dict.fromkeys(lines[command] for command in sorted(lines, key=_number)))


def _is_cut(job: Job) -> bool:
    """Whether the record has lost visits or summaries of visits that gave findings."""
    first = job.visits[0].n if job.visits else 1
    return first > 1 or any(visit.findings and not visit.summary for visit in job.visits)


def _number(command: str) -> int:
    """The number of a command `job:n`."""
    number = command.rpartition(":")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def _question(job: Job) -> str:
    return job.review.question.text if job.review.question else ASKS_FOR_REVIEW


def _age_s(job: Job, now_ms: int) -> float | None:
    if job.state in FINAL_STATES:
        return None
    since_ms = job.plan.touched_ms
    if not since_ms and job.created_at:
        since_ms = int(datetime.fromisoformat(job.created_at).timestamp() * 1000)
    return round(max(0, now_ms - since_ms) / 1000, 1) if since_ms else None
