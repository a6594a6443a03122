import asyncio

from planner.timers import Timers


async def test_timers_continue_after_redis_was_away():
    calls = []

    async def fire():
        calls.append("fire")
        if len(calls) == 1:
            raise ConnectionError("redis is away")
        return 0

    async def reap():
        calls.append("reap")

    task = asyncio.create_task(Timers(fire, reap, every_s=0.001).run())
    while calls.count("reap") < 2:
        await asyncio.sleep(0.001)
    task.cancel()
    assert calls[:4] == ["fire", "fire", "reap", "fire"]
