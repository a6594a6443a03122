"""Loads the Lua scripts of `lua/`, and calls them over one connection that sends many calls in one write."""

import asyncio
import functools
import hashlib
import math
import re
from collections import deque
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import hiredis
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from research_crawler.core.errors import RedisFull, RedisUnusable, ResearchError, StorageFull

INCLUDE = re.compile(r"^-- include: (\w+\.lua)$", re.M)
CALLS_A_WRITE: Final = 512
"""Most calls in one write; with more, the first caller would have to wait for the last reply."""
REPLY_TIMEOUT_S: Final = 30.0
"""Longest wait for a reply. No script runs that long, so the connection is then treated as broken."""

Argument = str | bytes | int | float


def as_text(value: bytes | str) -> str:
    """A reply as str, whether or not the client has decoded it."""
    return value if isinstance(value, str) else value.decode()


@dataclass(frozen=True, slots=True)
class Script:
    """A script with its includes in place."""

    source: bytes
    sha: str


@functools.cache
def load_script(name: str) -> Script:
    """The script `lua/<name>.lua` with its includes; each included file is inserted once, before its first use."""
    source = _resolve(f"{name}.lua", set()).encode()
    return Script(source, hashlib.sha1(source, usedforsecurity=False).hexdigest())


def _resolve(file: str, included: set[str]) -> str:
    text = (resources.files(__package__) / "lua" / file).read_text(encoding="utf-8")

    def include(match: re.Match[str]) -> str:
        if match[1] in included:
            return ""
        included.add(match[1])
        return _resolve(match[1], included)

    return INCLUDE.sub(include, text)


@dataclass(slots=True)
class _Call:
    script: Script
    packed: bytes
    reply: asyncio.Future[Any]

    def answer(self, reply: Any) -> None:
        if self.reply.done():
            return
        if isinstance(reply, BaseException):
            self.reply.set_exception(reply)
        else:
            self.reply.set_result(reply)


RUN_ID: Final = re.compile(rb"run_id:(\w+)")
READ_ONLY: Final = "read only replica"
"""What a server says that another one has become the primary of."""
MEMORY_FULL: Final = (
    "Redis has reached its memory limit, and nothing new begins until there is room: raise its maxmemory, or wait "
    "until jobs have ended"
)
_REFUSALS: Final[tuple[tuple[str, type[ResearchError], str], ...]] = (
    (
        "MISCONF",
        StorageFull,
        "Redis cannot write to its disk; free some space there (no confirmed data are lost)",
    ),
    (
        "not allowed when used memory",
        RedisFull,
        MEMORY_FULL,
    ),
    (
        READ_ONLY,
        RedisUnusable,
        "this Redis has become a read-only replica; point REDIS_URL at the primary",
    ),
    (
        "NOREPLICAS",
        RedisUnusable,
        "Redis takes no writes because it has too few replicas; start them, or lower its min-replicas-to-write",
    ),
    (
        "no permissions to",
        RedisUnusable,
        "Redis forbids its user a command that is needed; allow the user of REDIS_URL all commands on its keys",
    ),
)
"""What a server's error has in its text, and how the error is told."""


