"""What the machines do now: who works on what, which hosts wait, and why pages fail, for those who run many of them."""

import asyncio
from collections import Counter
from typing import Final

from pydantic import Field

from research_crawler.adapters.redis.presence import PLANNER
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs.job import Job
from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.runtime.runtime import Runtime

MOST_JOBS_LOOKED_AT: Final = 50
"""Most running jobs that are looked at."""
MOST_HOSTS_SHOWN: Final = 30
"""Most hosts that are listed."""
MOST_REASONS_SHOWN: Final = 20
"""Most reasons of failed pages that are listed."""


class WaitingHost(Frozen):
    """A host or provider for which commands wait."""

    host: str
    commands: int
    longest_s: float
    free_in_s: float
    """Until it gives a permit, at the latest; 0: now."""


class WorkedJob(Frozen):
    """A job that is under way, and how many of its commands are where."""

    task_id: str
    topic: str
    action: str
    leased: int
    waiting: int


class Machines(Frozen):
    """The nodes, the queues, and what they have to do."""

    crawlers: int
    planners: int
    queued: dict[str, int] = Field(default_factory=dict)
    leased: int = 0
    active_jobs: int = 0
    pending_jobs: int = 0
    outbox: int = 0
    jobs: list[WorkedJob] = Field(default_factory=list)
    hosts: list[WaitingHost] = Field(default_factory=list)
    failures: list[tuple[str, int]] = Field(default_factory=list)
    """Why pages of these jobs were not read, and how often."""


async def machines_now(runtime: Runtime) -> Machines:
    """What is done now, by the jobs that are under way, at most fifty of them."""
    parts = runtime.container
    counts, planners, active = await asyncio.gather(
        parts.frontier.counts(audit=False), parts.presence.others(PLANNER), parts.jobs.active()
    )
    ids = sorted(active)[:MOST_JOBS_LOOKED_AT]
    found = await asyncio.gather(*(parts.jobs.get(job) for job in ids))
    jobs = [job for job in found if job is not None]
    locations = await asyncio.gather(*(parts.frontier.locations(job.id) for job in jobs))
    return Machines(
        crawlers=counts.nodes,
        planners=planners + bool(runtime.plan),
        queued={name: number for name, number in counts.queued.items() if number},
        leased=counts.leased,
        active_jobs=counts.active_jobs,
        pending_jobs=counts.pending_jobs,
        outbox=counts.outbox,
        jobs=[_worked(job, there) for job, there in zip(jobs, locations, strict=True)],
        hosts=waiting_hosts([location for there in locations for location in there]),
        failures=failures_of(jobs),
    )


def _worked(job: Job, locations: list[CommandLocation]) -> WorkedJob:
    leased = sum(location.leased for location in locations)
    return WorkedJob(
        task_id=job.id,
        topic=job.topic,
        action=job.progress.current_action,
        leased=leased,
        waiting=len(locations) - leased,
    )


def waiting_hosts(locations: list[CommandLocation]) -> list[WaitingHost]:
    """The hosts for which commands wait, those with the most first."""
    by_host: dict[str, list[CommandLocation]] = {}
    for location in locations:
        if not location.leased and location.slot != "_":
            by_host.setdefault(location.provider or location.slot, []).append(location)
    hosts = [
        WaitingHost(
            host=host,
            commands=len(waiting),
            longest_s=max(location.for_ms for location in waiting) / 1000,
            free_in_s=min(location.free_in_ms for location in waiting) / 1000,
        )
        for host, waiting in by_host.items()
    ]
    return sorted(hosts, key=lambda host: (-host.commands, host.host))[:MOST_HOSTS_SHOWN]


def failures_of(jobs: list[Job]) -> list[tuple[str, int]]:
    """Why pages of these jobs were not read, the most frequent reason first."""
    reasons = Counter(
        visit.reason.kind.value or visit.outcome
        for job in jobs
        for visit in job.visits
        if visit.outcome not in ("", "ok")
    )
    return reasons.most_common(MOST_REASONS_SHOWN)
