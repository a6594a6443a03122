"""Leases and permits as a crawler node holds them, and the words in which it talks to the frontier about them."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.commands import Command, Lease, PageEntry, Target

T = TypeVar("T")

PERMIT_S: Final = 35.0
"""Life of a permit."""

PermitKind = Literal["go", "wait", "page", "refused", "moved", "want", "lost"]
Download = Literal["page", "redirect", "refused", "robots", "transient", "aborted", "unused"]


@dataclass(frozen=True, slots=True)
class PermitReply:
    """What a lease without a permit may do next.

    go: download. wait: ask again after `wait_ms`. page, refused: `entry` has it. moved, want: give back with
    `wait`. lost: drop everything.
    """

    kind: PermitKind
    wait_ms: int = 0
    entry: PageEntry | None = None
    least_wait_ms: int = 0
    """Of a wait: what is left of it if the downloads under way end at once. They may last until their deadline."""


@dataclass(eq=False)
class Hold:
    """A permit: asked for at `sent_s` (clock before the call), named `<token>:<hop>` in the slot of `target`."""

    target: Target
    hop: int
    sent_s: float

    @property
    def left_s(self) -> float:
        """What is left of the permit, pessimistically."""
        return self.sent_s + PERMIT_S - time.monotonic()


@dataclass(eq=False)
class Task:
    """A leased command in this process."""

    lease: Lease
    holds: list[Hold] = field(default_factory=list)
    downloads: int = 0
    """Requests the network was asked for, robots.txt and redirects included."""
    pages_fetched: int = 0
    """Pages that came from the network (2xx)."""
    started_s: float = field(default_factory=time.monotonic)
    """Clock before the call that granted the lease."""
    cancelled: bool = False
    transfers: set[asyncio.Task[Any]] = field(default_factory=set)
    """Work under way for the command: downloads, waits, model calls. Ended with the lease."""

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
        """Since the lease was asked for."""
        return time.monotonic() - self.started_s

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do some work for the command that ends at once when the lease is lost.

        Raises:
            LeaseLost: it is, now or before.
        """
        if self.cancelled:
            work.close()
            raise LeaseLost
        doing = asyncio.ensure_future(work)
        self.transfers.add(doing)
        try:
            return await doing
        except asyncio.CancelledError:
            if self.cancelled:
                raise LeaseLost from None
            raise
        finally:
            self.transfers.discard(doing)
