"""Serves the application on this process's event loop, and drains it when the process is to end."""

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import uvicorn

from research_crawler.adapters.served_address import kept_address
from research_crawler.interfaces.http.connections import ConnectionLimits, bounded_connections
from research_crawler.interfaces.http.http_app import http_app
from research_crawler.interfaces.http.listening import Listening, url_of
from research_crawler.interfaces.http.state import ServerState
from research_crawler.runtime.runtime import Runtime

_DRAIN_S = 10
"""How long requests under way may take when the server ends."""


class QuietServer(uvicorn.Server):
    """uvicorn's server without its signal handlers: the command of this process has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


def spare_collections() -> None:
    """Leave what a process has loaded at its start out of its garbage collections, which else hold up pages by 0.2 s.

    Of eight loads each, with 5,000 findings, the slowest of a job took 0.34 s of processor time and takes 0.09, of a
    report 0.36 and 0.16, of a review 0.46 and 0.18.
    """
    gc.collect()
    gc.freeze()


@dataclass(frozen=True)
class RunningServer:
    """A server that answers."""

    task: asyncio.Task[None]
    """Ends only if the server does."""
    state: ServerState


@asynccontextmanager
async def serving(runtime: Runtime, listening: Listening) -> AsyncIterator[RunningServer]:
    """Serve a running process while the block runs; at its end take no more requests and let those under way end."""
    app = http_app(runtime, token=listening.token, code=listening.code)
    state: ServerState = app.state.server
    server = QuietServer(
        uvicorn.Config(
            app,
            http=bounded_connections(ConnectionLimits.within_files(runtime.config.serve_max_connections)),
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_DRAIN_S,
        )
    )
    stack = AsyncExitStack()
    await stack.enter_async_context(app.state.mcp.running())
    stack.enter_context(kept_address(runtime.config.home, url_of(listening.socket)))
    task = asyncio.create_task(server.serve(sockets=[listening.socket]), name="http server")
    try:
        yield RunningServer(task, state)
    finally:
        state.end()
        server.should_exit = True
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task}, timeout=_DRAIN_S + 2)
        await stack.aclose()
        listening.socket.close()
