"""Cancels and resumes jobs, and tells which process is missing for them to make progress."""

from typing import Literal

from research_crawler.adapters.redis.presence import PLANNER
from research_crawler.core.errors import JobIsOver
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.runtime.runtime import Runtime, resume_event
from research_crawler.services.jobs.job_lookup import ended_jobs, find_job, findings_of


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
        await ended_jobs(runtime).keep(job, await findings_of(runtime, job))
    return True


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
