"""Ends background tasks."""

import asyncio
from collections.abc import Iterable
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
