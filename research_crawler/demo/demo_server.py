"""The demo web: many hosts on loopback in one process, including a search engine."""

import asyncio
import json
import socket
from collections import Counter
from types import TracebackType
from typing import Any, Final, Self, assert_never

from aiohttp import web

from research_crawler.demo.content import SHOP, Host, Page, World, load_world
from research_crawler.demo.demo_search_engine import SearchEngine
from research_crawler.demo.demo_walls import wall
from research_crawler.demo.hazards import BEHAVIOURS, Visit, WebOptions
from research_crawler.demo.rendering import Renderer
from research_crawler.demo.request_log import Served, monotonic_ms
from research_crawler.demo.shops.shop_server import Shops

ADMIN: Final = "admin"
_BIND_TRIES: Final = 5
"""How often the demo web looks for free ports."""


class LocalWeb:
    """Runs the demo web inside the running event loop: `async with LocalWeb() as web`.

    Attributes:
        hosts: the base URL of each host by its key; "search" is the search engine, "admin" the host of the
            log.
        hazards: the URL of each hazard for crawlers, by name.
        shops: the shops. Their offers can be changed while the web runs.
        log: all requests so far, in the order in which their responses ended.
    """

    def __init__(self, options: WebOptions | None = None, *, world: World | None = None) -> None:
        self.options = options or WebOptions()
        self.world = world or load_world()
        self.log: list[Served] = []
        self.port = 0
        self.hosts: dict[str, str] = {}
        self.hazards: dict[str, str] = {}
        self._by_ip = {host.ip: host for host in self.world.hosts.values()}
        self._counts: dict[str, Counter[str]] = {key: Counter() for key in self.world.hosts}
        self._bodies: dict[str, bytes] = {}

    async def __aenter__(self) -> Self:
        server = web.Server(self._handle, access_log=None)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.2, handler_cancellation=True)
        await self._runner.setup()
        try:
            self.port = await self._bind()
        except OSError:
            await self._runner.cleanup()
            raise
        self.hosts = {key: f"http://{host.ip}:{self.port}" for key, host in self.world.hosts.items()}
        self.hazards = {
            name: self.hosts[host.key] + path
            for host in self.world.hosts.values()
            for name, path in host.hazards.items()
        }
        self._renderer = Renderer(self.world, self.hosts)
        self._engine = SearchEngine(self.world, self._renderer)
        self.shops = Shops(self.hosts)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()
        self._engine.close()

    @property
    def search_url(self) -> str:
        """The base URL of the search engine, for SEARXNG_URL."""
        return self.hosts["search"]

    def ready(self) -> dict[str, Any]:
        """The addresses that a process prints when it is ready."""
        return {"search": self.search_url, "port": self.port, "hosts": self.hosts, "hazards": self.hazards}

    def forget(self) -> None:
        """Clear the log. Hosts that fail or throttle at first do so again."""
        self.log.clear()
        for counts in self._counts.values():
            counts.clear()

    async def _bind(self) -> int:
        """Listen on all hosts. If no port was chosen and another process took the free one, try again."""
        ips = [host.ip for host in self.world.hosts.values()]
        for attempt in range(_BIND_TRIES):
            port = self.options.port or free_port(ips)
            try:
                for ip in ips:
                    await web.TCPSite(self._runner, ip, port, backlog=512).start()
            except OSError:
                if self.options.port or attempt == _BIND_TRIES - 1:
                    raise
                for site in list(self._runner.sites):
                    await site.stop()
            else:
                return port
        raise AssertionError("unreachable")

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        start_ms = monotonic_ms()
        host = self._by_ip[_local_ip(request)]
        if host.key == ADMIN:
            return await self._administer(request)
        status = 0
        try:
            response = await self._answer(host, request)
            status = response.status
            await response.prepare(request)
            await response.write_eof()
        except ConnectionError:
            return web.Response()  # the client has disconnected; this response is not sent
        finally:
            self.log.append(
                Served(
                    host=host.ip,
                    path=request.path_qs,
                    start_ms=start_ms,
                    end_ms=monotonic_ms(),
                    status=status,
                    user_agent=request.headers.get("User-Agent", ""),
                )
            )
        return response

    async def _answer(self, host: Host, request: web.BaseRequest) -> web.StreamResponse:
        latency_ms = self.options.latencies_ms.get(host.key, self.options.latency_ms)
        if latency_ms:
            await asyncio.sleep(latency_ms / 1000)
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers={"Allow": "GET, HEAD"})
        if request.path in host.redirects:
            return self._redirect(host, host.redirects[request.path])
        if request.path == host.robots_path:
            return await self._robots(host)
        match host.layout:
            case "shop":
                return self.shops.answer(host.key, request)
            case "search":
                return self._engine.answer(host, request)
            case "walls":
                return wall(request.path) or self._missing(host)
            case "blog" | "docs" | "forum" | "news" | "official" | "review" | "wiki" | "app":
                return await self._page(host, request)
            case unknown:
                assert_never(unknown)

    def _redirect(self, host: Host, target: str) -> web.Response:
        key, _, path = target.partition(":")
        if target.startswith("/"):
            target = self.hosts[host.key] + target
        elif key in self.hosts:
            target = self.hosts[key] + path
        return web.Response(status=302, headers={"Location": target.format(port=self.port)})

    async def _robots(self, host: Host) -> web.Response:
        if host.robots_hang:
            await asyncio.sleep(self.options.hang_s)
        text = self.shops.robots(host.key) if host.layout == SHOP else host.robots
        return web.Response(text=text, status=host.robots_status)

    async def _page(self, host: Host, request: web.BaseRequest) -> web.StreamResponse:
        reference = f"{host.key}:{request.path}"
        page = self.world.pages.get(reference)
        if page is None and host.layout == "app":
            app_page = self.world.pages.get(reference.removesuffix(".json"))
            if app_page:
                return _json(self._renderer.data(app_page))
        if page is None:
            return self._listing(host, request.path)
        if reference not in self._bodies:
            self._bodies[reference] = self._renderer.page(page).encode(page.charset, "xmlcharrefreplace")
        visit = Visit(
            request=request,
            options=self.options,
            html=self._bodies[reference],
            content_type="text/html" + (f"; charset={page.declared}" if page.declared else ""),
            counts=self._counts[host.key],
        )
        return await BEHAVIOURS[host.behaviour](visit)

    def _listing(self, host: Host, path: str) -> web.Response:
        number, tag = 1, ""
        if path.startswith("/page/") and path[6:].isdigit():
            number = int(path[6:])
        elif path.startswith("/topic/"):
            tag = path.removeprefix("/topic/")
        elif path != "/":
            return self._missing(host)
        listing = self._renderer.listing(host, number=number, tag=tag) if number else None
        return _html(listing) if listing else self._missing(host)

    def _missing(self, host: Host) -> web.Response:
        page = Page(host=host.key, path="/", title="Page not found", body="There is no page at this address.")
        return _html(self._renderer.page(page), status=404)

    async def _administer(self, request: web.BaseRequest) -> web.Response:
        if request.path == "/__shops.json" and request.method == "PUT":
            self.shops.change(json.loads(await request.read()))
            return web.Response(status=204)
        if request.path != "/__log.json":
            return web.Response(status=404, text="Only /__log.json and /__shops.json are here.\n")
        if request.method == "DELETE":
            self.forget()
            return web.Response(status=204)
        return _json([entry.model_dump() for entry in self.log])


def free_port(ips: list[str]) -> int:
    """A port that is free on all these addresses."""
    for _ in range(50):
        with socket.socket() as first:
            first.bind((ips[0], 0))
            port: int = first.getsockname()[1]
        if all(_is_free(ip, port) for ip in ips):
            return port
    raise OSError("no port is free on all loopback addresses of the demo web")


def _is_free(ip: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ip, port))
        except OSError:
            return False
    return True


def _local_ip(request: web.BaseRequest) -> str:
    if request.transport is None:
        raise ConnectionResetError("the client disconnected before its request was read")
    ip: str = request.transport.get_extra_info("sockname")[0]
    return ip


def _html(text: str, *, status: int = 200) -> web.Response:
    """A page as the answer; 200 is the HTTP status of success."""
    return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")


def _json(document: Any) -> web.Response:
    return web.Response(text=json.dumps(document), content_type="application/json")
