"""The port of the frontier, as a crawling node uses it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Literal, Protocol

from research_crawler.core.models.why import NO_REASON, Refusal, Why

if TYPE_CHECKING:
    from research_crawler.core.errors import GiveBackReason
    from research_crawler.core.models.messages.commands import Command, Lease
    from research_crawler.core.models.messages.events import CommandDone
    from research_crawler.core.models.messages.searches import Pace
    from research_crawler.core.models.web.target import Target
    from research_crawler.core.tasks.leases import Download, PermitReply


InletKind = Literal["list", "set", "zset"]
"""The type of a Redis key that other programs push to."""


class WakeUps(Protocol):
    """A subscription that wakes one waiter. Iterating over it yields once per wake-up."""

    def __aiter__(self) -> AsyncIterator[None]: ...

    async def wait(self, timeout_s: float) -> bool:
        """True when woken, False after the timeout."""
        ...

    def wake(self) -> None:
        """Wake the waiter, as a message would."""
        ...

    def take_texts(self) -> list[str]:
        """Messages since the last call."""
        ...


class CrawlFrontier(Protocol):
    """The frontier as a node uses it; `frontier.store.Frontier` documents each method."""

    @property
    def due_in_ms(self) -> int | None:
        """Set by `lease`: ms until there may be a command for its spiders; None if nothing is queued."""
        ...

    async def push(self, commands: Sequence[Command]) -> list[int]:
        """Queue commands that are not queued yet."""
        ...

    async def lease(self, node: str, free: int, spiders: Sequence[str]) -> list[Lease]:
        """Lease at most `free` commands whose hosts are free."""
        ...

    async def permit(
        self, id: str, token: str, target: Target, redirects: int, *, aside: bool = False
    ) -> PermitReply:
        """Ask for a permit for the next download of a lease."""
        ...

    async def download_ended(  # noqa: PLR0913  # one download, reported in one step
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
        """Report that a download has ended, which returns its permit; False if the lease is lost."""
        ...

    async def stored(self, id: str, token: str, sha: str, final: Target, *, read_at_ms: int = 0) -> bool:
        """Report that the page is in the archive; False if the lease is lost."""
        ...

    async def settle(
        self,
        event: CommandDone,
        token: str,
        *,
        further: Sequence[CommandDone] = (),
        commands: Sequence[Command] = (),
    ) -> bool:
        """End a command with its event and the output of a project's spider; False if the lease is lost."""
        ...

    async def publish(self, event: CommandDone) -> None:
        """Send an event to the outbox that does not come from a command."""
        ...

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
        """Put a command back into its queue; False if the lease is lost."""
        ...

    async def set_paces(self, paces: Mapping[str, Pace]) -> dict[str, float]:
        """Set the paces of providers by slot; returns the seconds for which each slot is closed."""
        ...

    async def reroute(self, slot: str) -> int:
        """Let the searches that wait for a provider choose another one."""
        ...

    async def beat(
        self, node: str, held: Mapping[str, str], worked_ms: Mapping[str, int] | None = None
    ) -> list[str]:
        """Report that a node is alive, and what it holds and has worked. Returns the ids that it has lost."""
        ...

    async def reap(self) -> int:
        """Take back the leases of dead nodes, and return their number."""
        ...

    async def leave(self, node: str) -> int:
        """Sign a node off, and return how many of its leases went back."""
        ...

    async def robots_get(self, origin: str) -> str | None:
        """The stored robots.txt rules for scheme, host and port."""
        ...

    async def robots_set(self, origin: str, text: str, ttl_s: float) -> None:
        """Store robots.txt rules for all nodes."""
        ...

    async def cookies_get(self, id: str) -> str | None:
        """The cookies that were set by redirects of a command."""
        ...

    async def cookies_set(self, id: str, text: str) -> None:
        """Store a command's cookies until the command continues."""
        ...

    async def inlet_read(self, inlet: str, kind: InletKind, count: int) -> list[bytes]:
        """The next entries of a Redis key that other programs push to; they stay in the key."""
        ...

    async def inlet_take(
        self, inlet: str, kind: InletKind, entry: bytes, commands: Sequence[Command] = ()
    ) -> bool:
        """Remove an entry from such a key and queue its commands; False if the entry is gone."""
        ...

    async def flush(self, spider: str, *, everything: bool = False) -> int:
        """Forget a project spider's requests; return how many commands were dropped, or -1 if nothing was done."""
        ...

    def subscribe_wake(self, spiders: Sequence[str]) -> AbstractAsyncContextManager[WakeUps]:
        """A subscription that wakes when a command may be leased."""
        ...

    def subscribe_settled(self, id: str) -> AbstractAsyncContextManager[WakeUps]:
        """A subscription to the end of a command without a job; `take_texts` has its event."""
        ...

    async def withdraw(self, id: str) -> bool:
        """Take back a command without a job that nobody waits for any longer."""
        ...

    def subscribe_withdrawn(self) -> AbstractAsyncContextManager[WakeUps]:
        """A subscription to withdrawn leases; `take_texts` returns their ids."""
        ...
