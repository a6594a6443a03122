"""The planner worker: takes runnable jobs, runs their next steps and commits them, hundreds at once in one process."""

import asyncio
import contextlib
import logging
from dataclasses import dataclass

from planner.rounds.job_step import JobStep
from planner.rounds.ports import Ports
from planner.watches.watch_job_step import WatchJobStep
from planner.watches.watch_transitions import CONFIRM_MS
from research_crawler.core.errors import LeaseLost, NewerWire, RedisFull, ResearchError
from research_crawler.core.models.jobs.job import ClaimedJob
from research_crawler.core.ports.watching import WatchStore
from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.core.tasks.every import every
from research_crawler.core.tasks.owners import owned_by
from research_crawler.core.tasks.work_time import active_s

LAST_TRY = 6
"""A failure at the sixth try of the same step ends the job; Redis does not hand it out for a seventh one."""
RENEW_S = 2.0
"""How often a worker extends its claims of jobs."""
SIGNALLED_S = 0.2
"""Claims are looked at after every signal, at most so often: the signal may be that a job was cancelled."""
NEWER_S = 5.0
"""How long a job with a message of a newer version is held, so that a newer process can take it."""
_POLL_S = 1.0
"""How long a worker without jobs waits before it looks again."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WorkerSettings:
    """How much one worker does at once."""

    max_active: int = 200
    """Most jobs that run at once; the others are pending."""
    rows_beside: int = 0
    """So many rows of batches go on while a single job is under way; 0: all."""
    max_steps: int = 200
    """Most steps, of different jobs, that this process runs at once."""
    confirm_ms: int = CONFIRM_MS
    """How long a run of a watch waits before it fetches a change again."""


@dataclass
class _Running:
    """A job that this worker has taken, and the step that it runs."""

    taken: ClaimedJob
    step: JobStep | WatchJobStep


class PlannerWorker:
    """Takes jobs, applies their events, asks the brain and commits. A job never has two decisions at once."""

    def __init__(
        self, ports: Ports, *, watches: WatchStore | None = None, settings: WorkerSettings | None = None
    ) -> None:
        """`watches` is for jobs that are runs of a watch."""
        self._ports = ports
        self._watches = watches
        self._settings = settings or WorkerSettings()
        self._tasks: dict[asyncio.Task[None], _Running] = {}
        self._poked, self._stopping = asyncio.Event(), False
        self._signalled = asyncio.Event()

    async def run(self) -> None:
        """Work until `stop`."""
        renewing = every(
            RENEW_S,
            self._renew,
            "the renewal of claims on jobs",
            longest_s=RENEW_S,
            pause=self._until_signalled,
        )
        background = [asyncio.create_task(renewing), asyncio.create_task(self._listen())]
        try:
            while not self._stopping:
                await self._take_next()
        finally:
            await end_tasks(background)
            await self._end_tasks()

    async def stop(self) -> None:
        """Let running commits end, cancel the other steps, and give their jobs back for other workers."""
        self._stopping = True
        self.poke()
        await self._end_tasks()

    def poke(self) -> None:
        """Look for a runnable job now."""
        self._poked.set()

    @property
    def is_idle(self) -> bool:
        """Whether it runs no step of any job."""
        return not self._tasks

    async def _take_next(self) -> None:
        self._poked.clear()
        taken = None
        if len(self._tasks) < self._settings.max_steps:
            try:
                settings = self._settings
                taken = await self._ports.jobs.take(
                    max_active=settings.max_active, rows_beside=settings.rows_beside
                )
            except Exception:
                log.exception("cannot take a job; trying again in a second")
                await asyncio.sleep(_POLL_S)
        if taken is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_POLL_S):
                    await self._poked.wait()
        elif self._stopping:
            await self._release({taken.job.id: taken.token})
        else:
            running = _Running(taken, self._step_of(taken))
            task = asyncio.create_task(self._work(running), name=f"job {taken.job.id}")
            self._tasks[task] = running
            task.add_done_callback(self._ended)

    def _step_of(self, taken: ClaimedJob) -> JobStep | WatchJobStep:
        if taken.job.inputs.watch is not None:
            confirm_ms = self._settings.confirm_ms
            return WatchJobStep(self._ports.jobs, self._watches, taken, confirm_ms=confirm_ms)
        return JobStep(self._ports, taken)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        self._poked.set()

    async def _end_tasks(self) -> None:
        tasks = list(self._tasks.items())
        cancelled = {r.taken.job.id: r.taken.token for _, r in tasks if not r.step.is_committing}
        for task, running in tasks:
            if running.taken.job.id in cancelled:
                task.cancel()
        await asyncio.gather(*(task for task, _ in tasks), return_exceptions=True)
        await self._release(cancelled)

    async def _release(self, claims: dict[str, str]) -> None:
        if not claims:
            return
        try:
            await self._ports.jobs.release(claims)
        except Exception:
            log.exception("cannot give %d jobs back; they can be taken again in 15 s", len(claims))

    async def _listen(self) -> None:
        """Look for jobs at every signal. Without signals, the worker looks for jobs once a second."""
        try:
            async for _ in self._ports.jobs.runnable_jobs():
                self._poked.set()
                self._signalled.set()
        except Exception:
            log.exception("cannot listen for runnable jobs; looking for them once a second")

    async def _renew(self) -> None:
        """Renew the claims on all jobs; cancel the steps of those that were cancelled or that another process has."""
        active_s()  # the clock of this process counts only time between readings
        claims = {running.taken.job.id: running.taken.token for running in self._tasks.values()}
        lost = set(await self._ports.jobs.renew(claims)) if claims else set()
        for task, running in list(self._tasks.items()):
            job, token = running.taken.job.id, running.taken.token
            # After a commit there is no claim, and what follows it must not be cut off: documents, progress, timers.
            if job in lost and token == claims[job] and not running.step.is_committing:
                task.cancel()

    async def _until_signalled(self, seconds: float) -> None:
        """Wait so many seconds, or at least SIGNALLED_S if a signal says that a job has changed."""
        await asyncio.sleep(SIGNALLED_S)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds - SIGNALLED_S):
                await self._signalled.wait()
        self._signalled.clear()

    async def _work(self, running: _Running) -> None:
        """Run one step. After a failure the claim on the job expires, and the step is tried again."""
        job, taken = running.taken.job.id, running.taken
        try:
            with owned_by(taken.job.takes_turn_as):
                await running.step.run()
        except LeaseLost:
            log.info("job %s: another process has it now", job)
        except NewerWire as error:
            log.warning("job %s: %s", job, error)
            await asyncio.sleep(NEWER_S)
            await self._release({job: taken.token})
        except RedisFull as error:
            log.warning("job %s: %s", job, error)
            await asyncio.sleep(NEWER_S)
            await self._release({job: taken.token})  # the try does not count
        except ResearchError as error:
            log.error("job %s: %s", job, error)  # noqa: TRY400  # the message says what to do
            await self._give_up(taken, str(error))
        except Exception as error:
            log.exception("job %s: step failed (try %d of %d)", job, taken.takes, LAST_TRY)
            await self._give_up(taken, f"{type(error).__name__}: {error}; see the planner's log")

    async def _give_up(self, taken: ClaimedJob, why: str) -> None:
        """End the job after the last try, with a text that says what the user can do."""
        if taken.takes < LAST_TRY:
            return
        try:
            await self._step_of(taken).fail(f"given up after {LAST_TRY} tries: {why}")
        except Exception:
            log.exception("job %s failed, but this could not be stored everywhere", taken.job.id)
