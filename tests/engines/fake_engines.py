"""A loopback server with the providers' APIs, which answers well or badly, for the tests of `engines`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from research_crawler.core.models.messages.events import SearchResult
from research_crawler.engines.provider import Provider, ProviderRequest
from tests.engines import keyed_answers as keyed

DATA = Path(__file__).parent / "data"
CHALLENGE = """<!DOCTYPE html><html><head><title>DuckDuckGo</title></head><body>
<form id="challenge-form" action="//duckduckgo.com/anomaly.js?cc=botnet" method="post">
<div class="anomaly-modal__modal"><div class="anomaly-modal__title">Unfortunately, bots use it too.</div>
<img class="anomaly-modal__image" src="/tile.png"></div></form></body></html>"""
NO_RESULTS_PAGE = """<html><body><div class="serp__results"><div id="links" class="results">
<div class="no-results">No results found for <b>xyzzy</b>.</div></div></div></body></html>"""
RESULTS_PAGE = """<html><body class="body--html"><div class="serp__results"><div id="links" class="results">
<div class="result results_links results_links_deep result--ad result--ad--small">
  <h2 class="result__title"><a rel="nofollow" class="result__a"
    href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;u3=https%3A%2F%2Fads.example%2F">Honey</a></h2>
  <a class="result__snippet" href="#">Cheap!</a></div>
<div class="result results_links results_links_deep web-result ">
  <div class="links_main links_deep result__body">
    <h2 class="result__title"><a rel="nofollow" class="result__a"
      href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fbees.example%2Fhoney%3Fa%3D1%26b%3D2&amp;rut=0f">How bees
      make <b>honey</b> &amp; wax</a></h2>
    <div class="result__extras"><a class="result__url" href="#">bees.example/honey</a>
      <span>&nbsp; &nbsp; 2025-12-30T00:00:00.0000000</span></div>
    <a class="result__snippet" href="#">Nectar is <b>thickened</b>
      until it is   honey.</a></div></div>
<div class="result results_links results_links_deep web-result ">
  <h2 class="result__title"><a class="result__a" href="https://straight.example/page">A straight link</a>
</h2></div>
<div class="result web-result"><h2><a class="result__a" href="javascript:void(0)">Nowhere</a></h2></div>
<div class="result web-result"><a class="result__a" href="//duckduckgo.com/html/?q=more">More</a></div>
</div></div></body></html>"""
INSTANT = {
    "Heading": "Honey",
    "AbstractText": "Honey is a sweet substance made by bees.",
    "AbstractURL": "https://en.wikipedia.org/wiki/Honey",
    "Results": [{"FirstURL": "https://honey.example/", "Text": "Official site - Honey council", "Icon": {}}],
    "RelatedTopics": [
        {"FirstURL": "https://duckduckgo.com/Honeydew", "Text": "Honeydew - A secretion of insects."},
        {"FirstURL": "https://mead.example/", "Text": "Mead - A drink made from honey."},
        {
            "Name": "Science",
            "Topics": [
                {"FirstURL": "https://nectar.example/", "Text": "Nectar"},
                {"FirstURL": 7},
                {
                    "Name": "Deeper",
                    "Topics": [{"FirstURL": "https://wax.example/", "Text": "Wax - Of bees."}],
                },
            ],
        },
        "not a topic",
    ],
    "meta": None,
}
SEARXNG = {
    "query": "honey",
    "results": [
        {
            "url": "https://bees.example/honey",
            "title": "How bees make honey",
            "content": "Nectar is thickened &amp; stored.",
            "publishedDate": "2025-03-02T10:00:00",
            "engines": ["bing", "mojeek"],
            "engine": "bing",
            "score": 4.0,
            "category": "general",
        },
        {"url": "https://other.example/", "title": "Other", "content": None, "publishedDate": None},
        {"url": "magnet:?xt=1", "title": "No page"},
        {"title": "No address"},
        "nothing",
    ],
    "answers": [],
    "unresponsive_engines": [["google", "CAPTCHA"]],
}


@dataclass
class Reply:
    """The server's answer in one mode."""

    status: int
    kind: str
    body: str


