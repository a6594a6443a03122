"""Lists jobs page by page, newest first: those in Redis and those in the archive, without runs of watches."""

import base64
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import Field

from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs.job import Job, status_of
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.core.text.translatable import translatable
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_status import status_of_record

MOST_JOBS = 200
"""Most jobs on a page."""
_LOOKED_THROUGH = 100
"""Jobs that are looked through at once for those that a list asks for."""
_MOST_LOOKED_AT = 2_000
"""Jobs that one page of a search looks through."""
_END_OF_TIME_MS = 2**53
"""A time behind all others: the largest integer that JSON carries exactly."""


class JobPage(Frozen):
    """Some jobs, newest first, and where the next page begins."""

    jobs: list[JobStatus] = Field(default_factory=list)
    next: str | None = None
    """What to give as `after` for the next page; null: this is the last one."""


@dataclass(frozen=True, order=True)
class _Place:
    """A place in the list: all jobs that were submitted before this one come after it."""

    created_at: str = ""
    job: str = ""
    before_ms: int = _END_OF_TIME_MS
    """All jobs after this place were submitted before this time."""

    def is_before(self, other: "_Place") -> bool:
        """Whether another place comes after this one, as its job is older."""
        return not self.created_at or other < self


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


async def records_page(
    runtime: Runtime, *, limit: int, after: str = "", words: Sequence[str] = ()
) -> tuple[list[Job], str | None]:
    """The same page as records without the fields of `NOT_LISTED`, and where the next one begins.

    Of the jobs in the archive, `words` leaves out those that have not all of them in their question.

    Raises:
        UsageError: `after` is not from a page.
    """
    limit, place = max(1, min(limit, MOST_JOBS)), _place_of(after)
    found = {
        _Place(created_at, job)
        for job, created_at in await runtime.container.archive.submitted_before(
            place.created_at, place.job, limit=limit + 1, words=words
        )
    }
    live: list[_Place] = []
    async for job in _live_jobs(runtime, place, limit + 1):
        # Redis has them by the millisecond, pages by the second and the id: a page needs whole seconds.
        if len(live) > limit and job.created_at < live[-1].created_at:
            break
        live.append(job)
    places = sorted(found.union(live), reverse=True)
    shown = places[:limit]
    following = _text_of(shown[-1]) if len(places) > limit else None
    return await _records(runtime, shown, set(live)), following


async def _records(runtime: Runtime, places: Sequence[_Place], live: Collection[_Place]) -> list[Job]:
    """The records at these places. One that is in both stores is shown as in Redis: it may have been brought back."""
    read = await runtime.container.overview.listed([place.job for place in places if place in live])
    found = {job.id: job for job in read if job}
    missing = [place.job for place in places if place.job not in found]
    found |= {job.id: job for job in await runtime.container.archive.listed(missing)}
    return [found[place.job] for place in places if place.job in found]


@dataclass(frozen=True)
class ListedBatch:
    """The rows of a batch among listed jobs."""

    id: str
    rows: list[JobStatus] = field(default_factory=list)


@dataclass(frozen=True)
class JobList:
    """Jobs and batches, newest first, each batch where its newest row stands."""

    entries: list[JobStatus | ListedBatch]
    next: str | None = None


async def found_jobs(
    runtime: Runtime, *, limit: int, after: str = "", words: str = "", state: str = ""
) -> JobList:
    """A page of jobs as people look for them, with the rows of a batch as one entry.

    Args:
        runtime: a process that is connected to the stores.
        limit: how many entries, at most.
        after: `next` of the page before; empty: the first page.
        words: which the question must have, in any order.
        state: the outcome of a completed job, the state or the status of another one; empty: any.

    Raises:
        UsageError: `after` is not from a page.
    """
    found, following = await job_entries(runtime, limit, after=after, words=words, state=state)
    entries: list[JobStatus | ListedBatch] = []
    for jobs in found:
        statuses, batch = [status_of_record(job) for job in jobs], jobs[0].inputs.batch_id
        entries.append(ListedBatch(batch, statuses) if batch else statuses[0])
    return JobList(entries, following)


async def job_entries(
    runtime: Runtime, limit: int, *, after: str = "", words: str = "", state: str = ""
) -> tuple[list[list[Job]], str | None]:
    """The same page as records: a job alone, or the rows of a batch together; and where the next page begins."""
    entries: list[list[Job]] = []
    batches: dict[str, list[Job]] = {}
    async for where, job in _sought(runtime, words.casefold().split(), state, limit + 1, after):
        batch = job.inputs.batch_id if job else ""
        if job and batch in batches:
            batches[batch].append(job)
        elif job is None or len(entries) == limit:
            return entries, where
        else:
            entries.append(batches.setdefault(batch, [job]) if batch else [job])
    return entries, None


async def _sought(
    runtime: Runtime, words: Sequence[str], state: str, at_once: int, after: str
) -> AsyncIterator[tuple[str, Job | None]]:
    """The jobs with these words and this state, each with the place before it; None: so many were looked through."""
    looked_at, following = 0, after or None
    while following is not None or not looked_at:
        if looked_at >= _MOST_LOOKED_AT:
            yield after, None
            return
        jobs, following = await records_page(runtime, limit=at_once, after=after, words=words)
        for job in jobs:
            if _is_wanted(job, words, state):
                yield after, job
            after = _text_of(_Place(job.created_at, job.id))
        looked_at, after = looked_at + max(1, len(jobs)), following or ""


def _is_wanted(job: Job, words: Sequence[str], state: str) -> bool:
    told = job.outcome if job.state == "completed" and job.outcome else job.state
    topic = job.topic.casefold() if words else ""
    return state in ("", told, status_of(job.state)) and all(word in topic for word in words)


async def own_questions(runtime: Runtime, limit: int) -> list[JobStatus]:
    """The newest jobs that are no rows of batches, at most so many, of the hundred newest."""
    jobs, _ = await records_page(runtime, limit=_LOOKED_THROUGH)
    return [status_of_record(job) for job in jobs if not job.inputs.batch_id][:limit]


async def follow_ups_of(runtime: Runtime, job: str) -> list[JobStatus]:
    """The questions that were asked about a job's report, newest first, of the two hundred newest jobs."""
    jobs, _ = await records_page(runtime, limit=MOST_JOBS)
    return [status_of_record(one) for one in jobs if one.inputs.about_job == job]


async def newest_jobs(runtime: Runtime, limit: int) -> list[Job]:
    """The newest jobs, at most so many, as records without the fields of `NOT_LISTED`."""
    jobs, after = await records_page(runtime, limit=limit)
    while after and len(jobs) < limit:
        more, after = await records_page(runtime, limit=limit - len(jobs), after=after)
        jobs += more
    return jobs


async def _live_jobs(runtime: Runtime, place: _Place, at_once: int) -> AsyncIterator[_Place]:
    """The places of jobs in Redis after a place, newest first; so many are read at once."""
    skip = 0
    while True:
        read = await runtime.container.overview.submitted_before(place.before_ms, limit=at_once, skip=skip)
        for job in read:
            if job is None or job.is_watch_run:
                continue
            found = _Place(job.created_at, job.id)
            if place.is_before(found):
                yield found
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
        raise UsageError(
            translatable("`after` is not from a page of jobs; leave it out for the first page")
        ) from None
    return _Place(created_at, job, before_ms)
