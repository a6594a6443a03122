"""What earlier jobs found on the same kind of product: by meaning, no older than the caller allows (row 1.9)."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from planner.goal.topic_match import ALIKE, is_same_thing
from planner.text.normal_quote import normal_quote
from planner.text.ranking import cosine
from research_crawler.core.model_ports import Embedder
from research_crawler.core.models.findings import Finding, FindingKind
from research_crawler.core.models.jobs import Job
from research_crawler.core.ports import Archive, VectorIndex

_NEAR, MAX_NEAR = 0.35, 80
"""Findings below this cosine to the goal are not about it: a forum's sentence on a laptop has 0.4 to 0.7."""
MAX_JOBS_LOOKED_AT, MAX_JOBS_USED, MAX_RECALLED = 12, 3, 60
RECENT_JOBS = 50
"""Looked through where this process has no vector index."""
_LONGEST_S = 5.0
"""Without an answer by then, nothing is known: a phase 1 is the cost."""
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
    """Findings of earlier jobs, from the vector index and the archive."""

    def __init__(
        self, archive: Archive, embedder: Embedder, index: Callable[[], VectorIndex | None] = lambda: None
    ) -> None:
        """`index`: the one this process holds now, if any."""
        self._archive, self._embedder, self._index = archive, embedder, index

    async def recall(self, job: Job, now_ms: int) -> list[Finding]:
        """Fresh findings on what the job is to find an offer of; empty where nothing is known, or nothing answers."""
        since_ms = now_ms - int(job.limits.memory_max_age_s * 1000)
        since = datetime.fromtimestamp(max(0, since_ms) / 1000, UTC).isoformat(timespec="seconds")
        try:
            async with asyncio.timeout(_LONGEST_S):
                return await self._recall(job, since)
        except Exception:  # what was once known is a help, and never a condition
            log.warning("job %s: earlier findings could not be looked for", job.id, exc_info=True)
            return []

    async def _recall(self, job: Job, since: str) -> list[Finding]:
        (goal,) = await self._embedder.embed([job.inputs.goal])
        found: dict[str, Finding] = {}
        used = 0
        for candidate in await self._jobs_near(goal):
            kept = await self._archive.get_job(candidate) if candidate != job.id else None
            if kept is None or not await self._serves(kept[0], job, goal):
                continue
            fresh = [f for f in kept[1] if f.kind in _KINDS and f.fetched_at >= since]
            used += bool(fresh)
            for finding in fresh:
                found.setdefault(normal_quote(finding.quote), finding)
            if used == MAX_JOBS_USED:
                break
        return sorted(found.values(), key=lambda finding: -finding.score)[:MAX_RECALLED]

    async def _jobs_near(self, goal: Sequence[float]) -> list[str]:
        """Jobs whose findings are near the goal, the nearest first."""
        index = self._index()
        if index is None:
            return [job.id for job in await self._archive.list_jobs(RECENT_JOBS)][:MAX_JOBS_LOOKED_AT]
        near = await index.search(list(goal), limit=MAX_NEAR)
        findings = await self._archive.find_findings([id_ for id_, score in near if score >= _NEAR])
        return list(dict.fromkeys(_jobs_of(findings)))[:MAX_JOBS_LOOKED_AT]

    async def _serves(self, earlier: Job, job: Job, goal: Sequence[float]) -> bool:
        """Whether an earlier job was about the same thing, for a buyer of the same country."""
        if earlier.state != "completed" or earlier.inputs.intent != "commerce":
            return False
        if earlier.inputs.region != job.inputs.region:
            return False
        if not is_same_thing(job.inputs.goal, earlier.inputs.goal):
            return False
        (other,) = await self._embedder.embed([earlier.inputs.goal])
        return cosine(goal, other) >= ALIKE


def _jobs_of(findings: Iterable[Finding]) -> Iterable[str]:
    return (finding.command.rpartition(":")[0] for finding in findings)
