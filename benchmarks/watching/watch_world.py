"""The world of the simulated month: its clock, the real stores, and shops instead of the frontier."""

import asyncio
import contextlib
import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from redis.asyncio import Redis

from benchmarks.watching.watch_shops import MINUTE, START_MS, Shop
from planner.watches.watch_job_step import WatchJobStep
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.stores.alert_store import SqlAlerts
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.jobs.job import ClaimedJob, Job
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.watches.watch import Delivery

FETCH_MS = 5_000
TIMERS, AT_ONCE = "research:timers", 64
MOST_JOBS = 10_000


@dataclass
class World:
    """Everything that outlives a scheduler, and the clock."""

    redis: Redis
    jobs: RedisJobs
    watches: SqlWatches
    alerts: SqlAlerts
    shops: dict[str, Shop]
    now_ms: int = START_MS
    answers: list[tuple[int, int, CommandDone]] = field(default_factory=list)
    """Fetches under way: the time when they end, their number, and their event."""
    fetches: int = 0
    deliveries: list[Delivery] = field(default_factory=list)
    """Alerts that were sent."""
    cancelled: int = 0
    """How often the schedulers were cancelled."""
    ticks: list[int] = field(default_factory=list)
    """The times when a scheduler looked and was not cancelled."""
    submitted: Counter[str] = field(default_factory=Counter)
    """How often Redis accepted a job as new, by id."""

    def clock(self) -> int:
        return self.now_ms

    def fault_of(self, url: str) -> str:
        """Nothing is missing here."""
        return ""

    async def send(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)

    def fetch(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self.fetches += 1
            ends = self.now_ms + FETCH_MS + self.fetches % 1_000
            event = self.shops[command.url].fetched(command, ends)
            heapq.heappush(self.answers, (ends, self.fetches, event))


class WorldJobs:
    """The job store with the shops instead of the frontier: commands are fetched when they are committed."""

    def __init__(self, world: World) -> None:
        self._world, self.get = world, world.jobs.get

    async def submit(self, job: Job) -> bool:
        is_new = await self._world.jobs.submit(job)
        self._world.submitted[job.id] += is_new
        return is_new

    async def commit(
        self, taken: ClaimedJob, new: Job, *, commands: Sequence[Command] = (), **more: Any
    ) -> str:
        answer = await self._world.jobs.commit(taken, new, **more)
        if answer == "ok":
            self._world.fetch(commands)
        return answer


async def work(world: World, until_ms: int, *, idle: bool = False) -> None:
    """Advance jobs and shops to a time, with timers and fetches in their order."""
    while True:
        await _take_all(world)
        following = await _next_ms(world)
        if following is None or following > until_ms:
            if idle and following is None:
                return
            world.now_ms = until_ms
            return
        # Everything within the same minute is done together, because its order does not matter.
        world.now_ms = max(world.now_ms, following + MINUTE // 2)
        due = []
        while world.answers and world.answers[0][0] <= world.now_ms:
            due.append(heapq.heappop(world.answers)[2])
        await asyncio.gather(*(world.jobs.deliver(event.job, event) for event in due))
        await world.jobs.fire()


async def _next_ms(world: World) -> int | None:
    timer: Any = await world.redis.zrange(TIMERS, 0, 0, withscores=True)
    times = [int(score) for _, score in timer] + [ends for ends, _, _ in world.answers[:1]]
    return min(times, default=None)


async def _take_all(world: World) -> None:
    """Step all jobs that have something to decide, concurrently as in a worker."""
    while waiting := await _runnable(world):
        takes = (world.jobs.take(max_active=MOST_JOBS) for _ in range(min(waiting, AT_ONCE)))
        taken = [job for job in await asyncio.gather(*takes) if job is not None]
        await asyncio.gather(*(_step(world, job) for job in taken))


async def _runnable(world: World) -> int:
    runnable: Any = await world.redis.zcount("research:runnable", "-inf", world.now_ms)
    pending: Any = await world.redis.zcard("research:pending")
    return int(runnable) + int(pending)


async def _step(world: World, taken: ClaimedJob) -> None:
    with contextlib.suppress(LeaseLost):
        jobs: Any = WorldJobs(world)
        await WatchJobStep(jobs, world.watches, taken).run()
