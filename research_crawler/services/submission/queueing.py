"""Puts a made job into the queue, so that no acknowledged job is lost: the archive has it first."""

from research_crawler.core.models.jobs.job import Job
from research_crawler.runtime.runtime import Runtime


async def queue_job(runtime: Runtime, job: Job) -> bool:
    """Keep a job in the archive, then submit it to Redis, which may lose its last second at a power loss.

    Returns:
        False if there is a job with this id already.

    Raises:
        StorageFull: the archive or Redis takes nothing; the job is not queued then.
    """
    from research_crawler.adapters.sql.open_jobs import SqlOpenJobs  # here: it loads the database

    open_jobs = SqlOpenJobs(runtime.container.archive)
    await open_jobs.add(job)
    try:
        return await runtime.container.jobs.submit(job)
    except Exception:
        await open_jobs.drop(job.id)  # it was refused: it must not begin later
        raise
