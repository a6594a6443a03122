"""Looks at many jobs in Redis without reading more of them than is asked for: for lists, metrics and live views."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis

from research_crawler.adapters.redis.job_fields import STORED_FIELDS, job_from
from research_crawler.core.errors import NewerWire
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.jobs.status import NOT_LISTED
from research_crawler.core.models.messages.events import Usage
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.scripts import as_text

_LISTED_FIELDS: Final = ("v", "version", *(name for name in STORED_FIELDS if name not in NOT_LISTED))


@dataclass(frozen=True, slots=True)
class SubmittedJob:
    """What decides whether and where a job is in a list."""

    id: str
    created_at: str
    is_watch_run: bool


@dataclass(frozen=True, slots=True)
class UsedJob:
    """How far a job is, what came of it, and what it used."""

    state: str
    outcome: str
    """Empty: it is not over, or ended without a report."""
    usage: Usage
    pages_fetched: int


@dataclass(frozen=True, slots=True)
class UsedSoFar:
    """What a job that runs has read and used."""

    pages: int
    pages_fetched: int
    tokens: int
    usd: float


class JobOverview:
    """All jobs that Redis holds, for whoever looks and changes nothing."""

    def __init__(self, redis: Redis, *, prefix: str = "research:") -> None:
        self._redis, self._keys = redis, Keys(prefix)

    async def version(self, job: str) -> tuple[str, str] | None:
        """Version and state of a job, one of which changes with everything about it; None if Redis has no such job."""
        reply: Any = self._redis.hmget(self._keys.job(job), ["version", "state"])
        version, state = await reply
        return None if state is None else (as_text(version or "0"), as_text(state))

    async def used(self) -> list[UsedJob]:
        """State, outcome, use of models and fetched pages of every job, without the rest of its record."""
        return [
            UsedJob(
                json.loads(state),
                json.loads(outcome) if outcome else "",
                Usage.model_validate_json(usage or "{}"),
                int(pages or 0),
            )
            for state, outcome, usage, pages in await self._fields(
                ["state", "outcome", "usage", "pages_fetched"]
            )
            if state
        ]

    async def used_so_far(self, ids: Sequence[str]) -> dict[str, UsedSoFar]:
        """What each of these jobs has read and used; one that Redis does not have is not among them."""
        rows = await self._fields_of(ids, ("plan", "pages_fetched", "usage"))
        found = {}
        for job, (plan, fetched, usage) in zip(ids, rows, strict=True):
            if plan or usage:
                used = Usage.model_validate_json(usage or "{}")
                found[job] = UsedSoFar(
                    pages=PlanningState.model_validate_json(plan or "{}").pages_read,
                    pages_fetched=int(fetched or 0),
                    tokens=used.prompt_tokens + used.completion_tokens,
                    usd=used.usd,
                )
        return found

    async def submitted_before(self, at_ms: int, *, limit: int, skip: int = 0) -> list[SubmittedJob | None]:
        """The next `limit` jobs that were submitted before this time, newest first; None for one that has expired."""
        ids: list[Any] = await self._redis.zrevrangebyscore(
            self._keys.jobs, f"({at_ms}", "-inf", start=skip, num=limit
        )
        rows = zip(ids, await self._fields_of(ids, ("created_at", "inputs")), strict=True)
        return [
            SubmittedJob(as_text(job), json.loads(created), json.loads(inputs).get("watch") is not None)
            if created and inputs
            else None
            for job, (created, inputs) in rows
        ]

    async def listed(self, ids: Sequence[str]) -> list[Job | None]:
        """These jobs without the fields of `NOT_LISTED`.

        None stands for one that Redis does not have, or that a newer release wrote.
        """
        found = []
        for values in await self._fields_of(ids, _LISTED_FIELDS):
            stored = {
                name: text for name, text in zip(_LISTED_FIELDS, values, strict=True) if text is not None
            }
            found.append(_known(stored) if "inputs" in stored else None)
        return found

    async def _fields(self, names: Sequence[str]) -> list[Any]:
        ids: list[Any] = await self._redis.zrange(self._keys.jobs, 0, -1)
        return await self._fields_of(ids, names)

    async def _fields_of(self, ids: Sequence[Any], names: Sequence[str]) -> list[Any]:
        async with self._redis.pipeline(transaction=False) as pipe:
            for job in ids:
                pipe.hmget(self._keys.job(as_text(job)), list(names))
            return list(await pipe.execute()) if ids else []


def _known(stored: Mapping[str, Any]) -> Job | None:
    """The job, unless a newer release wrote it."""
    try:
        return job_from(stored)
    except NewerWire:
        return None
