"""A server on a real Redis and archive, and a client that talks to it over a socket."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from research_crawler.configuration import load_system_config
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.interfaces.http.http_server import serving
from research_crawler.interfaces.http.listening import Listening, url_of
from research_crawler.interfaces.http.state import ServerState
from research_crawler.runtime.runtime import Runtime, running

TOKEN = "a-token-for-tests-only"


@dataclass
class Served:
    """A running server, a client with its token, and the process behind it."""

    client: httpx.AsyncClient
    runtime: Runtime
    folder: Path
    state: ServerState

    async def post(self, path: str, body: Any = None, status: int = 202, **headers: str) -> Any:
        answer = await self.client.post(path, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def get(self, path: str, status: int = 200, **headers: str) -> Any:
        answer = await self.client.get(path, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def step(self, job_id: str, *texts: str, state: str = "executing") -> Job:
        """Take a step of a job, as a planner does: it adds lines to the timeline."""
        jobs = self.runtime.container.jobs
        taken = None
        while taken is None or taken.job.id != job_id:
            taken = await jobs.take(max_active=100)
            assert taken, "the job is not runnable"
        at_ms = taken.now_ms
        lines = [TimelineEntry(at_ms=at_ms, iteration=1, action="search", text=text) for text in texts]
        new = taken.job.changed(state=state, timeline=[*taken.job.timeline, *lines])
        assert await jobs.commit(taken, new, timers={("deadline", 1): at_ms}) == "ok"
        await jobs.fire()
        return new


@pytest.fixture
async def served(tmp_path, empty_kept_redis) -> AsyncIterator[Served]:
    """A server of its own, on an empty Redis."""
    (tmp_path / "turns" / "one").mkdir(parents=True)
    config = load_system_config(
        home=tmp_path / "home", redis_url=empty_kept_redis, serve_port=0, serve_token=TOKEN, serve_max_bytes=20_000,
        serve_hosts=["research.example"], turn_dir_root=str(tmp_path / "turns"),
    )  # fmt: skip
    listening = Listening.prepared(config)
    started: asyncio.Future[Served] = asyncio.get_running_loop().create_future()
    ended = asyncio.Event()

    async def serve() -> (
        None
    ):  # in a task of its own, because a fixture ends in another task than it begins in
        async with (
            running(config, crawl=False, plan=False) as runtime,
            serving(runtime, listening) as server,
            httpx.AsyncClient(
                base_url=url_of(listening.socket),
                headers={"Authorization": f"Bearer {TOKEN}"},
                timeout=20,
                verify=False,  # nothing here is TLS, and the certificates of the world take 30 ms to load
            ) as client,
        ):
            started.set_result(Served(client, runtime, tmp_path, server.state))
            await ended.wait()

    task = asyncio.create_task(serve())
    await asyncio.wait([task, started], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    yield started.result()
    ended.set()
    await task
