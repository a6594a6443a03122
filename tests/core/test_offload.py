"""Work beside the event loop."""

import asyncio
import threading
import time
from contextvars import ContextVar

import pytest

from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.tasks.offload import MainLoopEmbedder, offload, offload_call

OWNER: ContextVar[str] = ContextVar("owner", default="")


class Watched(HashEmbedder):
    """An embedder that notes in which threads, and for whom, it was asked."""

    def __init__(self):
        super().__init__()
        self.asked = []

    async def embed(self, texts):
        self.asked.append((threading.current_thread().name, OWNER.get()))
        await asyncio.sleep(0.01)
        return await super().embed(texts)


def computed(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        sum(range(1_000))


async def test_the_loop_goes_on_while_work_computes_beside_it_and_vectors_are_made_on_it():
    embedder = Watched()
    here = MainLoopEmbedder(embedder)

    async def work():
        computed(0.5)
        (vector,) = await here.embed(["a"])
        computed(0.5)
        return threading.current_thread().name, len(vector)

    OWNER.set("job")
    doing, longest, last = asyncio.ensure_future(offload(work())), 0.0, time.thread_time()
    ticks = 0
    while not doing.done():
        await asyncio.sleep(0.01)
        ticks += 1
        longest, last = max(longest, time.thread_time() - last), time.thread_time()
    thread, dimensions = await doing
    assert (thread.startswith("offload"), dimensions) == (True, embedder.dimensions)
    assert embedder.asked == [("MainThread", "job")]
    assert ticks > 10 and longest < 0.1


async def test_an_error_of_the_work_and_the_result_of_a_function_come_back():
    async def broken():
        raise ValueError("why")

    with pytest.raises(ValueError, match="why"):
        await offload(broken())
    assert await offload_call(max, 3, 7) == 7


async def test_work_that_nobody_waits_for_ends_where_it_waits_next():
    embedder, reached = MainLoopEmbedder(Watched()), []

    async def work():
        for number in range(1_000):
            await embedder.embed([str(number)])
            reached.append(number)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await offload(work())
    await asyncio.sleep(0.3)
    count = len(reached)
    await asyncio.sleep(0.2)
    assert 0 < count == len(reached) < 900
