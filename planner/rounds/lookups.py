"""Answer the lookups of a planning round from the job store and the frontier."""

from collections.abc import Sequence

from planner.rounds.planning_round import RoundLookups
from planner.rounds.ports import Ports
from research_crawler.core.models.events import Spent
from research_crawler.core.models.jobs import Job


class StoreLookups(RoundLookups):
    """Answers the lookups of a planning round from the job store and the frontier."""

    def __init__(self, ports: Ports, job: Job, new: Sequence[str]) -> None:
        self._ports, self._job, self._new = ports, job, frozenset(new)

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download."""
        return await self._ports.waits.waits(slots)

    async def permitted(self, urls: Sequence[str]) -> set[str]:
        """Those of these URLs that events of this step or earlier ones have named."""
        known = await self._ports.jobs.seen(self._job.id, urls)
        return {url for url, is_known in zip(urls, known, strict=True) if is_known or url in self._new}

    async def shared_spent(self) -> Spent:
        """The ceiling that the job shares with others and that is nearest to its end."""
        spending, job = self._ports.spending, self._job
        return await spending.shared_spent(job.limits, job.inputs.batch_id) if spending else Spent()
