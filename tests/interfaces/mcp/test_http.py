"""The server over streamable HTTP: both eras by a real client, and who gets in."""

import asyncio
import contextlib
import socket

import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette

from research_crawler.interfaces.mcp import mcp_over_http as endpoint
from research_crawler.interfaces.mcp.mcp_over_http import LOOPBACK_NAMES, McpEndpoint
from tests.interfaces.mcp.conftest import ERAS, called

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream"}


def app_of(gateway):
    """An app that has nothing but the endpoint."""
    endpoint = McpEndpoint(gateway, hosts=LOOPBACK_NAMES)
    return Starlette(routes=endpoint.routes, lifespan=lambda _: endpoint.running())


@contextlib.asynccontextmanager
async def served(app):
    """Serve an app on a free port, and yield its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            await serving


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_of_each_era_starts_follows_and_cancels_research(gateway, era):
    async with (
        served(app_of(gateway)) as url,
        httpx2.AsyncClient() as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        assert client.protocol_version == (era if era in ERAS[1:] else "2025-11-25")
        started = await called(client, "start_deep_research", topic="heat pumps")
        status = await called(client, "get_research_status", task_id=started["task_id"])
        assert status["status"] == "pending"
        ended = await called(client, "cancel_research", task_id=started["task_id"])
        assert ended["status"] == "cancelled"


async def test_only_requests_for_one_of_our_names_from_our_own_pages_get_in(gateway):
    async with served(app_of(gateway)) as url, httpx2.AsyncClient() as http:

        async def status(body=INITIALIZE, **headers):
            return (await http.post(url, json=body, headers={**HEADERS, **headers})).status_code

        assert await status() == 200
        assert await status(Origin=url.removesuffix("/mcp")) == 200
        assert await status(Host="evil.example") == 421
        assert await status(Origin="https://evil.example") == 403
        assert await status({**INITIALIZE, "params": "x" * 1_100_000}) == 413


async def test_the_endpoint_is_a_route_of_another_app(gateway):
    async with served(app_of(gateway)) as url, Client(url, mode="legacy") as client:
        assert await called(client, "list_watches") == {"watches": [], "truncated": False, "next": None}


async def test_sessions_are_bounded_and_those_that_are_open_go_on(gateway, monkeypatch):
    monkeypatch.setattr(endpoint, "MOST_SESSIONS", 3)
    async with served(app_of(gateway)) as url, httpx2.AsyncClient() as http:
        opened = [await http.post(url, json=INITIALIZE, headers=HEADERS) for _ in range(5)]
        assert [answer.status_code for answer in opened] == [200, 200, 200, 503, 503]
        session = {"Mcp-Session-Id": opened[0].headers["mcp-session-id"]}
        assert (await http.delete(url, headers={**HEADERS, **session})).status_code == 200
        assert (await http.post(url, json=INITIALIZE, headers=HEADERS)).status_code == 200
