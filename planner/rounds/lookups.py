"""Answer the lookups of a planning round from the job store and the frontier."""

from collections.abc import Sequence

from planner.rounds.planning_round import RoundLookups
from research_crawler.core.ports.stores import HostWaits, JobStore


class StoreLookups(RoundLookups):
    """Answers the lookups of a planning round from the job store and the frontier."""

    def __init__(self, jobs: JobStore, waits: HostWaits, job: str, new: Sequence[str]) -> None:
        self._jobs, self._waits, self._job, self._new = jobs, waits, job, frozenset(new)

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download."""
        return await self._waits.waits(slots)

    async def permitted(self, urls: Sequence[str]) -> set[str]:
        """Those of these URLs that events of this step or earlier ones have named."""
        known = await self._jobs.seen(self._job, urls)
        return {url for url, is_known in zip(urls, known, strict=True) if is_known or url in self._new}
