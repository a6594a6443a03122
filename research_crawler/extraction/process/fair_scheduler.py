"""Decides which page is read next when all parse processes are busy."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from research_crawler.core.tasks.owners import OwnersQueue, owner_at_work
from research_crawler.core.tasks.work_time import in_queue

SLOW_AFTER = 2
"""A host is slow when the reading of so many of its pages in a row took too long."""
_MOST_HOSTS = 1_000
"""Most hosts whose timeouts are remembered."""


class FairScheduler:
    """The places in the parse processes, given to owners in turn, and to the pages of an owner in the order of asking.

    Pages of a slow host wait behind the pages of all other hosts, and never have more than half of the
    places (but one at the least). A page that is read in time makes its host an ordinary one again.
    """

    def __init__(self, places: int) -> None:
        self._free, self._free_for_slow = places, max(1, places // 2)
        self._waiting = OwnersQueue[asyncio.Future[None]]()
        self._slow_waiting = OwnersQueue[asyncio.Future[None]]()
        self._timeouts: OrderedDict[str, int] = OrderedDict()

    def is_slow(self, host: str) -> bool:
        """Whether the last pages of a host took too long."""
        return self._timeouts.get(host, 0) >= SLOW_AFTER

    def note_in_time(self, host: str) -> None:
        """Note that a page of a host was read in time."""
        self._timeouts.pop(host, None)

    def note_timeout(self, host: str) -> None:
        """Note that reading a page of a host took too long."""
        self._timeouts[host] = self._timeouts.pop(host, 0) + 1
        if len(self._timeouts) > _MOST_HOSTS:
            self._timeouts.popitem(last=False)

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it within the block."""
        is_slow, owner = self.is_slow(host), owner_at_work()
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._slow_waiting if is_slow else self._waiting
        queue.append(owner, place)
        self._give()
        try:
            with in_queue():
                await place
            yield
        finally:
            if place.done() and not place.cancelled():
                self._free += 1
                self._free_for_slow += is_slow
            else:
                queue.remove(owner, place)
            self._give()

    def _give(self) -> None:
        while self._free and self._waiting:
            self._free -= self._let_in(self._waiting.popleft())
        while self._free and self._free_for_slow and self._slow_waiting:
            taken = self._let_in(self._slow_waiting.popleft())
            self._free -= taken
            self._free_for_slow -= taken

    @staticmethod
    def _let_in(place: asyncio.Future[None]) -> bool:
        if place.done():  # its caller was cancelled
            return False
        place.set_result(None)
        return True
