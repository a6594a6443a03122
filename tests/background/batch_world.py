"""A batch on a real Redis and a real archive, whose rows are worked on by the test."""

from dataclasses import dataclass, field

from planner.reports.report import RenderContext, unfinished
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.background.batch_feeder import BatchFeeder
from research_crawler.core.models.jobs.batches import Batch
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.reasons import CeilingOwner
from research_crawler.core.models.reports.cited_parts import Claim


@dataclass
class BatchWorld:
    jobs: RedisJobs
    archive: SqlArchive
    worked: list[str] = field(default_factory=list)
    """The questions of the jobs that were worked on, in order."""

    @property
    def batches(self) -> SqlBatches:
        return SqlBatches(self.archive)

    async def add(self, rows: int, batch: str = "batchaaaaaaa") -> None:
        inputs = JobInputs(goal="what is {name}?", batch=True, batch_id=batch)
        made = Batch(id=batch, template="what is {name}?", fields=["name"], inputs=inputs, rows=rows)
        await self.batches.add(made, [{"name": f"n{n}"} for n in range(1, rows + 1)])

    def feeder(self, places: int = 4) -> BatchFeeder:
        """A feeder that knows nothing of what an earlier one did, as after a restart."""
        return BatchFeeder(self.batches, self.jobs, self.archive, max_rows=places)

    async def work(self, most: int = 1_000, *, error: str = "", ceiling: CeilingOwner | None = None) -> int:
        """Finish jobs as a planner does: into the archive first, then the commit."""
        fallback = f"the token ceiling of the {ceiling} does not allow it" if ceiling else ""
        count = 0
        while count < most and (taken := await self.jobs.take(max_active=1_000)):
            job = taken.job.changed(
                state="failed" if error else "completed",
                error=error,
                plan=PlanningState(pages_read=1, fallback=fallback, ceiling=ceiling),
                completed_at="2026-01-01",
            )
            self.worked.append(job.inputs.goal)
            await self.archive.save_job(job, [], self.report(job).model_dump(mode="json"))
            assert await self.jobs.commit(taken, job) == "ok"
            count += 1
        return count

    @staticmethod
    def report(job: Job):
        context = RenderContext(generated_at="2026-01-01", seconds=1.0)
        return unfinished(job, [], context).changed(claims=[Claim(text="It is so.")])

    async def states(self, batch: str = "batchaaaaaaa") -> dict[str, int]:
        return dict(await self.batches.counts(batch))
