"""Shares one run of work that costs money or time among all who ask for it at about the same time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Ran(Generic[T]):
    """What a run gave, and when it ended."""

    result: T
    ended_ms: int


class SharedRun(Generic[T]):
    """Runs work once for all who ask while it runs, and for those who ask soon after it has ended."""

    def __init__(self, work: Callable[[], Awaitable[T]], *, fresh_s: float) -> None:
        """Make one, which has not run.

        Args:
            work: what is run. One that fails is run again for the next who asks.
            fresh_s: for how many seconds its result is given to those who ask again.
        """
        self._work, self._fresh_s = work, fresh_s
        self._running: asyncio.Task[Ran[T]] | None = None
        self._last: Ran[T] | None = None

    async def result(self) -> Ran[T]:
        """The result of the run that goes on, of the last one if it is fresh, or of a new one."""
        if self._last and time.time() * 1000 - self._last.ended_ms < self._fresh_s * 1000:
            return self._last
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await asyncio.shield(self._running)  # one who leaves does not end it for the others

    def close(self) -> None:
        """End what runs."""
        if self._running:
            self._running.cancel()

    async def _run(self) -> Ran[T]:
        self._last = Ran(await self._work(), int(time.time() * 1000))
        return self._last
