"""The MCP server on standard input and output, with the research system beside it in a process of its own."""

import asyncio
import contextlib
import os
import threading

from mcp.server.mcpserver import MCPServer

from research_crawler.core.config import Config
from research_crawler.interfaces.mcp.mcp_server import make_server
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.runtime.companion import Companion
from research_crawler.runtime.runtime import Runtime

_CLOSE_S = 2.0
"""How long the system beside the server may take to close."""


async def serve_stdio(config: Config, *options: str, alone: bool = True) -> None:
    """Serve until standard input is closed; then end the companion, whose jobs stay resumable.

    Args:
        config: the settings.
        options: options of `research` that the companion gets too.
        alone: start a companion where no planner or crawler runs; False: only join what runs.
    """
    gateway = ResearchGateway(config, lambda: Runtime(config, crawl=False, plan=False, may_own=False))
    companion = Companion(config, *options) if alone else None
    if companion:
        gateway.is_starting = lambda: companion.is_starting
    working = asyncio.create_task(_keep_working(gateway, companion))
    try:
        await _serve(make_server(gateway))
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await gateway.close()
        if companion:
            await companion.close()


async def _keep_working(gateway: ResearchGateway, companion: Companion | None) -> None:
    if companion:
        await companion.start_where_nobody_is()
    runtime = await gateway.connect()
    try:
        if companion:
            await companion.keep_work_done(runtime)
        await asyncio.Event().wait()
    finally:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_S):
                await runtime.close()


async def _serve(server: MCPServer) -> None:
    """Serve one client until its end of file, or until this call is cancelled.

    The SDK reads standard input in a thread that a cancellation waits for. So it gets a pipe instead, whose end comes
    when we want it; otherwise no signal would end the server before the client sends its next line.
    """
    pipe = _StdinPipe()
    serving = asyncio.create_task(server.run_stdio_async())
    try:
        await asyncio.wait({serving})
    finally:
        pipe.end()
        await serving


class _StdinPipe:
    """Puts a pipe in the place of standard input, and copies into it what comes."""

    def __init__(self) -> None:
        self._source = os.dup(0)
        reading, self._pipe = os.pipe()
        os.dup2(reading, 0)
        os.close(reading)
        threading.Thread(target=self._copy, daemon=True, name="stdin").start()

    def end(self) -> None:
        """Close the pipe; its descriptor stays in use, because the thread may be about to write to it."""
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._pipe, inheritable=False)
        os.close(null)

    def _copy(self) -> None:
        with contextlib.suppress(OSError):
            while chunk := os.read(self._source, 65_536):
                while chunk:
                    chunk = chunk[os.write(self._pipe, chunk) :]
        self.end()
