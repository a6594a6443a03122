"""The live events of jobs, for any number of readers in one process.

A job that somebody reads is looked at once for all its readers, after each of its commits. A reader has no queue: it
keeps the place up to which it was told, and takes the next events from the newest record when it is ready for them.
"""

import asyncio
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import find_job
from research_crawler.services.jobs.job_status import current_status_of
from research_crawler.services.jobs.waiting import shared_look

END_ID = "end"
"""The id of a job's last event."""
STILL_S = 5.0
"""How long after its last change what a job waits for is looked up again."""


class JobEvent(Frozen):
    """An event of a job.

    `step` is a line of its timeline and has an id, from which a reader can go on; `status` is where the job stands,
    and each replaces the one before; `end` is the last event.
    """

    name: Literal["step", "status", "end"]
    id: str | None = None
    data: TimelineEntry | JobStatus


@dataclass
class _Feed:
    """What the readers of one job share."""

    readers: int = 0
    number: int = 0
    job: Job | None = None
    status: JobStatus | None = None
    fault: Exception | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Wake all readers."""
        self.number += 1
        self.changed.set()
        self.changed = asyncio.Event()


class JobFeeds:
    """The feeds of all jobs that somebody reads in this process."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._feeds: dict[str, _Feed] = {}
        self._is_closed = False
        self.around = shared_look(runtime)

    def close(self) -> None:
        """End all readers."""
        self._is_closed = True
        for feed in self._feeds.values():
            feed.wake()

    async def events(self, job_id: str, *, after: str = "") -> AsyncIterator[JobEvent]:
        """The events of a job until it is over or the feeds are closed.

        Args:
            job_id: a job that exists.
            after: the id of the last event that the reader has; events that were kept since then come first. Empty:
                all that are kept.

        Raises:
            UnknownJob: it was forgotten.
        """
        if after == END_ID:
            return
        async with self._reading(job_id) as feed:
            seen, last_sent = 0, after
            while not self._is_closed:
                if feed.number == seen:
                    await feed.changed.wait()
                    continue
                seen = feed.number
                if feed.fault:
                    raise feed.fault
                if feed.job is None or feed.status is None:
                    continue
                status, is_over = feed.status, feed.job.state in FINAL_STATES
                for id_, entry in steps_after(feed.job.timeline, last_sent):
                    yield JobEvent(name="step", id=id_, data=entry)
                    last_sent = id_
                if is_over:
                    yield JobEvent(name="end", id=END_ID, data=status)
                    return
                yield JobEvent(name="status", data=status)

    @asynccontextmanager
    async def _reading(self, job_id: str) -> AsyncIterator[_Feed]:
        feed = self._feeds.setdefault(job_id, _Feed())
        feed.readers += 1
        if feed.task is None:
            feed.task = asyncio.create_task(self._follow(job_id, feed), name=f"feed of {job_id}")
        try:
            yield feed
        finally:
            feed.readers -= 1
            if not feed.readers:
                self._feeds.pop(job_id, None)
                feed.task.cancel()

    async def _follow(self, job_id: str, feed: _Feed) -> None:
        overview = self._runtime.container.overview
        try:
            known = await overview.version(job_id)
            if await self._look(job_id, feed, is_new=True) in FINAL_STATES:
                return
            async for _ in self._runtime.container.jobs.changes(job_id, timeout_s=STILL_S):
                version = await overview.version(job_id)
                if await self._look(job_id, feed, is_new=version != known) in FINAL_STATES:
                    return
                known = version
        except Exception as error:
            feed.fault = error
            feed.wake()

    async def _look(self, job_id: str, feed: _Feed, *, is_new: bool) -> str:
        """Look at the job, and wake the readers if anything but the clock has changed. Return its state.

        A record that is not new is not read again.
        """
        job = await find_job(self._runtime, job_id) if is_new or feed.job is None else feed.job
        around = None if job.state in FINAL_STATES else (await self.around.result()).result
        status = await current_status_of(self._runtime, job, around)
        waits = feed.status.waits_for if feed.status else None
        feed.job, feed.status = job, status
        if is_new or status.waits_for != waits:
            feed.wake()
        return job.state


async def check_job(runtime: Runtime, job_id: str) -> None:
    """Check that a job exists, before its events are promised.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    if await runtime.container.overview.version(job_id) is None:
        await find_job(runtime, job_id)


def steps_after(timeline: Sequence[TimelineEntry], last_sent: str) -> list[tuple[str, TimelineEntry]]:
    """The lines of a timeline after the one with an id, each with its id; all if the id is empty.

    The timeline is bounded, so the line with the id may be gone; then all that are not older than it are given.
    """
    lines = [(_id_of(entry), entry) for entry in timeline]
    places = [place for place, (id_, _) in enumerate(lines) if id_ == last_sent]
    if places:
        return lines[places[-1] + 1 :]
    at = last_sent.partition("-")[0]
    since_ms = int(at) if at.isascii() and at.isdigit() and len(at) < 16 else 0
    return [(id_, entry) for id_, entry in lines if entry.at_ms >= since_ms]


def _id_of(entry: TimelineEntry) -> str:
    """The id of a line: its time, and a checksum that tells it from others of the same time."""
    return f"{entry.at_ms}-{zlib.crc32(entry.model_dump_json().encode()):08x}"
