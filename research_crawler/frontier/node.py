"""A crawler node's own view of its leases: what it works on, what it holds, whether it may still speak.

`core.leases.Task` is a leased command, `Hold` a permit it has or has asked for. All state here is lost with the
process; the frontier takes back what is not named in a beat.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from typing import Final

import structlog
from redis.exceptions import RedisError

from research_crawler.core.crawl_ports import CrawlFrontier
from research_crawler.core.errors import GiveBackReason, RedisUnusable
from research_crawler.core.leases import Hold, Task
from research_crawler.core.models.commands import Lease, Target

log = structlog.get_logger(__name__)
LEFT_S, MUTE_S, WORK_S = 5.0, 8.0, 295.0
"""Least rest of a permit to start a download; silence after a lost beat; longest work on a lease."""
SETTLE_S = 15.0
"""What a model's work on a command leaves of the lease, for its settlement."""
_END_S = 2.0
"""How long cancelled work may take to end before its permits are brought back all the same."""
OUT_OF_REACH: Final = (RedisError, RedisUnusable)
"""What is raised where Redis did not answer for as long as its client is patient: nobody knows what it did."""


class Node:
    """What one crawler process holds. Its name is new at each start, so that a restart never answers for the dead."""

    def __init__(self, frontier: CrawlFrontier, *, leases: int = 64) -> None:
        self.frontier = frontier
        self.name = f"{os.uname().nodename[:20]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.tasks: dict[str, Task] = {}
        """By token."""
        self.capacity = leases
        self.last_beat_s = 0.0
        """Clock before the last beat that was answered; 0: never heard of."""
        self.draining = False
        self.on_free: Callable[[], None] = lambda: None
        """Called when a place becomes free, and when the frontier hears of the node."""
        self.nothing_queued_since_s: float | None = None
        """Clock since the node works on nothing and finds nothing to lease; None: there is something."""
        self.pushes = 0
        """Counts what this node has brought into the frontier, so that an older look at the queues is known as such."""
        self.idle = asyncio.Event()
        """Set while the node works on nothing."""
        self.idle.set()

    @property
    def free(self) -> int:
        """Leases the node can still take."""
        return 0 if self.draining else self.capacity - len(self.tasks)

    @property
    def mute(self) -> bool:
        """Too long since the frontier last heard of us: nothing may be dispatched."""
        return not self.last_beat_s or time.monotonic() - self.last_beat_s > MUTE_S

    def note_push(self) -> None:
        """This node has queued something."""
        self.pushes += 1
        self.nothing_queued_since_s = None

    def note_look(self, pushes: int, *, found: bool) -> None:
        """The queues were looked at, when the node had pushed so often."""
        if found or self.tasks or pushes != self.pushes:
            self.nothing_queued_since_s = None
        elif self.nothing_queued_since_s is None:
            self.nothing_queued_since_s = time.monotonic()

    def accept(self, lease: Lease, sent_s: float) -> Task:
        """Take a lease on; it and a permit that came with it count from `sent_s`."""
        task = Task(lease, started_s=sent_s)
        if lease.permit:
            task.holds.append(Hold(lease.command.target, lease.command.hop, sent_s))
        self.tasks[lease.token] = task
        self.idle.clear()
        return task

    def release(self, task: Task) -> None:
        """The command is settled, given back or lost; where Redis was not told, it sees it in the next beats."""
        if self.tasks.pop(task.token, None):
            self.on_free()
        if not self.tasks:
            self.idle.set()

    async def cancel(self, task: Task) -> None:
        """The lease is lost: end what is done for it and bring back its permits."""
        task.cancelled = True
        self.release(task)
        transfers = [transfer for transfer in task.transfers if transfer is not asyncio.current_task()]
        for transfer in transfers:
            transfer.cancel()
        if transfers:
            await asyncio.wait(transfers, timeout=_END_S)
        await self.drop_holds(task)

    async def give_back(
        self, task: Task, why: GiveBackReason, *, target: Target | None = None, hop: int = 0
    ) -> None:
        """Put the command back into the frontier, its permits too."""
        await self.drop_holds(task)
        try:
            await self.frontier.give_back(task.command.id, task.token, why, target=target, hop=hop)
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", command=task.command.id, error=str(error))
        finally:
            self.note_push()
            self.release(task)

    async def return_unused(self, task: Task, hold: Hold) -> bool:
        """Bring back a permit without a download; False when the lease is lost."""
        if hold in task.holds:
            task.holds.remove(hold)
        return await self.frontier.fetched(task.command.id, task.token, hold.target, hold.hop, "unused")

    async def drop_holds(self, task: Task) -> None:
        """Bring back every permit that the task holds or has asked for.

        One that cannot be brought back because Redis does not answer ends at its deadline.
        """
        while task.holds:
            hold = task.holds.pop()
            try:
                await self.frontier.fetched(task.command.id, task.token, hold.target, hold.hop, "aborted")
            except OUT_OF_REACH as error:
                log.warning("redis does not answer", command=task.command.id, error=str(error))
