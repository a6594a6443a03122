"""A site on loopback with all kinds of problems for downloads, and crawlers that fetch from it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from scrapy import Spider
from scrapy.crawler import Crawler

from research_crawler.core import crawler_services
from research_crawler.core.config import load_core_config
from research_crawler.core.web.addresses import AddressGuard

OPEN_HOST, CLOSED_HOST = "127.0.5.1", "127.9.9.9"


@dataclass
class Site:
    """The same pages on a host inside the allowed network and on one outside."""

    port: int
    connections: dict[str, set[int]] = field(default_factory=lambda: {OPEN_HOST: set(), CLOSED_HOST: set()})

    def url(self, path: str = "/page", host: str = OPEN_HOST) -> str:
        return f"http://{host}:{self.port}{path}"


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while True:
            await response.write(b"x" * 65_536)
            await asyncio.sleep(0)
    return response


async def _trickle(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while True:
            await response.write(b"x")
            await asyncio.sleep(0.05)
    return response


async def _cut(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b"half")
    assert request.transport
    request.transport.close()
    return response


async def _hang(_: web.Request) -> web.StreamResponse:
    await asyncio.sleep(60)
    return web.Response()


def _page(text: str = "hello", **headers: str) -> Callable[[web.Request], object]:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(text=text, headers=headers)

    return answer


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    application = web.Application()
    site = Site(port=0)

    @web.middleware
    async def note_connection(request: web.Request, handler: Callable) -> web.StreamResponse:
        host = request.transport.get_extra_info("sockname")[0]
        site.connections[host].add(id(request.transport))
        return await handler(request)

    application.middlewares.append(note_connection)
    application.router.add_get("/page", _page())
    application.router.add_get("/long", _page("y" * 5_000_000))
    application.router.add_get("/layers", _page(**{"Content-Encoding": ", ".join(["gzip"] * 50)}))
    application.router.add_get("/wide", _page(**{"X-Policy": "z" * 30_000}))
    for path, handler in (("/endless", _endless), ("/trickle", _trickle), ("/cut", _cut), ("/hang", _hang)):
        application.router.add_get(path, handler)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    first = web.TCPSite(runner, OPEN_HOST, 0)
    await first.start()
    site.port = runner.addresses[0][1]
    await web.TCPSite(runner, CLOSED_HOST, site.port).start()
    yield site
    await runner.cleanup()


@pytest.fixture
def make_crawler() -> Callable[..., Crawler]:
    def make(**settings: object) -> Crawler:
        crawler = Crawler(Spider, {"DOWNLOAD_MAXSIZE": 1_000_000, "DOWNLOAD_WARNSIZE": 0, **settings})
        guard = AddressGuard(
            allow_private=["127.0.0.0/16"],
            allowed_hosts=[],
            blocked_hosts=["localhost", "127.0.0.1", "0.0.0.0"],
        )
        crawler_services.provide(
            crawler, crawler_services.FetchServices(config=load_core_config(), guard=guard)
        )
        return crawler

    return make


@pytest.fixture
def free_port_server() -> Callable[[], AbstractAsyncContextManager[int]]:
    """A minimal server for tests with their own event loop."""

    @asynccontextmanager
    async def serve() -> AsyncIterator[int]:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, OPEN_HOST, 0)
        async with server:
            yield server.sockets[0].getsockname()[1]

    return serve
