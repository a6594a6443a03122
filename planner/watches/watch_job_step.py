"""One step of a watch's run: turn events into readings, store them in the archive, and decide what comes next."""

import time

from planner.reports.job_completion import failed_job
from planner.watches.watch_transitions import CONFIRM_MS, NextAction, next_action, read_run
from research_crawler.core.errors import LeaseLost, NotStarted, ResearchError
from research_crawler.core.failpoints import failpoint
from research_crawler.core.models.jobs.job import FINAL_STATES, ClaimedJob, Job
from research_crawler.core.models.messages.events import read_event
from research_crawler.core.ports.stores import JobStore
from research_crawler.core.ports.watching import WatchStore


class WatchJobStep:
    """A step of a watch's run; the worker treats it like a step of any other job.

    It writes the archive before Redis. If the process is killed between the two, the step is repeated; the archive
    knows its readings by then, so they count once.
    """

    def __init__(
        self, jobs: JobStore, watches: WatchStore | None, taken: ClaimedJob, *, confirm_ms: int = CONFIRM_MS
    ) -> None:
        self._jobs, self._watches, self._taken = jobs, watches, taken
        self._confirm_ms = confirm_ms
        self.is_committing = False
        """True once the commit starts: from then on the step must not be cancelled."""

    async def run(self) -> None:
        """Do the step.

        Raises:
            LeaseLost: another process has the job now.
            NewerWire: an event has a newer version than this process knows.
        """
        failpoint("after-take")
        job, now_ms = self._taken.job, self._taken.now_ms
        reading = read_run(job, [read_event(raw) for raw in self._taken.events], now_ms)
        again: list[int] = []
        if job.watch.fetches:  # the first step has no readings yet
            again = await self._store().settle(self._watch(), job.id, reading.readings)
        action = next_action(reading, again, now_ms, confirm_ms=self._confirm_ms)
        if action.job.state in FINAL_STATES:
            await self._store().mark_runs([job.id], "done", now_ms=now_ms)
        await self._commit(action)

    async def fail(self, why: str) -> None:
        """End the run as failed; its watch continues with the next slot."""
        failed = failed_job(self._taken.job, why, int(time.time() * 1000))
        try:
            if self._watches:
                now_ms = self._taken.now_ms
                await self._watches.mark_runs([failed.id], "failed", now_ms=now_ms, note=why[:300])
        finally:
            await self._commit(NextAction(failed))

    async def _commit(self, action: NextAction) -> None:
        new: Job = action.job
        failpoint("before-commit")
        self.is_committing = True
        answer = await self._jobs.commit(
            self._taken,
            new,
            commands=action.commands,
            timers=action.timers,
            withdraw=new.state in FINAL_STATES,
        )
        if answer == "lost":
            raise LeaseLost(f"job {new.id} was taken over")
        if answer != "ok":
            raise ResearchError(f"the step of job {new.id} was refused: {answer}")
        failpoint("after-commit")

    def _store(self) -> WatchStore:
        if self._watches is None:
            raise NotStarted("this process has no archive of watches")
        return self._watches

    def _watch(self) -> str:
        return self._taken.job.inputs.watch.watch if self._taken.job.inputs.watch else ""
