"""The jobs that were acknowledged and are not over, in the archive: what Redis loses with its last second, it has."""

from sqlalchemy import delete, select

from research_crawler.adapters.sql.inserting import upsert
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.tables.archive_tables import OPEN_JOBS, job_bytes, job_document
from research_crawler.core.models.jobs.job import Job


class SqlOpenJobs:
    """Open jobs as they were submitted. The archive drops a job when it gets it as one that is over (`save_job`)."""

    def __init__(self, archive: SqlArchive) -> None:
        self._archive = archive

    async def add(self, job: Job) -> None:
        """Keep a job before it is submitted. Raises StorageFull."""
        row = {"id": job.id, "created_at": job.created_at, "job": job_bytes(job)}
        await self._archive.change(lambda connection: upsert(connection, OPEN_JOBS, [row]))

    async def drop(self, job: str) -> None:
        """Forget a job that was refused after all, or is over."""
        await self._archive.change(
            lambda connection: connection.execute(delete(OPEN_JOBS).where(OPEN_JOBS.c.id == job))
        )

    async def ids(self) -> list[str]:
        """The ids of all open jobs, oldest first."""
        query = select(OPEN_JOBS.c.id).order_by(OPEN_JOBS.c.created_at, OPEN_JOBS.c.id)
        return await self._archive.read(lambda connection: list(connection.execute(query).scalars()))

    async def get(self, job: str) -> Job | None:
        """An open job as it was submitted; None if it is not open."""
        query = select(OPEN_JOBS.c.job).where(OPEN_JOBS.c.id == job)
        row = await self._archive.read(lambda connection: connection.execute(query).first())
        return None if row is None else job_document(row[0])
