"""Measures `research serve` as a process of its own with 200 open jobs and 200 readers of their events.

The records of the jobs have the size of real ones. Each time stands beside that of `/health` in the same run. The times
of commands that only ask Redis stand beside the import of the libraries that they cannot do without.
"""

import asyncio
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.children import RESEARCH, Child, children, environment, loopback, redis_server
from benchmarks.figures import Calibration, Figure, counted, percentile, timed
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import ScoredResult, TimelineEntry

JOBS, READERS, REQUESTS, COMMITS = 200, 200, 300, 400
MOST_MS = 100.0
MOST_GROWTH_MB = 15.0
"""Readers that got COMMITS × a queue's copy of a status (30 kB) each would need far more."""
STARTS, MOST_START_S = 16, 0.5
LIBRARIES = "import pydantic, redis"


@dataclass
class Measured:
    """What one run of the server gave."""

    ms: dict[str, list[float]] = field(default_factory=dict)
    events: int = 0
    first_mb: float = 0.0
    """More memory after the first commits, at which every reader reads its job."""
    growth_mb: float = 0.0
    """More memory after as many again."""
    ended_readers: int = 0


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Measure the server, then the commands."""
    with tempfile.TemporaryDirectory(prefix="bench-serve-") as name, redis_server(Path(name)) as url:
        folder = Path(name)
        env = environment(
            **loopback(home=folder / "home", redis_url=url, serve_port=0, max_active_jobs=10_000)
        )
        with children() as running:
            server = Child.research("serve", env=env, folder=folder)
            running.append(server)
            address = address_of(server)
            token = (folder / "home" / "serve.token").read_text().strip()
            measured, factor = calibration.with_factor(
                lambda: asyncio.run(_run(address, token, url, server.pid))
            )
        yield from _server_figures(measured, factor)
        yield from _command_figures(env, folder, calibration)


def _server_figures(measured: Measured, factor: float) -> Iterator[Figure]:
    health = percentile(measured.ms["health"], 0.99)
    for name in ("start", "status", "list", "result", "start by MCP", "status by MCP", "result by MCP"):
        yield timed(
            f"p99 of {name} with {JOBS} open jobs, {READERS} readers",
            percentile(measured.ms[name], 0.99),
            "ms",
            most=MOST_MS,
            factor=factor,
            reference=f"/health {health:.1f} ms",
            note=f"median {statistics.median(measured.ms[name]):.1f} ms of {REQUESTS}",
        )
    yield counted(
        f"{READERS} readers: memory of the server after {COMMITS} further commits",
        measured.growth_mb,
        "MB more",
        ok=measured.growth_mb <= MOST_GROWTH_MB,
        target=f"≤ {MOST_GROWTH_MB:g} MB",
        note=f"{measured.events:,} events delivered; the first {COMMITS} commits: {measured.first_mb:.1f} MB",
    )
    yield counted(
        "readers that got the end of their job",
        measured.ended_readers,
        "readers",
        ok=measured.ended_readers == READERS,
        target=f"{READERS}",
    )


def _command_figures(env: dict[str, str], folder: Path, calibration: Calibration) -> Iterator[Figure]:
    """The processor time of the commands, beside that of an empty program and of two libraries in the same rounds.

    The least of many runs is taken: other processes of the machine add to a run's time, and take nothing from it.
    """
    # As on a user's machine, Python keeps the bytecode of the first, uncounted round.
    env = {name: value for name, value in env.items() if name != "PYTHONDONTWRITEBYTECODE"}
    python = (sys.executable, "-c")
    job = _output((str(RESEARCH), "submit", "an open question"), env, folder)
    research = {name: (str(RESEARCH), *name.split()) for name in ("submit question", f"status {job}", "list")}
    commands = {"pass": (*python, "pass"), "libraries": (*python, LIBRARIES), **research}

    def least() -> dict[str, float]:
        rounds = [
            {name: _processor_s(command, env, folder) for name, command in commands.items()}
            for _ in range(STARTS)
        ]
        return {name: min(one[name] for one in rounds[1:]) for name in commands}

    seconds, factor = calibration.with_factor(least)
    for name in research:
        yield timed(
            f"`research {name.split()[0]}`, processor time",
            seconds[name],
            "s",
            most=MOST_START_S,
            factor=factor,
            reference=f"`{LIBRARIES}` {seconds['libraries']:.2f} s, an empty program {seconds['pass']:.2f} s",
            note=f"{seconds[name] / seconds['libraries']:.1f} × the libraries; least of {STARTS - 1} starts",
        )


def _processor_s(command: Sequence[str], env: dict[str, str], folder: Path) -> float:
    """Seconds that a command and its children used a processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _output(command, env, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _output(command: Sequence[str], env: dict[str, str], folder: Path) -> str:
    ended = subprocess.run(list(command), env=env, cwd=folder, check=True, capture_output=True, text=True)
    return ended.stdout.strip()


def address_of(server: Child) -> str:
    """The address that a started server prints."""
    until = time.monotonic() + 60
    while time.monotonic() < until and server.is_running():
        if found := re.search(r"serving (http://\S+) ", server.said()):
            return found[1]
        time.sleep(0.05)
    raise RuntimeError(f"the server did not come up: {server.said()}")


async def _run(address: str, token: str, redis_url: str, pid: int) -> Measured:
    measured = Measured()
    redis = connect_url(redis_url)
    jobs = RedisJobs(redis)
    limits = httpx.Limits(max_connections=READERS + 10)
    async with httpx.AsyncClient(
        base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60, limits=limits
    ) as client:
        ids = [await _start(client, n) for n in range(JOBS)]
        ended = await _start(client, JOBS)
        await client.post(f"/jobs/{ended}/cancel")
        await _fill(jobs)
        readers = [asyncio.create_task(_read(client, ids[n % JOBS], measured)) for n in range(READERS)]
        await asyncio.sleep(3)
        await _timed(measured, "health", lambda n: client.get("/health"))
        await _timed(measured, "status", lambda n: client.get(f"/jobs/{ids[n % JOBS]}"))
        await _timed(measured, "list", lambda n: client.get("/jobs?limit=20"))
        await _timed(measured, "result", lambda n: client.get(f"/jobs/{ended}/result"))
        # The first changes make every reader read its job at once; what is kept for that is no growth.
        before, at_first, after = [
            await _memory_after(pid, jobs, commits) for commits in (0, COMMITS, COMMITS)
        ]
        measured.first_mb, measured.growth_mb = at_first - before, after - at_first
        await _timed(
            measured, "start", lambda n: client.post("/jobs", json={"goal": f"one more question {n}"})
        )
        await _timed_by_mcp(measured, f"{address}/mcp", token, ids, ended)
        for id_ in ids:
            await jobs.cancel(id_)
        await asyncio.wait(readers, timeout=60)
    await jobs.close()
    await redis.aclose()
    return measured


async def _start(client: httpx.AsyncClient, number: int) -> str:
    answer = await client.post("/jobs", json={"goal": f"How long does battery number {number} last?"})
    return str(answer.raise_for_status().json()["task_id"])


async def _timed_by_mcp(measured: Measured, url: str, token: str, ids: Sequence[str], ended: str) -> None:
    """The tools of the same names, by the official client."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):

        def tool(name: str, arguments: Callable[[int], dict[str, str]]) -> Callable[[int], Awaitable[object]]:
            async def ask(number: int) -> None:
                answer = await client.call_tool(name, arguments(number))
                if answer.is_error:
                    raise RuntimeError(f"{name}: {answer.content}")

            return ask

        status = tool("get_research_status", lambda n: {"task_id": ids[n % JOBS]})
        result = tool("get_research_result", lambda _: {"task_id": ended})
        start = tool("start_deep_research", lambda n: {"topic": f"one more topic {n}"})
        await _timed(measured, "status by MCP", status)
        await _timed(measured, "result by MCP", result)
        await _timed(measured, "start by MCP", start)


async def _timed(measured: Measured, name: str, ask: Callable[[int], Awaitable[object]]) -> None:
    for number in range(REQUESTS):
        begun = time.perf_counter()
        answer = await ask(number)
        if isinstance(answer, httpx.Response):
            answer.raise_for_status()
        measured.ms.setdefault(name, []).append((time.perf_counter() - begun) * 1000)


async def _read(client: httpx.AsyncClient, job: str, measured: Measured) -> None:
    async with client.stream("GET", f"/jobs/{job}/events") as events:
        async for line in events.aiter_lines():
            measured.events += line.startswith("event: ")
            measured.ended_readers += line == "event: end"


async def _fill(jobs: RedisJobs) -> None:
    """Give each job a record as large as those of jobs that are well under way."""
    results = [
        ScoredResult(url=f"https://host{n}.example/page-{n}", title=f"Title {n} " * 5, snippet="words " * 25)
        for n in range(60)
    ]
    while (taken := await jobs.take(max_active=10_000)) is not None:
        lines = [_line(taken.now_ms + n, n) for n in range(20)]
        new = taken.job.changed(state="executing", results=results, timeline=lines)
        await jobs.commit(taken, new, timers={("deadline", 1): taken.now_ms + 1_000})


async def _commit(jobs: RedisJobs, count: int) -> None:
    """Take steps of the open jobs, each with a further line of the timeline."""
    for number in range(count):
        while (taken := await jobs.take(max_active=10_000)) is None:
            await asyncio.sleep(0.05)
            await jobs.fire()
        job: Job = taken.job
        lines = [*job.timeline[-20:], _line(taken.now_ms, number)]
        await jobs.commit(taken, job.changed(timeline=lines), timers={("deadline", 1): taken.now_ms + 1})


def _line(at_ms: int, number: int) -> TimelineEntry:
    return TimelineEntry(at_ms=at_ms, iteration=number, action="visit", text=f"https://host.example/{number}")


async def _memory_after(pid: int, jobs: RedisJobs, commits: int) -> float:
    await _commit(jobs, commits)
    await asyncio.sleep(2)
    return _memory_mb(pid)


def _memory_mb(pid: int) -> float:
    """What the process holds in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6
