"""Counts requests for each page when 20 jobs want the same 50 pages, also when a fetching node is killed."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.crawling.bare_node import commands_for, open_frontier
from benchmarks.crawling.politeness import page_requests, wait_for
from benchmarks.figures import Calibration, Figure, counted
from planner.job.factory import make_job
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.demo.process import RunningLoad, local_load_process

JOBS, PAGES, HOSTS, NODES = 20, 50, 10, 2
DELAY_S, LATENCY_MS = 0.3, 200
KILL_AFTER = 15
"""How many pages the server has seen when a node is killed."""


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Run undisturbed, then with a node killed half-way."""
    wanted = f"{JOBS * PAGES:,} without sharing"
    with local_load_process(hosts=HOSTS, latency_ms=LATENCY_MS) as site:
        seen, served = _run(site, kill=False)
        yield _figure(f"{JOBS} jobs, {PAGES} pages: most requests for one page", seen, served, 1, wanted)
        site.clear_log()
        seen, served = _run(site, kill=True)
        yield _figure("the same with a fetching node killed", seen, served, 2, wanted)


def _figure(name: str, seen: Counter[str], served: int, most: int, reference: str) -> Figure:
    worst = max(seen.values(), default=0)
    return counted(
        name,
        worst,
        "requests",
        ok=worst <= most and len(seen) == PAGES and served == JOBS * PAGES,
        target=f"≤ {most}",
        reference=reference,
        note=f"{seen.total()} requests in all, {served:,} commands settled with the page",
    )


def _run(site: RunningLoad, *, kill: bool) -> tuple[Counter[str], int]:
    """The number of requests by page, and how many commands ended with their page."""
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as url, children() as running:
        path = Path(folder)
        settings = loopback(home=path, redis_url=url, phase1_visit_delay_seconds=DELAY_S, delay_jitter=0)
        for number in range(NODES):
            node = Child.research("crawl", env=environment(**settings), folder=path / f"node{number}")
            running.append(node)
        for node in running:
            node.wait_until_up()
        jobs = asyncio.run(_ask(load_system_config(**settings), site))
        if kill:
            wait_for(lambda: page_requests(site) >= KILL_AFTER, "the first pages")
            running[0].kill()
        client: Any = redis.Redis.from_url(url, decode_responses=True)
        wait_for(lambda: not any(client.exists(f"research:cmds:{job}") for job in jobs), "the last event")
        served = sum(_ended_well(client, job) for job in jobs)
        client.close()
    return _by_page(site), served


async def _ask(config: Config, site: RunningLoad) -> list[str]:
    """Submit jobs while no planner runs, and push the same visits for each."""
    urls = [f"{site.hosts[page % HOSTS]}/p/{page}" for page in range(PAGES)]
    async with open_frontier(config) as frontier:
        store, ids = RedisJobs(frontier.redis), []
        for number in range(JOBS):
            job = make_job(JobInputs(goal=f"What is in the harbour log, reading {number}?"), Limits())
            await store.submit(job)
            ids.append(job.id)
        for job_id in ids:
            await frontier.push(commands_for(urls, job=job_id))
    return ids


def _ended_well(client: Any, job: str) -> int:
    """How many events in the job's mailbox have a page."""
    return sum('"page":{' in event for event in client.lrange(f"research:mail:{job}", 0, -1))


def _by_page(site: RunningLoad) -> Counter[str]:
    return Counter(
        f"{host}{path}"
        for host, columns in site.log().items()
        for path in columns["path"]
        if path != "/robots.txt"
    )
