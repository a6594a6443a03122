"""Archives jobs that ended without a planner: cancelled jobs, and jobs that were given up in Redis."""

from collections.abc import Sequence
from datetime import UTC, datetime

from planner.job.outcome import outcome_of
from planner.job.rejected import not_rejected
from planner.reports.records.documents import documents
from planner.reports.report import RenderContext, unfinished
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.errors import StorageFull
from research_crawler.core.log import get_log
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, status_of
from research_crawler.core.models.reports.report import Report
from research_crawler.core.ports.archives import Archive
from research_crawler.core.ports.stores import JobFolder
from research_crawler.core.tasks.every import every
from research_crawler.core.vendors import Catalogue

_EVERY_S = 5.0
"""How often jobs are looked for that ended without a planner."""

log = get_log(__name__)


class EndedJobs:
    """Copies ended jobs into the archive, and frees what Redis holds of jobs that the archive has."""

    def __init__(
        self, jobs: RedisJobs, archive: Archive, folder: JobFolder, catalogue: Catalogue | None = None
    ) -> None:
        """`catalogue`: for telling which vendors the findings name; none if not given."""
        self._jobs, self._archive, self._folder = jobs, archive, folder
        self._catalogue = catalogue or Catalogue()
        self._kept: set[str] = set()

    async def run(self) -> None:
        """Archive ended jobs every few seconds until cancelled. An error is logged, and the loop goes on."""
        await every(_EVERY_S, self.sweep, "the archiving of ended jobs")

    async def sweep(self) -> int:
        """Archive the jobs that are over and not archived yet, and return how many there were."""
        states = await self._jobs.states()
        ended = {job for job, state in states.items() if state in FINAL_STATES}
        self._kept &= ended  # a review brings a completed job back, which may then end otherwise
        over = [job for job in states if job in ended and job not in self._kept]
        return sum([await self._keep_missing(job) for job in over])

    async def keep(self, job: Job, found: Sequence[Finding]) -> Job:
        """Archive a job that is over, with its findings and documents, and return it with its time of end."""
        done = job if job.completed_at else job.changed(completed_at=_now())
        context = RenderContext(generated_at=done.completed_at, seconds=0.0, catalogue=self._catalogue)
        report = await self._waiting_report(done) or unfinished(done, found, context)
        await self._archive.save_job(done, found, report.model_dump(mode="json"))
        self._kept.add(done.id)
        if done.folder:
            try:
                await self._folder.write(done.folder, documents(done, found), version=done.version)
            except StorageFull as error:
                log.warning(
                    "the documents of an ended job could not be written", job=done.id, reason=str(error)
                )
        return done

    async def _waiting_report(self, job: Job) -> Report | None:
        """The report that a job was waiting for a person with when it ended; None if it had none."""
        question = job.review.question
        archived = await self._archive.get_job(job.id) if question and question.kind == "review" else None
        if archived is None or not archived[2]:
            return None
        report = Report.model_validate(archived[2])
        return report.changed(
            state=job.state, status=status_of(job.state), exit_code=1, outcome=outcome_of(job)
        )

    async def _keep_missing(self, job: str) -> bool:
        self._kept.add(job)
        archived, record = await self._archive.get_job(job), await self._jobs.get(job)
        if archived is not None and (record is None or archived[0].state == record.state):
            await self._jobs.archived(job)
            return False
        # The observations of a watch's run are in the archive already.
        if record is None or record.inputs.watch is not None:
            return False
        self._kept.discard(job)  # `keep` adds it again, once it is archived.
        await self.keep(record, not_rejected(record.review, await self._jobs.findings(job)))
        await self._jobs.archived(job)
        return True


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
