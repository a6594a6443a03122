"""The system as the tools see it: connected in the background, so that a client is answered while it still starts."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted, ResearchError, UnknownJob
from research_crawler.core.log import get_log
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lifecycle import cancel_job
from research_crawler.services.jobs.job_lookup import find_job, follow
from research_crawler.services.jobs.job_status import current_status, status_of_record
from research_crawler.services.submission.new_jobs import JobRequest
from research_crawler.services.submission.submit import queue_job

START_PATIENCE_S: Final = 0.4
"""How long a tool waits for the connection, and for Redis to take a job; it must answer within a second."""
MOST_ANSWER_S: Final = 2.5
"""How long a tool that may be called again works on its answer. Milliseconds are usual; it is longer where a Redis is
gone, or where the process also crawls and is busy."""
AGAIN_S: Final = 2.0
"""Pause between two attempts to connect."""
FILE_S: Final = 0.3
"""How long a tool waits for a report that is being saved."""
MOST_EARLY: Final = 1_000
"""Most jobs that are kept for a system that does not start."""
MOST_REMEMBERED: Final = 1_000
"""So many of the last jobs that could not be submitted, and of the last reports that were saved, are remembered."""
STARTING: Final = "waits for the research system to start"

Value = TypeVar("Value")
log = get_log(__name__)


class ResearchGateway:
    """Takes what tools ask for. Jobs that come before the connection is there are submitted when it is."""

    def __init__(self, config: Config, make: Callable[[], Runtime] | None = None) -> None:
        """`make` makes a runtime that `connect` opens; it is called again if that fails."""
        self._config = config
        self._make = make
        self._runtime: Runtime | None = None
        self._connected = asyncio.Event()
        self._fault = ""
        self._early: dict[str, Job] = {}
        self._refused: dict[str, JobStatus] = {}
        self._saving: dict[str, asyncio.Task[Path]] = {}
        self._spawned: set[asyncio.Task[Any]] = set()
        self.answer_s = MOST_ANSWER_S
        self.is_starting: Callable[[], bool] = lambda: False
        """Whether the processes that do the work are being started."""

    @property
    def config(self) -> Config:
        """The settings of new jobs."""
        return self._config if self._runtime is None else self._runtime.config

    @classmethod
    def over(cls, runtime: Runtime) -> Self:
        """The gateway of a process that is connected already."""
        gateway = cls(runtime.config)
        gateway._runtime = runtime
        gateway._connected.set()
        return gateway

    async def connect(self) -> Runtime:
        """Open a runtime, as often as needed, and submit the jobs that came meanwhile. The caller closes it."""
        if self._make is None:
            return await self.runtime()
        while True:
            runtime = self._make()
            try:
                await runtime.open()
            except ResearchError as error:
                self._fault = str(error)
                if not self.is_starting():  # else it is not there yet, and nobody has to do anything
                    log.warning("cannot connect to the research system; trying again", reason=self._fault)
                await asyncio.sleep(AGAIN_S)
                continue
            self._runtime = runtime
            self._connected.set()
            for job in list(self._early.values()):
                await self._submit_early(runtime, job)
            return runtime

    def spawn(self, work: Coroutine[Any, Any, Value]) -> asyncio.Task[Value]:
        """Start work that a tool does not wait for to its end; errors that nobody reads any more are logged."""
        task = asyncio.create_task(work)
        self._spawned.add(task)
        task.add_done_callback(self._spawned.discard)
        task.add_done_callback(_log_failure)
        return task

    async def close(self) -> None:
        """End what is under way; a report that is not saved is saved when its result is asked for again."""
        for task in list(self._spawned):
            task.cancel()
        await asyncio.gather(*self._spawned, return_exceptions=True)

    async def is_connected(self) -> bool:
        """Whether the connection is there; waits for it a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_PATIENCE_S):
                await self._connected.wait()
        return self._runtime is not None

    async def runtime(self) -> Runtime:
        """The connected runtime.

        Raises:
            NotStarted: it is not there yet; the message says what to do.
        """
        await self.is_connected()
        if self._runtime is None:
            why = f" ({self._fault})" if self._fault and not self.is_starting() else ""
            raise NotStarted(f"the research system is still starting{why}; call this tool again in 3 seconds")
        return self._runtime

    async def submit(self, request: JobRequest, *, job_id: str = "") -> Job:
        """Put a job into the queue, or keep it until there is one that answers. It is checked now in either case.

        `job_id` is its id, where the same request must not become two jobs; empty: a random one.

        Raises:
            UsageError: the request is malformed.
            StorageFull: nothing can be stored.
            NotStarted: too many jobs wait for the system already.
        """
        job = request.to_job(self.config, job_id=job_id)
        if len(self._early) >= MOST_EARLY:
            raise NotStarted(
                f"{MOST_EARLY} jobs wait for the research system to start; call this tool again in a minute"
            )
        self._early[job.id] = job
        if self._runtime is not None:
            submitting = self.spawn(self._submit_early(self._runtime, job))
            await asyncio.wait({submitting}, timeout=START_PATIENCE_S)
            if submitting.done() and (error := submitting.result()):
                raise error
        return job

    async def status(self, job_id: str) -> JobStatus:
        """Where a job stands, also one that is not submitted yet.

        Raises:
            UnknownJob: no job has this id.
            NotStarted: the system is not there yet.
        """
        if job_id in self._early:
            return status_of_record(self._early[job_id], waits=[STARTING])
        if job_id in self._refused:
            return self._refused[job_id]
        status = await current_status(await self.runtime(), job_id)
        if status.waits_for and self.is_starting():
            return status.changed(waits_for=[STARTING])
        return status

    async def find(self, job_id: str) -> Job | None:
        """The record of a job; None if there is none, or none yet."""
        if job_id in self._early or self._runtime is None:
            return self._early.get(job_id)
        try:
            return await find_job(self._runtime, job_id)
        except UnknownJob:
            return None

    async def cancel(self, job_id: str) -> None:
        """Cancel a job; one that is over stays as it is.

        Raises:
            UnknownJob: no job has this id.
            NotStarted: the system is not there yet.
        """
        if early := self._early.pop(job_id, None):
            _keep(self._refused, job_id, status_of_record(early.changed(state="cancelled")))
            return
        if job_id not in self._refused:
            await cancel_job(await self.runtime(), job_id)

    async def saved_as(self, job: Job) -> Path | None:
        """Where the report of a job that is over was saved; None if nobody asked for it, or it is not written yet.

        Raises:
            ResearchError: it cannot be saved; the message says why.
        """
        if not job.inputs.save_to_file or job.state != "completed":
            return None
        saving = self._save_at_its_end(await self.runtime(), job)
        if saving is None:
            return None
        await asyncio.wait({saving}, timeout=FILE_S)
        return saving.result() if saving.done() else None

    async def _submit_early(self, runtime: Runtime, job: Job) -> ResearchError | None:
        """Submit a job that is kept here; returns why that is impossible. To submit it twice does no harm."""
        fault: ResearchError | None = None
        try:
            await queue_job(runtime, job)
        except ResearchError as error:
            log.warning("a job could not be submitted", job=job.id, reason=str(error))
            _keep(self._refused, job.id, status_of_record(job.changed(state="failed", error=str(error))))
            fault = error
        else:
            self._save_at_its_end(runtime, job)
        finally:
            self._early.pop(job.id, None)
        if fault is None and job.id in self._refused:  # it was cancelled meanwhile
            await runtime.container.jobs.cancel(job.id)
        return fault

    def _save_at_its_end(self, runtime: Runtime, job: Job) -> asyncio.Task[Path] | None:
        if not job.inputs.save_to_file:
            return None
        saving = self._saving.get(job.id)
        if saving is None or (saving.done() and (saving.cancelled() or saving.exception())):
            saving = self.spawn(_saved(runtime, job))
            _keep(self._saving, job.id, saving)
        return saving


def _keep(kept: dict[str, Value], job_id: str, value: Value) -> None:
    """Remember something of a job, and forget the oldest beyond MOST_REMEMBERED: a server runs for months."""
    kept[job_id] = value
    while len(kept) > MOST_REMEMBERED:
        del kept[next(iter(kept))]


async def _saved(runtime: Runtime, job: Job) -> Path:
    """Save the report of a job under the name that its caller gave, when it is over."""
    from research_crawler.services.exports.saving import save_name, save_report

    if (await find_job(runtime, job.id)).state not in FINAL_STATES:
        async for _ in follow(runtime, job.id):
            pass
    return await save_report(runtime, job.id, save_name(runtime.config, job.inputs.save_to_file))


def _log_failure(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.info("work that a tool started has failed", reason=str(error))
