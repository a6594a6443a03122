"""The frontier as a node sees it; each method runs one script in Redis. `frontier_reader` looks and changes nothing."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from research_crawler.core.errors import BadMessage, GiveBackReason, NewerWire
from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.messages.commands import (
    STORED_PAGE_MAX_AGE_S,
    Command,
    Lease,
    SearchCommand,
    read_command,
)
from research_crawler.core.models.messages.events import MAX_EVENT_BYTES, CommandDone
from research_crawler.core.models.messages.searches import Pace
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.target import NO_SLOT, Target
from research_crawler.core.models.why import NO_REASON, Refusal, Why
from research_crawler.core.ports.frontier import InletKind
from research_crawler.core.tasks.leases import Download, PermitKind, PermitReply
from research_crawler.frontier.frontier_reader import FrontierReader, page_entry
from research_crawler.frontier.scripts import as_text

COOKIES_MS: Final = 600_000
"""How long a command's cookies are kept until the command resumes."""


class Frontier(FrontierReader):
    """Commands waiting for hosts, leases, permits and pages, shared by all nodes."""

    async def configure(self, *, default_delay_ms: int, host_permits: int, model_permits: int) -> None:
        """Set the default limits of hosts, and those of model endpoints."""
        values = {"delay_ms": default_delay_ms, "host_permits": host_permits, "model_permits": model_permits}
        await self.redis.hset(self.keys.conf, mapping=values)  # type: ignore[arg-type]  # redis: invariant mapping

    async def push(self, commands: Sequence[Command]) -> list[int]:
        """Queue commands; a command that is already queued or leased stays as it is.

        Returns:
            The expected wait of each command in ms; -1 if it was settled as `busy` or its job is over; -2 if its
            spider has made the same request before.
        """
        texts = [with_requested_url(command).to_wire() for command in commands]
        return [int(ms) for ms in await self.call("push", len(texts), *texts)] if texts else []

    async def lease(self, node: str, free: int, spiders: Sequence[str]) -> list[Lease]:
        """Lease at most `free` commands whose hosts are free, each with its permit, page or refusal.

        A command whose JSON does not validate is settled here as `failed: bad_command`.
        """
        reply = await self.call(
            "lease", node, free, WIRE_VERSION, secrets.token_hex(5), len(spiders), *spiders
        )
        self.due_in_ms = reply[0] if reply[0] >= 0 else None
        leases = [await self._read_lease(row) for row in reply[1:]]
        return [lease for lease in leases if lease]

    async def permit(
        self, id: str, token: str, target: Target, redirects: int, *, aside: bool = False
    ) -> PermitReply:
        """Ask for a permit for a lease's next download: a page after its robots.txt, a redirect's target, a provider.

        `aside`: the download is not the command's page but a robots.txt, which may be on another host. The command
        stays in its queue, and the answer is go, wait or lost.
        """
        address = _address(target)
        kind, wait_ms, entry, *least = await self.call("permit", id, token, *address, redirects, int(aside))
        word: PermitKind = as_text(kind)  # type: ignore[assignment]  # the script's words
        return PermitReply(word, wait_ms, page_entry(entry), *least)

    async def download_ended(  # noqa: PLR0913  # one step reports everything about a download
        self,
        id: str,
        token: str,
        target: Target,
        redirects: int,
        outcome: Download,
        *,
        suggested_delay_ms: int | None = None,
        jitter: float = 1.0,
        robots_gap_ms: int | None = None,
        block_ms: int = 0,
        crawl_delay_ms: int | None = None,
        to: Target | None = None,
        reason: Why | Refusal = NO_REASON,
    ) -> bool:
        """Report that a download has ended, and return its permit: the last byte has come, or there was no download.

        Args:
            suggested_delay_ms: the delay that the latency suggests; the host's comes nearer to it (AutoThrottle).
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
        delays = [
            -1 if value is None else value for value in (suggested_delay_ms, robots_gap_ms, crawl_delay_ms)
        ]
        reply = await self.call(
            "download_ended",
            id,
            token,
            target.slot,
            redirects,
            outcome,
            delays[0],
            jitter,
            delays[1],
            block_ms,
            delays[2],
            reason.stored,
            *moved,
        )
        return bool(reply == b"ok")

    async def stored(self, id: str, token: str, sha: str, final: Target, *, read_at_ms: int = 0) -> bool:
        """Point a page's first and final URL to its archived text, and wake the commands that want the page.

        They lead to it for `STORED_PAGE_MAX_AGE_S`.

        `read_at_ms`: time of the last byte; 0: when `download_ended` was called. Returns False if the lease is lost.
        """
        keep_ms = STORED_PAGE_MAX_AGE_S * 1000
        reply = await self.call("stored", id, token, sha, final.page_key, read_at_ms, keep_ms)
        return bool(reply == b"ok")

    async def settle(
        self,
        event: CommandDone,
        token: str,
        *,
        further: Sequence[CommandDone] = (),
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
        queued = [with_requested_url(command).to_wire() for command in commands]
        reply = await self.call(
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
        redirects: int = 0,
        progress: str = "",
    ) -> bool:
        """Put a command back into its queue. Returns False if the lease is lost.

        Only `transient` counts as an attempt; after the third attempt the command is given up.

        Args:
            why: the reason; `wait`, `render` and `turn` need `target`.
            target: the page to resume with; for `render`, the first URL in render mode; for `turn`, only its slot
                counts: that of the provider which the search waits for.
            redirects: how many were followed so far, for `wait`.
            progress: JSON of what a search has so far (`SearchProgress`), for `turn`.
        """
        if why == "render" and target is None:
            raise ValueError("give_back(render) needs the target of the first URL in render mode")
        address = _address(target) if target else ("", "", "")
        return bool(await self.call("give_back", id, token, why, *address, redirects, progress) == b"ok")

    async def withdraw(self, id: str) -> bool:
        """Take back a command without a job that nobody waits for any longer. False if it had ended already."""
        return bool(await self.call("withdraw", id))

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
        closed_ms = await self.call("provider_pace", len(paces), *flat) if paces else []
        return {slot: ms / 1000 for slot, ms in zip(paces, closed_ms, strict=True)}

    async def reroute(self, slot: str) -> int:
        """Let the searches that wait for a provider choose another one; returns how many."""
        return int(await self.call("reroute", slot))

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
        return [as_text(id_) for id_ in await self.call("beat", node, len(held), *flat)]

    async def reap(self) -> int:
        """Take back the leases of dead nodes and return their number; any process calls this about every second."""
        return int(await self.call("reap"))

    async def leave(self, node: str) -> int:
        """End a node properly: all its commands are put back without counting an attempt. Returns how many."""
        return int(await self.call("leave", node))

    async def robots_set(self, origin: str, text: str, ttl_s: float) -> None:
        """Store the robots.txt rules of an origin for all nodes."""
        await self.redis.set(self.keys.robots(origin), text, px=max(1, int(ttl_s * 1000)))

    async def cookies_set(self, id: str, text: str) -> None:
        """Store a command's cookies until the command resumes."""
        await self.redis.set(self.keys.cookies(id), text, px=COOKIES_MS)

    async def inlet_read(self, inlet: str, kind: InletKind, count: int) -> list[bytes]:
        """The next entries of a key that others push to (scrapy-redis' start_urls); they stay in the key.

        Raises:
            redis.ResponseError: the key has another type.
        """
        entries: list[bytes] = await self.call("inlet_read", inlet, kind, count)
        return entries

    async def inlet_take(
        self, inlet: str, kind: InletKind, entry: bytes, commands: Sequence[Command] = ()
    ) -> bool:
        """Remove an entry from such a key and queue its commands, in one step. False if the entry is gone."""
        texts = [with_requested_url(command).to_wire() for command in commands]
        return bool(await self.call("inlet_take", inlet, kind, entry, len(texts), *texts))

    async def flush(self, spider: str, *, everything: bool = False) -> int:
        """Forget which requests a project's spider has made, if none of its commands is queued or leased.

        `everything`: drop its queued commands too. Returns how many commands were dropped; -1 if nothing was done.
        """
        return int(await self.call("flush", spider, int(everything)))

    async def publish(self, event: CommandDone) -> None:
        """Send an event to the outbox that does not come from a command."""
        await self.redis.xadd(self.keys.outbox, {"event": _event_text(event)})

    async def _read_lease(self, row: Sequence[Any]) -> Lease | None:
        id_, token = as_text(row[0]), as_text(row[1])
        try:
            return Lease(
                command=read_command(row[4]),
                token=token,
                permit=bool(row[2]),
                page=page_entry(row[3]),
            )
        except NewerWire:
            await self.give_back(id_, token, "drain")
        except BadMessage:
            job = id_.rpartition(":")[0]
            bad = Why(Reason.BAD_COMMAND)
            await self.settle(CommandDone(uid=id_, command=id_, job=job, outcome="failed", reason=bad), token)
        return None


def _event_text(event: CommandDone) -> bytes:
    text = event.to_wire().encode()
    if len(text) > MAX_EVENT_BYTES:
        raise BadMessage(
            f"the event of {event.command} has {len(text):,} bytes; at most {MAX_EVENT_BYTES:,} are allowed: "
            "leave out links or findings"
        )
    return text


def with_requested_url(command: Command) -> Command:
    """The command with the URL that was requested first, which redirects never change."""
    if isinstance(command, SearchCommand) or command.requested_url or not command.url:
        return command
    return command.changed(requested_url=command.url, requested_page_key=command.page_key)


def _address(target: Target) -> tuple[str, str, str]:
    return target.url, target.slot or NO_SLOT, target.page_key
