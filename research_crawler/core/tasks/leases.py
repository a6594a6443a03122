"""The leases and permits that a crawler node holds, and the types of its calls to the frontier."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.messages.commands import Command, Lease, PageEntry
from research_crawler.core.models.web.target import Target
from research_crawler.core.tasks.owners import owned_by
from research_crawler.core.tasks.work_time import Stopwatch, measured_by

T = TypeVar("T")

PERMIT_S: Final = 35.0
"""How long a permit lasts; the scripts decide (`PERMIT_MS` in `frontier/lua/_base.lua`)."""
LAST_ATTEMPT: Final = 2
"""A command's attempts are 0, 1, 2; what fails in the last one is final. The scripts decide (`ATTEMPTS_MAX`)."""

PermitKind = Literal["go", "wait", "page", "refused", "moved", "want", "lost"]
Download = Literal["page", "redirect", "refused", "robots", "transient", "aborted", "unused"]


@dataclass(frozen=True, slots=True)
class PermitReply:
    """The frontier's answer when a node asks for a permit.

    go: download now. wait: ask again after `wait_ms`. page, refused: `entry` has the result. moved, want: give the
    command back with `wait`. lost: end all work for the command.
    """

    kind: PermitKind
    wait_ms: int = 0
    entry: PageEntry | None = None
    least_wait_ms: int = 0
    """The shortest possible wait: `wait_ms` assumes that running downloads last until their deadline."""


@dataclass(eq=False)
class HeldPermit:
    """A permit named `<token>:<redirects>` in the slot of `target`; `sent_s` is the time before the call for it."""

    target: Target
    redirects: int
    sent_s: float

    @property
    def left_s(self) -> float:
        """The least time in seconds that the permit still lasts."""
        return self.sent_s + PERMIT_S - time.monotonic()


@dataclass(eq=False)
class Task:
    """A leased command in this process."""

    lease: Lease
    permits: list[HeldPermit] = field(default_factory=list)
    downloads: int = 0
    """Requests sent to the network, including robots.txt and redirects."""
    pages_fetched: int = 0
    """Pages downloaded from the network (2xx)."""
    started_s: float = field(default_factory=time.monotonic)
    """Time before the call that granted the lease."""
    watch: Stopwatch = field(default_factory=Stopwatch)
    """Measures the work under this lease; it stops while the command waits for a permit, a parse
    process or the embedder."""
    cancelled: bool = False
    transfers: set[asyncio.Task[Any]] = field(default_factory=set)
    """Running work for the command (downloads, waits, model calls), which is cancelled when the lease is lost."""

    @property
    def command(self) -> Command:
        """The command as it was leased."""
        return self.lease.command

    @property
    def token(self) -> str:
        """The lease's token."""
        return self.lease.token

    @property
    def seconds(self) -> float:
        """Seconds since the lease was requested."""
        return time.monotonic() - self.started_s

    @property
    def spent_s(self) -> float:
        """Seconds of work for the command, under this lease and earlier ones, without waits for permits."""
        return self.command.spent_ms / 1000 + self.watch.worked_s

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work for the command; it is cancelled at once when the lease is lost.

        Raises:
            LeaseLost: the lease is or was lost.
        """
        if self.cancelled:
            work.close()
            raise LeaseLost
        with measured_by(self.watch), owned_by(self.command.takes_turn_as):
            running = asyncio.ensure_future(work)
        self.transfers.add(running)
        try:
            return await running
        except asyncio.CancelledError:
            if self.cancelled:
                raise LeaseLost from None
            raise
        finally:
            self.transfers.discard(running)
