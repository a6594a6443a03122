"""Ends background tasks for good."""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

_AGAIN_S: Final = 0.5


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their ends. A cancel is repeated, because redis-py loses one that meets a connect."""
    running = set(tasks)
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=_AGAIN_S)
