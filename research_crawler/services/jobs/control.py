"""Finds, follows, cancels and resumes jobs, for every interface, in Redis and in the archive.

What renders documents is imported where it is used: a command that only asks Redis starts fast.
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal

from planner.job.rejected import standing
from research_crawler.adapters.redis.presence import PLANNER
from research_crawler.core.errors import JobIsOver, UnknownJob
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.runtime.runtime import Runtime, resume_event

if TYPE_CHECKING:
    from research_crawler.background.ended_jobs import EndedJobs
    from research_crawler.core.models.reports.report import Report

_Archived = tuple[Job, list[Finding], dict[str, Any]]


async def follow(runtime: Runtime, job_id: str) -> AsyncIterator[Job]:
    """Yield the job after each of its commits, for the last time when it is over.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
        the error of one of this process's loops, if one failed: this process could not go on with the job.
    """
    async for _ in runtime.container.jobs.changes(job_id):
        runtime.check()
        job = await find_job(runtime, job_id)
        yield job
        if job.state in FINAL_STATES:
            return


async def find_job(runtime: Runtime, job_id: str) -> Job:
    """Find a job: in the archive if it is over, because its whole report is there, else in Redis.

    Raises:
        UnknownJob: neither has it.
    """
    return (await _found(runtime, job_id))[0]


async def job_and_findings(runtime: Runtime, job_id: str) -> tuple[Job, list[Finding]]:
    """A job with its findings so far.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    job, archived = await _found(runtime, job_id)
    return job, archived[1] if archived else await _live_findings(runtime, job)


async def job_and_report(runtime: Runtime, job_id: str) -> "tuple[Job, Report | None]":
    """A job with its report if it is over; one that ended without a planner is archived first.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    job, archived = await _found(runtime, job_id)
    if job.state not in FINAL_STATES:
        return job, None
    if archived is None or not archived[2]:
        await _ended_jobs(runtime).keep(job, archived[1] if archived else await _live_findings(runtime, job))
        archived = await runtime.container.archive.get_job(job_id)
    from research_crawler.core.models.reports.report import Report
    from research_crawler.services.forgetting import marked_report

    return job, await marked_report(runtime, Report.model_validate(archived[2])) if archived else None


async def report_of(runtime: Runtime, job_id: str) -> "Report | None":
    """The report of a job that is over, or None if it is not over.

    If the job ended without a planner, this call archives it first.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    return (await job_and_report(runtime, job_id))[1]


async def findings_of(runtime: Runtime, job: Job) -> list[Finding]:
    """The findings of the job so far."""
    archived = await runtime.container.archive.get_job(job.id) if job.state in FINAL_STATES else None
    if archived and archived[0].state == job.state:
        return archived[1]
    return await _live_findings(runtime, job)


async def _live_findings(runtime: Runtime, job: Job) -> list[Finding]:
    return standing(job.review, await runtime.container.jobs.findings(job.id))


async def _found(runtime: Runtime, job_id: str) -> tuple[Job, _Archived | None]:
    """A job, with what the archive has of it if it is over: a long report is read once and not for each part of it."""
    job = await runtime.container.jobs.get(job_id)
    if job is not None and job.state not in FINAL_STATES:
        return job, None
    archived = await runtime.container.archive.get_job(job_id)
    if archived is not None and (job is None or archived[0].state == job.state):
        return archived[0], archived
    if job is None:
        raise UnknownJob(job_id)
    return job, None  # it has ended otherwise since it waited for a person, and is not archived again yet


async def state_document_of(runtime: Runtime, job: Job) -> str:
    """The current research_state.md of a job."""
    from planner.reports.records.state_document import state_document

    return state_document(job, await findings_of(runtime, job))


async def cancel_job(runtime: Runtime, job_id: str) -> bool:
    """Cancel a job and archive what it has found. Return False if it was over already.

    Raises:
        UnknownJob: no job has this id.
    """
    await find_job(runtime, job_id)
    if not await runtime.container.jobs.cancel(job_id):
        return False
    job = await runtime.container.jobs.get(job_id)
    if job is not None:
        await _ended_jobs(runtime).keep(job, await findings_of(runtime, job))
    return True


def _ended_jobs(runtime: Runtime) -> "EndedJobs":
    from research_crawler.adapters.job_folder import DiskJobFolder
    from research_crawler.adapters.vendor_catalogue import load_catalogue
    from research_crawler.background.ended_jobs import EndedJobs

    parts = runtime.container
    return EndedJobs(
        parts.jobs, parts.archive, DiskJobFolder(runtime.config.home), load_catalogue(runtime.config)
    )


async def resumable_job(runtime: Runtime, job_id: str) -> Job:
    """The job that a caller wants to resume; nothing is sent or started.

    Raises:
        UnknownJob: no job has this id.
        JobIsOver: there is nothing to resume.
    """
    job = await find_job(runtime, job_id)
    if job.state in FINAL_STATES:
        raise JobIsOver(job_id, job.state)
    return job


async def resume_job(runtime: Runtime, job_id: str) -> Job:
    """Resume an interrupted job. The time since its last step does not count.

    A process that plans has already resumed all interrupted jobs at its start. If other processes plan, they
    go on with the job by themselves. In both cases this call has nothing to send.

    Raises:
        UnknownJob: no job has this id.
        JobIsOver: there is nothing to resume.
    """
    job = await resumable_job(runtime, job_id)
    if job.state == "waiting_for_human":
        return job
    if not runtime.plan and not await planner_runs(runtime):
        await runtime.container.jobs.deliver(job_id, resume_event(job_id))
    return job


async def planner_runs(runtime: Runtime) -> bool:
    """Whether another process that uses this Redis runs a planner worker."""
    return await runtime.container.presence.others(PLANNER) > 0


async def missing_process(runtime: Runtime) -> Literal["planner", "crawler", ""]:
    """The process without which jobs make no progress; "" if a planner and a crawler run."""
    if not await planner_runs(runtime):
        return "planner"
    return "" if (await runtime.container.frontier.counts(audit=False)).nodes else "crawler"
