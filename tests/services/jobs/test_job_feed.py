"""Readers of jobs on which nothing happens."""

import asyncio

from planner.job.factory import make_job
from research_crawler.core.config import load_core_config
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.runtime.runtime import running
from research_crawler.services.jobs.job_feed import JobFeeds

READERS, SECONDS = 30, 2.0


async def test_readers_of_jobs_that_stand_still_ask_redis_seldom(tmp_path):
    async with running(load_core_config(home=tmp_path), crawl=False, plan=False) as runtime:
        jobs, redis = runtime.container.jobs, runtime.container.folder.redis
        made = [make_job(JobInputs(goal=f"question {n}"), Limits()) for n in range(READERS)]
        for job in made:
            await jobs.submit(job)
        feeds, told = JobFeeds(runtime), list[str]()

        async def read(job: str) -> None:
            async for event in feeds.events(job):
                told.append(event.name)

        readers = [asyncio.create_task(read(job.id)) for job in made]
        async with asyncio.timeout(20):
            while len(told) < 2 * READERS:  # how the goal was read, and the status
                await asyncio.sleep(0.05)
        before = (await redis.info("stats"))["total_commands_processed"]
        await asyncio.sleep(SECONDS)
        asked = (await redis.info("stats"))["total_commands_processed"] - before
        assert asked < READERS * SECONDS  # each less than once a second, and no record is read again
        assert sorted(told) == ["status"] * READERS + ["step"] * READERS
        await jobs.cancel(made[0].id)
        async with asyncio.timeout(20):
            await readers[0]
        assert told.count("end") == 1
        feeds.close()
        await asyncio.wait(readers)
