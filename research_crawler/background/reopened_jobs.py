"""Brings jobs back that were acknowledged and that Redis does not know: after a power loss it lacks its last second."""

from typing import Final

from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.open_jobs import SqlOpenJobs
from research_crawler.core.errors import ResearchError
from research_crawler.core.log import get_log
from research_crawler.core.models.jobs.job import FINAL_STATES
from research_crawler.core.ports.archives import Archive
from research_crawler.core.tasks.every import every

_EVERY_S: Final = 15.0
"""How long a job that Redis lost while this process ran may stay unknown to it."""

log = get_log(__name__)


class OpenJobs:
    """The loop that compares the archive's open jobs with those of Redis. Any number of processes may run it."""

    def __init__(self, open_jobs: SqlOpenJobs, jobs: RedisJobs, archive: Archive) -> None:
        self._open, self._jobs, self._archive = open_jobs, jobs, archive

    async def run(self) -> None:
        """Look until cancelled. An error is logged, and the loop goes on."""
        await every(_EVERY_S, self.sweep, "the look for jobs that Redis has lost")

    async def sweep(self) -> int:
        """Submit again what Redis has lost, from its beginning; returns how many jobs were brought back."""
        ids = await self._open.ids()
        known = await self._jobs.states_of(ids)
        return sum([await self._tried(job) for job in ids if job not in known])

    async def _tried(self, job_id: str) -> bool:
        """Bring a job back; one that cannot be (a newer release wrote it, Redis is full) holds up no other."""
        try:
            return await self._bring_back(job_id)
        except ResearchError as error:
            log.warning(
                "a job that Redis has lost could not be brought back yet", job=job_id, reason=str(error)
            )
            return False

    async def _bring_back(self, job_id: str) -> bool:
        archived = await self._archive.get_job(job_id)
        if archived is not None and archived[0].state in FINAL_STATES:
            await self._open.drop(job_id)
            return False
        job = await self._open.get(job_id)  # asked again: it may be over by now
        if job is None or not await self._jobs.submit(job):
            return False
        log.warning("Redis has lost a job that was submitted; it begins anew", job=job_id)
        return True
