"""An outbox in memory: events that wait for the indexer."""

import asyncio
from collections.abc import Mapping, Sequence

from research_crawler.core.models.messages.events import CommandDone


class MemoryOutbox:
    """The port `Outbox`. Any consumer reads again what nobody has acknowledged."""

    def __init__(self) -> None:
        self._entries: dict[str, CommandDone] = {}
        self.gone: set[str] = set()
        """Commands that were forgotten."""
        self.lacking: dict[str, None] = {}
        """Commands that the vector index lacks."""
        self._added = 0
        self._news = asyncio.Event()

    def add(self, event: CommandDone) -> None:
        """Add an entry, as settling a command does."""
        self._added += 1
        self._entries[f"{self._added}-0"] = event
        self._news.set()

    async def read(
        self, consumer: str, *, count: int = 50, block_ms: int = 1000
    ) -> list[tuple[str, CommandDone]]:
        """Entries that nobody has acknowledged, oldest first."""
        if not self._entries:
            self._news.clear()
            try:
                async with asyncio.timeout(block_ms / 1000):
                    await self._news.wait()
            except TimeoutError:
                return []
        return list(self._entries.items())[:count]

    async def count(self) -> int:
        """How many entries nobody has acknowledged."""
        return len(self._entries)

    async def ack(self, entries: Sequence[str]) -> None:
        """Remove entries that are now in the archive and in the index."""
        for entry in entries:
            self._entries.pop(entry, None)

    async def postpone(self, events: Mapping[str, CommandDone]) -> None:
        """Remove entries that are in the archive, and note that the vector index still lacks their commands."""
        self.lacking |= dict.fromkeys(event.command for event in events.values())
        await self.ack(list(events))

    async def postponed(self, count: int) -> list[str]:
        """Commands that the vector index lacks, those that wait longest first."""
        return list(self.lacking)[:count]

    async def note_indexed(self, commands: Sequence[str]) -> None:
        """The vector index has these commands now."""
        for command in commands:
            self.lacking.pop(command, None)

    async def which_forgotten(self, commands: Sequence[str]) -> set[str]:
        """Those of these commands that were forgotten."""
        return self.gone & set(commands)
