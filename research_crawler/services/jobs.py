"""Jobs as people and scripts reach them: found, followed, cancelled, resumed; in Redis or in the archive."""

from collections.abc import AsyncIterator

from planner.reports.state_document import state_document
from research_crawler.adapters.job_folder import DiskJobFolder
from research_crawler.adapters.vendor_catalogue import load_catalogue
from research_crawler.background.ended_jobs import EndedJobs
from research_crawler.core.errors import UnknownJob, UsageError
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import FINAL_STATES, Job
from research_crawler.core.models.reports import Report
from research_crawler.runtime.runtime import PLANNER, Runtime, resume_event
from research_crawler.services.forgetting import marked_report


async def follow(runtime: Runtime, job_id: str) -> AsyncIterator[Job]:
    """The job after each of its commits, the last time when it is over.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
        whatever ended one of this process's loops: nobody would go on with the job here.
    """
    async for _ in runtime.container.jobs.changes(job_id):
        runtime.check()
        job = await find_job(runtime, job_id)
        yield job
        if job.state in FINAL_STATES:
            return


async def find_job(runtime: Runtime, job_id: str) -> Job:
    """A job: from the archive once it is over, where all of its report is, else from Redis.

    Raises:
        UnknownJob: neither has it.
    """
    job = await runtime.container.jobs.get(job_id)
    if job is not None and job.state not in FINAL_STATES:
        return job
    kept = await runtime.container.archive.get_job(job_id)
    if kept is not None:
        return kept[0]
    if job is None:
        raise UnknownJob(job_id)
    return job


async def all_jobs(runtime: Runtime, limit: int) -> list[Job]:
    """Jobs of Redis and of the archive, newest first, each once; runs of watches are not among them."""
    jobs = {job.id: job for job in await runtime.container.jobs.list_jobs() if job.inputs.watch is None}
    jobs |= {job.id: job for job in await runtime.container.archive.list_jobs(limit)}
    return sorted(jobs.values(), key=lambda job: job.created_at, reverse=True)[:limit]


async def report_of(runtime: Runtime, job_id: str) -> Report | None:
    """The report of a job that is over, or None before its end. A job that ended without a planner is archived now.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    job = await find_job(runtime, job_id)
    if job.state not in FINAL_STATES:
        return None
    kept = await runtime.container.archive.get_job(job_id)
    if kept is None or not kept[2]:
        await _ended_jobs(runtime).keep(job, await findings_of(runtime, job))
        kept = await runtime.container.archive.get_job(job_id)
    return await marked_report(runtime, Report.model_validate(kept[2])) if kept else None


async def findings_of(runtime: Runtime, job: Job) -> list[Finding]:
    """What the job has found so far."""
    kept = await runtime.container.archive.get_job(job.id) if job.state in FINAL_STATES else None
    return kept[1] if kept else await runtime.container.jobs.findings(job.id)


async def state_document_of(runtime: Runtime, job: Job) -> str:
    """research_state.md of a job, as it is now."""
    return state_document(job, await findings_of(runtime, job))


async def cancel_job(runtime: Runtime, job_id: str) -> bool:
    """End a job and keep what it had found; False when it was over already.

    Raises:
        UnknownJob: there is none of this id.
    """
    await find_job(runtime, job_id)
    if not await runtime.container.jobs.cancel(job_id):
        return False
    job = await runtime.container.jobs.get(job_id)
    if job is not None:
        await _ended_jobs(runtime).keep(job, await findings_of(runtime, job))
    return True


def _ended_jobs(runtime: Runtime) -> EndedJobs:
    parts = runtime.container
    return EndedJobs(parts.jobs, parts.archive, DiskJobFolder(), load_catalogue(runtime.config))


async def resume_job(runtime: Runtime, job_id: str) -> Job:
    """Go on with an interrupted job: the time it lay still does not count.

    A process that plans has resumed all such jobs at its start, unless others were planning, who go on by themselves.

    Raises:
        UnknownJob: there is none of this id.
        UsageError: it is over.
    """
    job = await find_job(runtime, job_id)
    if job.state in FINAL_STATES:
        raise UsageError(f"job {job_id} is {job.state}; `research result {job_id}` shows what it found")
    if not runtime.plan and not await somebody_plans(runtime):
        await runtime.container.jobs.deliver(job_id, resume_event(job_id))
    return job


async def somebody_plans(runtime: Runtime) -> bool:
    """Whether another process on this Redis runs a planner worker."""
    return await runtime.container.presence.others(PLANNER) > 0


async def what_is_missing(runtime: Runtime) -> str:
    """Which process has to be started for jobs to go on; empty when all are there."""
    plans, nodes = await somebody_plans(runtime), (await runtime.container.frontier.counts(audit=False)).nodes
    if plans and nodes:
        return ""
    if plans:
        return "no crawler is running here; `research crawl` or `research up` will run it"
    return "nothing is running here; `research up` will run it"
