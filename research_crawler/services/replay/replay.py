"""Replays a finished job: its recorded events once more, without the network, with the present code and model.

The planner runs as ever, on keys of its own in Redis, and a node without a network answers its commands from the
archive. Nothing is written into the archive. If nothing has changed since, the report is the same.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, assert_never

from planner.columns.column_questions import with_columns
from planner.job.earlier.memory import Memory
from planner.job.factory import make_job
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.job_folder import DiskJobFolder
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.vendor_catalogue import load_catalogue
from research_crawler.core.config import Config
from research_crawler.core.errors import JobNotOver, ResearchError, UnknownJob, UsageError
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import FINAL_STATES, ClaimedJob, Job, JobInputs
from research_crawler.core.models.messages.events import PersonAnswered
from research_crawler.core.models.people.reviews import OpenQuestion, Remark, ReviewAnswer
from research_crawler.core.models.reports.report import Report
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.archives import Archive
from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.core.web.urls import canonical_url
from research_crawler.runtime.container import Container
from research_crawler.services.jobs.job_lookup import job_named
from research_crawler.services.replay.recorded_node import RecordedEvents, RecordedNode

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from planner.worker import PlannerWorker

WITHIN_S = 1_800.0
"""How long a replay may take."""
_FIRE_S = 0.2
"""How often a replay looks for due timers."""


@dataclass(frozen=True)
class Replay:
    """The report of a replay beside the recorded one."""

    report: Report
    recorded: Report
    not_recorded: list[str] = field(default_factory=list)
    """What the replay asked for and the recorded job did not: its searches and pages."""

    @property
    def is_same(self) -> bool:
        """Whether report.md is the same."""
        return self.report.report_markdown == self.recorded.report_markdown


async def replay_job(config: Config, job_id: str) -> Replay:
    """Replay a finished job with the brain of these settings.

    Raises:
        UnknownJob: the archive has no such job.
        JobNotOver: it is not over.
        UsageError: it was a run of a watch, or ended before its events were recorded.
    """
    own = config.changed(redis_prefix=f"replay:{secrets.token_hex(6)}:")
    async with AsyncExitStack() as stack:
        container = Container(own, plan=True, index=False)
        await container.open()
        stack.push_async_callback(container.close)
        job_id = await job_named(container, job_id)
        archived = await container.archive.get_job(job_id)
        if archived is None:
            raise UnknownJob(job_id)
        earlier, findings, report = archived
        if earlier.state not in FINAL_STATES:
            raise JobNotOver(job_id)
        recorded = await container.archive.recorded_events(job_id)
        if earlier.inputs.watch is not None:
            raise UsageError(f"job {job_id} was a run of a watch; only research is replayed")
        if not (recorded and report):
            raise UsageError(f"job {job_id} has no recorded events; jobs record them since this version")
        stack.push_async_callback(_delete_keys, container)
        jobs = container.jobs = ReplayedJobs(container.folder.redis, own.redis_prefix)
        stack.push_async_callback(jobs.close)
        archive = ReplayArchive(container.archive)
        worker = _worker(container, archive, findings)
        events = RecordedEvents(earlier, recorded)
        node = RecordedNode(container, events, is_planning=lambda: not worker.is_idle, settling=jobs.settling)
        async with _working(container, worker, node):
            await container.jobs.submit(_as_new(earlier))
            async with asyncio.timeout(WITHIN_S):
                replayed = await _result(container, archive, earlier)
        return Replay(replayed, Report.model_validate(report), node.not_recorded)


class ReplayedJobs(RedisJobs):
    """The job store of a replay: no step begins while the pages of a round are being settled, so that it sees all."""

    def __init__(self, redis: "Redis", prefix: str) -> None:
        super().__init__(redis, prefix=prefix)
        self.settling = asyncio.Lock()

    async def take(self, *, max_active: int, rows_beside: int = 0, only: str = "") -> ClaimedJob | None:
        """Claim the job if it needs a decision and nothing is being settled."""
        async with self.settling:
            return await super().take(max_active=max_active, rows_beside=rows_beside, only=only)


class RecordedMemory(Memory):
    """Remembers what the recorded job remembered, whatever jobs have found since."""

    def __init__(self, archive: Archive, container: Container, findings: Sequence[Finding]) -> None:
        super().__init__(archive, container.embedder)
        self._findings = findings

    async def recall(self, job: Job, now_ms: int) -> list[Finding]:
        """The findings of other jobs that the recorded job had."""
        return [finding for finding in self._findings if not finding.command.startswith(f"{job.id}:")]

    async def of_job(self, earlier: str, job: Job) -> list[Finding]:
        """The same, of the job to which the recorded one was a follow-up question."""
        return await self.recall(job, 0)


class ReplayArchive(MemoryArchive):
    """Reads from the archive, and keeps what is written in this process."""

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self._real = archive

    async def get_job(self, job: str) -> tuple[Job, list[Finding], dict[str, Any]] | None:
        """A job of this replay, else an archived one."""
        return await super().get_job(job) or await self._real.get_job(job)

    async def get_page(self, sha: str) -> StoredPage | None:
        """A page that the recorded job read: its report has the names of sites from there."""
        return await super().get_page(sha) or await self._real.get_page(sha)

    async def replayed(self, job: str) -> tuple[Job, list[Finding], dict[str, Any]] | None:
        """The replayed job; None before it is over."""
        return await super().get_job(job)


@asynccontextmanager
async def _working(container: Container, worker: "PlannerWorker", node: RecordedNode) -> AsyncIterator[None]:
    """A planner worker, its timers and the node, while the block runs."""
    from planner.timers import Timers

    tasks = [
        asyncio.create_task(work)
        for work in (worker.run(), node.run(), Timers(container.jobs.fire, every_s=_FIRE_S).run())
    ]
    try:
        yield
    finally:
        await worker.stop()
        await end_tasks(tasks)


def _worker(container: Container, archive: ReplayArchive, findings: Sequence[Finding]) -> "PlannerWorker":
    from planner.money.market import Market
    from planner.money.rates import load_rates
    from planner.rounds.ports import Ports
    from planner.worker import PlannerWorker

    config = container.config
    return PlannerWorker(
        Ports(
            jobs=container.jobs,
            brain_for=container.brain_for,
            waits=container.frontier,
            archive=archive,
            extractive_brain=container.extractive,
            folder=DiskJobFolder(config.home),
            market=Market(load_catalogue(config), load_rates(config.exchange_rates_file)),
            memory=RecordedMemory(archive, container, findings),
            embedder=container.embedder,
            outliner=container.extractive,
        )
    )


def _as_new(earlier: Job) -> Job:
    """The recorded job as it was submitted, without a folder: a replay writes no documents."""
    inputs = inputs_before_review(earlier)
    created = datetime.fromisoformat(earlier.created_at)
    job = make_job(inputs, earlier.limits, brain=earlier.brain, job_id=earlier.id, created_at=created)
    return with_columns(job)


async def _result(container: Container, archive: ReplayArchive, earlier: Job) -> Report:
    job_id, answers, answered = earlier.id, RecordedAnswers(earlier), 0
    async for _ in container.jobs.changes(job_id):
        job = await container.jobs.get(job_id)
        question = job.review.question if job and job.state == "waiting_for_human" else None
        if question and question.no > answered:
            answered = question.no
            uid = f"replay/{job_id}:answer:{answered}"
            answer = answers.next(question)
            await container.jobs.deliver(
                job_id, PersonAnswered(uid=uid, job=job_id, no=answered, answer=answer)
            )
        if job is not None and job.state in FINAL_STATES:
            if (replayed := await archive.replayed(job_id)) is None or not replayed[2]:
                raise ResearchError(
                    f"the replay of job {job_id} ended without a report: {job.error or job.state}"
                )
            return Report.model_validate(replayed[2])
    raise ResearchError(f"the replay of job {job_id} was interrupted")


async def _delete_keys(container: Container) -> None:
    redis, prefix = container.folder.redis, container.config.redis_prefix
    async for key in redis.scan_iter(match=f"{prefix}*", count=500):
        await redis.delete(key)


class RecordedAnswers:
    """The answers of a job's record in their order; after the last one, what there is is accepted."""

    def __init__(self, job: Job) -> None:
        """`job` as it was archived."""
        self._remarks = list(job.review.remarks)
        self._sources = list(job.review.rejected_sources)
        self._findings = list(job.review.rejected_findings)

    def next(self, question: OpenQuestion) -> ReviewAnswer:
        """The answer to a question of the replay."""
        if not self._remarks:
            return ReviewAnswer(kind="accept")
        remark = self._remarks.pop(0)
        while remark.kind == "accept" and question.kind == "review" and self._remarks:  # it was opened again
            remark = self._remarks.pop(0)
        if (
            question.kind == "plan" and remark.kind == "outline"
        ):  # the outline stands in the inputs or the record
            return ReviewAnswer(kind="accept")
        return self._answer(remark)

    def _answer(self, remark: Remark) -> ReviewAnswer:
        match remark.kind:
            case "reject_source" if self._sources:
                return ReviewAnswer(kind="reject_source", source=self._sources.pop(0), text=remark.text)
            case "reject_finding":
                findings, self._findings = self._findings, []
                return ReviewAnswer(kind="reject_finding", findings=findings, text=remark.text)
            case "outline" | "reject_source":
                return ReviewAnswer(kind="accept")
            case "accept" | "reject" | "append":
                return ReviewAnswer(kind=remark.kind, of=remark.of, text=remark.text)
            case unknown:
                assert_never(unknown)


def inputs_before_review(job: Job) -> JobInputs:
    """The inputs without the pages that the person named later, with a review where there was one."""
    remarks: Sequence[Remark] = job.review.remarks
    named = {canonical_url(one.text) or one.text for one in remarks if one.of == "url"}
    urls = [url for url in job.inputs.urls if url not in named]
    return job.inputs.changed(urls=urls, review="always" if remarks else "never")
