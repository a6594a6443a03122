import asyncio

from research_crawler.core.tasks.end_tasks import end_tasks


async def test_a_task_that_is_ended_finishes_its_clean_up_first():
    given_back = []

    async def holds_a_lease():
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.7)  # as giving back does on a slow Redis
            given_back.append("lease")

    task = asyncio.create_task(holds_a_lease())
    await asyncio.sleep(0)
    await end_tasks([task])
    assert given_back == ["lease"]


async def test_ended_tasks_with_errors_and_no_tasks_at_all_raise_nothing():
    async def breaks():
        try:
            await asyncio.Event().wait()
        finally:
            raise RuntimeError("while cleaning up")

    task = asyncio.create_task(breaks())
    await asyncio.sleep(0)
    await end_tasks([task])
    assert isinstance(task.exception(), RuntimeError)
    await end_tasks([])
