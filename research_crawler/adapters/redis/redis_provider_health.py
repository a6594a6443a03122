"""The health of search providers in Redis, shared by all nodes: one record per account,
`health:<account>`."""

from collections.abc import Callable, Sequence
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import WatchError

from research_crawler.core.errors import MessageError
from research_crawler.core.models.messages.health import Health
from research_crawler.core.ports.crawler import StepAnswer

KEPT_S: Final = 62 * 86_400
"""Longer than a month, so that the count of a month's calls never expires within the month."""


class RedisHealth:
    """The port `HealthBook`. `change` reads, computes and writes, and starts again if another node was
    faster."""

    def __init__(
        self, redis: Redis, *, prefix: str = "research:", clock: Callable[[], int] | None = None
    ) -> None:
        """`clock` returns ms and replaces the server's clock in tests."""
        self._redis, self._prefix, self._clock = redis, prefix, clock

    async def read(self, accounts: Sequence[str]) -> list[Health]:
        """The records of these accounts; a new record for an account without one."""
        if not accounts:
            return []
        texts = await self._redis.mget([self._key(account) for account in accounts])
        return [_record(text) for text in texts]

    async def change(
        self, account: str, step: Callable[[Health, int], tuple[Health, StepAnswer]]
    ) -> StepAnswer:
        """Replace a record by what `step(record, now_ms)` returns."""
        key, now_ms = self._key(account), await self.now_ms()
        async with self._redis.pipeline(transaction=True) as pipe:
            while True:
                await pipe.watch(key)
                health, answer = step(_record(await pipe.get(key)), now_ms)
                pipe.multi()  # type: ignore[no-untyped-call]  # redis-py has no types there
                pipe.set(key, health.to_wire(), ex=KEPT_S)
                try:
                    await pipe.execute()
                except WatchError:
                    continue
                return answer

    async def now_ms(self) -> int:
        """The server's clock."""
        if self._clock:
            return self._clock()
        seconds, micros = await self._redis.time()
        return int(seconds) * 1000 + int(micros) // 1000

    def _key(self, account: str) -> str:
        return f"{self._prefix}health:{account}"


def _record(text: bytes | str | None) -> Health:
    """The record; a new one if it cannot be read. That loses little, because health only guides decisions."""
    if text is None:
        return Health()
    try:
        return Health.from_wire(text)
    except MessageError:
        return Health()
