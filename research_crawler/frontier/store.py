"""The frontier as a node sees it; each method runs one script in Redis."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis

from research_crawler.core.errors import BadMessage, GiveBackReason, NewerWire
from research_crawler.core.leases import Download, PermitKind, PermitReply
from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.commands import NO_SLOT, Command, Lease, PageEntry, Target
from research_crawler.core.models.events import MAX_EVENT_BYTES, Event
from research_crawler.core.models.in_flight import InFlight, Look
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.searches import Pace
from research_crawler.core.models.why import NO_REASON, Refusal, Why
from research_crawler.core.ports.crawler import InletKind
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.places import Place, place_of
from research_crawler.frontier.scripts import ScriptPipe, as_text
from research_crawler.frontier.wakes import Wakes

COOKIES_MS: Final = 600_000
"""How long a command's cookies are kept until the command resumes."""
SPIDERS: Final = ("search", "page", "vendor", "render")
"""The queues of commands, in the order that the scripts use."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How full the frontier is, and which of its rules are broken."""

    queued: Mapping[str, int]
    """Commands by queue: search, page, vendor, render, and `own` for the spiders of projects."""
    leased: int
    dead: int
    outbox: int
    nodes: int
    active_jobs: int
    pending_jobs: int
    problems: Sequence[str] = ()


