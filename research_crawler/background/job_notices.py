"""Sends notices of jobs and batches: when one ends, and when a job asks a person. Each is sent once to each place."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from planner.job.outcome import outcome_of
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.adapters.sql.stores.notice_store import AwaitedEnd, SqlNotices
from research_crawler.background.notice_delivery import NoticeDelivery
from research_crawler.core.log import get_log
from research_crawler.core.models.jobs.batches import BatchEntry
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, Outcome, status_of
from research_crawler.core.models.people.interventions import Intervention
from research_crawler.core.models.watches.notices import Notice
from research_crawler.core.ports.archives import Archive
from research_crawler.core.ports.watching import Notifier
from research_crawler.core.tasks.every import every
from research_crawler.frontier.person_queue import PersonQueue

_EVERY_S: Final = 2.0
"""How often notices of jobs and batches are looked for."""
_LAST_S: Final = 15.0
"""How long a process that ends may take to send what is due."""

_COMPLETED: Final[dict[Outcome | None, str]] = {
    "answered": "is answered",
    "partly": "is partly answered",
    "insufficient": "found too little evidence",
    "nothing_worked": "could not read anything",
    None: "is complete",
}
"""What the notice of a completed job says of it, by its outcome."""

log = get_log(__name__)


class JobNotices:
    """The loop that looks at awaited jobs and sends what is due. Any number of processes may run it."""

    def __init__(
        self,
        notices: SqlNotices,
        jobs: RedisJobs,
        archive: Archive,
        notifier: Notifier,
        *,
        batches: SqlBatches | None = None,
        people: PersonQueue | None = None,
        clock_ms: Callable[[], int] | None = None,
    ) -> None:
        """Make the loop.

        Args:
            batches: whose ends are told too.
            people: what persons are asked about walls is told too.
            clock_ms: replaces the clock in tests.
        """
        self._people, self._batches = people, batches
        self._notices, self._jobs, self._archive = notices, jobs, archive
        self._clock_ms = clock_ms or _now_ms
        self._ticking: asyncio.Task[int] | None = None
        self._delivery = NoticeDelivery(notices, notifier, clock_ms=self._clock_ms)

    async def run(self) -> None:
        """Look and send until cancelled. An error is logged, and the loop goes on."""
        await every(_EVERY_S, self._tick_whole, "the sending of notices")

    async def _tick_whole(self) -> None:
        """Look and send once; a notice that is being sent is not cut off."""
        self._ticking = asyncio.create_task(self.tick())
        await asyncio.shield(self._ticking)

    async def tick(self) -> int:
        """Look at the awaited jobs once, send what is due, and return how many notices arrived."""
        awaited = await self._notices.awaited()
        for job_id, end in awaited.items():
            await self._look(job_id, end)
        if awaited and self._people:
            await self._tell_walls(self._people, awaited)
        return await self._delivery.tick()

    async def _tell_walls(self, people: PersonQueue, awaited: Mapping[str, AwaitedEnd]) -> None:
        """Tell of each wall that waits for a person, at the destinations of the job that met it first."""
        for wall in await people.all():
            if wall.state != "open" or wall.job not in awaited:
                continue
            if (job := await self._jobs.get(wall.job)) is not None:
                notice = notice_of_wall(job, wall)
                await self._notices.add(notice, awaited[wall.job].destinations, now_ms=self._clock_ms())

    async def last(self) -> None:
        """Send what is due before the process ends: `research run` ends with its job."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_S):
                if self._ticking and not self._ticking.done():
                    await asyncio.wait({self._ticking})
                await self.tick()

    async def _look(self, job_id: str, end: AwaitedEnd) -> None:
        job = await self._jobs.get(job_id)
        if job is None and (archived := await self._archive.get_job(job_id)) is not None:
            job = archived[0]
        now_ms = self._clock_ms()
        if job is None:
            entry = await self._batches.get(job_id) if self._batches else None
            if entry is not None and entry.state != "running":
                await self._notices.end(notice_of_batch(entry, end.key), now_ms=now_ms)
            return
        if job.state in FINAL_STATES:
            await self._notices.end(notice_of_end(job), now_ms=now_ms)
        elif job.state == "waiting_for_human" and (question := job.review.question) is not None:
            await self._notices.add(
                notice_of_question(job, question.no, question.text), end.destinations, now_ms=now_ms
            )


def notice_of_end(job: Job) -> Notice:
    """What is sent when a job is over."""
    words = {"failed": "failed", "cancelled": "was cancelled"}.get(job.state) or _COMPLETED[job.outcome]
    return Notice(
        key=f"{job.id}:end",
        job=job.id,
        title=f"Research {words}: {_short(job)}",
        text=job.error or f"`research result {job.id}` shows the report.",
        body=_body(job, f"job.{job.state}"),
    )


def notice_of_batch(entry: BatchEntry, key: str) -> Notice:
    """What is sent when a batch is over, or has stopped. Each end of a batch that is resumed has a key of its own."""
    batch = entry.batch
    words = {"completed": "is complete", "stopped": "has stopped", "cancelled": "was cancelled"}[entry.state]
    counts: dict[str, int] = {state: count for state, count in entry.counts.items() if count}
    fields = {
        "batch": batch.id,
        "name": batch.name,
        "state": entry.state,
        "reason": entry.reason or None,
        "rows_total": batch.rows,
        "rows_ended": entry.ended_rows,
        "counts": counts,
        "tokens": entry.tokens,
        "usd": round(entry.usd, 6),
    }
    rows = ", ".join(f"{count} {state}" for state, count in counts.items())
    return Notice(
        key=key,
        job=batch.id,
        title=f"Batch {words}: {_shortened(batch.name)}",
        text=entry.reason or f"{rows}; `research batch result {batch.id}` shows the table.",
        body={"event": f"batch.{entry.state}", "batch": fields},
    )


def notice_of_question(job: Job, number: int, text: str) -> Notice:
    """What is sent when a job waits for a person."""
    return Notice(
        key=f"{job.id}:question:{number}",
        job=job.id,
        title=f"Research asks you: {_short(job)}",
        text=text,
        body=_body(job, "job.needs_input") | {"question": text},
    )


def notice_of_wall(job: Job, wall: Intervention) -> Notice:
    """What is sent when a page of a job waits for a person."""
    text = f"{wall.host} shows a {wall.kind.value.replace('_', ' ')}: `research interventions open {wall.id}`"
    asked = {"id": wall.id, "host": wall.host, "url": wall.url, "kind": wall.kind.value}
    return Notice(
        key=f"{job.id}:wall:{wall.id}",
        job=job.id,
        title=f"Research asks you to open a page: {_short(job)}",
        text=text,
        body=_body(job, "job.needs_person") | {"intervention": asked},
    )


def _body(job: Job, event: str) -> dict[str, object]:
    fields = {
        "task_id": job.id,
        "status": status_of(job.state),
        "state": job.state,
        "outcome": outcome_of(job),
        "topic": job.topic,
        "error": job.error or None,
        "created_at": job.created_at,
        "completed_at": job.completed_at or None,
    }
    return {"event": event, "job": fields}


def _short(job: Job) -> str:
    return _shortened(job.inputs.goal)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:99]}…"


def _now_ms() -> int:
    return int(time.time() * 1000)
