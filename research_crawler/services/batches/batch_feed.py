"""The live states of batches, for any number of readers in one process: a batch is looked at once for all of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from research_crawler.core.models.jobs.batches import BatchEntry
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches.batch_control import follow_batch


@dataclass
class _BatchFeed:
    """What the readers of one batch share."""

    readers: int = 0
    entry: BatchEntry | None = None
    fault: Exception | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Wake all readers."""
        self.changed.set()
        self.changed = asyncio.Event()


class BatchFeeds:
    """The feeds of all batches that somebody reads in this process."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._feeds: dict[str, _BatchFeed] = {}
        self._is_closed = False

    def close(self) -> None:
        """End all readers."""
        self._is_closed = True
        for feed in self._feeds.values():
            feed.wake()

    async def states(self, batch: str) -> AsyncIterator[BatchEntry]:
        """The batch as it is, and again whenever it has changed, until it is over or the feeds are closed.

        Args:
            batch: the id of a batch that exists.

        Raises:
            UnknownBatch: it was forgotten.
        """
        async with self._reading(batch) as feed:
            last_entry: BatchEntry | None = None
            while not self._is_closed:
                if feed.fault:
                    raise feed.fault
                if feed.entry is None or feed.entry is last_entry:
                    await feed.changed.wait()
                    continue
                last_entry = feed.entry
                yield last_entry
                if last_entry.state != "running":
                    return

    @asynccontextmanager
    async def _reading(self, batch: str) -> AsyncIterator[_BatchFeed]:
        feed = self._feeds.setdefault(batch, _BatchFeed())
        feed.readers += 1
        if feed.task is None:
            feed.task = asyncio.create_task(self._follow(batch, feed), name=f"feed of batch {batch}")
        try:
            yield feed
        finally:
            feed.readers -= 1
            if not feed.readers:
                self._feeds.pop(batch, None)
                feed.task.cancel()

    async def _follow(self, batch: str, feed: _BatchFeed) -> None:
        try:
            async for entry in follow_batch(self._runtime, batch):
                if entry != feed.entry:
                    feed.entry = entry
                    feed.wake()
        except Exception as error:
            feed.fault = error
            feed.wake()
