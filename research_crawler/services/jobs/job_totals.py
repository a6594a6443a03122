"""How much there is to do and what was used, over all jobs that Redis holds: for metrics and overviews."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from research_crawler.adapters.redis.presence import PLANNER
from research_crawler.core.models.messages.events import Usage
from research_crawler.runtime.runtime import Runtime


@dataclass(frozen=True, kw_only=True)
class JobTotals:
    """Sums over the jobs that are open or ended in the last day."""

    states: Mapping[str, int]
    outcomes: Mapping[str, int]
    """What came of those that have ended with a report."""
    queued: Mapping[str, int]
    """Commands that wait, by queue."""
    leased: int
    outbox: int
    crawlers: int
    planners: int
    usage: Usage
    pages_fetched: int


async def totals_of(runtime: Runtime) -> JobTotals:
    """Look at all jobs and queues."""
    parts = runtime.container
    used, counts, others = await asyncio.gather(
        parts.overview.used(), parts.frontier.counts(audit=False), parts.presence.others(PLANNER)
    )
    usage = Usage()
    for job in used:
        usage += job.usage
    return JobTotals(
        states=Counter(job.state for job in used),
        outcomes=Counter(job.outcome for job in used if job.outcome and job.state == "completed"),
        queued=counts.queued,
        leased=counts.leased,
        outbox=counts.outbox,
        crawlers=counts.nodes,
        planners=others + runtime.plan,
        usage=usage,
        pages_fetched=sum(job.pages_fetched for job in used),
    )
