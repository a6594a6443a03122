"""Deliver due timers to their jobs, and put the commands of dead nodes back into their queues, every second."""

import logging
from collections.abc import Awaitable, Callable

from research_crawler.core.failpoints import failpoint
from research_crawler.core.tasks.every import every

_EVERY_S = 1.0
"""How often due timers are looked for."""

log = logging.getLogger(__name__)


class Timers:
    """Calls `fire` and `reap` once a second. Any number of processes may run one."""

    def __init__(
        self,
        fire: Callable[[], Awaitable[object]],
        reap: Callable[[], Awaitable[object]] | None = None,
        *,
        every_s: float = _EVERY_S,
    ) -> None:
        """`fire` moves due timers to their jobs, `reap` puts the commands of dead nodes back into their queues."""
        self._fire, self._reap, self._every_s = fire, reap, every_s

    async def run(self) -> None:
        """Work until cancelled. A failure (Redis does not answer) is logged once, and each second is a new try."""
        await every(self._every_s, self._once, "the delivery of timers and of commands of dead nodes")

    async def _once(self) -> None:
        if await self._fire():
            failpoint("after-fire")
        if self._reap:
            await self._reap()
