"""Finds and follows jobs, for every interface, in Redis and in the archive, also by the first characters of an id.

What makes jobs or renders documents is imported where it is used: a command that only asks Redis starts fast.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from planner.job.rejected import not_rejected
from research_crawler.core.errors import UnknownJob, UsageError
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.runtime.runtime import Runtime

if TYPE_CHECKING:
    from research_crawler.background.ended_jobs import EndedJobs
    from research_crawler.core.models.reports.report import Report
    from research_crawler.runtime.container import Container

_Kept = TypeVar(
    "_Kept", bound=tuple[Job] | tuple[Job, dict[str, Any]] | tuple[Job, list[Finding], dict[str, Any]]
)
FEWEST_ID_CHARS: Final = 3
"""Characters that name a job. Two of 32 letters would often be another's, as soon as there are a few dozen jobs."""
MOST_NAMED_JOBS: Final = 5
"""Most jobs that are named where several begin with the letters given."""


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

    async def record(job: str) -> tuple[Job] | None:
        kept = await runtime.container.archive.get_record(job)
        return (kept,) if kept else None

    return (await _found(runtime, job_id, record))[0]


async def job_and_findings(runtime: Runtime, job_id: str) -> tuple[Job, list[Finding]]:
    """A job with its findings so far.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    job, archived = await _found(runtime, job_id, runtime.container.archive.get_job)
    return job, archived[1] if archived else await _live_findings(runtime, job)


async def job_and_report(runtime: Runtime, job_id: str) -> "tuple[Job, Report | None]":
    """A job with its report if it is over; one that ended without a planner is archived first.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    archive = runtime.container.archive
    job, archived = await _found(runtime, job_id, archive.get_report)
    if job.state not in FINAL_STATES:
        return job, None
    if archived is None or not archived[1]:
        await ended_jobs(runtime).keep(job, await findings_of(runtime, job))
        archived = await archive.get_report(job_id)
    from research_crawler.core.models.reports.report import Report
    from research_crawler.services.forgetting import marked_report

    return job, await marked_report(runtime, Report.model_validate(archived[1])) if archived else None


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
    return not_rejected(job.review, await runtime.container.jobs.findings(job.id))


async def _found(
    runtime: Runtime, job_id: str, read: Callable[[str], Awaitable[_Kept | None]]
) -> tuple[Job, _Kept | None]:
    """A job, with what is wanted of the archive if it is over: thousands of findings are read only where they are."""
    job = await runtime.container.jobs.get(job_id)
    if job is not None and job.state not in FINAL_STATES:
        return job, None
    archived = await read(job_id)
    if archived is not None and (job is None or archived[0].state == job.state):
        return archived[0], archived
    if job is None:
        raise UnknownJob(job_id)
    return job, None  # it has ended otherwise since it waited for a person, and is not archived again yet


async def state_document_of(runtime: Runtime, job: Job) -> str:
    """The current research_state.md of a job."""
    from planner.reports.records.state_document import state_document

    return state_document(job, await findings_of(runtime, job))


def ended_jobs(runtime: Runtime) -> "EndedJobs":
    """What archives a job that ended without a planner."""
    from research_crawler.adapters.job_folder import DiskJobFolder
    from research_crawler.adapters.vendor_catalogue import load_catalogue
    from research_crawler.background.ended_jobs import EndedJobs

    parts = runtime.container
    return EndedJobs(
        parts.jobs, parts.archive, DiskJobFolder(runtime.config.home), load_catalogue(runtime.config)
    )


async def job_named(parts: "Container", name: str) -> str:
    """The id that begins with these characters; a whole id is returned as it is.

    Raises:
        UnknownJob: no job's id begins so, or the name is shorter than three characters.
        UsageError: several do.
    """
    from planner.job.factory import is_job_id

    begun = name.strip().lower()
    if is_job_id(begun) or not name:
        return begun
    if len(begun) < FEWEST_ID_CHARS or not (begun.isascii() and begun.isalnum()):
        raise UnknownJob(name)
    known = {job for job in await parts.jobs.known_ids() if job.startswith(begun)}
    known.update(await parts.archive.ids_from(begun, limit=MOST_NAMED_JOBS + 1))
    if not known:
        raise UnknownJob(name)
    if len(known) > 1:
        shown = sorted(known)[:MOST_NAMED_JOBS]
        more = ", …" if len(known) > MOST_NAMED_JOBS else ""
        raise UsageError(f"{name!r} could be several jobs: {', '.join(shown)}{more}; give more characters")
    return known.pop()
