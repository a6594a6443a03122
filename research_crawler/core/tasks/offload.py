"""Runs what is worked out of pages' texts beside the event loop, which serves other jobs meanwhile.

Work without a model is long where a job has hundreds of findings of hostile pages. It is a coroutine, because it asks
for vectors; each runs on a loop of its own in a thread, and asks for its vectors on the loop of the process.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Any, Final, TypeVar

from research_crawler.core.ports.models import Embedder

Result = TypeVar("Result")
OFFLOADED_AT_ONCE: Final = 8
"""Works of so many jobs stand beside the loop. Each waits for vectors most of its time; those that compute take
turns with the loop."""
_threads = ThreadPoolExecutor(OFFLOADED_AT_ONCE, thread_name_prefix="offload")
_main_loop: ContextVar[asyncio.AbstractEventLoop] = ContextVar("main_loop")
"""The loop of the process, for work that runs beside it."""


async def offload(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of some work that runs beside this loop; work that does so already goes on where it is."""
    if _main_loop.get(None) is not None:
        return await work
    context, running = copy_context(), _OffloadedWork(work)
    context.run(_main_loop.set, asyncio.get_running_loop())
    future = _threads.submit(context.run, running.run)
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        if future.cancelled():  # it has not begun, and never will
            work.close()
        else:
            running.cancel()
        raise


async def offload_call(compute: Callable[..., Result], *arguments: Any) -> Result:
    """What a function computes beside this loop."""
    if _main_loop.get(None) is not None:
        return compute(*arguments)
    return await asyncio.get_running_loop().run_in_executor(_threads, copy_context().run, compute, *arguments)


class _OffloadedWork:
    """Some work on a loop of its own, in the thread that calls `run`."""

    def __init__(self, work: Coroutine[Any, Any, Any]) -> None:
        self._work = work
        self._begun: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._is_cancelled = False

    def run(self) -> Any:
        """Do it."""
        return asyncio.run(self._done())

    async def _done(self) -> Any:
        task = asyncio.current_task()
        assert task
        self._begun = (asyncio.get_running_loop(), task)
        if self._is_cancelled:
            self._work.close()
            raise asyncio.CancelledError
        return await self._work

    def cancel(self) -> None:
        """End it where it waits next."""
        self._is_cancelled = True
        if self._begun:
            loop, task = self._begun
            with contextlib.suppress(RuntimeError):  # it has ended meanwhile
                loop.call_soon_threadsafe(task.cancel)


async def on_main_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of work that needs the loop of the process (a model, a database), for work beside it."""
    main = _main_loop.get(None)
    if main is None or main is asyncio.get_running_loop():
        return await work
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, main))


class MainLoopEmbedder:
    """An embedder that is asked on the loop of the process, also by work beside it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name, self.dimensions = embedder.name, embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text."""
        return await on_main_loop(self._embedder.embed(texts))

    def count_tokens(self, text: str) -> int:
        """Number of the model's tokens in a text."""
        return self._embedder.count_tokens(text)

    def count_tokens_many(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text."""
        return self._embedder.count_tokens_many(texts)
