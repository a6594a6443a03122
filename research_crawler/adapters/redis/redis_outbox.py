"""The outbox in Redis: a stream of settled events that one group of indexers reads."""

import hashlib
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from research_crawler.core.errors import BadMessage, NewerWire, RedisFull
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.scripts import as_text, load_script

GROUP: Final = "indexers"
IDLE_MS: Final = 30_000
"""After this time an entry that was not acknowledged goes to another consumer."""
FORGOTTEN_S: Final = 86_400
"""How long a forgotten command is remembered. By then every indexer that has read its event has handled
it."""
SCAN: Final = 500
"""Events of the outbox that are looked through at once."""


class RedisOutbox:
    """The port `Outbox` on a Redis stream: settled events for the archive and the vector index."""

    def __init__(self, redis: Redis, *, prefix: str = "research:") -> None:
        """Does not connect before the first call."""
        self.keys = Keys(prefix)
        self._redis = redis
        self._has_group = False

    async def read(
        self, consumer: str, *, count: int = 50, block_ms: int = 1000
    ) -> list[tuple[str, CommandDone]]:
        """Entries that nobody has acknowledged: first those that other consumers left idle, then new ones.

        An entry of a newer wire version stays for a newer process. An unreadable entry is removed.
        """
        await self._make_group()
        try:
            return await self._read(consumer, count, block_ms)
        except ResponseError as error:
            if "NOGROUP" not in str(error):
                raise
            self._has_group = False  # the stream was deleted by hand
            return []

    async def count(self) -> int:
        """How many entries nobody has acknowledged."""
        return int(await self._redis.xlen(self.keys.outbox))

    async def ack(self, entries: Sequence[str]) -> None:
        """Remove entries that are now in the archive and in the index."""
        if entries:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.xack(self.keys.outbox, GROUP, *entries)
                pipe.xdel(self.keys.outbox, *entries)
                await pipe.execute()

    async def postpone(self, events: Mapping[str, CommandDone]) -> None:
        """Remove entries that are in the archive, and note that the vector index still lacks their commands."""
        if not events:
            return
        pairs = [text for entry, event in events.items() for text in (entry, event.command)]
        script = load_script("postpone").source.decode()
        reply: Any = self._redis.eval(
            script, 1, self.keys.prefix, GROUP, len(events), *pairs, repr(time.time()), 0
        )
        await reply

    async def postponed(self, count: int) -> list[str]:
        """Commands that the vector index lacks, those that wait longest first."""
        commands: list[Any] = await self._redis.zrange(self.keys.unindexed, 0, count - 1)
        return list(map(as_text, commands))

    async def count_postponed(self) -> int:
        """How many commands the vector index lacks."""
        return int(await self._redis.zcard(self.keys.unindexed))

    async def has_work(self) -> bool:
        """Whether there is anything for an indexer to do."""
        return bool(await self.count() or await self.count_postponed())

    async def note_indexed(self, commands: Sequence[str]) -> None:
        """The vector index has these commands now."""
        if commands:
            await self._redis.zrem(self.keys.unindexed, *commands)

    async def which_forgotten(self, commands: Sequence[str]) -> set[str]:
        """Those of these commands that were forgotten in the last day."""
        if not commands:
            return set()
        scores: list[Any] = await self._redis.zmscore(self.keys.forgotten, list(map(_mark, commands)))
        return {command for command, score in zip(commands, scores, strict=True) if score is not None}

    async def withdraw(self, is_meant: Callable[[CommandDone], bool]) -> list[str]:
        """Remove matching events before they are indexed, and return their commands.

        An indexer that has already read such an event finds its command in `forgotten` and drops it.
        """
        matching = [(entry, event.command) async for entry, event in self._all() if is_meant(event)]
        commands = list(dict.fromkeys(command for _, command in matching if command))
        if not matching:
            return []
        now_s = time.time()
        async with self._redis.pipeline(transaction=True) as pipe:
            if commands:
                pipe.zremrangebyscore(self.keys.forgotten, "-inf", now_s - FORGOTTEN_S)
                pipe.zadd(self.keys.forgotten, dict.fromkeys(map(_mark, commands), now_s))
                pipe.expire(self.keys.forgotten, FORGOTTEN_S)
            for entry, _ in matching:
                pipe.xack(self.keys.outbox, GROUP, entry)
                pipe.xdel(self.keys.outbox, entry)
            await pipe.execute()
        return commands

    async def lacks(self, commands: Collection[str]) -> bool:
        """Whether an event of one of these commands waits for the indexers, or its vectors for the index."""
        if not commands:
            return False
        scores: list[Any] = await self._redis.zmscore(self.keys.unindexed, sorted(commands))
        if any(score is not None for score in scores):
            return True
        async for _, event in self._all():
            if event.command in commands:
                return True
        return False

    async def put_empty(self, commands: Collection[str]) -> None:
        """Make the indexers delete the findings of these commands from the index and the archive."""
        for portion in _portions(sorted(commands)):
            async with self._redis.pipeline(transaction=False) as pipe:
                for command in portion:
                    event = CommandDone(uid=f"{command}:forgotten", command=command)
                    pipe.xadd(self.keys.outbox, {"event": event.to_wire()})
                await pipe.execute()

    async def _all(self) -> AsyncIterator[tuple[str, CommandDone]]:
        """All entries that nobody has acknowledged, including those that other consumers are reading."""
        after = "-"
        while entries := await self._redis.xrange(self.keys.outbox, min=after, count=SCAN):
            for entry, event in await self._parse(list(entries), keep=True):
                yield entry, event
            after = f"({as_text(entries[-1][0] or '')}"

    async def _read(self, consumer: str, count: int, block_ms: int) -> list[tuple[str, CommandDone]]:
        _, idle, *_ = await self._redis.xautoclaim(
            self.keys.outbox, GROUP, consumer, IDLE_MS, "0-0", count=count
        )
        if not idle:
            streams = await self._redis.xreadgroup(
                GROUP, consumer, {self.keys.outbox: ">"}, count=count, block=block_ms or None
            )
            idle = _entries_of(streams)
        return await self._parse(idle)

    async def _parse(
        self, entries: list[tuple[Any, Any]], *, keep: bool = False
    ) -> list[tuple[str, CommandDone]]:
        readable: list[tuple[str, CommandDone]] = []
        for entry, fields in entries:
            text = next((v for k, v in (fields or {}).items() if as_text(k) == "event"), b"")
            try:
                readable.append((as_text(entry), CommandDone.from_wire(text)))
            except NewerWire:
                continue
            except BadMessage:
                if not keep:
                    await self.ack([as_text(entry)])
        return readable

    async def _make_group(self) -> None:
        if self._has_group:
            return
        try:
            await self._redis.xgroup_create(self.keys.outbox, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise
        except RedisFull:  # most likely it is there; if it is not, reading says so
            pass
        self._has_group = True


def _mark(command: str) -> str:
    """What is remembered of a forgotten command: a hash, because its id is to be forgotten too."""
    return hashlib.blake2b(command.encode(), digest_size=16).hexdigest()


def _entries_of(streams: Any) -> list[tuple[Any, Any]]:
    """Entries of the one stream that was read. RESP2 returns a list of streams, RESP3 a mapping."""
    if not streams:
        return []
    if isinstance(streams, dict):
        return [entry for batch in streams.values() for entries in batch for entry in entries]
    return list(streams[0][1])


def _portions(values: Sequence[str]) -> Iterable[Sequence[str]]:
    return (values[start : start + SCAN] for start in range(0, len(values), SCAN))
