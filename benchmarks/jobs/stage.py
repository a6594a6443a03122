"""The stage on which whole jobs run: the demo web, a Redis and a data folder of their own."""

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from benchmarks.children import Child, children, environment, loopback, redis_server
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.demo.process import RunningWeb, local_web_process

_LOOK_S = 0.2


@dataclass(frozen=True)
class Stage:
    """The servers of one run; `children` are ended with it."""

    path: Path
    web: RunningWeb
    redis_url: str
    children: list[Child]

    def settings(self, **more: Any) -> dict[str, Any]:
        """The settings of a process on this stage, which searches the demo web without a delay."""
        common = {
            "home": self.path / "home",
            "redis_url": self.redis_url,
            "searxng_url": self.web.search,
            "providers": ["searxng"],
            "phase1_visit_delay_seconds": 0,
        }
        return loopback(**(common | more))

    def start(self, role: str, env: dict[str, str]) -> Child:
        """Start `research ROLE` in a working folder of its own."""
        child = Child.research(role, env=env, folder=self.path / f"{role}{len(self.children)}")
        self.children.append(child)
        return child


@contextlib.contextmanager
def stage() -> Iterator[Stage]:
    """A stage with empty stores."""
    with (
        tempfile.TemporaryDirectory() as folder,
        local_web_process() as web,
        redis_server(Path(folder)) as redis_url,
        children() as running,
    ):
        yield Stage(Path(folder), web, redis_url, running)


def system_of(settings: dict[str, Any]) -> tuple[dict[str, str], Config]:
    """The environment of a process with these settings, and the same settings for this process."""
    return environment(**settings), load_system_config(**settings)


def submit(config: Config, jobs: Iterable[Job]) -> None:
    """Submit jobs, one after the other."""

    async def submit_all() -> None:
        client = connect_url(config.redis_url)
        store = RedisJobs(client)
        for job in jobs:
            await store.submit(job)
        await store.close()
        await client.aclose()

    asyncio.run(submit_all())


def open_jobs(client: Any, jobs: Collection[str]) -> list[str]:
    """Those of the jobs that are not over."""
    finals = {f'"{state}"' for state in FINAL_STATES}
    return [job for job in jobs if client.hget(f"research:job:{job}", "state") not in finals]


def until_over(redis_url: str, jobs: Collection[str], *, within_s: float) -> list[str]:
    """Wait until all jobs are over; returns those that are not over in time."""
    client: Any = redis.Redis.from_url(redis_url, decode_responses=True)
    until = time.monotonic() + within_s
    while (left := open_jobs(client, jobs)) and time.monotonic() < until:
        time.sleep(_LOOK_S)
    client.close()
    return left
