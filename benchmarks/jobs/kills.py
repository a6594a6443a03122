"""Runs 20 jobs while crawlers and planners are killed at random: every job must get its report."""

import asyncio
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import redis

from benchmarks.children import Child
from benchmarks.figures import Calibration, Figure, counted
from benchmarks.jobs.stage import Stage, open_jobs, stage, submit, system_of, until_over
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.demo.demo_questions import DemoQuestion, load_questions, score
from research_crawler.services.submission.job_question import request_from

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
    with stage() as on:
        env, config = system_of(on.settings())
        processes = [on.start(role, env) for role in ROLES]
        for process in processes:
            process.wait_until_up()
        questions = load_questions(on.web.hosts)
        asked = [questions[n % len(questions)] for n in range(JOBS)]
        questions = [JobQuestion(goal=question.goal, timeout_seconds=JOB_S) for question in asked]
        jobs = [request_from(config, question).to_job(config) for question in questions]
        begun = time.monotonic()
        submit(config, jobs)
        ids = [job.id for job in jobs]
        killed = _kill_some(on, ids, processes, env)
        until_over(on.redis_url, ids, within_s=PATIENCE_S)
        planted = dict(zip(ids, asked, strict=True))
        return asyncio.run(_outcome(config, planted, killed, time.monotonic() - begun))


def _kill_some(on: Stage, jobs: list[str], processes: list[Child], env: dict[str, str]) -> list[str]:
    """Kill a random process with SIGKILL, start another one in its place, repeat; return the killed roles.

    Each kill comes while jobs are under way: the first when the first command is leased.
    """
    client: Any = redis.Redis.from_url(on.redis_url, decode_responses=True)
    draw = random.Random()
    killed: list[str] = []
    while not client.hlen("research:lease"):
        time.sleep(0.05)
    while len(killed) < KILLS and open_jobs(client, jobs):
        place = draw.randrange(len(processes))
        processes[place].kill()
        killed.append(ROLES[place])
        processes[place] = on.start(ROLES[place], env)
        time.sleep(draw.uniform(*PAUSE_S))
    client.close()
    return killed


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
            end = f"{archived[0].state} {archived[0].error}" if archived else "not over"
            failed.append(f"{question.id}: {end}")
    await archive.close()
    return Outcome(reports, failed, killed, found, planted, seconds)
