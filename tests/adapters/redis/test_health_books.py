"""One suite for the health book in memory and the one in Redis."""

import asyncio

import pytest

from research_crawler.adapters.in_memory.memory_provider_health import MemoryHealth
from research_crawler.adapters.redis.redis_provider_health import RedisHealth
from research_crawler.core.models.messages.health import Health
from research_crawler.engines.health_rules import Allowance, admit, failed

NOW = 1_795_132_800_000


@pytest.fixture(params=["memory", "redis"])
def book(request):
    if request.param == "memory":
        return MemoryHealth(clock=lambda: NOW)
    return RedisHealth(request.getfixturevalue("redis_client"), prefix="t:", clock=lambda: NOW)


async def test_a_new_record_is_healthy_and_keeps_its_changes(book):
    assert await book.read(["a", "b"]) == [Health(), Health()] and await book.read([]) == []
    given = await book.change("a", lambda health, now: (failed(health, now, trouble="key", why="no"), "said"))
    assert given == "said"
    [a, b] = await book.read(["a", "b"])
    assert (a.why, a.open_until_ms, b) == ("no", NOW + 300_000, Health())


async def test_concurrent_calls_are_all_counted_and_keep_to_the_ceiling(book):
    allowance = Allowance(per_day=10)
    refused = await asyncio.gather(
        *(book.change("a", lambda health, now: admit(health, now, allowance=allowance)) for _ in range(40))
    )
    assert sum(why == "" for why in refused) == 10
    assert (await book.read(["a"]))[0].day_calls == 10


async def test_without_a_clock_it_uses_the_servers_clock(redis_client):
    seconds, _ = await redis_client.time()
    assert abs(await RedisHealth(redis_client).now_ms() - seconds * 1000) < 5_000


async def test_a_record_that_cannot_be_read_counts_as_none(redis_client):
    book = RedisHealth(redis_client, prefix="t:", clock=lambda: NOW)
    for text in ("not json", '{"v": 99}', '{"failures": "many"}'):
        await redis_client.set("t:health:a", text)
        assert await book.read(["a"]) == [Health()]
    assert await redis_client.ttl("t:health:a") == -1
    await book.change("a", lambda health, now: (health, None))
    assert await redis_client.ttl("t:health:a") > 31 * 86_400
