"""What is in the frontier, for whoever looks and changes nothing; each method asks Redis once or twice."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis

from research_crawler.core.models.messages.commands import PageEntry
from research_crawler.core.models.messages.in_flight import InFlight, InFlightSnapshot
from research_crawler.frontier.command_locations import CommandLocation, location_of
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.scripts import ScriptPipe, as_text
from research_crawler.frontier.wakes import Wakes

SPIDERS: Final = ("search", "page", "vendor", "render")
"""The queues of commands, in the order that the scripts use."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How full the frontier is, and which of its rules are broken."""

    queued: Mapping[str, int]
    """Commands by queue: search, page, vendor, render, and `own` for the spiders of projects."""
    leased: int
    given_up: int
    outbox: int
    nodes: int
    active_jobs: int
    pending_jobs: int
    problems: Sequence[str] = ()


class FrontierReader:
    """The frontier as one looks at it. `store.Frontier` adds what changes it."""

    def __init__(
        self, redis: Redis, *, prefix: str = "research:", clock: Callable[[], int] | None = None
    ) -> None:
        """`clock` returns ms and replaces the server's clock in tests and simulations."""
        self.keys = Keys(prefix)
        self.due_in_ms: int | None = None
        """Set by `lease`: ms until its spiders may get a command again; None if nothing is queued."""
        self.redis = redis
        """The client of all calls, which somebody else closes."""
        self._clock = clock
        self._pipe = ScriptPipe(redis, prefix)

    async def close(self) -> None:
        """Return the connection to its pool."""
        await self._pipe.close()

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download, after those in its queue."""
        return [ms / 1000 for ms in await self.call("waits", len(slots), *slots)] if slots else []

    async def locations(self, job: str) -> list[CommandLocation]:
        """Where each open command of a job is: queued for a host or provider, or leased to a node."""
        return [location_of(row) for row in await self.call("places", job)]

    async def slot(self, slot: str) -> dict[str, int]:
        """The stored fields of a slot (next, blocked_until, vt, delay, …), and its open permits as `flying`."""
        stored = await _awaited(self.redis.hgetall(self.keys.slot(slot)))
        flying = await _awaited(self.redis.zcard(self.keys.flying(slot)))
        return {as_text(k): int(float(v)) for k, v in stored.items()} | {"flying": int(flying)}

    async def look(self, job: str) -> InFlightSnapshot:
        """Which of a job's commands wait, which are worked on and for how long, and whether a crawler is alive."""
        locations, counts = await asyncio.gather(self.locations(job), self.call("counts"))
        ids = [location.command for location in locations if location.leased]
        worked = await _awaited(self.redis.hmget(self.keys.worked, ids)) if ids else []
        worked_ms = {id_: int(ms or 0) for id_, ms in zip(ids, worked, strict=True)}
        return InFlightSnapshot(
            commands=[
                InFlight(
                    command=location.command,
                    is_leased=location.leased,
                    asks_person=location.queue == "person",
                    worked_ms=worked_ms.get(location.command, 0),
                    free_in_ms=0 if location.kind == "search" else location.free_in_ms,
                )
                for location in locations
            ],
            nodes=counts[3],
        )

    async def entry(self, page_key: str) -> PageEntry | None:
        """The stored entry of a page, however old, or None."""
        text = await self.redis.get(self.keys.page(page_key))
        return page_entry(text or b"")

    async def robots_get(self, origin: str) -> str | None:
        """The stored robots.txt rules of an origin (scheme, host and port), or None."""
        text = await self.redis.get(self.keys.robots(origin))
        return None if text is None else as_text(text)

    async def cookies_get(self, id: str) -> str | None:
        """The stored cookies that a command's redirects have set, or None."""
        text = await self.redis.get(self.keys.cookies(id))
        return None if text is None else as_text(text)

    @contextlib.asynccontextmanager
    async def subscribe_wake(self, spiders: Sequence[str]) -> AsyncIterator[Wakes]:
        """Wake-ups when a command may be leased: `async for _ in wakes`, or `await wakes.wait(timeout_s)`."""
        async with Wakes.open(self.redis, [self.keys.wake(spider) for spider in spiders]) as wakes:
            yield wakes

    @contextlib.asynccontextmanager
    async def subscribe_settled(self, id: str) -> AsyncIterator[Wakes]:
        """Wait for the end of a command without a job; `take_texts` has its event. Open it before the push."""
        async with Wakes.open(self.redis, [self.keys.settled(id)], timed=False) as wakes:
            yield wakes

    @contextlib.asynccontextmanager
    async def subscribe_withdrawn(self) -> AsyncIterator[Wakes]:
        """Wait for withdrawn leases; `take_texts` has the commands' ids."""
        async with Wakes.open(self.redis, [self.keys.withdrawn], timed=False) as wakes:
            yield wakes

    async def counts(self, *, audit: bool = True) -> Counts:
        """How full the frontier is; with `audit`, also every broken rule, for which it reads all keys."""
        leased, given_up, outbox, nodes, active, pending, *queued = await self.call("counts")
        problems = [as_text(line) for line in await self.call("audit")] if audit else []
        return Counts(
            queued=dict(zip((*SPIDERS, "own"), queued, strict=True)),
            leased=leased,
            given_up=given_up,
            outbox=outbox,
            nodes=nodes,
            active_jobs=active,
            pending_jobs=pending,
            problems=problems,
        )

    def call(self, name: str, *arguments: str | bytes | int | float) -> "asyncio.Future[Any]":
        """The reply of the script of this name in `lua/`."""
        return self._pipe.call(name, *arguments, self._clock() if self._clock else 0)


def page_entry(text: bytes | str) -> PageEntry | None:
    """A stored entry, or None for an empty text."""
    return PageEntry.from_wire(text) if text else None


async def _awaited(reply: Any) -> Any:
    """Await a reply; redis-py's types say that hash and set commands may not be awaitable."""
    return await reply
