"""Work that costs money runs once for all who ask for it at about the same time."""

import asyncio

import pytest

from research_crawler.core.tasks.shared_run import SharedRun


class Costly:
    def __init__(self) -> None:
        self.runs, self.go, self.fails = 0, asyncio.Event(), False

    async def __call__(self) -> int:
        self.runs += 1
        await self.go.wait()
        if self.fails:
            raise OSError("broken")
        return self.runs


async def test_all_who_ask_while_it_runs_share_the_run_and_one_who_leaves_does_not_end_it():
    work = Costly()
    shared = SharedRun(work, fresh_s=60)
    asking = [asyncio.create_task(shared.result()) for _ in range(6)]
    await asyncio.sleep(0)
    asking[0].cancel()
    work.go.set()
    assert [ran.result for ran in await asyncio.gather(*asking[1:])] == [1] * 5
    assert (await shared.result()).result == 1
    assert work.runs == 1


async def test_an_old_result_and_a_failure_are_not_told_again():
    work = Costly()
    work.go.set()
    shared = SharedRun(work, fresh_s=0)
    assert [(await shared.result()).result for _ in range(2)] == [1, 2]
    work.fails = True
    with pytest.raises(OSError, match="broken"):
        await shared.result()
    work.fails = False
    assert (await shared.result()).result == 4
