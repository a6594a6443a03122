"""Recall what earlier jobs found about the same kind of product, no older than the caller allows."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from planner.goal.about import asked_of
from planner.goal.topic_match import ALIKE, is_same_thing
from planner.text.normal_quote import normal_quote
from planner.text.ranking import cosine
from research_crawler.core.models.findings import Finding, FindingKind
from research_crawler.core.models.jobs import Job
from research_crawler.core.ports.models import Embedder
from research_crawler.core.ports.stores import Archive, VectorIndex

_NEAR, MAX_NEAR = 0.35, 80
"""Least cosine of a finding and the goal, and most findings looked at. A forum's sentence about a laptop has 0.4 to
0.7; findings below 0.35 are not about the goal."""
MAX_JOBS_LOOKED_AT, MAX_JOBS_USED, MAX_RECALLED = 12, 3, 60
RECENT_JOBS = 50
"""How many recent jobs are looked through if this process has no vector index."""
_LONGEST_S = 5.0
"""Longest time of a recall. After it the job starts as if nothing were known, at the cost of a phase 1."""
_KINDS: frozenset[FindingKind] = frozenset(
    {
        "recommended_product",
        "price_expectation",
        "spec_to_look_for",
        "recommendation",
        "warning",
        "vendor_mentioned",
    }
)

log = logging.getLogger(__name__)


class Memory:
    """Recalls findings of earlier jobs from the vector index and the archive."""

    def __init__(
        self, archive: Archive, embedder: Embedder, index: Callable[[], VectorIndex | None] = lambda: None
    ) -> None:
        """`index` gives the vector index that this process has open now, or None."""
        self._archive, self._embedder, self._index = archive, embedder, index

    async def recall(self, job: Job, now_ms: int) -> list[Finding]:
        """Fresh findings about the product that the job looks for; empty if there are none or a store fails."""
        since_ms = now_ms - int(job.limits.memory_max_age_s * 1000)
        since = datetime.fromtimestamp(max(0, since_ms) / 1000, UTC).isoformat(timespec="seconds")
        try:
            async with asyncio.timeout(_LONGEST_S):
                return await self._recall(job, since)
        except Exception:  # earlier findings help, but a job must be able to do without them
            log.warning("job %s: cannot look for earlier findings", job.id, exc_info=True)
            return []

    async def _recall(self, job: Job, since: str) -> list[Finding]:
        (goal,) = await self._embedder.embed([asked_of(job.inputs)])
        found: dict[str, Finding] = {}
        used = 0
        for candidate in await self._jobs_near(goal):
            archived = await self._archive.get_job(candidate) if candidate != job.id else None
            if archived is None or not await self._serves(archived[0], job, goal):
                continue
            fresh = [f for f in archived[1] if f.kind in _KINDS and f.fetched_at >= since]
            used += bool(fresh)
            for finding in fresh:
                found.setdefault(normal_quote(finding.quote), finding)
            if used == MAX_JOBS_USED:
                break
        return sorted(found.values(), key=lambda finding: -finding.score)[:MAX_RECALLED]

    async def _jobs_near(self, goal: Sequence[float]) -> list[str]:
        """Jobs with findings near the goal, the nearest first; recent jobs if there is no vector index."""
        index = self._index()
        if index is None:
            return [job.id for job in await self._archive.list_jobs(RECENT_JOBS)][:MAX_JOBS_LOOKED_AT]
        near = await index.search(list(goal), limit=MAX_NEAR)
        findings = await self._archive.find_findings([id_ for id_, score in near if score >= _NEAR])
        return list(dict.fromkeys(_jobs_of(findings)))[:MAX_JOBS_LOOKED_AT]

    async def _serves(self, earlier: Job, job: Job, goal: Sequence[float]) -> bool:
        """Whether an earlier job was about the same kind of product, for a buyer in the same country."""
        if earlier.state != "completed" or earlier.inputs.intent != "commerce":
            return False
        if earlier.inputs.region != job.inputs.region:
            return False
        if not is_same_thing(asked_of(job.inputs), asked_of(earlier.inputs)):
            return False
        (other,) = await self._embedder.embed([asked_of(earlier.inputs)])
        return cosine(goal, other) >= ALIKE


def _jobs_of(findings: Iterable[Finding]) -> Iterable[str]:
    return (finding.command.rpartition(":")[0] for finding in findings)
