"""Serves the application on this process's event loop, and drains it when the process is to end."""

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import uvicorn

from research_crawler.adapters.served_address import kept_address
from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.interfaces.dashboard.sessions import CODE_LASTS_S, SignInCode
from research_crawler.interfaces.http.connections import ConnectionLimits, bounded_connections
from research_crawler.interfaces.http.http_app import http_app
from research_crawler.interfaces.http.state import ServerState
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.server_token import is_loopback, token_of

_DRAIN_S = 10
"""How long requests under way may take when the server ends."""
_BACKLOG = 1_024
"""Connections that may wait to be accepted."""


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


def spare_collections() -> None:
    """Leave what a process has loaded at its start out of its garbage collections, which else hold up pages by 0.2 s.

    Of eight loads each, with 5,000 findings, the slowest of a job took 0.34 s of processor time and takes 0.09, of a
    report 0.36 and 0.16, of a review 0.46 and 0.18.
    """
    gc.collect()
    gc.freeze()


@dataclass(frozen=True)
class Listening:
    """Where a server is going to answer, and whom; made before anything is started, so that a mistake costs nothing."""

    socket: socket.socket
    token: str
    token_place: str
    code: SignInCode | None = None
    """What signs one person in who sees the terminal; None: nobody does, or other machines reach the server."""

    @classmethod
    def prepared(cls, config: Config) -> "Listening":
        """Find or make the token, and listen.

        Raises:
            ConfigError, NotStarted: the message is one line that says what to do.
        """
        token, place = token_of(config)
        is_seen = sys.stderr.isatty() and is_loopback(config.serve_host)
        return cls(bound_socket(config), token, place, SignInCode() if is_seen else None)

    @property
    def notice(self) -> str:
        """The address and where the token is, for the user."""
        url = url_of(self.socket)
        where = f"dashboard: {url}/ui, for programs: {url}/docs"
        return f"serving {url} ({where}); the bearer token is in {self.token_place}"

    @property
    def sign_in_line(self) -> str:
        """What signs one person in to the dashboard, for the terminal alone, never for a log; empty: nothing does."""
        if self.code is None:
            return ""
        address = f"{url_of(self.socket)}/ui/sign-in?code={self.code.text}"
        return f"sign in: {address} (works once, within {CODE_LASTS_S // 60} minutes)"


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
