"""Leads a node to forbidden addresses in every possible way: `python -m benchmarks.crawling.guard_child CASES`.

stdout gets one line of JSON, way → {tried, got_through: [...], sockets: [...]}. All sockets count: those of
this process are seen by Python's audit events, those of the browser in its own network log.
"""

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from research_crawler.configuration import load_system_config
from research_crawler.core.errors import ResearchError
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.frontier.request_state import state_of
from research_crawler.handlers.browser import Rendering
from research_crawler.runtime.runtime import Runtime, running
from research_crawler.services.fetch_once import Render, visit_one

OURS = ip_network("127.0.6.0/23")
"""The only network that is open, with the benchmark's own site.

Gates listen on 127.0.0.1, which the browser may dial.
"""
SITE, ROBOTS = "127.0.6.1", "127.0.7.{}"
AT_ONCE, VISIT_S = 4, 90.0
TEXT = "<p>" + "An ordinary page with a paragraph that somebody wrote for readers. " * 20 + "</p>"
TAGS = (
    "<script src={u}></script><iframe src={u}></iframe><link rel=stylesheet href={u}><object data={u}></object>"
    "<embed src={u}><link rel=preload as=fetch href={u}><link rel=prefetch href={u}><link rel=preconnect href={u}>"
    "<link rel=dns-prefetch href={u}><link rel=modulepreload href={u}><img src={u}><video src={u}></video>"
)
_KIND, _ADDRESS = re.compile(r'"type":(\d+)\},?$'), re.compile(r'"address":"([^"]+)"')
CALLS = (
    "url => fetch(url, {mode: 'no-cors'})",
    "url => { const x = new XMLHttpRequest(); x.open('GET', url); x.send(); }",
    "url => new EventSource(url)",
    "url => navigator.sendBeacon(url, 'x')",
    "url => import(url)",
    "url => new Worker(url)",
    "url => window.open(url)",
    "url => fetch('/hop?to=' + encodeURIComponent(url), {mode: 'no-cors'})",
)


RESOURCES_A_PAGE = 8
BUSY = "; const b = setInterval(() => document.body.append('busy '), 100); setTimeout(() => clearInterval(b), 4000);"
"""Keeps the page changing, so that it does not count as idle before all its requests are made."""
SOCKETS_A_PAGE = 4
"""Few sockets per page, because browsers delay new connections after failed ones."""
SOCKETS = """
for (const url of urls) try {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  left += 1;
  socket.onclose = () => { left -= 1 };
} catch {}
const timer = setInterval(() => { left ? document.body.append('waiting ') : clearInterval(timer) }, 100);
"""


class Site:
    """Serves pages that lead to the cases, for any host of the benchmark's network."""

    def __init__(self, cases: list[str]) -> None:
        self.cases, self.port = cases, 0

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """One page."""
        host = request.host.partition(":")[0]
        way, _, index = request.path.strip("/").partition("/")
        if way == "robots.txt":
            if host == SITE:
                return web.Response(status=404)
            return _redirect(self.cases[int(host.rpartition(".")[2])])
        if way == "redirect":
            return _redirect(self.cases[int(index)])
        if way == "hop":
            return _redirect(request.query["to"])
        return web.Response(text=self._page(way, index), content_type="text/html")

    def url(self, path: str, host: str = SITE) -> str:
        """The address of a page."""
        return f"http://{host}:{self.port}{path}"

    def _page(self, way: str, index: str) -> str:
        if way == "go":
            script = f"location.href = {json.dumps(self.cases[int(index)])}"
        elif way == "resources":
            cases = self.cases[int(index) : int(index) + RESOURCES_A_PAGE]
            tags = "".join(TAGS.replace("{u}", json.dumps(case)) for case in cases)
            tried = "try { call(url)?.catch?.(() => 0) } catch {}"
            script = (
                f"for (const url of {json.dumps(cases)}) for (const call of [{', '.join(CALLS)}]) {tried}"
                + BUSY
            )
            return f"<html><body>{TEXT}{tags}<script>{script}</script></body></html>"
        elif way == "sockets":
            urls = json.dumps(self.cases[int(index) : int(index) + SOCKETS_A_PAGE])
            script = f"let left = 0; const urls = {urls};" + SOCKETS
        else:
            script = ""
        return f"<html><body>{TEXT}<script>{script}</script></body></html>"