BAD: dict[str, Reply] = {
    "429": Reply(429, "text/plain", "Too Many Requests"),
    "500": Reply(500, "text/html", "<h1>Internal Server Error</h1>"),
    "403": Reply(403, "text/html", "<title>403 Forbidden</title>"),
    "empty": Reply(200, "text/html", ""),
    "challenge": Reply(200, "text/html", CHALLENGE),
    "challenge 202": Reply(202, "text/html", CHALLENGE),
    "challenge 503": Reply(503, "text/html", "<title>Just a moment...</title><div id='cf-chl-widget'></div>"),
    "consent": Reply(
        200, "text/html", "<form action='https://consent.example/save'>Before you continue</form>"
    ),
    "invalid JSON": Reply(200, "application/json", '{"results": [{"url":'),
    "other page": Reply(200, "text/html", "<html><body><p>Welcome to my home page.</p></body></html>"),
    "list": Reply(200, "application/json", "[1, 2]"),
    "deep": Reply(200, "application/json", "[" * 200_000),
    "bytes": Reply(200, "application/octet-stream", "\x00\x01\x02"),
}


class FakeEngines:
    """All services on one loopback port. `mode` sets how they behave."""

    def __init__(self) -> None:
        self.mode = "ok"
        self.mode_of: dict[str, str] = {}
        """Modes of single services, by the beginning of the path; all others have `mode`."""
        self.base_url = ""
        self.asked: list[tuple[str, str, Mapping[str, str], Mapping[str, str]]] = []

    async def start(self) -> None:
        """Listen on a free port."""
        app = web.Application()
        app.router.add_route("GET", "/search", self._answer)
        app.router.add_route("POST", "/html/", self._answer)
        app.router.add_route("GET", "/", self._answer)
        app.router.add_route("GET", "/w/api.php", self._answer)
        for path in keyed.GOOD:
            app.router.add_route("POST" if "tavily" in path else "GET", path, self._answer_keyed)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Close all connections."""
        await self._runner.cleanup()

    async def ask(self, provider: Provider, request: ProviderRequest) -> list[SearchResult]:
        """Download a provider's request as a client would, and let the provider parse the answer."""
        async with (
            aiohttp.ClientSession() as session,
            session.request(
                request.method, request.url, headers=request.headers, data=request.body or None
            ) as response,
        ):
            body = await response.read()
            return provider.parse(request, status=response.status, headers=response.headers, body=body)

    async def _answer(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        self.asked.append((request.method, request.path, {**request.query, **form}, request.headers))
        mode = self._mode(request.path)
        if mode in BAD:
            reply = BAD[mode]
            return web.Response(status=reply.status, text=reply.body, content_type=reply.kind)
        return self._good(request.path, found=mode == "ok")

    def _mode(self, path: str) -> str:
        return next((mode for start, mode in self.mode_of.items() if path.startswith(start)), self.mode)

    async def _answer_keyed(self, request: web.Request) -> web.Response:
        body = await request.text()
        asked = json.loads(body) if body else dict(request.query)
        self.asked.append((request.method, request.path, asked, request.headers))
        given = (
            request.headers.get("X-Subscription-Token"),
            request.headers.get("Authorization", "").removeprefix("Bearer "),
            request.headers.get("Ocp-Apim-Subscription-Key"),
            request.query.get("key") if request.query.get("cx") == keyed.ENGINE_ID else None,
        )
        service = "/res/v1" if request.path.startswith("/res") else "/" + request.path.split("/")[1]
        mode = self._mode(request.path)
        if mode == "wrong key" or keyed.KEY not in given:
            status, refusal = keyed.WRONG_KEY[service]
            return web.json_response(refusal, status=status)
        if mode == "spent":
            status, refusal = keyed.SPENT[service]
            return web.json_response(refusal, status=status)
        if mode in BAD:
            reply = BAD[mode]
            return web.Response(status=reply.status, text=reply.body, content_type=reply.kind)
        good = keyed.GOOGLE_IMAGES if request.query.get("searchType") == "image" else keyed.GOOD[request.path]
        return _json(good if mode == "ok" else keyed.NONE[request.path])

    def _good(self, path: str, *, found: bool) -> web.Response:
        if path == "/html/":
            return web.Response(text=RESULTS_PAGE if found else NO_RESULTS_PAGE, content_type="text/html")
        if path == "/":
            return _json(INSTANT if found else {"Heading": "", "AbstractURL": "", "RelatedTopics": []})
        if path == "/search":
            return _json(SEARXNG if found else {"query": "x", "results": [], "unresponsive_engines": []})
        recorded = json.loads((DATA / "wikipedia_search.json").read_text(encoding="utf-8"))
        return _json(recorded if found else {"batchcomplete": "", "query": {"search": []}})


def _json(document: Any) -> web.Response:
    return web.json_response(document)
