"""Jobs that ended without a planner are archived like any other job."""

import pytest

from planner.job.factory import make_job
from planner.watches.watch_transitions import run_job
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.job_folder import MemoryJobFolder
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.background.ended_jobs import EndedJobs
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.events import PersonAnswered
from research_crawler.core.models.people.reviews import ReviewAnswer
from tests.planner.scripted import a_finding
from tests.planner.watches.watch_samples import a_watch


@pytest.fixture
async def world(redis_client):
    jobs, archive, folder = RedisJobs(redis_client), MemoryArchive(), MemoryJobFolder()
    yield jobs, archive, folder, EndedJobs(jobs, archive, folder)
    await jobs.close()


async def submitted(jobs, goal="how do moles see"):
    job = make_job(JobInputs(goal=goal), Limits(), folder="/documents")
    await jobs.submit(job)
    return job.id


async def test_a_cancelled_job_is_archived_with_its_end_and_its_documents(world):
    jobs, archive, folder, ended = world
    job = await submitted(jobs)
    await jobs.cancel(job)
    assert await ended.sweep() == 1
    kept, findings, report = await archive.get_job(job)
    assert kept.state == "cancelled"
    assert kept.completed_at
    assert findings == []
    assert (report["status"], report["exit_code"]) == ("cancelled", 1)
    assert "research_state.md" in folder.folders["/documents"]


async def test_a_job_that_redis_gave_up_is_archived_with_its_error(world):
    jobs, archive, _, ended = world
    job = await submitted(jobs)
    while (await jobs.get(job)).state != "failed":
        taken = await jobs.take(max_active=10)
        if taken:
            key = jobs.keys.job(job)
            await jobs._redis.zadd("research:runnable", {job: 0})  # its worker died
            assert await jobs._redis.hget(key, "_token")
    assert await ended.sweep() == 1
    kept, _, report = await archive.get_job(job)
    assert (kept.state, report["state"]) == ("failed", "failed")
    assert "given up" in report["error"]


async def test_jobs_that_go_on_and_jobs_that_are_archived_stay_as_they_are(world):
    jobs, archive, _, ended = world
    await submitted(jobs, "this one waits")
    over = await submitted(jobs, "this one is over")
    await jobs.cancel(over)
    assert [await ended.sweep(), await ended.sweep()] == [1, 0]
    assert await EndedJobs(jobs, archive, MemoryJobFolder()).sweep() == 0


async def test_a_run_of_a_watch_is_not_archived_as_research(world):
    jobs, archive, _, ended = world
    run = run_job(a_watch(), 1, created_at="")
    await jobs.submit(run)
    await jobs.cancel(run.id)
    assert await ended.sweep() == 0
    assert await archive.get_job(run.id) is None


async def test_a_job_leaves_redis_when_the_archive_has_it(world, redis_client):
    jobs, archive, _, ended = world
    over, open_ = await submitted(jobs), await submitted(jobs, "this one goes on")
    await redis_client.rpush(jobs.keys.found(over), a_finding(f"{over}:1", "Moles see little.").to_wire())
    await redis_client.hset(f"research:ans:{over}", "0:planner:1", "an answer")
    await jobs.cancel(over)
    await ended.sweep()
    assert [found.quote for found in (await archive.get_job(over))[1]] == ["Moles see little."]
    held = {key async for key in redis_client.scan_iter(match=f"research:*{over}*")}
    assert held <= {f"research:{kind}:{over}" for kind in ("job", "cmds", "budget")}
    assert max([await redis_client.pttl(key) for key in held]) <= 60_000
    assert await redis_client.pttl(jobs.keys.job(open_)) == -1


async def test_a_job_that_was_archived_can_be_reopened_with_its_findings(world, redis_client):
    jobs, archive, _, ended = world
    job = await submitted(jobs)
    finding = a_finding(f"{job}:1", "Moles see little.")
    taken = await jobs.take(max_active=9)
    done = taken.job.changed(state="completed")
    await archive.save_job(done, [finding], {"state": "completed"})
    assert await jobs.commit(taken, done, findings=[finding]) == "ok"
    await ended.sweep()
    assert await jobs.findings(job) == []
    event = PersonAnswered(uid="answer", job=job, answer=ReviewAnswer(kind="accept"))
    assert await jobs.reopen(await jobs.get(job), [finding], event)
    assert [found.quote for found in await jobs.findings(job)] == ["Moles see little."]
    assert await redis_client.pttl(jobs.keys.job(job)) == -1
