"""Rows of batches become jobs as places are free; nothing is repeated, and a fault of all rows stops the batch."""

import resource
import time

import pytest
from sqlalchemy import update

from planner.job.factory import make_job
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.tables.batch_tables import BATCH_ROWS
from research_crawler.core.config import Config
from research_crawler.core.models.archive.keeping import Selection
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from tests.background.batch_world import BatchWorld

BATCH, OTHER = "batchaaaaaaa", "batchbbbbbbb"


@pytest.fixture
async def world(redis_client, tmp_path):
    jobs, archive = RedisJobs(redis_client), SqlArchive(Config(home=tmp_path))
    await archive.open()
    yield BatchWorld(jobs, archive)
    await archive.close()
    await jobs.close()


async def test_rows_run_in_the_places_that_are_free_until_the_batch_is_over(world):
    await world.add(10)
    feeder = world.feeder(places=4)
    assert await feeder.tick() == 4
    assert await feeder.tick() == 0
    assert await world.states() == {"running": 4, "waiting": 6}
    assert await world.work(3) == 3
    assert await feeder.tick() == 3
    while (await world.batches.get(BATCH)).state == "running":
        await world.work()
        await feeder.tick()
    entry = await world.batches.get(BATCH)
    assert entry.counts == {"done": 10}
    assert entry.pages == 10
    assert sorted(world.worked) == sorted(f"what is n{n}?" for n in range(1, 11))
    rows = await world.batches.rows(BATCH)
    assert {row.result.answer for row in rows} == {"It is so."}


async def test_a_restart_at_any_moment_repeats_no_row(world):
    await world.add(6)
    await world.feeder().tick()
    await world.work(2)
    rows = await world.batches.rows(BATCH, states=["running"])
    await world.jobs._redis.delete(world.jobs.keys.job(rows[-1].job))  # the process ended before it submitted
    for _ in range(8):
        await world.feeder().tick()  # a new one each time
        await world.work(1)
    assert (await world.batches.get(BATCH)).counts == {"done": 6}
    assert len(world.worked) == len(set(world.worked)) == 6


async def test_while_a_single_question_is_under_way_few_rows_begin(world):
    await world.add(20)
    single = make_job(JobInputs(goal="how do heat pumps work?"), Limits())
    await world.jobs.submit(single)
    taken = await world.jobs.take(max_active=100)
    assert taken.job.id == single.id
    feeder = world.feeder(places=8)
    assert await feeder.tick() == 1
    assert await feeder.tick() == 0
    over = taken.job.changed(state="completed", completed_at="2026-01-01")
    assert await world.jobs.commit(taken, over) == "ok"
    assert [await feeder.tick() for _ in range(3)] == [4, 3, 0]  # its places again


async def test_two_feeders_give_no_row_to_both(world):
    await world.add(6)
    one, other = world.feeder(places=3), world.feeder(places=3)
    assert await one.tick() == 3
    assert await other.tick() == 0
    await world.work()
    for _ in range(4):
        await one.tick()
        await other.tick()
        await world.work()
    assert len(world.worked) == len(set(world.worked)) == 6


async def test_batches_share_the_places(world):
    await world.add(9, BATCH)
    await world.add(9, OTHER)
    await world.feeder(places=4).tick()
    assert await world.states(BATCH) == {"running": 2, "waiting": 7}
    assert await world.states(OTHER) == {"running": 2, "waiting": 7}


async def test_a_batch_stops_by_itself_when_rows_fail_for_the_same_reason(world):
    await world.add(20)
    feeder = world.feeder(places=4)
    for n in range(3):
        await feeder.tick()
        await world.work(error=f"given up after {n} tries: the model endpoint refuses the key")
    await feeder.tick()
    entry = await world.batches.get(BATCH)
    assert entry.state == "stopped"
    assert "refuses the key" in entry.reason
    assert entry.counts["waiting"] >= 8


@pytest.mark.parametrize(
    ("ceiling", "state"), [("job", "completed"), ("batch", "stopped"), ("day", "stopped")]
)
async def test_a_ceiling_that_all_rows_share_stops_their_batch_and_a_row_with_an_answer_is_done(
    world, ceiling, state
):
    await world.add(1)
    feeder = world.feeder()
    await feeder.tick()
    await world.work(ceiling=ceiling)
    while (entry := await world.batches.get(BATCH)).state == "running":
        await feeder.tick()
    assert (entry.state, entry.counts) == (state, {"done": 1})


async def test_rows_that_fail_for_different_reasons_do_not_stop_a_batch(world):
    await world.add(7)
    feeder = world.feeder(places=1)
    for n in range(8):
        await feeder.tick()
        await world.work(error="" if n % 3 == 0 else "no such page" if n % 2 else "no such host")
    assert (await world.batches.get(BATCH)).state == "completed"


async def test_only_failed_rows_are_tried_again(world):
    await world.add(4)
    feeder = world.feeder(places=2)
    await feeder.tick()
    await world.work(error="broken")
    await feeder.tick()
    await world.work()
    await feeder.tick()
    assert (await world.batches.get(BATCH)).counts == {"failed": 2, "done": 2}
    world.worked.clear()
    assert await world.batches.start_again(BATCH, ["failed"]) == 2
    await world.batches.set_state(BATCH, "running")
    await feeder.tick()
    await world.work()
    await feeder.tick()
    assert sorted(world.worked) == ["what is n1?", "what is n2?"]
    assert (await world.batches.get(BATCH)).counts == {"done": 4}


async def test_ten_thousand_rows_are_stored_at_once_and_only_the_running_ones_are_in_redis(world):
    began_s = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    await world.add(10_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - began_s < 10
    feeder = world.feeder(places=16)
    assert [await feeder.tick() for _ in range(5)] == [4, 4, 4, 4, 0]  # a few at a time
    assert await world.states() == {"running": 16, "waiting": 9_984}
    assert await world.jobs._redis.dbsize() < 100
    began = time.process_time()
    await world.feeder(places=16).tick()
    assert time.process_time() - began < 1


async def test_what_a_row_has_of_a_forgotten_job_is_forgotten_with_it(world):
    await world.add(2)
    feeder = world.feeder()
    await feeder.tick()
    await world.work()
    await feeder.tick()
    first, second = await world.batches.rows(BATCH)
    await world.archive.forget(Selection(jobs=[first.job]))
    rows = await world.batches.rows(BATCH)
    assert [row.result.answer for row in rows] == ["", second.result.answer]
    assert rows[0].fields == first.fields


async def test_a_batch_that_cannot_go_on_keeps_no_other_from_it(world):
    await world.add(2)
    await world.add(2, OTHER)
    damaged = update(BATCH_ROWS).where(BATCH_ROWS.c.batch == BATCH, BATCH_ROWS.c.n == 1).values(fields="{")
    await world.archive.change(lambda connection: connection.execute(damaged).rowcount)
    with pytest.raises(ExceptionGroup):
        await world.feeder().tick()
    assert await world.states(OTHER) == {"running": 2}
