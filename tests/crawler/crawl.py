"""What the tests of whole nodes share: nodes as processes on one Redis, and a job that nobody plans for.

What came of a command is read from the job's mailbox: it holds every event, in the order of settlement, and
nobody takes one out.
"""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from redis import Redis as BlockingRedis
from redis.asyncio import Redis

from planner.job.factory import make_job
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.config import load_core_config
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.messages.commands import (
    Command,
    JobContext,
    SearchCommand,
    SearchSpec,
    VisitCommand,
    read_command,
)
from research_crawler.core.models.messages.events import CommandDone, read_event
from research_crawler.core.settings.depth import limits_for
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.frontier.frontier_reader import Counts
from research_crawler.frontier.store import Frontier
from tests import warm

SCRIPT = Path(__file__).with_name("node_process.py")
STOP_S = 60.0
FAST: dict[str, Any] = {
    "allow_private_hosts": ["127.0.0.0/8"],
    "phase1_visit_delay_seconds": 0.05,
    "delay_jitter": 0.0,
    "parse_processes": 1,
    "providers": ["searxng"],
}
"""Settings of a node for the local web."""


class NodeProcess:
    """One running crawler node."""

    def __init__(self, process: warm.WarmProcess, log: Path) -> None:
        self.process, self.log = process, log

    @property
    def pid(self) -> int:
        return self.process.pid

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(STOP_S)

    def stop(self) -> int:
        """In order, as the first SIGTERM does; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
        return self.process.wait(STOP_S)


class Crawl:
    """Keys of its own on a Redis, a data folder, and a job whose commands are given by hand."""

    def __init__(self, home: Path, redis_url: str, **settings: Any) -> None:
        self.prefix = f"{secrets.token_hex(4)}:"
        own = {"home": str(home), "redis_url": redis_url, "redis_prefix": self.prefix}
        self.settings = FAST | own | settings
        self.home, self.redis_url = home, redis_url
        self.redis = BlockingRedis.from_url(redis_url, decode_responses=True)
        self.job, self.count = "", 0
        self.new_job()

    def close(self) -> None:
        self.redis.close()

    def new_job(self) -> str:
        """Begin another job; commands made from here on are its."""
        job = make_job(JobInputs(goal="what is there"), limits_for(load_core_config(), depth="standard"))
        self.job, self.count = job.id, 0

        async def submit(redis: Redis) -> None:
            jobs = RedisJobs(redis, prefix=self.prefix)
            await jobs.submit(job)
            await jobs.close()

        self.run(submit)
        return job.id

    def cancel_job(self) -> None:
        async def cancel(redis: Redis) -> None:
            jobs = RedisJobs(redis, prefix=self.prefix)
            await jobs.cancel(self.job)
            await jobs.close()

        self.run(cancel)

    @contextlib.contextmanager
    def node(self, *, failpoint: str = "", **settings: Any) -> Iterator[NodeProcess]:
        """A node for the length of a block; at its end it is stopped in order, unless it is gone."""
        log = self.home / f"node-{time.monotonic_ns()}.log"
        command = [SCRIPT, json.dumps(self.settings | settings)]
        environment = os.environ | ({"RESEARCH_FAILPOINT": failpoint} if failpoint else {})
        environment.pop("PYTHONWARNINGS", None)
        with (
            log.open("w") as stderr,
            warm.start(command, stderr=stderr, cwd=Path.cwd(), env=environment) as process,
        ):
            node = NodeProcess(process, log)
            try:
                assert process.stdout
                line = process.stdout.readline()
                assert line == "ready\n", log.read_text()
                yield node
            finally:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    node.stop()
                process.kill()

    def visit(self, url: str, **fields: Any) -> Command:
        """A visit of the job, not yet pushed."""
        self.count += 1
        url = canonical_url(url)
        target = frontier_target(url)
        return VisitCommand(
            id=f"{self.job}:{self.count}",
            job=self.job,
            url=url,
            slot=target.slot,
            page_key=target.page_key,
            **fields,
        )

    def search(self, query: str, **fields: Any) -> Command:
        """A search of the job, not yet pushed."""
        self.count += 1
        spec = SearchSpec(query=query, **fields)
        return SearchCommand(id=f"{self.job}:{self.count}", job=self.job, search=spec)

    def push(self, *commands: Command) -> list[str]:
        """Queue commands; their ids."""

        async def push(redis: Redis) -> None:
            frontier = Frontier(redis, prefix=self.prefix)
            await frontier.push(commands)
            await frontier.close()

        self.run(push)
        return [command.id for command in commands]

    def slot(self, name: str) -> dict[str, int]:
        """What is stored of a host."""

        async def slot(redis: Redis) -> dict[str, int]:
            frontier = Frontier(redis, prefix=self.prefix)
            found = await frontier.slot(name)
            await frontier.close()
            return found

        return self.run(slot)

    def run(self, work: Callable[[Redis], Any]) -> Any:
        """A coroutine on a client of the Redis."""

        async def with_client() -> Any:
            async with Redis.from_url(self.redis_url) as redis:
                return await work(redis)

        return asyncio.run(with_client())

    def mail(self, job: str = "") -> list[CommandDone]:
        """All events of the job's commands so far."""
        texts = self.redis.lrange(f"{self.prefix}mail:{job or self.job}", 0, -1)
        return [event for text in texts if (event := read_event(text)).kind == "done"]

    def wait_for(self, ids: list[str], timeout_s: float = 60.0) -> dict[str, CommandDone]:
        """The events of these commands, by id. Fails when one is missing after the time, or came twice."""
        until = time.monotonic() + timeout_s
        while True:
            events = [event for job in {id_.split(":")[0] for id_ in ids} for event in self.mail(job)]
            counts = Counter(event.command for event in events)
            assert not [id_ for id_ in counts if counts[id_] > 1], counts
            missing = [id_ for id_ in ids if id_ not in counts]
            if not missing:
                return {event.command: event for event in events if event.command in ids}
            assert time.monotonic() < until, f"no event for {missing}\n{self.logs()}"
            time.sleep(0.02)

    def fetch(self, *urls: str, timeout_s: float = 60.0, **fields: Any) -> list[CommandDone]:
        """Visit URLs and answer with their events, in order."""
        ids = self.push(*(self.visit(url, **fields) for url in urls))
        events = self.wait_for(ids, timeout_s)
        return [events[id_] for id_ in ids]

    def forget_health(self) -> None:
        """Every search provider is as good as new, and its host rested."""
        self._forget("health", "slot")

    def forget_pages(self) -> None:
        """No page is stored, as far as the frontier knows."""
        self._forget("page")

    def _forget(self, *kinds: str) -> None:
        keys = [key for kind in kinds for key in self.redis.keys(f"{self.prefix}{kind}:*")]
        if keys:
            self.redis.delete(*keys)

    def leased(self) -> dict[str, str]:
        """Leases by command: token, node and the rest as they are stored."""
        return self.redis.hgetall(f"{self.prefix}lease")  # type: ignore[return-value]  # not awaited here

    def logs(self) -> str:
        """What the nodes have logged."""
        return "\n".join(path.read_text() for path in sorted(self.home.glob("node-*.log")))

    def counts(self) -> Counts:
        """How full the frontier is, and what should never be."""

        async def counts(redis: Redis) -> Counts:
            frontier = Frontier(redis, prefix=self.prefix)
            found = await frontier.counts()
            await frontier.close()
            return found

        found: Counts = self.run(counts)
        return found

    def is_stored(self, *commands: Command) -> bool:
        """The pages of these commands are in the archive: they are being read, or have been."""
        return all(self.redis.exists(f"{self.prefix}page:{command.page_key}") for command in commands)

    def command(self, id_: str) -> Command | None:
        """A command as the frontier has it now."""
        text = self.redis.hget(f"{self.prefix}req", id_)
        return read_command(text) if text else None

    def wait_until(self, holds: Callable[[], Any], timeout_s: float = 60.0) -> None:
        """Wait for something to be so."""
        until = time.monotonic() + timeout_s
        while not holds():
            assert time.monotonic() < until, self.logs()
            time.sleep(0.02)

    def check_empty(self) -> None:
        """Nothing is queued, leased or flying any more, and nothing is where it should not be."""
        found = self.counts()
        assert not found.leased, found
        assert not any(found.queued.values()), found
        assert not found.problems, found
        assert not self.redis.keys(f"{self.prefix}fly:127.*"), "permits are still out"


PURPOSE = JobContext(goal="how long does it take to descale the Corva")