class ScriptPipe:
    """Sends the script calls of many tasks over one connection.

    Calls made in one turn of the event loop, or during a round trip, are sent in one write. If the connection breaks,
    it is opened again by its client's retry policy, and calls without a reply are sent again; the scripts allow that.
    """

    def __init__(self, redis: Redis, prefix: str) -> None:
        self._redis, self._prefix = redis, prefix
        self._connection: Any = None
        self._knows_start = False
        """Whether the server was told over this connection that it runs (`started.lua`)."""
        self._waiting: deque[_Call] = deque()
        self._flusher: asyncio.Task[None] | None = None

    def call(self, name: str, *arguments: Argument) -> "asyncio.Future[Any]":
        """Run `lua/<name>.lua` with the prefix as its key; replies are ints, bytes and lists of them.

        Raises (from the future):
            StorageFull: the server's disk or memory is full.
            RedisUnusable: the server takes no writes, or not from this user.
            redis.RedisError: the script failed, or there is no connection.
        """
        script = load_script(name)
        packed = _pack("EVALSHA", script.sha, 1, self._prefix, *arguments)
        loop = asyncio.get_running_loop()
        waiting = _Call(script, packed, loop.create_future())
        self._waiting.append(waiting)
        if self._flusher is None:
            self._flusher = loop.create_task(self._flush())
        return waiting.reply

    async def close(self) -> None:
        """Wait for the calls under way, then return the connection to the pool."""
        if self._flusher is not None:
            await asyncio.wait([self._flusher])
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await self._redis.connection_pool.release(connection)

    async def _flush(self) -> None:
        try:
            while self._waiting:
                batch = deque(self._waiting.popleft() for _ in range(min(len(self._waiting), CALLS_A_WRITE)))
                await self._send(batch)
        finally:
            self._flusher = None

    async def _send(self, batch: deque[_Call]) -> None:
        try:
            if self._connection is None:
                pool = self._redis.connection_pool
                self._connection = await pool.get_connection()  # type: ignore[no-untyped-call]
                self._knows_start = False
            await self._connection.retry.call_with_retry(lambda: self._exchange(batch), self._disconnect)
        except Exception as error:  # the callers that wait for a reply get it
            for call in batch:
                call.answer(error)
        except asyncio.CancelledError:
            for call in batch:
                call.reply.cancel()
            raise

    async def _disconnect(self, _error: Exception) -> None:
        self._knows_start = False
        await self._connection.disconnect(nowait=True)

    async def _exchange(self, batch: deque[_Call]) -> None:
        """Send the calls of the batch; a call leaves the batch when its reply has arrived."""
        connection = self._connection
        if connection.is_connected and await connection.can_read():
            await self._disconnect(RedisConnectionError("the server has ended the stream"))  # no reply is due
        if not self._knows_start:
            self._knows_start = await self._tell_start()
        while batch:
            await connection.send_packed_command(
                [b"".join([call.packed for call in batch])], check_health=False
            )
            unknown = await self._read_replies(batch)
            if unknown:
                batch.extend(unknown)
                await self._load({call.script for call in unknown})

    async def _tell_start(self) -> bool:
        """Tell the server that it runs, before a script runs over a new connection: its state may be an older one.

        Returns:
            False if its memory or disk is full: the next write tells it again, and until then it takes no other.
        """
        info = await self._ask(_pack("INFO", "server"))
        run = RUN_ID.search(info) if isinstance(info, bytes) else None
        if run is None:  # a managed server may forbid it
            return True
        answer = await self._ask(_pack("EVAL", load_script("started").source, 1, self._prefix, run[1], 0))
        if isinstance(answer, BaseException) and not isinstance(answer, StorageFull):
            raise answer
        return not isinstance(answer, StorageFull)

    async def _ask(self, packed: bytes) -> Any:
        """The reply to a command that is no script of a caller; an error as `_read_reply` has it."""
        await self._connection.send_packed_command([packed], check_health=False)
        async with asyncio.timeout(REPLY_TIMEOUT_S):
            return await self._read_reply()

    async def _read_replies(self, batch: deque[_Call]) -> list[_Call]:
        """Answer the calls of the batch in order; return those whose script the server does not know."""
        unknown: list[_Call] = []
        try:
            async with asyncio.timeout(REPLY_TIMEOUT_S):
                while batch:
                    reply = await self._read_reply()
                    call = batch.popleft()
                    if isinstance(reply, NoScriptError):
                        unknown.append(call)
                    else:
                        call.answer(reply)
        except TimeoutError:
            raise RedisTimeoutError("no reply to a script") from None
        finally:
            batch.extendleft(reversed(unknown) if batch else ())
        return unknown

    async def _read_reply(self) -> Any:
        try:
            return await self._connection.read_response(disable_decoding=True, timeout=math.inf)
        except ResponseError as error:
            if READ_ONLY in str(error):  # for as long as a fail-over takes: the client's retry policy decides
                raise ReadOnlyError(str(error)) from error
            return refusal_of_server(error) or error

    async def _load(self, scripts: set[Script]) -> None:
        commands = [_pack("SCRIPT", "LOAD", script.source) for script in scripts]
        await self._connection.send_packed_command(commands, check_health=False)
        for _ in commands:
            await self._connection.read_response()


def refusal_of_server(error: ResponseError) -> ResearchError | None:
    """Why a server that answers takes no write, in words that say what to do; None for other errors.

    An error inside a script is wrapped in another text, so the words may be anywhere in it.
    """
    text = str(error)
    return next((kind(message) for mark, kind, message in _REFUSALS if mark in text), None)


def _pack(*words: Argument) -> bytes:
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # typed as a tuple of one
    return packed