class Frontier:
    """Commands waiting for hosts, leases, permits and pages, shared by all nodes."""

    def __init__(
        self, redis: Redis, *, prefix: str = "research:", clock: Callable[[], int] | None = None
    ) -> None:
        """`clock` returns ms and replaces the server's clock in tests and simulations."""
        self.keys = Keys(prefix)
        self.due_in_ms: int | None = None
        """Set by `lease`: ms until its spiders may get a command again; None if nothing is queued."""
        self._redis, self._clock = redis, clock
        self._pipe = ScriptPipe(redis, prefix)

    async def configure(self, *, default_delay_ms: int, host_permits: int, model_permits: int) -> None:
        """Set the default limits of hosts, and those of model endpoints."""
        values = {"delay_ms": default_delay_ms, "host_permits": host_permits, "model_permits": model_permits}
        await self._redis.hset(self.keys.conf, mapping=values)  # type: ignore[arg-type]  # redis: invariant mapping

    async def close(self) -> None:
        """Return the connection to its pool."""
        await self._pipe.close()

    def node_ms(self) -> int:
        """The clock of `Lease.granted_ms`, in ms; it never goes backwards."""
        return self._clock() if self._clock else time.monotonic_ns() // 1_000_000

    async def push(self, commands: Sequence[Command]) -> list[int]:
        """Queue commands; a command that is already queued or leased stays as it is.

        Returns:
            The expected wait of each command in ms; -1 if it was settled as `busy` or its job is over; -2 if its
            spider has made the same request before.
        """
        texts = [with_first_address(command).to_wire() for command in commands]
        return [int(ms) for ms in await self._call("push", len(texts), *texts)] if texts else []

    async def lease(self, node: str, free: int, spiders: Sequence[str]) -> list[Lease]:
        """Lease at most `free` commands whose hosts are free, each with its permit, page or refusal.

        A command whose JSON does not validate is settled here as `failed: bad_command`.
        """
        asked_ms = self.node_ms()
        reply = await self._call(
            "lease", node, free, WIRE_VERSION, secrets.token_hex(5), len(spiders), *spiders
        )
        self.due_in_ms = reply[0] if reply[0] >= 0 else None
        leases = [await self._read_lease(row, asked_ms) for row in reply[1:]]
        return [lease for lease in leases if lease]

    async def permit(
        self, id: str, token: str, target: Target, hop: int, *, aside: bool = False
    ) -> PermitReply:
        """Ask for a permit for a lease's next download: a page after its robots.txt, a redirect's target, a provider.

        `aside`: the download is not the command's page but a robots.txt, which may be on another host. The command
        stays in its queue, and the answer is go, wait or lost.
        """
        address = _address(target)
        kind, wait_ms, entry, *least = await self._call("permit", id, token, *address, hop, int(aside))
        word: PermitKind = as_text(kind)  # type: ignore[assignment]  # the script's words
        return PermitReply(word, wait_ms, _entry(entry), *least)

    async def fetched(  # noqa: PLR0913  # one step reports everything about a download
        self,
        id: str,
        token: str,
        target: Target,
        hop: int,
        outcome: Download,
        *,
        delay_ms: int | None = None,
        jitter: float = 1.0,
        robots_gap_ms: int | None = None,
        block_ms: int = 0,
        crawl_delay_ms: int | None = None,
        to: Target | None = None,
        reason: Why | Refusal = NO_REASON,
    ) -> bool:
        """Return a permit: the last byte has arrived, or there was no download.

        Args:
            delay_ms: the host's new delay (AutoThrottle).
            jitter: a factor for the host's pause after this download, which is never under its Crawl-delay.
            robots_gap_ms: the pause after robots.txt; by default the Crawl-delay, else min(delay, 1 s).
            block_ms: for how long no node asks this host (429, 503, Retry-After).
            crawl_delay_ms: the Crawl-delay of the host's robots.txt.
            to: the target of a redirect.
            reason: why the download failed or was refused; a `Refusal` also applies to other jobs' visits of the page.

        Returns:
            False if the lease is lost; the permit is returned nevertheless.
        """
        moved = _address(to) if to else ("", "", "")
        delays = [-1 if value is None else value for value in (delay_ms, robots_gap_ms, crawl_delay_ms)]
        reply = await self._call(
            "fetched",
            id,
            token,
            target.slot,
            hop,
            outcome,
            delays[0],
            jitter,
            delays[1],
            block_ms,
            delays[2],
            reason.text,
            *moved,
        )
        return bool(reply == b"ok")

    async def stored(self, id: str, token: str, sha: str, final: Target, *, read_at_ms: int = 0) -> bool:
        """Point a page's first and final URL to its archived text, and wake the commands that want the page.

        `read_at_ms`: time of the last byte; 0: when `fetched` was called. Returns False if the lease is lost.
        """
        return bool(await self._call("stored", id, token, sha, final.h, read_at_ms) == b"ok")

    async def settle(
        self,
        event: Event,
        token: str,
        *,
        further: Sequence[Event] = (),
        commands: Sequence[Command] = (),
    ) -> bool:
        """End a command with its event, in one step. Returns False if the lease is lost; then nothing was changed.

        Args:
            event: the outcome of the command.
            token: the token of its lease.
            further: events that go to the outbox in the same step: the pages among a project's items.
            commands: commands that are queued in the same step: the requests that a project's spider made from the
                response.

        Raises:
            BadMessage: an event is over 64 kB.
        """
        texts = [_event_text(each) for each in (event, *further)]
        queued = [with_first_address(command).to_wire() for command in commands]
        reply = await self._call(
            "settle", event.command, token, texts[0], len(further), *texts[1:], len(queued), *queued
        )
        return bool(reply == b"ok")

    async def give_back(
        self,
        id: str,
        token: str,
        why: GiveBackReason,
        *,
        target: Target | None = None,
        hop: int = 0,
        progress: str = "",
    ) -> bool:
        """Put a command back into its queue. Returns False if the lease is lost.

        Only `transient` counts as an attempt; after the third attempt the command is given up.

        Args:
            why: the reason; `wait`, `render` and `turn` need `target`.
            target: the page to resume with; for `render`, the first URL in render mode; for `turn`, only its slot
                counts: that of the provider which the search waits for.
            hop: redirects followed so far, for `wait`.
            progress: JSON of what a search has so far (`SearchProgress`), for `turn`.
        """
        if why == "render" and target is None:
            raise ValueError("give_back(render) needs the target of the first URL in render mode")
        address = _address(target) if target else ("", "", "")
        return bool(await self._call("give_back", id, token, why, *address, hop, progress) == b"ok")

    async def withdraw(self, id: str) -> bool:
        """Take back a command without a job that nobody waits for any longer. False if it had ended already."""
        return bool(await self._call("withdraw", id))

    async def set_paces(self, paces: Mapping[str, Pace]) -> dict[str, float]:
        """Set how often and how many at once providers may be called, by slot.

        Returns:
            Seconds for which each slot is closed after an error (429, 503, Retry-After); 0: it is open.
        """
        flat = [
            part
            for slot, pace in paces.items()
            for part in (slot, pace.delay_ms, pace.at_once if pace.is_of(slot) else 0)
        ]
        closed_ms = await self._call("pace", len(paces), *flat) if paces else []
        return {slot: ms / 1000 for slot, ms in zip(paces, closed_ms, strict=True)}

    async def reroute(self, slot: str) -> int:
        """Let the searches that wait for a provider choose another one; returns how many."""
        return int(await self._call("reroute", slot))

    async def beat(
        self, node: str, held: Mapping[str, str], worked_ms: Mapping[str, int] | None = None
    ) -> list[str]:
        """Keep a node alive for 10 s more, and return the ids that it has lost.

        Args:
            node: the name of the node.
            held: {id: token} of all its leases.
            worked_ms: {id: ms of work under this lease}, for those who ask how long a command has been worked on.
        """
        worked_ms = worked_ms or {}
        flat = [part for id_, token in held.items() for part in (id_, token, worked_ms.get(id_, 0))]
        return [as_text(id_) for id_ in await self._call("beat", node, len(held), *flat)]

    async def reap(self) -> int:
        """Take back the leases of dead nodes and return their number; any process calls this about every second."""
        return int(await self._call("reap"))

    async def leave(self, node: str) -> int:
        """End a node properly: all its commands are put back without counting an attempt. Returns how many."""
        return int(await self._call("leave", node))

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download, after those in its queue."""
        return [ms / 1000 for ms in await self._call("waits", len(slots), *slots)] if slots else []

    async def places(self, job: str) -> list[Place]:
        """Where each open command of a job is: queued for a host or provider, or leased to a node."""
        return [place_of(row) for row in await self._call("places", job)]

    async def slot(self, slot: str) -> dict[str, int]:
        """The stored fields of a slot (next, blocked_until, vt, delay, …), and its open permits as `flying`."""
        stored = await _awaited(self._redis.hgetall(self.keys.slot(slot)))
        flying = await _awaited(self._redis.zcard(self.keys.flying(slot)))
        return {as_text(k): int(float(v)) for k, v in stored.items()} | {"flying": int(flying)}

    async def look(self, job: str) -> Look:
        """Which of a job's commands wait, which are worked on and for how long, and whether a crawler is alive."""
        places, counts = await asyncio.gather(self.places(job), self._call("counts"))
        ids = [place.command for place in places if place.leased]
        worked = await _awaited(self._redis.hmget(self.keys.worked, ids)) if ids else []
        worked_ms = {id_: int(ms or 0) for id_, ms in zip(ids, worked, strict=True)}
        return Look(
            commands=[
                InFlight(
                    command=place.command,
                    is_leased=place.leased,
                    worked_ms=worked_ms.get(place.command, 0),
                    free_in_ms=0 if place.kind == "search" else place.free_in_ms,
                )
                for place in places
            ],
            nodes=counts[3],
        )

    async def entry(self, h: str) -> PageEntry | None:
        """The stored entry of a page, however old, or None."""
        text = await self._redis.get(self.keys.page(h))
        return _entry(text or b"")

    async def robots_get(self, origin: str) -> str | None:
        """The stored robots.txt rules of an origin (scheme, host and port), or None."""
        text = await self._redis.get(self.keys.robots(origin))
        return None if text is None else as_text(text)

    async def robots_set(self, origin: str, text: str, ttl_s: float) -> None:
        """Store the robots.txt rules of an origin for all nodes."""
        await self._redis.set(self.keys.robots(origin), text, px=max(1, int(ttl_s * 1000)))

    async def cookies_get(self, id: str) -> str | None:
        """The stored cookies that a command's redirects have set, or None."""
        text = await self._redis.get(self.keys.cookies(id))
        return None if text is None else as_text(text)

    async def cookies_set(self, id: str, text: str) -> None:
        """Store a command's cookies until the command resumes."""
        await self._redis.set(self.keys.cookies(id), text, px=COOKIES_MS)

    async def inlet_read(self, inlet: str, kind: InletKind, count: int) -> list[bytes]:
        """The next entries of a key that others push to (scrapy-redis' start_urls); they stay in the key.

        Raises:
            redis.ResponseError: the key has another type.
        """
        entries: list[bytes] = await self._call("inlet_read", inlet, kind, count)
        return entries

    async def inlet_take(
        self, inlet: str, kind: InletKind, entry: bytes, commands: Sequence[Command] = ()
    ) -> bool:
        """Remove an entry from such a key and queue its commands, in one step. False if the entry is gone."""
        texts = [with_first_address(command).to_wire() for command in commands]
        return bool(await self._call("inlet_take", inlet, kind, entry, len(texts), *texts))

    async def flush(self, spider: str, *, everything: bool = False) -> int:
        """Forget which requests a project's spider has made, if none of its commands is queued or leased.

        `everything`: drop its queued commands too. Returns how many commands were dropped; -1 if nothing was done.
        """
        return int(await self._call("flush", spider, int(everything)))

    async def publish(self, event: Event) -> None:
        """Send an event to the outbox that does not come from a command."""
        await self._redis.xadd(self.keys.outbox, {"event": _event_text(event)})

    @contextlib.asynccontextmanager
    async def subscribe_wake(self, spiders: Sequence[str]) -> AsyncIterator[Wakes]:
        """Wake-ups when a command may be leased: `async for _ in wakes`, or `await wakes.wait(timeout_s)`."""
        async with Wakes.open(self._redis, [self.keys.wake(spider) for spider in spiders]) as wakes:
            yield wakes

    @contextlib.asynccontextmanager
    async def subscribe_settled(self, id: str) -> AsyncIterator[Wakes]:
        """Wait for the end of a command without a job; `take_texts` has its event. Open it before the push."""
        async with Wakes.open(self._redis, [self.keys.settled(id)], timed=False) as wakes:
            yield wakes

    @contextlib.asynccontextmanager
    async def subscribe_withdrawn(self) -> AsyncIterator[Wakes]:
        """Wait for withdrawn leases; `take_texts` has the commands' ids."""
        async with Wakes.open(self._redis, [self.keys.withdrawn], timed=False) as wakes:
            yield wakes

    async def counts(self, *, audit: bool = True) -> Counts:
        """How full the frontier is; with `audit`, also every broken rule, for which it reads all keys."""
        leased, dead, outbox, nodes, active, pending, *queued = await self._call("counts")
        problems = [as_text(line) for line in await self._call("audit")] if audit else []
        return Counts(
            queued=dict(zip((*SPIDERS, "own"), queued, strict=True)),
            leased=leased,
            dead=dead,
            outbox=outbox,
            nodes=nodes,
            active_jobs=active,
            pending_jobs=pending,
            problems=problems,
        )

    async def _read_lease(self, row: Sequence[Any], asked_ms: int) -> Lease | None:
        id_, token = as_text(row[0]), as_text(row[1])
        try:
            return Lease(
                command=Command.from_wire(row[4]),
                token=token,
                permit=bool(row[2]),
                page=_entry(row[3]),
                granted_ms=asked_ms,
            )
        except NewerWire:
            await self.give_back(id_, token, "drain")
        except BadMessage:
            job = id_.rpartition(":")[0]
            bad = Why(Reason.BAD_COMMAND)
            await self.settle(
                Event(uid=id_, kind="done", command=id_, job=job, what="failed", reason=bad), token
            )
        return None

    def _call(self, name: str, *arguments: str | bytes | int | float) -> "asyncio.Future[Any]":
        return self._pipe.call(name, *arguments, self._clock() if self._clock else 0)


def _event_text(event: Event) -> bytes:
    text = event.to_wire().encode()
    if len(text) > MAX_EVENT_BYTES:
        raise BadMessage(
            f"the event of {event.command} has {len(text):,} bytes; at most {MAX_EVENT_BYTES:,} are allowed: "
            "leave out links or findings"
        )
    return text


def with_first_address(command: Command) -> Command:
    """The command with `asked` filled in; redirects never change that field."""
    if command.asked or not command.url:
        return command
    return command.changed(asked=command.url, asked_h=command.h)


def _address(target: Target) -> tuple[str, str, str]:
    return target.url, target.slot or NO_SLOT, target.h


def _entry(text: bytes | str) -> PageEntry | None:
    return PageEntry.from_wire(text) if text else None


async def _awaited(reply: Any) -> Any:
    """Await a reply; redis-py's types say that hash and set commands may not be awaitable."""
    return await reply
