"""Serves the application on this process's event loop, and drains it when the process is to end."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import uvicorn
from fastapi import FastAPI

from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.interfaces.http.state import ServerState

DRAIN_S = 10
"""How long requests under way may take when the server ends."""
_BACKLOG = 1_024


class QuietServer(uvicorn.Server):
    """uvicorn's server without its signal handlers: the command of this process has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


def bound_socket(config: Config) -> socket.socket:
    """A socket that listens on the configured address; port 0 takes a free one.

    Raises:
        NotStarted: the address is taken, or is not one of this machine.
    """
    host, port = config.serve_host, config.serve_port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(_BACKLOG)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise NotStarted(
            f"cannot listen on {host} port {port} ({error.strerror or error}); "
            "RESEARCH_SERVE_HOST and RESEARCH_SERVE_PORT name another address"
        ) from error
    return listening


def url_of(listening: socket.socket) -> str:
    """The address of the server, for people."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@asynccontextmanager
async def serving(app: FastAPI, listening: socket.socket) -> AsyncIterator[asyncio.Task[None]]:
    """Serve while the block runs; at its end take no more requests and let those under way end.

    Yields:
        The task of the server. It ends only when the server does.
    """
    server = QuietServer(
        uvicorn.Config(
            app,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=DRAIN_S,
        )
    )
    task = asyncio.create_task(server.serve(sockets=[listening]), name="http server")
    try:
        yield task
    finally:
        state: ServerState = app.state.server
        state.ending.set()
        server.should_exit = True
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task}, timeout=DRAIN_S + 2)
        listening.close()
