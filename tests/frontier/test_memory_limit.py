"""At Redis' memory limit nothing new begins, nothing that has begun is lost, and all goes on when there is room."""

import pytest

from research_crawler.adapters.redis.connection import memory_fault
from research_crawler.adapters.redis.presence import PLANNER, Presence
from research_crawler.adapters.redis.redis_outbox import RedisOutbox
from research_crawler.core.errors import RedisFull
from tests.adapters.redis.test_embedded import started
from tests.frontier.conftest import DELAY_MS, World


@pytest.fixture
async def full(tmp_path):
    """A world with a leased and a queued command, a job that has begun and one that has not, whose memory is full."""
    async with started(tmp_path) as (_, client):
        world = World(client)
        await world.open()
        await world.submit("begun")
        world.taken = await world.jobs.take(max_active=9)
        await world.submit("pending")
        await world.push(world.visit("j1:1"), world.visit("j1:2", "b.example/2"))
        [world.leased] = await world.lease(free=1)
        await RedisOutbox(client).read("me", block_ms=1)  # an indexer runs
        await client.config_set("maxmemory", "1")
        yield world
        await world.close()


async def test_nothing_new_begins(full):
    for begins in (
        full.push(full.visit("j2:1")),
        full.lease(),
        full.submit("another"),
    ):
        with pytest.raises(RedisFull, match="memory limit"):
            await begins
    assert await full.jobs.take(max_active=9) is None, "a pending job is not admitted"
    assert "memory limit" in await memory_fault(full.redis)


async def test_what_has_begun_ends_and_the_rest_goes_on_when_there_is_room(full):
    assert await full.fetch(full.leased)
    assert await full.settle(full.leased)
    done = full.taken.job.changed(state="completed")
    assert await full.jobs.commit(full.taken, done) == "ok"
    await full.redis.config_set("maxmemory", "0")
    assert await memory_fault(full.redis) == ""
    await full.wait(DELAY_MS)
    assert [lease.command.id for lease in await full.lease()] == ["j1:2"]
    assert (await full.jobs.take(max_active=9)).job.id == "pending"


async def test_a_command_can_be_given_back_and_a_node_stays_alive(full):
    assert await full.frontier.give_back("j1:1", full.leased.token, "drain")
    await full.frontier.beat(full.node, {})
    assert (await full.frontier.counts()).nodes == 1
    assert (await full.frontier.counts()).problems == []


async def test_processes_are_seen_and_the_outbox_empties(full):
    presence, outbox = Presence(full.redis, prefix="research:"), RedisOutbox(full.redis)
    await presence.enter(PLANNER)
    assert presence.fault() is None
    assert await Presence(full.redis, prefix="research:").others(PLANNER) == 1
    await full.settle(full.leased)
    entries = dict(await outbox.read("me", block_ms=10))
    await outbox.postpone(entries)
    assert (await outbox.count(), await outbox.postponed(9)) == (0, ["j1:1"])
