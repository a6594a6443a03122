"""A crawler node's own view of its leases: the commands that it works on, and the permits that it holds.

`leases.Task` is a leased command. `HeldPermit` is a permit that the task has or has asked for. All state here is lost
when the process ends; the frontier then takes back every lease that the node's heartbeats no longer name.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from typing import Final

from redis.exceptions import RedisError

from research_crawler.core.errors import GiveBackReason, RedisUnusable
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import Lease
from research_crawler.core.models.web.target import Target
from research_crawler.core.ports.frontier import CrawlFrontier
from research_crawler.core.tasks.leases import HeldPermit, Task

log = get_log(__name__)
LEFT_S, HEARTBEAT_OVERDUE_S, WORK_S = 5.0, 8.0, 295.0
"""Least time left of a permit to start a download; time after the last answered beat until nothing may be dispatched;
longest work on a lease."""
SETTLE_S = 15.0
"""How much of the lease a model's work must leave for settling the command."""
_END_S = 2.0
"""How long cancelled work may take to end; after that its permits are returned anyway."""
OUT_OF_REACH: Final = (RedisError, RedisUnusable)
"""Errors that mean that Redis did not answer within the client's timeout; the script may or may not have run."""


class Node:
    """The leases and permits of one crawler process.

    Each start gets a new name, so that a restarted process is not taken for the dead one.
    """

    def __init__(self, frontier: CrawlFrontier, *, leases: int = 64) -> None:
        self.frontier = frontier
        self.name = f"{os.uname().nodename[:20]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.tasks: dict[str, Task] = {}
        """The leased commands, by token of the lease."""
        self.capacity = leases
        self.last_beat_s = 0.0
        """Monotonic time just before the last beat that was answered; 0 if none was answered yet."""
        self.draining = False
        self.on_free: Callable[[], None] = lambda: None
        """Called when the node can take another lease, and when the frontier has answered a beat."""
        self.nothing_queued_since_s: float | None = None
        """Monotonic time since which the node has no work and finds nothing to lease; None if there is work."""
        self.pushes = 0
        """How often this node has queued something; shows whether a look at the queues is older than the last push."""
        self.idle = asyncio.Event()
        """Set while the node has no leased command."""
        self.idle.set()

    @property
    def free(self) -> int:
        """How many more leases the node can take."""
        return 0 if self.draining else self.capacity - len(self.tasks)

    @property
    def heartbeat_overdue(self) -> bool:
        """Whether the frontier has not answered a beat for too long; then no request may be dispatched."""
        return not self.last_beat_s or time.monotonic() - self.last_beat_s > HEARTBEAT_OVERDUE_S

    def note_push(self) -> None:
        """Note that this node has queued something."""
        self.pushes += 1
        self.nothing_queued_since_s = None

    def note_look(self, pushes: int, *, found: bool) -> None:
        """Note a look at the queues that began after `pushes` pushes; `found`: there was something to lease."""
        if found or self.tasks or pushes != self.pushes:
            self.nothing_queued_since_s = None
        elif self.nothing_queued_since_s is None:
            self.nothing_queued_since_s = time.monotonic()

    def accept(self, lease: Lease, sent_s: float) -> Task:
        """Take on a lease; its time, and that of a permit that came with it, counts from `sent_s`."""
        task = Task(lease, started_s=sent_s)
        if lease.permit:
            task.permits.append(HeldPermit(lease.command.target, lease.command.redirects, sent_s))
        self.tasks[lease.token] = task
        self.idle.clear()
        return task

    def release(self, task: Task) -> None:
        """Drop a task whose command is settled, given back or lost.

        If the call to Redis failed, the frontier takes the command back because the next beats do not name it.
        """
        if self.tasks.pop(task.token, None):
            self.on_free()
        if not self.tasks:
            self.idle.set()

    async def cancel(self, task: Task) -> None:
        """End the work on a task whose lease is lost, and return its permits."""
        task.cancelled = True
        self.release(task)
        transfers = [transfer for transfer in task.transfers if transfer is not asyncio.current_task()]
        for transfer in transfers:
            transfer.cancel()
        if transfers:
            await asyncio.wait(transfers, timeout=_END_S)
        await self.drop_holds(task)

    async def give_back(
        self,
        task: Task,
        why: GiveBackReason,
        *,
        target: Target | None = None,
        redirects: int = 0,
        progress: str = "",
    ) -> None:
        """Put the command back into the frontier and return its permits."""
        await self.drop_holds(task)
        try:
            await self.frontier.give_back(
                task.command.id, task.token, why, target=target, redirects=redirects, progress=progress
            )
        except OUT_OF_REACH as error:
            log.warning("redis does not answer", command=task.command.id, error=str(error))
        finally:
            self.note_push()
            self.release(task)

    async def return_unused(self, task: Task, permit: HeldPermit) -> bool:
        """Return a permit that was not used; False if the lease is lost."""
        if permit in task.permits:
            task.permits.remove(permit)
        return await self.frontier.download_ended(
            task.command.id, task.token, permit.target, permit.redirects, "unused"
        )

    async def drop_holds(self, task: Task) -> None:
        """Return every permit that the task holds or has asked for.

        If Redis does not answer, the permit expires at its deadline.
        """
        while task.permits:
            permit = task.permits.pop()
            try:
                await self.frontier.download_ended(
                    task.command.id, task.token, permit.target, permit.redirects, "aborted"
                )
            except OUT_OF_REACH as error:
                log.warning("redis does not answer", command=task.command.id, error=str(error))
