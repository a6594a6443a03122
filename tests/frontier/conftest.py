"""A frontier with a clock that the test turns, and short words for what tests do with it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis

from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.messages.commands import (
    Command,
    Lease,
    SearchCommand,
    SearchSpec,
    VisitCommand,
    read_command,
)
from research_crawler.core.models.messages.events import CommandDone, read_event
from research_crawler.core.models.web.target import Target
from research_crawler.core.models.why import Refusal
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.store import Frontier

DELAY_MS = 5_000


class World:
    """One Redis, one clock, one node that is alive."""

    node = "n1"

    def __init__(self, redis: Redis) -> None:
        self.redis, self.now = redis, 1_000_000
        self.frontier = Frontier(redis, clock=lambda: self.now)
        self.jobs = RedisJobs(redis, clock=lambda: self.now)

    async def open(self) -> None:
        await self.frontier.configure(default_delay_ms=DELAY_MS, host_permits=8, model_permits=2)
        await self.frontier.beat(self.node, {})

    async def close(self) -> None:
        await self.frontier.close()
        await self.jobs.close()

    def visit(self, cid: str, path: str = "a.example/1", **more: Any) -> Command:
        t = frontier_target(f"http://{path}", render=more.get("render", False))
        return VisitCommand(
            id=cid, job=cid.split(":", maxsplit=1)[0], url=t.url, slot=t.slot, page_key=t.page_key, **more
        )

    def search(self, cid: str, **more: Any) -> Command:
        spec = SearchSpec(query="q")
        return SearchCommand(id=cid, job=cid.split(":", maxsplit=1)[0], search=spec, **more)

    async def push(self, *commands: Command) -> list[int]:
        return await self.frontier.push(commands)

    async def lease(self, free: int = 64, node: str = "n1", **more: Any) -> list[Lease]:
        """The node beats with all it holds, then leases."""
        held = await self.redis.smembers(f"research:held:{node}")
        records = {cid: await self.redis.hget("research:lease", cid) for cid in held}
        await self.frontier.beat(node, {cid: text.split(" ")[0] for cid, text in records.items()})
        return await self.frontier.lease(
            node, free, more.get("spiders", ["search", "page", "vendor", "render"])
        )

    async def fetch(self, lease: Lease, outcome: Any = "page", **more: Any) -> bool:
        """End a download; `reason` is the text of what went wrong."""
        c, reason = lease.command, Refusal.from_stored(more.pop("reason", ""))
        return await self.frontier.download_ended(
            c.id, lease.token, c.target, c.redirects, outcome, reason=reason, **more
        )

    async def store(self, lease: Lease, sha: str = "sha") -> bool:
        return await self.frontier.stored(lease.command.id, lease.token, sha, lease.command.target)

    async def settle(self, lease: Lease, **more: Any) -> bool:
        c = lease.command
        return await self.frontier.settle(CommandDone(uid=c.id, command=c.id, job=c.job, **more), lease.token)

    async def submit(self, job: str = "j1", **more: Any) -> Job:
        record = Job(id=job, inputs=JobInputs(goal="why"), **more)
        assert await self.jobs.submit(record)
        return record

    async def mail(self, job: str = "j1") -> list[CommandDone]:
        return [read_event(text) for text in await self.redis.lrange(f"research:mail:{job}", 0, -1)]

    async def outbox(self) -> list[CommandDone]:
        return [read_event(fields["event"]) for _, fields in await self.redis.xrange("research:outbox")]

    async def command(self, cid: str) -> Command | None:
        text = await self.redis.hget("research:req", cid)
        return read_command(text) if text else None

    async def wait(self, ms: int, *, reaps: bool = False) -> None:
        """Let time pass; with a reaper that looks every four seconds."""
        end = self.now + ms
        while reaps and self.now + 4_000 < end:
            self.now += 4_000
            await self.frontier.reap()
        self.now = end
        if reaps:
            await self.frontier.reap()


def at(path: str, *, render: bool = False) -> Target:
    return frontier_target(f"http://{path}", render=render)


@pytest.fixture
async def world(redis_client: Redis) -> AsyncIterator[World]:
    made = World(redis_client)
    await made.open()
    yield made
    problems = (await made.frontier.counts()).problems
    await made.close()
    assert not problems
