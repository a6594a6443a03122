import asyncio

import pytest

from research_crawler.core.tasks.owners import owned_by
from research_crawler.extraction.process.fair_scheduler import SLOW_AFTER, FairScheduler


async def order_of(scheduler: FairScheduler, hosts: list[str]) -> list[str]:
    """The order in which pages of hosts are read that all ask while the only place is taken."""
    read: list[str] = []

    async def read_one(host: str) -> None:
        async with scheduler.turn(host):
            read.append(host)
            await asyncio.sleep(0)

    async with scheduler.turn("first.example"):
        waiting = [asyncio.create_task(read_one(host)) for host in hosts]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return read


async def test_pages_are_read_in_the_order_of_asking():
    assert await order_of(FairScheduler(1), ["a", "b", "a", "c"]) == ["a", "b", "a", "c"]


@pytest.mark.parametrize("is_slow", [False, True])
async def test_pages_of_a_single_job_do_not_wait_behind_those_of_a_batch(is_slow):
    scheduler, read = FairScheduler(1), list[str]()
    for _ in range(SLOW_AFTER * is_slow):
        scheduler.note_timeout("host")

    async def read_one(owner: str) -> None:
        with owned_by(owner):
            async with scheduler.turn("host"):
                read.append(owner)

    async with scheduler.turn("first.example"):
        waiting = [asyncio.create_task(read_one(owner)) for owner in ["batch"] * 20 + ["single"] * 3]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert read[:6] == ["batch", "single"] * 3
    assert read.count("batch") == 20


async def test_pages_of_a_host_that_timed_out_twice_wait_behind_all_others():
    scheduler = FairScheduler(1)
    for _ in range(SLOW_AFTER):
        scheduler.note_timeout("slow")
    assert await order_of(scheduler, ["slow", "slow", "b", "c"]) == ["b", "c", "slow", "slow"]


async def test_a_page_in_time_makes_a_host_an_ordinary_one():
    scheduler = FairScheduler(1)
    scheduler.note_timeout("a")
    scheduler.note_in_time("a")
    scheduler.note_timeout("a")
    assert not scheduler.is_slow("a")
    assert await order_of(scheduler, ["a", "b"]) == ["a", "b"]


async def test_slow_hosts_leave_half_of_the_places_to_others():
    scheduler = FairScheduler(4)
    for _ in range(SLOW_AFTER):
        scheduler.note_timeout("slow")
    held = [asyncio.create_task(hold(scheduler, "slow")) for _ in range(6)]
    await asyncio.sleep(0)
    async with asyncio.timeout(1), scheduler.turn("a"), scheduler.turn("b"):
        pass
    for task in held:
        task.cancel()
    await asyncio.gather(*held, return_exceptions=True)


async def hold(scheduler: FairScheduler, host: str) -> None:
    async with scheduler.turn(host):
        await asyncio.sleep(60)


async def test_a_caller_that_is_cancelled_frees_its_place_and_its_turn():
    scheduler = FairScheduler(1)
    holding, waiting = (asyncio.create_task(hold(scheduler, "a")) for _ in range(2))
    await asyncio.sleep(0)
    for task in (waiting, holding):
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    async with asyncio.timeout(1), scheduler.turn("b"):
        pass
