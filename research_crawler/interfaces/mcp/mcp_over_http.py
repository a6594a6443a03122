"""The MCP server over streamable HTTP: a route of another app."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Final

from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute

from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.interfaces.mcp.mcp_server import make_server
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway

PATH: Final = "/mcp"
MAX_MESSAGE_BYTES: Final = 1_000_000
"""Largest message of a client."""
MOST_SESSIONS: Final = 200
"""Sessions at once; each keeps some 60 kB for half an hour after its last request, unless its client ends it."""
LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


class McpEndpoint:
    """The route of the MCP server, and what must run while it is served.

    An app that has a server of its own takes `routes` into its own and runs `running()` in its lifespan; it checks
    tokens itself.
    """

    def __init__(self, gateway: ResearchGateway, *, hosts: Sequence[str] | None = LOOPBACK_NAMES) -> None:
        """Build it.

        Args:
            gateway: the system that it serves.
            hosts: names under which it may be asked, without port; a page in a browser gets in under no other. None:
                the app around it checks that.
        """
        self._server = make_server(gateway)
        self._app = self._server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=MAX_MESSAGE_BYTES,
            transport_security=_only_from(hosts),
        )
        self._server.session_manager.max_sessions = MOST_SESSIONS

    @property
    def routes(self) -> list[BaseRoute]:
        """The route at PATH."""
        return list(self._app.routes)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until the end of the block, in a task of its own: the scope of a session must end where it began."""
        is_ready, may_end = asyncio.Event(), asyncio.Event()

        async def serve() -> None:
            async with self._server.session_manager.run():
                is_ready.set()
                await may_end.wait()

        task = asyncio.create_task(serve(), name="mcp sessions")
        ready = asyncio.create_task(is_ready.wait())
        await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
        try:
            if task.done():
                task.result()
            yield
        finally:
            may_end.set()
            await end_tasks([ready])
            await asyncio.wait({task})


def _only_from(hosts: Sequence[str] | None) -> TransportSecuritySettings:
    if hosts is None:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(
        allowed_hosts=[*hosts, *(f"{host}:*" for host in hosts)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )
