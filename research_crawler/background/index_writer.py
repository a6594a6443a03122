"""Writes findings into the vector index while it answers, and catches up from the archive when it answers again.

The archive has every finding with its vector, so an index that is away costs nothing but searches by meaning: the
commands that it lacks are noted in Redis, and events never wait for it.
"""

import asyncio
from collections.abc import Awaitable, Callable

from research_crawler.core.errors import NotStarted
from research_crawler.core.log import get_log
from research_crawler.core.models.events import Event
from research_crawler.core.ports.archives import Archive, Outbox, VectorIndex

ASK_AGAIN_S, ASK_AGAIN_MOST_S = 0.5, 30.0
"""How soon an index that does not answer is asked again; the wait doubles up to the longest one."""
AT_ONCE = 200

log = get_log(__name__)
Prepare = Callable[[], Awaitable[None]]


class IndexWriter:
    """The one writer of a process's vector index."""

    def __init__(
        self, outbox: Outbox, archive: Archive, index: VectorIndex, prepare: Prepare | None = None
    ) -> None:
        """`prepare` runs once before the first write, and again until it succeeds: it fills an empty index."""
        self._outbox, self._archive, self._index, self._prepare = outbox, archive, index, prepare
        self._is_away = False
        self._lock = (
            asyncio.Lock()
        )  # A command is written by one call at a time, so that the newest state wins.

    @property
    def answers(self) -> bool:
        """Whether the index was prepared, and answered when it was last asked."""
        return self._prepare is None and not self._is_away

    async def write(self, event: Event, vectors: list[list[float]]) -> bool:
        """Replace the findings of the event's command; False if the index does not answer or refuses them."""
        async with self._lock:
            if self._is_away or not await self._is_prepared():
                return False
            try:
                await self._index.replace(event.command, event.findings[: len(vectors)], vectors)
            except Exception as error:
                self._note(error)
                return False
            return True

    async def run(self) -> None:
        """Catch up until cancelled."""
        wait_s = ASK_AGAIN_S
        while True:
            try:
                is_complete = await self.catch_up()
            except Exception:
                log.exception("the commands that the vector index lacks could not be read; trying again")
                is_complete = False
            wait_s = ASK_AGAIN_MOST_S if is_complete else min(wait_s, ASK_AGAIN_MOST_S)
            await asyncio.sleep(wait_s)
            wait_s = ASK_AGAIN_S if is_complete else wait_s * 2

    async def catch_up(self) -> bool:
        """Index what the index lacks, from the archive; whether nothing is left to do."""
        if not await self._is_back():
            return False
        skipped = 0
        while True:
            commands = (await self._outbox.postponed(skipped + AT_ONCE))[skipped:]
            done = [command for command in commands if await self._write_from_archive(command)]
            await self._outbox.caught_up(done)
            await self._drop_forgotten(done)
            skipped += len(commands) - len(done)
            if self._is_away or not commands:
                return not self._is_away and not skipped

    async def _is_back(self) -> bool:
        async with self._lock:
            if not await self._is_prepared():
                return False
            if not self._is_away:
                return True
            try:
                await self._index.count()
            except Exception as error:
                self._note(error)
                return False
            self._is_away = False
            log.info("the vector index answers again; it is given what it missed")
            return True

    async def _is_prepared(self) -> bool:
        if self._prepare is None:
            return True
        try:
            await self._prepare()
        except Exception as error:
            self._note(error)
            return False
        self._prepare = None
        return True

    async def _write_from_archive(self, command: str) -> bool:
        async with self._lock:
            if self._is_away:
                return False
            pairs = await self._archive.vectors_of(command)
            try:
                await self._index.replace(
                    command, [finding for finding, _ in pairs], [vector for _, vector in pairs]
                )
            except Exception as error:
                self._note(error)
                return False
            return True

    async def _drop_forgotten(self, commands: list[str]) -> None:
        """Remove again what a user forgot while it was being written."""
        for command in await self._outbox.forgotten(commands):
            async with self._lock:
                await self._index.replace(command, [], [])

    def _note(self, error: Exception) -> None:
        """Log that the index is away, once; other faults concern a single command."""
        if not isinstance(error, NotStarted):
            log.warning("a command's findings could not be put into the vector index", reason=repr(error))
        elif not self._is_away:
            log.warning(
                "the vector index does not answer; findings are kept and are indexed when it is back",
                reason=str(error),
            )
            self._is_away = True
