"""What a planning round looks up elsewhere, and the answers from the job store, the frontier and the budgets."""

from collections.abc import Collection, Sequence
from typing import Protocol

from planner.rounds.ports import Ports
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import Spent


class RoundLookups(Protocol):
    """What a planning round has to look up elsewhere."""

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download."""
        ...

    async def permitted(self, urls: Sequence[str]) -> Collection[str]:
        """Those of these canonical URLs that results or links of the job have named."""
        ...

    async def shared_spent(self) -> Spent:
        """The ceiling that the job shares with others and that is nearest to its end."""
        ...


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