class Sockets:
    """Records connections of this process that leave the benchmark's network."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    @contextmanager
    def counted(self) -> Iterator[list[str]]:
        """The connections that are opened in the block."""
        start = len(self.seen)
        found: list[str] = []
        yield found
        found += self.seen[start:]

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect" and isinstance(arguments[1], tuple):
            host, port = arguments[1][:2]
            if ip_address(host.partition("%")[0]) not in OURS:
                self.seen.append(f"{host}:{port}")


async def main() -> None:
    """Try every way and print the results."""
    output, sys.stdout = sys.stdout, sys.stderr
    cases = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    site, sockets = Site(cases), Sockets()
    gates = _noted_gates()
    runner = web.ServerRunner(web.Server(site.answer, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "0.0.0.0", 0).start()
    site.port = runner.addresses[0][1]
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        config = load_system_config(
            home=folder, allow_private_hosts=[str(OURS)], phase1_visit_delay_seconds=0, log_level="ERROR"
        )
        log = Path(folder, "net-log.json")
        async with running(config, plan=False, warm=False) as runtime:
            browser = runtime.container.browser
            ways = dict(_ways(site, rendered=browser is not None))
            if browser:
                browser.options["args"].append(f"--log-net-log={log}")
            for way, (urls, render) in ways.items():
                with sockets.counted() as opened:
                    events = await _visit_all(runtime, urls, render)
                through = [url for url, event in zip(urls, events, strict=True) if _is_through(event, site)]
                results[way] = {
                    "tried": len(urls),
                    "got_through": through,
                    "sockets": opened,
                    "refused": gates[:],
                }
                gates.clear()
        results["browser"] = _browser_sockets(log) if log.exists() else None
    await runner.cleanup()
    output.write(json.dumps(results) + "\n")


def _ways(site: Site, *, rendered: bool) -> Iterator[tuple[str, tuple[list[str], Render]]]:
    numbers = range(len(site.cases))
    yield "plain fetch", (site.cases, "never")
    yield "redirect", ([site.url(f"/redirect/{number}") for number in numbers], "never")
    yield "robots.txt", ([site.url("/page", ROBOTS.format(number)) for number in numbers], "never")
    if rendered:
        yield "browser navigation", ([site.url(f"/go/{number}") for number in numbers], "always")
        yield (
            "browser, redirected document",
            ([site.url(f"/redirect/{number}?r") for number in numbers], "always"),
        )
        yield (
            "sub-resource",
            (
                [site.url(f"/resources/{number}") for number in numbers[::RESOURCES_A_PAGE]],
                "always",
            ),
        )
        yield (
            "WebSocket",
            (
                [site.url(f"/sockets/{number}") for number in numbers[::SOCKETS_A_PAGE]],
                "always",
            ),
        )


async def _visit_all(runtime: Runtime, urls: list[str], render: Render) -> list[CommandDone | None]:
    places = asyncio.Semaphore(AT_ONCE)

    async def visit(url: str) -> CommandDone | None:
        async with places:
            try:
                return await visit_one(runtime, url, render=render, timeout_s=VISIT_S)
            except ResearchError:
                return None

    return list(await asyncio.gather(*map(visit, urls)))


def _is_through(event: CommandDone | None, site: Site) -> bool:
    """Whether a page from outside of the benchmark's own site was read."""
    return (
        event is not None
        and event.page is not None
        and not (
            f":{site.port}/" in event.page.final_url
            and ip_address(urlsplit(event.page.final_url).hostname or "") in OURS
        )
    )


def _noted_gates() -> list[dict[str, int]]:
    noted: list[dict[str, int]] = []
    render = Rendering.render

    async def noting(self: Rendering, request: Any) -> Any:
        response = await render(self, request)
        if gate := state_of(request).gate:
            noted.append(dict(gate.refused))
        return response

    Rendering.render = noting  # type: ignore[method-assign]
    return noted


def _browser_sockets(log: Path) -> list[str]:
    """The addresses that the browser connected or sent datagrams to, by its network log, without the gates.

    A datagram socket that sends nothing does not count, because Chromium asks the kernel for a route in this
    way.
    """
    lines = log.read_text("utf-8", "replace").splitlines()
    kinds = {found[1] for found in re.finditer(r'"(?:TCP_CONNECT_ATTEMPT|UDP_BYTES_SENT)":(\d+)', lines[0])}
    events = [line for line in lines[1:] if (kind := _KIND.search(line)) and kind[1] in kinds]
    assert events, "the browser's network log has another form"
    addresses = [found[1] if (found := _ADDRESS.search(line)) else "" for line in events]
    return sorted({address for address in addresses if address and not address.startswith("127.0.0.1:")})


def _redirect(location: str) -> web.Response:
    return web.Response(status=302, headers={"Location": location, "Access-Control-Allow-Origin": "*"})


if __name__ == "__main__":
    asyncio.run(main())
