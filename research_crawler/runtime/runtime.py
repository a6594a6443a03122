"""Runs the parts of a process: starts the loops that crawl and plan, and stops them in order."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from research_crawler.adapters.redis.presence import CRAWLER, PLANNER
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.job import FINAL_STATES
from research_crawler.core.models.messages.events import JobResumed
from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.core.tasks.every import every
from research_crawler.runtime.container import Container, CrawlMode
from research_crawler.runtime.opened_parts import OpenedParts

if TYPE_CHECKING:
    from planner.rounds.ports import Ports
    from research_crawler.adapters.job_folder import DiskJobFolder
    from research_crawler.core.vendors import Catalogue

REFUSED_S = 5.0
"""How long Redis may refuse writes before a command that follows a job gives up."""
PEOPLE_SWEEP_S = 1.0
"""How often interventions are ended that nobody answered in time, or for which no job waits any longer."""

Announce = Callable[[str], None]


def _nobody(_: str) -> None:
    """Tell nobody what is being started."""


class Runtime(OpenedParts):
    """A running process: always connected to the stores, and crawling or planning as asked.

    `close` stops in order: lease nothing new, end what runs (at most 20 s), return the rest, close Redis.
    """

    def __init__(
        self,
        config: Config,
        *,
        crawl: CrawlMode = True,
        plan: bool = True,
        warm: bool = True,
        watch: bool = False,
        may_own: bool = True,
        announce: Announce = _nobody,
    ) -> None:
        """Build the parts; nothing is connected or started before `open`.

        Args:
            config: the settings.
            crawl: what this process crawls.
            plan: run a planner worker.
            warm: load the embedding model at `open`.
            watch: run watches on their schedule; for a long-running process that also plans.
            may_own: False for a long-running process that neither crawls nor plans: it joins a system, and never
                takes the data folder over.
            announce: is told what is being started.
        """
        super().__init__()
        self._announce = announce
        self.config, self.crawl, self.plan, self._watch = config, crawl, plan, watch
        self.container = Container(config, crawl=crawl, plan=plan, warm=warm, may_own=may_own)
        self.resumed: list[str] = []
        """Interrupted jobs that this process resumed when it began to plan."""
        self._loops: list[asyncio.Task[Any]] = []

    async def wait(self, beside: Sequence[asyncio.Task[Any]] = ()) -> None:
        """Wait until one of the loops fails (none ends by itself), and raise its error.

        `beside`: further tasks of this process, whose end ends the wait too.
        """
        if waited := [*self._loops, *beside]:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        for task in beside:
            if task.done():
                task.result()
        self._check_loops()

    def use_models(self, config: Config) -> None:
        """Start jobs with the models of these settings from now on; those under way keep theirs."""
        self.config = config
        self.container.use_models(config)

    def check(self) -> None:
        """Raise the error of a loop that has failed, or the reason why Redis refuses all writes (disk full).

        Long-running processes (`research up`) do not call this: they go on when the disk has room again.
        """
        if fault := self.container.presence.fault(lasting_s=REFUSED_S):
            raise fault
        self._check_loops()

    def _check_loops(self) -> None:
        for loop in self._loops:
            if loop.done() and not loop.cancelled():
                loop.result()

    async def _open(self) -> None:
        self._announce("connecting to the stores")
        await self.container.open()
        self.closed_at_end.push_async_callback(self.container.close)
        if self.crawl:
            self._announce("starting the crawler")
            await self._start_crawling()
        if self.plan:
            self._announce("starting the planner")
            await self._start_planning()

    async def _start_crawling(self) -> None:
        from research_crawler.runtime.crawl_engine import CrawlEngine

        engine = CrawlEngine(self.container, "node" if self.crawl is True else str(self.crawl))
        self.closed_at_end.push_async_callback(engine.stop)
        self._loops.append(await engine.start())
        if self.crawl is True:
            await self.container.presence.enter(CRAWLER)
            self._start_loop(self.container.presence.announce(CRAWLER))

    async def _start_planning(self) -> None:
        from planner.timers import Timers
        from planner.worker import PlannerWorker, WorkerSettings
        from research_crawler.adapters.job_folder import DiskJobFolder
        from research_crawler.adapters.sql.open_jobs import SqlOpenJobs
        from research_crawler.adapters.sql.stores.watch_store import SqlWatches
        from research_crawler.adapters.vendor_catalogue import load_catalogue
        from research_crawler.background.batch_feeder import BESIDE_OTHERS
        from research_crawler.background.ended_jobs import EndedJobs
        from research_crawler.background.reopened_jobs import OpenJobs

        container, folder = self.container, DiskJobFolder(self.config.home)
        catalogue = load_catalogue(self.config)
        open_jobs = OpenJobs(SqlOpenJobs(container.archive), container.jobs, container.archive)
        await open_jobs.sweep()
        if not await container.presence.others(PLANNER):
            self.resumed = await self._resume_all()
        settings = WorkerSettings(
            max_active=self.config.max_active_jobs,
            rows_beside=max(1, self.config.batch_places // BESIDE_OTHERS),
            confirm_ms=int(self.config.watch_confirm_seconds * 1000),
        )
        ports = self._planner_ports(folder, catalogue)
        worker = PlannerWorker(ports, watches=SqlWatches(container.archive), settings=settings)
        self._start_loop(Timers(container.jobs.fire, container.frontier.reap).run())
        self._start_loop(EndedJobs(container.jobs, container.archive, folder, catalogue).run())
        self._start_loop(open_jobs.run())
        self._start_loop(every(PEOPLE_SWEEP_S, container.people.sweep, "the sweep of what persons are asked"))
        await container.presence.enter(PLANNER)
        self._start_loop(container.presence.announce(PLANNER))
        self._start_loop(worker.run())
        self.closed_at_end.push_async_callback(worker.stop)
        self._start_notices()
        if self._watch:
            self._start_watching()

    def _planner_ports(self, folder: "DiskJobFolder", catalogue: "Catalogue") -> "Ports":
        """What the planner works on: the stores of this process, its brains, and the market."""
        from planner.job.earlier.memory import Memory
        from planner.money.market import Market
        from planner.money.rates import load_rates
        from planner.rounds.ports import Ports
        from research_crawler.extraction.evidence.finding_verification import verified_findings

        container = self.container
        return Ports(
            jobs=container.jobs,
            brain_for=container.brain_for,
            waits=container.frontier,
            archive=container.archive,
            extractive_brain=container.extractive,
            folder=folder,
            market=Market(catalogue, load_rates(self.config.exchange_rates_file)),
            memory=Memory(
                container.archive, container.embedder, lambda: container.memory.index, container.memory.ask
            ),
            embedder=container.embedder,
            outliner=container.extractive,
            judge=container.extractive,
            spending=container.budget,
            verify_quotes=verified_findings,
        )

    def _start_notices(self) -> None:
        from research_crawler.adapters.notifications import Notifications
        from research_crawler.adapters.sql.stores.batch_store import SqlBatches
        from research_crawler.adapters.sql.stores.notice_store import SqlNotices
        from research_crawler.background.job_notices import JobNotices

        parts = self.container
        notifier = Notifications(self.config)
        notices = JobNotices(
            SqlNotices(parts.archive), parts.jobs, parts.archive, notifier,
            batches=SqlBatches(parts.archive), people=parts.people,
        )  # fmt: skip
        self.closed_at_end.push_async_callback(notices.last)
        self._start_loop(notices.run())

    def _start_watching(self) -> None:
        from planner.watches.watch_scheduler import WatchScheduler
        from research_crawler.adapters.notifications import Notifications
        from research_crawler.adapters.sql.stores.alert_store import SqlAlerts
        from research_crawler.adapters.sql.stores.watch_store import SqlWatches
        from research_crawler.background.notice_delivery import NoticeDelivery

        self.feed_batches()
        watches = SqlWatches(self.container.archive)
        self._start_loop(WatchScheduler(watches, self.container.jobs).run())
        alerts = SqlAlerts(self.container.archive)
        self._start_loop(NoticeDelivery(alerts, Notifications(self.config)).run())

    def feed_batches(self, only: str = "") -> None:
        """Turn the rows of batches into jobs from now on; `only`: those of this one batch."""
        from research_crawler.adapters.sql.stores.batch_store import SqlBatches
        from research_crawler.background.batch_feeder import BatchFeeder

        parts = self.container
        batches, places = SqlBatches(parts.archive), self.config.batch_places
        self._start_loop(BatchFeeder(batches, parts.jobs, parts.archive, max_rows=places, only=only).run())

    async def _resume_all(self) -> list[str]:
        """Resume the jobs under way. No planner ran, so the time since their last step does not count."""
        states = await self.container.jobs.states()
        interrupted = [
            job
            for job, state in states.items()
            if state not in FINAL_STATES and state not in ("pending", "waiting_for_human")
        ]
        for job in interrupted:
            await self.container.jobs.deliver(job, resume_event(job))
        return interrupted

    def _start_loop(self, work: Coroutine[Any, Any, None]) -> None:
        loop = asyncio.create_task(work)
        self._loops.append(loop)
        self.closed_at_end.push_async_callback(end_tasks, [loop])


def resume_event(job: str) -> JobResumed:
    """The event that resumes a job: the time since its last step does not count."""
    return JobResumed(uid=f"{job}:resume:{secrets.token_hex(4)}", job=job)


def connected(config: Config) -> AbstractAsyncContextManager[Runtime]:
    """A `Runtime` that is connected to the stores, and neither crawls nor plans."""
    return running(config, crawl=False, plan=False)


@asynccontextmanager
async def running(
    config: Config,
    *,
    crawl: CrawlMode = True,
    plan: bool = True,
    warm: bool = True,
    watch: bool = False,
    may_own: bool = True,
    announce: Announce = _nobody,
) -> AsyncIterator[Runtime]:
    """A context manager that opens a `Runtime` and closes it at the end of the block."""
    runtime = Runtime(
        config, crawl=crawl, plan=plan, warm=warm, watch=watch, may_own=may_own, announce=announce
    )
    await runtime.open()
    try:
        yield runtime
    finally:
        await runtime.close()
