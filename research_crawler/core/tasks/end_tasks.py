"""Ends background tasks."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks once, and wait until they have cleaned up and ended; their errors are not raised here.

    A second cancellation would interrupt a task that gives back what it holds, and a task group does not hand it on.
    What loses the first one, as `asyncio.wait_for` of Python 3.11 does, may not be used (ruff refuses it).
    """
    running = list(tasks)
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running)


async def together(work: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
    """Do all of it at the same time, and return what it gave; if one part fails, the others end first."""
    tasks = [asyncio.create_task(part) for part in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        await end_tasks(tasks)
