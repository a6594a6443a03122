"""Reads sorted sets whose scores are the times at which their members end."""

from typing import Any

from redis.asyncio import Redis

from research_crawler.frontier.scripts import as_text


async def current_members(redis: Redis, key: str) -> list[str]:
    """The members that have not ended by the server's clock, as the clocks of machines differ; in one round trip."""
    async with redis.pipeline(transaction=False) as pipe:
        pipe.time()
        pipe.zrange(key, 0, -1, withscores=True)
        (seconds, micros), members = await pipe.execute()
    now_ms = int(seconds) * 1000 + int(micros) // 1000
    rows: list[tuple[Any, float]] = members
    return [as_text(name) for name, ends_ms in rows if ends_ms >= now_ms]
