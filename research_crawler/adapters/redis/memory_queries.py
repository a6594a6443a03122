"""Questions to the process that holds the vector index, over Redis: a list of questions, and one of answers each.

A local Qdrant lives in the memory of one process. Others put their question into the list `recall`; that process
answers into `recalled:<question>`.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from research_crawler.core.errors import MessageError, ResearchError
from research_crawler.core.log import get_log
from research_crawler.core.models.archive.memory import MemoryAnswer, MemoryQuery
from research_crawler.core.models.base import Wire

ANSWERED_WITHIN_S: Final = 2.0
"""How long a process waits for the answer of another one; then it compares words itself."""
_KEPT_MS: Final = 10_000
"""How long a question that nobody takes is kept."""
_LISTEN_S: Final = 1.0
"""How long one call waits for the next question."""

log = get_log(__name__)


class SentMemoryQuery(Wire):
    """A query with the name of the list that takes its answer."""

    id: str
    query: MemoryQuery


class MemoryQueries:
    """Asks the process with the vector index, or answers what others ask it."""

    def __init__(self, redis: Redis, *, prefix: str = "research:") -> None:
        self._redis, self._prefix = redis, prefix

    async def ask(self, query: MemoryQuery, *, wait_s: float = ANSWERED_WITHIN_S) -> MemoryAnswer | None:
        """The answer of the process with the vector index; None if none answers in time."""
        question = SentMemoryQuery(id=secrets.token_hex(8), query=query)
        key = self._answer_key(question.id)
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.rpush(self._key, question.to_wire())
            pipe.pexpire(self._key, _KEPT_MS)
            await pipe.execute()
        try:
            async with asyncio.timeout(wait_s):
                while True:
                    found = await self._pop(key, wait_s)
                    if found is not None:
                        return MemoryAnswer.from_wire(found)
        except (TimeoutError, MessageError):
            return None
        finally:
            await self._redis.lrem(self._key, 0, question.to_wire())

    async def answer_all(self, answer: Callable[[MemoryQuery], Awaitable[MemoryAnswer | None]]) -> None:
        """Answer the questions of other processes until cancelled; None as an answer leaves them to themselves.

        No `every`: reading waits for questions by itself, so that there is a pause only after a fault.
        """
        while True:
            try:
                raw = await self._pop(self._key, _LISTEN_S)
                if raw is not None:
                    await self._answer_one(raw, answer)
            except (RedisError, ResearchError, OSError) as error:
                log.info("a question to the memory could not be answered", error=str(error))
                await asyncio.sleep(_LISTEN_S)

    async def _answer_one(
        self, raw: bytes, answer: Callable[[MemoryQuery], Awaitable[MemoryAnswer | None]]
    ) -> None:
        try:
            question = SentMemoryQuery.from_wire(raw)
        except MessageError:
            return  # of a newer process, which will compare words itself
        answered = await answer(question.query)
        if answered is None:
            return
        key = self._answer_key(question.id)
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.rpush(key, answered.to_wire())
            pipe.pexpire(key, _KEPT_MS)
            await pipe.execute()

    async def _pop(self, key: str, wait_s: float) -> bytes | None:
        found: Any = await cast("Awaitable[Any]", self._redis.blpop([key], timeout=wait_s))
        return None if found is None else found[1]

    @property
    def _key(self) -> str:
        return f"{self._prefix}recall"

    def _answer_key(self, question: str) -> str:
        return f"{self._prefix}recalled:{question}"
