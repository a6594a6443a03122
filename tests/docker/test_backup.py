"""Backup and restore as docs/tutorial/many-machines.md says: nothing that is kept or under way is lost."""

import asyncio
import contextlib
import shutil
import socket
import time
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from planner.job.factory import make_job
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import load_core_config
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.settings.depth import limits_for
from tests.adapters.samples import axis, event, finding, index_with_vectors, job, page
from tests.cli.test_processes import redis_server
from tests.docker.postgresql import postgresql_server, restored

pytestmark = pytest.mark.long


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def answering(url: str) -> Redis:
    """A connection to a server that has just been started, once it has read its data."""
    redis = Redis.from_url(url)
    give_up_at = time.monotonic() + 30
    while time.monotonic() < give_up_at:
        with contextlib.suppress(RedisError):
            await redis.ping()
            return redis
        await asyncio.sleep(0.05)
    raise AssertionError("Redis does not answer")


async def test_a_restored_postgresql_has_jobs_pages_and_findings(tmp_path: Path):
    port, known = free_port(), {"user": "research", "password": "tide-1743"}
    url = f"postgresql://research:tide-1743@127.0.0.1:{port}/"
    stored = page(fetched_at="2026-01-01T00:00:00+00:00", tokens=4)
    with postgresql_server(port=port, database="research", **known):
        archive = SqlArchive(load_core_config(home=tmp_path / "a", database_url=f"{url}research"))
        await archive.open()
        await archive.put_page(stored, b"<p>Grass is green.")
        await index_with_vectors(archive, event())
        await archive.save_job(job(), [finding()], {"answer": "Grass is green."})
        await archive.close()
        await asyncio.to_thread(restored, tmp_path, port=port, database="research", into="copy", **known)
        copy = SqlArchive(load_core_config(home=tmp_path / "b", database_url=f"{url}copy"))
        await copy.open()
        try:
            assert await copy.get_job(job().id) == (job(), [finding()], {"answer": "Grass is green."})
            assert await copy.get_page(stored.sha) == stored
            assert await copy.raw_page(stored.sha) == b"<p>Grass is green."
            assert [pair async for pair in await copy.vectors()] == [(finding(), axis(0))]
        finally:
            await copy.close()


async def test_a_copy_of_redis_made_while_it_runs_has_the_jobs_under_way(tmp_path: Path):
    limits = limits_for(load_core_config(home=tmp_path), depth="quick")
    made = [make_job(JobInputs(goal=f"How long does battery number {n} last?"), limits) for n in range(50)]
    with redis_server(tmp_path / "a", "--appendonly", "yes") as url:
        redis = await answering(url)
        jobs = RedisJobs(redis)
        for one in made:
            await jobs.submit(one)
        await redis.bgrewriteaof()
        give_up_at = time.monotonic() + 30
        while (await redis.info("persistence"))["aof_rewrite_in_progress"] and time.monotonic() < give_up_at:
            await asyncio.sleep(0.05)
        shutil.copytree(tmp_path / "a", tmp_path / "b", ignore=shutil.ignore_patterns("dump.rdb"))
        await jobs.close()
        await redis.aclose()
    with redis_server(tmp_path / "b", "--appendonly", "yes") as url:
        redis = await answering(url)
        jobs = RedisJobs(redis)
        taken = {one.job.id for one in [await jobs.take(max_active=100) for _ in made] if one}
        await jobs.close()
        await redis.aclose()
    assert taken == {one.id for one in made}
