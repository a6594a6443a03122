import asyncio

from research_crawler.adapters.redis.presence import Presence
from research_crawler.core.errors import StorageFull


async def announced(redis, role):
    """A process in this role, and the task that keeps it there."""
    presence = Presence(redis, prefix="t:")
    task = asyncio.create_task(presence.announce(role))
    await asyncio.sleep(0.1)
    return presence, task


async def end(task):
    task.cancel()
    await asyncio.wait([task])


async def test_a_process_sees_others_in_a_role_and_not_itself(redis_client):
    first, first_task = await announced(redis_client, "planner")
    assert await first.others("planner") == 0
    second, second_task = await announced(redis_client, "planner")
    assert (await first.others("planner"), await second.others("planner")) == (1, 1)
    assert await first.others("renderer") == 0
    await end(first_task)
    assert await second.others("planner") == 0
    await end(second_task)


async def test_a_process_that_entered_a_role_is_seen_when_it_says_that_it_is_up(redis_client):
    await Presence(redis_client, prefix="t:").enter("planner")
    assert await Presence(redis_client, prefix="t:").others("planner") == 1


async def test_a_process_that_died_is_not_counted_after_five_seconds(redis_client):
    now_s, _ = await redis_client.time()
    await redis_client.zadd("t:alive:planner", {"dead": now_s * 1000 - 1, "alive": now_s * 1000 + 4_000})
    assert await Presence(redis_client, prefix="t:").others("planner") == 1


async def test_only_the_processes_of_this_machine_are_counted_as_here(redis_client):
    presence, task = await announced(redis_client, "crawler")
    now_s, _ = await redis_client.time()
    await redis_client.zadd("t:alive:crawler", {"elsewhere/0a1b2c": now_s * 1000 + 4_000})
    assert await presence.here("crawler") == 1
    assert await presence.others("crawler") == 1
    await end(task)
    assert await presence.here("crawler") == 0


class FullRedis:
    """Refuses writes while it is full."""

    def __init__(self, redis):
        self.redis, self.is_full = redis, True

    def __getattr__(self, name):
        return getattr(self.redis, name)

    async def eval(self, *arguments):
        if self.is_full:
            raise StorageFull("no room")
        return await self.redis.eval(*arguments)


async def test_a_full_redis_is_a_fault_until_it_accepts_writes_again(redis_client):
    full = FullRedis(redis_client)
    presence, task = await announced(full, "planner")
    assert str(presence.fault()) == "no room"
    assert presence.fault(lasting_s=60) is None
    full.is_full = False
    await asyncio.sleep(1.2)
    assert presence.fault() is None
    await end(task)
