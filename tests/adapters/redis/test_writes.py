"""On Python 3.11 redis-py's own connections fail this test within a few rounds."""

import asyncio

from research_crawler.adapters.redis.connection import connect_url


async def asks_for_ever(client):
    while True:
        await client.ping()


async def test_a_task_that_talks_to_redis_ends_when_it_is_cancelled_once(redis_url):
    client = connect_url(redis_url)
    for turns in range(300):
        task = asyncio.create_task(asks_for_ever(client))
        for _ in range(turns % 40):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=2)
        assert done, f"lost a cancellation after {turns % 40} turns of the loop"
    await client.aclose()
