"""Looks at many jobs in Redis without reading more of them than is asked for: for lists, metrics and live views."""

import json
from typing import Any

from redis.asyncio import Redis

from research_crawler.adapters.redis.jobs import job_from
from research_crawler.core.models.events import Usage
from research_crawler.core.models.jobs import Job
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.scripts import as_text


class JobOverview:
    """All jobs that Redis holds, for whoever looks and changes nothing."""

    def __init__(self, redis: Redis, *, prefix: str = "research:") -> None:
        self._redis, self._keys = redis, Keys(prefix)

    async def version(self, job: str) -> tuple[str, str] | None:
        """Version and state of a job, one of which changes with everything about it; None if Redis has no such job."""
        reply: Any = self._redis.hmget(self._keys.job(job), ["version", "state"])
        version, state = await reply
        return None if state is None else (as_text(version or "0"), as_text(state))

    async def used(self) -> list[tuple[str, Usage, int]]:
        """State, use of models and fetched pages of every job, without the rest of its record."""
        return [
            (json.loads(state), Usage.model_validate_json(usage or "{}"), int(pages or 0))
            for state, usage, pages in await self._fields(["state", "usage", "pages_fetched"])
            if state
        ]

    async def submitted_before(self, at_ms: int, *, limit: int, skip: int = 0) -> list[Job | None]:
        """The next `limit` jobs that were submitted before this time, newest first; None for one that has expired."""
        ids: list[Any] = await self._redis.zrevrangebyscore(
            self._keys.jobs, f"({at_ms}", "-inf", start=skip, num=limit
        )
        async with self._redis.pipeline(transaction=False) as pipe:
            for job in ids:
                pipe.hgetall(self._keys.job(as_text(job)))
            stored = await pipe.execute() if ids else []
        return [job_from(fields) if fields else None for fields in stored]

    async def _fields(self, names: list[str]) -> list[Any]:
        ids: list[Any] = await self._redis.zrange(self._keys.jobs, 0, -1)
        async with self._redis.pipeline(transaction=False) as pipe:
            for job in ids:
                pipe.hmget(self._keys.job(as_text(job)), names)
            return list(await pipe.execute()) if ids else []
