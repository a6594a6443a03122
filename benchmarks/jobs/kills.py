"""Runs 20 jobs while crawlers and planners are killed at random: every job must get its report."""

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.figures import Calibration, Figure, counted
from research_crawler.adapters.redis.jobs import RedisJobs
from research_crawler.adapters.sql.archive import SqlArchive
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.jobs import FINAL_STATES, Job, JobInputs
from research_crawler.demo.process import local_web_process
from research_crawler.demo.questions import DemoQuestion, load_questions, score
from research_crawler.services.new_jobs import new_job

JOBS, KILLS = 20, 5
ROLES = ("crawl", "crawl", "plan", "plan")
PAUSE_S = (2.0, 6.0)
"""Shortest and longest pause between two kills. The first kill comes as soon as work is under way."""
JOB_S, PATIENCE_S = 300.0, 480.0
"""Long limits: 20 jobs share two cores with processes that start, and their time is not measured."""


@dataclass(frozen=True)
class Outcome:
    """The result of 20 jobs."""

    reports: int
    failed: list[str]
    killed: list[str]
    found: int
    planted: int
    seconds: float


def measure(calibration: Calibration) -> Iterator[Figure]:
    """One run."""
    outcome, factor = calibration.with_factor(_run)
    yield counted(
        f"reports of {JOBS} jobs under {len(outcome.killed)} random SIGKILLs",
        outcome.reports,
        "reports",
        ok=outcome.reports == JOBS and len(outcome.killed) == KILLS,
        target=f"{JOBS}",
        note=f"killed: {' '.join(outcome.killed)}; {outcome.seconds:.0f} s; planted facts found "
        f"{outcome.found / outcome.planted:.0%}" + "".join(f"; {why}" for why in outcome.failed),
        factor=factor,
    )


def _run() -> Outcome:
    with (
        tempfile.TemporaryDirectory() as folder,
        local_web_process() as web,
        redis_server(Path(folder)) as redis_url,
        children() as running,
    ):
        path = Path(folder)
        settings = loopback(
            home=path / "home",
            redis_url=redis_url,
            searxng_url=web.search,
            providers=["searxng"],
            phase1_visit_delay_seconds=0,
        )
        env, config = environment(**settings), load_system_config(**settings)
        processes = [_start(role, env, path, running) for role in ROLES]
        for process in processes:
            process.wait_until_up()
        questions = load_questions(web.hosts)
        begun = time.monotonic()
        jobs = asyncio.run(_submit(config, [questions[n % len(questions)] for n in range(JOBS)]))
        killed = _kill_some(redis_url, processes, env, path, running)
        _until_over(redis_url, list(jobs))
        return asyncio.run(_outcome(config, jobs, killed, time.monotonic() - begun))


def _start(role: str, env: dict[str, str], path: Path, running: list[Child]) -> Child:
    child = Child.research(role, env=env, folder=path / f"{role}{len(running)}")
    running.append(child)
    return child


async def _submit(config: Config, questions: list[DemoQuestion]) -> dict[str, DemoQuestion]:
    client: Any = redis.asyncio.Redis.from_url(config.redis_url, socket_timeout=30)
    store, jobs = RedisJobs(client), {}
    for question in questions:
        job = new_job(config, JobInputs(goal=question.goal), timeout_s=JOB_S)
        await store.submit(job)
        jobs[job.id] = question
    await store.close()
    await client.aclose()
    return jobs


def _kill_some(
    redis_url: str, processes: list[Child], env: dict[str, str], path: Path, running: list[Child]
) -> list[str]:
    """Kill a random process with SIGKILL, start another one in its place, repeat; return the killed roles.

    Each kill comes while jobs are under way: the first when the first command is leased.
    """
    client: Any = redis.Redis.from_url(redis_url, decode_responses=True)
    draw = random.Random()
    killed: list[str] = []
    while not client.hlen("research:lease"):
        time.sleep(0.05)
    while len(killed) < KILLS and _open_jobs(client):
        place = draw.randrange(len(processes))
        processes[place].kill()
        killed.append(ROLES[place])
        processes[place] = _start(ROLES[place], env, path, running)
        time.sleep(draw.uniform(*PAUSE_S))
    client.close()
    return killed


def _open_jobs(client: Any, jobs: list[str] | None = None) -> int:
    finals = {f'"{state}"' for state in FINAL_STATES}
    known = jobs or client.zrange("research:jobs", 0, -1)
    return sum(client.hget(f"research:job:{job}", "state") not in finals for job in known)


def _until_over(redis_url: str, jobs: list[str]) -> None:
    client: Any = redis.Redis.from_url(redis_url, decode_responses=True)
    until = time.monotonic() + PATIENCE_S
    while _open_jobs(client, jobs) and time.monotonic() < until:
        time.sleep(0.2)
    client.close()


async def _outcome(
    config: Config, jobs: dict[str, DemoQuestion], killed: list[str], seconds: float
) -> Outcome:
    archive = SqlArchive(config)
    await archive.open()
    reports, failed, found, planted = 0, [], 0, 0
    for job_id, question in jobs.items():
        archived = await archive.get_job(job_id)
        report = archived[2] if archived else {}
        recall = score(question, report.get("evidence", []))
        found, planted = found + recall.found, planted + recall.planted
        if archived and archived[0].state == "completed" and report.get("evidence"):
            reports += 1
        else:
            end = f"{archived[0].state} {archived[0].error}" if archived else "not over "
            failed.append(f"{question.id}: {end}")
    await archive.close()
    return Outcome(reports, failed, killed, found, planted, seconds)


def _state(job: Job) -> str:
    """The end of a job that has no evidence."""
    return (
        f"{job.state} without evidence {job.error}"
        if job.state == "completed"
        else f"{job.state} {job.error}"
    )
