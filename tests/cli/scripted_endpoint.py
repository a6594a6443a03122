"""The scripted model, in a thread with an event loop of its own."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.models.scripted_model import Model, extract, served

Planner = Callable[[str, dict[str, Any]], dict[str, Any]]


@contextmanager
def scripted_endpoint(planner: Planner | None = None) -> Iterator[str]:
    """The base URL of a model that plans in this way, while the block runs."""
    model, loop, started = Model(), asyncio.new_event_loop(), threading.Event()
    if planner is not None:
        model.answers["planner"] = planner
    # The planner says when the research is over, and no reading.
    model.answers["extractor"] = lambda prompt, schema: extract(prompt, schema) | {"answers_all": False}
    address: list[int] = []
    done = asyncio.Event()

    async def serve() -> None:
        runner = await served(model)
        address.append(runner.addresses[0][1])
        started.set()
        await done.wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    started.wait(10)
    try:
        yield f"http://127.0.0.1:{address[0]}/v1"
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(10)
        loop.close()
