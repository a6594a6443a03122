"""The MCP server on standard input and output, with the research system beside it in a process of its own."""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator
from typing import cast

import anyio
from mcp.server.stdio import stdio_server

from research_crawler.core.config import Config
from research_crawler.interfaces.mcp.desk import Desk
from research_crawler.interfaces.mcp.server import ResearchServer, make_server
from research_crawler.runtime.companion import Companion
from research_crawler.runtime.runtime import Runtime

CLOSE_S = 2.0


async def serve_stdio(config: Config, *options: str, alone: bool = True) -> None:
    """Serve until standard input is closed; then end the companion, whose jobs stay resumable.

    Args:
        config: the settings.
        options: options of `research` that the companion gets too.
        alone: start a companion where no planner or crawler runs; False: only join what runs.
    """
    desk = Desk(config, lambda: Runtime(config, crawl=False, plan=False, may_own=False))
    companion = Companion(config, *options) if alone else None
    working = asyncio.create_task(_keep_working(desk, companion))
    try:
        await _serve(make_server(desk))
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await desk.close()
        if companion:
            await companion.close()


async def _keep_working(desk: Desk, companion: Companion | None) -> None:
    if companion:
        await companion.start_where_nobody_is()
    runtime = await desk.connect()
    try:
        if companion:
            await companion.keep_work_done(runtime)
        await asyncio.Event().wait()
    finally:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await runtime.close()


async def _serve(server: ResearchServer) -> None:
    """Serve one client. While it runs, whatever else writes to standard output writes to stderr."""
    lines = _Lines(_diverted_stdin())
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", lines)) as (read, write):
        lowlevel = (
            server._lowlevel_server
        )  # the SDK's own way to streams, run_stdio_async, has no such argument
        await lowlevel.run(read, write, lowlevel.create_initialization_options())


def _diverted_stdin() -> int:
    """A private copy of standard input; descriptor 0 is the null device from now on, also for children."""
    private = os.dup(0)
    os.set_inheritable(private, False)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return private


class _Lines:
    """The lines of a descriptor, read by a thread that nobody waits for.

    The SDK reads standard input in a thread that a cancellation waits for: the server would not end at a signal
    before its client sends the next line.
    """

    def __init__(self, descriptor: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, args=(descriptor,), daemon=True, name="stdin").start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self, descriptor: int) -> None:
        with (
            contextlib.suppress(OSError, RuntimeError),  # the loop may be closed by now
            open(descriptor, encoding="utf-8", errors="replace", closefd=False) as stream,
        ):
            for line in stream:
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)
