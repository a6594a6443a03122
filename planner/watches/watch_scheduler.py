"""The scheduler of watches: it turns due slots into runs, and runs into jobs. Any number of processes may run one.

It claims a slot in the archive (one row per watch and slot), then submits a job to Redis under an id made from the
slot. If the process ends between the two, the row stays in state `due` and the next scheduler submits it. A run that
is submitted twice has the same id and counts once.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

from planner.watches.schedule import (
    due_ms,
    is_ahead,
    newest_due,
    next_due_ms,
    next_slot,
    previous_slot,
    run_id,
)
from planner.watches.watch_transitions import run_job
from research_crawler.core.models.jobs.job import FINAL_STATES
from research_crawler.core.models.watches.watch import RunEntry, RunState, Watch, WatchEntry
from research_crawler.core.ports.stores import JobStore
from research_crawler.core.ports.watching import WatchStore
from research_crawler.core.tasks.every import every

_EVERY_S = 1.0
"""How often due slots of watches are looked for."""
LOOK_AFTER_MS = 120_000
"""Submitted runs older than this are checked: their job may have ended without marking them, or Redis lost it."""
LOOK_EVERY_MS = 60_000
"""How often the archive is asked for watches that other processes have changed."""
MOST_OPEN = 100
"""Most runs that are jobs at once. The others wait in the archive, so that users' questions do not wait for them."""

log = logging.getLogger(__name__)


class WatchScheduler:
    """Makes one run of each slot of each watch; of slots missed while no scheduler ran, only the newest."""

    def __init__(
        self,
        watches: WatchStore,
        jobs: JobStore,
        *,
        most_open: int = MOST_OPEN,
        clock_ms: Callable[[], int] | None = None,
    ) -> None:
        """`clock_ms` replaces the time of day in tests and simulations."""
        self._watches, self._jobs = watches, jobs
        self._most_open = most_open
        self._clock_ms = clock_ms or _now_ms
        self._looked_ms = 0

    async def run(self) -> None:
        """Work until cancelled. A failure (Redis or the archive does not answer) is logged once and tried again."""
        await every(_EVERY_S, self.tick, "the scheduling of watches")

    async def tick(self) -> int:
        """Make runs of all due slots and submit them.

        Returns:
            How many runs were submitted.
        """
        now_ms = self._clock_ms()
        await self._put_right(now_ms)
        while due := await self._watches.due(now_ms):
            await self._watches.claim([_claim_of(entry, now_ms) for entry in due])
        submitted = await self._submit_all(now_ms)
        if abs(now_ms - self._looked_ms) >= LOOK_EVERY_MS:
            self._looked_ms = now_ms
            await self._check_submitted(now_ms)
        return submitted

    async def _put_right(self, now_ms: int) -> None:
        """Bring watches back whose last slot, or whose beginning, is in the future: a clock was ahead for a while."""
        for entry in await self._watches.dated_after(now_ms):
            schedule = entry.watch.schedule
            if is_ahead(schedule, schedule.anchor_ms, now_ms):
                schedule = schedule.changed(anchor_ms=now_ms)
            elif not is_ahead(schedule, entry.last_slot_ms, now_ms):
                continue
            watch = entry.watch.changed(schedule=schedule)
            last_ms = previous_slot(schedule, now_ms)
            last_ms = now_ms if last_ms is None else last_ms
            due = next_due_ms(schedule, watch.id, last_ms)
            if await self._watches.replace_if_unchanged(entry, watch, last_slot_ms=last_ms, next_due_ms=due):
                log.warning("watch %s was planned by a clock that was ahead; it goes on from now", watch.id)

    async def _submit_all(self, now_ms: int) -> int:
        total = 0
        while waiting := await self._watches.runs_in("due", limit=await self._room()):
            await asyncio.gather(*(self._submit(run, watch) for run, watch in waiting))
            await self._watches.mark_runs([run.id for run, _ in waiting], "submitted", now_ms=now_ms)
            total += len(waiting)
        return total

    async def _room(self) -> int:
        return max(0, self._most_open - await self._watches.count_runs("submitted"))

    async def _submit(self, run: RunEntry, watch: Watch) -> None:
        created = datetime.fromtimestamp(run.created_ms / 1000, UTC).isoformat(timespec="seconds")
        await self._jobs.submit(run_job(watch, run.slot_ms, created_at=created))

    async def _check_submitted(self, now_ms: int) -> None:
        """Mark runs whose job has ended without marking them, and submit again those whose job Redis lost."""
        for run, watch in await self._watches.runs_in("submitted", before_ms=now_ms - LOOK_AFTER_MS):
            job = await self._jobs.get(run.id)
            if job is None:
                await self._submit(run, watch)
            elif job.state in FINAL_STATES:
                state: RunState = "done" if job.state == "completed" else "failed"
                await self._watches.mark_runs([run.id], state, now_ms=now_ms, note=job.error or job.state)


def _claim_of(entry: WatchEntry, now_ms: int) -> tuple[WatchEntry, RunEntry | None, int | None]:
    """The newest due slot of a watch as a run, and when to check the watch again."""
    schedule, watch = entry.watch.schedule, entry.watch.id
    slot = newest_due(schedule, watch, now_ms, after_ms=entry.last_slot_ms)
    following = next_slot(schedule, entry.last_slot_ms if slot is None else slot)
    next_due = None if following is None else due_ms(schedule, watch, following)
    if slot is None:
        return entry, None, next_due
    run = RunEntry(id=run_id(watch, slot), watch=watch, slot_ms=slot, state="due", created_ms=now_ms)
    return entry, run, next_due


def _now_ms() -> int:
    return int(time.time() * 1000)
