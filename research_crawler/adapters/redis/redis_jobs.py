"""The store of jobs in Redis, for the planner and the command line. Each writing method runs one script."""

import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from redis.asyncio import Redis

from research_crawler.adapters.redis.job_fields import (
    as_json,
    changed_fields,
    check_size,
    encoded_fields,
    job_from,
)
from research_crawler.core.errors import JobNotOver, UsageError
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import ClaimedJob, Job
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import Event, JobStarted
from research_crawler.frontier.keys import Keys
from research_crawler.frontier.scripts import ScriptPipe, as_text
from research_crawler.frontier.store import with_requested_url
from research_crawler.frontier.wakes import Wakes

MAX_ID: Final = 12
"""Longest id of a job."""
_KEYS_AT_ONCE: Final = 1_000
"""Keys that one SCAN looks at."""
CHANGE_TIMEOUT_S: Final = 1.0
"""How long one call waits for a change of a job."""


class RedisJobs:
    """The job store of a running system, on Redis."""

    def __init__(
        self, redis: Redis, *, prefix: str = "research:", clock: Callable[[], int] | None = None
    ) -> None:
        """`clock` returns ms and replaces the server's clock in tests and simulations."""
        self.keys = Keys(prefix)
        self._redis, self._clock = redis, clock
        self._pipe = ScriptPipe(redis, prefix)

    async def close(self) -> None:
        """Return the connection to the pool."""
        await self._pipe.close()

    async def submit(self, job: Job) -> bool:
        """Store a new job with its start event; False if there is already a job with this id.

        Raises:
            UsageError: the id does not consist of 1 to 12 letters and digits.
        """
        if not (1 <= len(job.id) <= MAX_ID and job.id.isascii() and job.id.isalnum()):
            raise UsageError(f"a job id has 1 to {MAX_ID} letters and digits, not {job.id!r}")
        start = JobStarted(uid=f"{job.id}:start", job=job.id)
        fields = _flat(encoded_fields(job).items())
        return bool(await self._call("submit", job.id, start.to_wire(), len(fields) // 2, *fields))

    async def take(self, *, max_active: int, rows_beside: int = 0, only: str = "") -> ClaimedJob | None:
        """Claim the next job that needs a decision. At most `max_active` jobs run at the same time.

        Args:
            rows_beside: so many rows of batches go on while a single job is under way; 0: all.
            only: claim this job or none, and no job that is pending.
        """
        seed = secrets.randbelow(2**53)
        reply = await self._call("take", max_active, rows_beside, secrets.token_hex(5), seed, only)
        if not reply:
            return None
        _, token, takes, now_ms, seed, events, flat = reply
        return ClaimedJob(
            job=job_from(dict(zip(flat[::2], flat[1::2], strict=True))),
            token=as_text(token),
            takes=takes,
            now_ms=now_ms,
            seed=seed,
            events=[as_text(event) for event in events],
        )

    async def renew(self, claims: Mapping[str, str]) -> list[str]:
        """Keep the claims {job: token} for another 15 s. Returns the jobs whose claim is lost."""
        if not claims:
            return []
        return [as_text(job) for job in await self._call("renew", len(claims), *_flat(claims.items()))]

    async def release(self, claims: Mapping[str, str]) -> int:
        """Return the claims {job: token}, so that other workers need not wait until they expire."""
        return int(await self._call("release", len(claims), *_flat(claims.items()))) if claims else 0

    async def commit(
        self,
        taken: ClaimedJob,
        new: Job,
        *,
        commands: Sequence[Command] = (),
        timers: Mapping[tuple[str, int], int] | None = None,
        findings: Sequence[Finding] = (),
        seen: Sequence[str] = (),
        withdraw: bool = False,
    ) -> str:
        """Commit one decision atomically. Returns `ok`, `lost`, or `refused` (nothing would wake the job
        again).

        Args:
            taken: what `take` returned.
            new: the new record of the job; unchanged fields are not written.
            commands: new commands; their ids are made of the job's id and a number.
            timers: the new timers, which replace the old ones: {(kind, number): due in ms of the Redis
                clock}.
            findings: appended to the job's findings.
            seen: canonical URLs that the planner may visit from now on.
            withdraw: delete all open commands of the job first.

        Raises:
            BadMessage: the changed fields, without `report`, have more than 32 kB.
        """
        changed = changed_fields(taken.job, new)
        check_size(new.id, changed)
        state = changed.pop("state", None) or as_json(new.state)
        due = [(kind, number, at) for (kind, number), at in (timers or {}).items()]
        reply = await self._call(
            "commit",
            *(new.id, taken.token, taken.job.version, state, int(withdraw)),
            *_group(_flat(changed.items()), 2),
            *_group([with_requested_url(command).to_wire() for command in commands]),
            *_group(_flat(due), 3),
            *_group([finding.to_wire() for finding in findings]),
            *_group([_digest(url) for url in seen]),
        )
        return as_text(reply)

    async def reopen(self, job: Job, findings: Sequence[Finding], event: Event) -> bool:
        """Bring a completed job back with an open question and deliver the answer to it.

        Args:
            job: the record that waits for the answer; it is used whole if Redis has forgotten the job.
            findings: the job's findings, for the same case.
            event: the answer.

        Returns:
            False if the job is not completed any more.
        """
        fields = encoded_fields(job)
        tokens = job.usage.prompt_tokens + job.usage.completion_tokens
        reply = await self._call(
            "reopen",
            *(job.id, event.to_wire(), fields["review"], job.version, tokens),
            *_group(_flat(fields.items()), 2),
            *_group([finding.to_wire() for finding in findings]),
        )
        return bool(reply)

    async def cancel(self, job: str) -> bool:
        """Cancel a job at once; False if it has ended or is unknown."""
        return bool(await self._call("cancel", job, 0))

    async def forget(self, job: str) -> bool:
        """Remove everything that Redis holds of an ended job; False if it holds nothing.

        Raises:
            JobNotOver: it must be cancelled first.
        """
        reply = as_text(await self._call("forget", job))
        if reply == "running":
            raise JobNotOver(job)
        await self._forget_traces(job)
        return reply == "forgotten"

    async def archived(self, job: str) -> bool:
        """The archive has this job, which is over: free what Redis holds of it. False if it goes on or is unknown."""
        return bool(await self._call("archived", job))

    async def _forget_traces(self, job: str) -> None:
        """Remove the job from the turns of hosts and the cookies between hops, which would expire by themselves."""
        async for key in self._redis.scan_iter(match=self.keys.turn("*"), count=_KEYS_AT_ONCE):
            await self._redis.zrem(key, job)
        async for key in self._redis.scan_iter(match=self.keys.cookies(f"{job}:*"), count=_KEYS_AT_ONCE):
            await self._redis.delete(key)

    async def deliver(self, job: str, event: Event) -> bool:
        """Put an event into the job's mailbox and wake the job; False if the job has ended or is unknown."""
        return bool(await self._call("deliver", job, event.to_wire()))

    async def fire(self) -> int:
        """Move due timers into the mailboxes of their jobs, and return their number."""
        return int(await self._call("fire", secrets.token_hex(5)))

    async def get(self, job: str) -> Job | None:
        """The committed record of a job; None if Redis has none."""
        stored = await _awaited(self._redis.hgetall(self.keys.job(job)))
        return job_from(stored) if stored else None

    async def findings(self, job: str) -> list[Finding]:
        """All findings committed so far, in order."""
        texts = await _awaited(self._redis.lrange(self.keys.found(job), 0, -1))
        return [Finding.from_wire(text) for text in texts]

    async def seen(self, job: str, urls: Sequence[str]) -> list[bool]:
        """Which of these canonical URLs the job may visit."""
        if not urls:
            return []
        digests = [_digest(url) for url in urls]
        return [bool(known) for known in await _awaited(self._redis.smismember(self.keys.seen(job), digests))]

    async def known_ids(self) -> list[str]:
        """Ids of all jobs that Redis still holds, newest first."""
        stored: list[Any] = await self._redis.zrevrange(self.keys.jobs, 0, -1)
        ids = [as_text(job) for job in stored]
        async with self._redis.pipeline(transaction=False) as pipe:
            for job in ids:
                pipe.exists(self.keys.job(job))
            existing = await pipe.execute() if ids else []
        missing = [job for job, is_stored in zip(ids, existing, strict=True) if not is_stored]
        if missing:
            await self._redis.zrem(self.keys.jobs, *missing)
        return [job for job, is_stored in zip(ids, existing, strict=True) if is_stored]

    async def states(self) -> dict[str, str]:
        """The state of every job that Redis still holds, newest first. It is cheap enough to be called
        often."""
        return await self.states_of(await self.known_ids())

    async def active(self) -> set[str]:
        """The ids of the jobs that are under way: neither over, nor pending, nor waiting for a person."""
        return {as_text(job) for job in await _awaited(self._redis.smembers(self.keys.active))}

    async def states_of(self, ids: Sequence[str]) -> dict[str, str]:
        """The states of these jobs; those that Redis does not hold are left out."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for job in ids:
                pipe.hget(self.keys.job(job), "state")
            stored = await pipe.execute() if ids else []
        return {job: json.loads(state) for job, state in zip(ids, stored, strict=True) if state}

    async def list_jobs(self) -> list[Job]:
        """All jobs that Redis still holds, newest first."""
        ids = await self.known_ids()
        async with self._redis.pipeline(transaction=False) as pipe:
            for job in ids:
                pipe.hgetall(self.keys.job(job))
            stored = await pipe.execute() if ids else []
        return [job_from(fields) for fields in stored if fields]

    async def changes(self, job: str, *, timeout_s: float = CHANGE_TIMEOUT_S) -> AsyncIterator[None]:
        """Yields after every commit of the job, and at least every `timeout_s`."""
        async with Wakes.open(self._redis, [self.keys.job(job)]) as wakes:
            while True:
                await wakes.wait(timeout_s)
                yield

    async def runnable_jobs(self, *, timeout_s: float = CHANGE_TIMEOUT_S) -> AsyncIterator[None]:
        """Yields when a job has become runnable, and at least every `timeout_s`. Then call `take`."""
        async with Wakes.open(self._redis, [self.keys.wake_jobs]) as wakes:
            while True:
                await wakes.wait(timeout_s)
                yield

    def _call(self, name: str, *arguments: str | bytes | int | float) -> Any:
        return self._pipe.call(name, *arguments, self._clock() if self._clock else 0)


def _digest(url: str) -> bytes:
    return hashlib.blake2b(url.encode(), digest_size=8).digest()


def _flat(rows: Iterable[Iterable[Any]]) -> list[Any]:
    return [value for row in rows for value in row]


def _group(values: Sequence[Any], width: int = 1) -> list[Any]:
    return [len(values) // width, *values]


async def _awaited(reply: Any) -> Any:
    """Await a reply: redis-py's types say that hash, list and set commands may return it directly."""
    return await reply
