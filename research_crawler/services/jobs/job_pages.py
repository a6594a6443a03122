"""Lists jobs page by page, newest first: those in Redis and those in the archive, without runs of watches."""

import base64
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.status import JobStatus
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.progress import status_of_record

MOST_JOBS = 200
"""Most jobs on a page."""
_END_OF_TIME_MS = 2**53


class JobPage(Frozen):
    """Some jobs, newest first, and where the next page begins."""

    jobs: list[JobStatus] = Field(default_factory=list)
    next: str | None = None
    """What to give as `after` for the next page; null: this is the last one."""


@dataclass(frozen=True)
class _Place:
    """A place in the list: all jobs that were submitted before this one come after it."""

    created_at: str = ""
    job: str = ""
    before_ms: int = _END_OF_TIME_MS
    """All jobs after this place were submitted before this time."""

    def is_before(self, job: Job) -> bool:
        """Whether a job comes after this place, as it is older."""
        return not self.created_at or (job.created_at, job.id) < (self.created_at, self.job)


async def page_of_jobs(runtime: Runtime, *, limit: int, after: str = "") -> JobPage:
    """A page of jobs.

    Args:
        runtime: a process that is connected to the stores.
        limit: how many jobs, at most.
        after: `next` of the page before; empty: the first page.

    Raises:
        UsageError: `after` is not from a page.
    """
    jobs, following = await records_page(runtime, limit=limit, after=after)
    return JobPage(jobs=[status_of_record(job) for job in jobs], next=following)


async def records_page(runtime: Runtime, *, limit: int, after: str = "") -> tuple[list[Job], str | None]:
    """The same page as records, and where the next one begins.

    Raises:
        UsageError: `after` is not from a page.
    """
    limit, place = max(1, min(limit, MOST_JOBS)), _place_of(after)
    live: list[Job] = []
    async for job in _live_jobs(runtime, place, limit + 1):
        # Redis has them by the millisecond, pages by the second and the id: a page needs whole seconds.
        if len(live) > limit and job.created_at < live[-1].created_at:
            break
        live.append(job)
    archived = await runtime.container.archive.jobs_before(place.created_at, place.job, limit=limit + 1)
    # A job that was brought back for another round is in both: where it stands now is in Redis.
    found = {job.id: job for job in (*archived, *live)}
    jobs = sorted(found.values(), key=lambda job: (job.created_at, job.id), reverse=True)
    shown = jobs[:limit]
    following = _text_of(_Place(shown[-1].created_at, shown[-1].id)) if len(jobs) > limit else None
    return shown, following


async def newest_jobs(runtime: Runtime, limit: int) -> list[Job]:
    """The newest jobs, at most so many, as records."""
    jobs, after = await records_page(runtime, limit=limit)
    while after and len(jobs) < limit:
        more, after = await records_page(runtime, limit=limit - len(jobs), after=after)
        jobs += more
    return jobs


async def _live_jobs(runtime: Runtime, place: _Place, at_once: int) -> AsyncIterator[Job]:
    """The jobs in Redis after a place, newest first; so many records are read at once."""
    skip = 0
    while True:
        read = await runtime.container.overview.submitted_before(place.before_ms, limit=at_once, skip=skip)
        for job in read:
            if job is not None and job.inputs.watch is None and place.is_before(job):
                yield job
        skip += len(read)
        if len(read) < at_once:
            return


def _text_of(place: _Place) -> str:
    return base64.urlsafe_b64encode(f"{place.created_at} {place.job}".encode()).decode()


def _place_of(text: str) -> _Place:
    if not text:
        return _Place()
    try:
        created_at, job = base64.urlsafe_b64decode(text).decode().split(" ")
        before_ms = int(datetime.fromisoformat(created_at).timestamp() + 2) * 1000
    except (ValueError, OverflowError):
        raise UsageError("`after` is not from a page of jobs; leave it out for the first page") from None
    return _Place(created_at, job, before_ms)
