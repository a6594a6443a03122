"""A job that was acknowledged is done, also if Redis loses its last second."""

import asyncio
import time

import pytest

from research_crawler.adapters.sql.open_jobs import SqlOpenJobs
from research_crawler.background.reopened_jobs import OpenJobs
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import StorageFull
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.runtime.runtime import running
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.new_jobs import JobRequest
from research_crawler.services.submission.submit import submit_job
from tests.adapters.redis.test_embedded import started
from tests.frontier.conftest import DELAY_MS, World


def ask(config, number: int) -> JobRequest:
    return request_from(config, JobQuestion(goal=f"How fast is swift number {number}?"))


def log_of(folder):
    """Redis' append-only file, in the form of 6.2 or that of 7."""
    return next(path for path in sorted(folder.rglob("*.aof"), reverse=True) if "base" not in path.name)


async def written(folder) -> int:
    """The bytes of what Redis has written, when it has written all that it was told: it may put that off for 2 s."""
    async with asyncio.timeout(10):
        while (size := log_of(folder).stat().st_size) == 0 or not await _is_still(folder, size):
            await asyncio.sleep(0.05)
    return size


async def _is_still(folder, size: int) -> bool:
    await asyncio.sleep(0.5)
    return log_of(folder).stat().st_size == size


async def lose_power(folder, *, back_to: int) -> None:
    """Cut what Redis has written after so many bytes, as if it had never reached the disk."""
    with log_of(folder).open("r+b") as log:
        log.truncate(back_to)


def a_system(tmp_path):
    return running(load_core_config(home=tmp_path), crawl=False, plan=False)


async def test_jobs_that_redis_lost_with_its_last_second_are_brought_back(tmp_path):
    async with a_system(tmp_path) as runtime:
        kept = await submit_job(runtime, ask(runtime.config, 0))
        bytes_then = await written(tmp_path / "redis")
        lost = [await submit_job(runtime, ask(runtime.config, number)) for number in range(1, 6)]
    await lose_power(tmp_path / "redis", back_to=bytes_then + 100)
    async with a_system(tmp_path) as runtime:
        parts = runtime.container
        assert set(await parts.jobs.states()) == {kept.id}
        again = OpenJobs(SqlOpenJobs(parts.archive), parts.jobs, parts.archive)
        assert await again.sweep() == 5
        assert {job.id for job in await parts.jobs.list_jobs()} == {job.id for job in [kept, *lost]}
        assert {job.inputs.goal for job in await parts.jobs.list_jobs()} == {
            ask(runtime.config, n).inputs.goal for n in range(6)
        }
        assert await again.sweep() == 0


async def test_a_job_that_is_over_is_not_brought_back_when_redis_has_forgotten_it(tmp_path):
    async with a_system(tmp_path) as runtime:
        parts = runtime.container
        job = await submit_job(runtime, ask(runtime.config, 1))
        await parts.archive.save_job(job.changed(state="completed", completed_at="2026"), [], {})
        await parts.folder.redis.flushall()
        assert await OpenJobs(SqlOpenJobs(parts.archive), parts.jobs, parts.archive).sweep() == 0
        assert await SqlOpenJobs(parts.archive).ids() == []


async def test_a_job_that_was_refused_does_not_begin_later(tmp_path):
    async with a_system(tmp_path) as runtime:
        parts = runtime.container
        await parts.folder.redis.config_set("maxmemory", "1")
        with pytest.raises(StorageFull):
            await submit_job(runtime, ask(runtime.config, 1))
        await parts.folder.redis.config_set("maxmemory", "0")
        assert await OpenJobs(SqlOpenJobs(parts.archive), parts.jobs, parts.archive).sweep() == 0
        assert await parts.jobs.states() == {}


def a_world(client) -> World:
    world = World(client)
    world.now = int(time.time() * 1000)
    return world


async def test_after_a_start_from_an_older_state_a_host_rests_for_a_delay(tmp_path):
    async with started(tmp_path) as (_, client):
        world = a_world(client)
        await world.open()
        await world.push(world.visit("j1:1"), world.visit("j1:2", "a.example/2"))
        await world.frontier.close()
        bytes_then = await written(tmp_path)
        [lease] = await world.lease()
        await world.fetch(lease)
        await world.close()
    await lose_power(tmp_path, back_to=bytes_then)
    async with started(tmp_path) as (_, client):
        world = a_world(client)
        await world.open()
        assert await world.lease() == [], "its last visit is forgotten, and was a moment ago"
        await world.wait(DELAY_MS + 1_000)
        assert len(await world.lease()) == 1
        await world.close()


async def test_after_an_end_in_order_no_host_rests(tmp_path):
    for _ in range(2):
        async with a_system(tmp_path) as runtime:
            await runtime.container.jobs.states()
            await runtime.container.frontier.counts()
            client = runtime.container.folder.redis
            assert await client.get("research:server") not in (None, "ended")
            assert await client.hget("research:conf", "rested_ms") is None
