"""The search engine of the demo web: a full-text search with the URLs and response format of SearXNG.

It accepts and ignores time ranges and languages, like an engine that does not support them, because the dates
of the pages are fixed.
"""

import json
from typing import Any

from aiohttp import web

from research_crawler.demo.content import Host, World
from research_crawler.demo.index import Hit, SearchIndex
from research_crawler.demo.rendering import Renderer
from research_crawler.demo.shops.shop_data import pages_for_search

ENGINE = "lanternfish"


class SearchEngine:
    """Answers `/` with a form, and `/search` with results as HTML or (`format=json`) as SearXNG's JSON."""

    def __init__(self, world: World, renderer: Renderer) -> None:
        self._renderer = renderer
        entries = [(ref, page, renderer.text(page)) for ref, page in world.pages.items() if page.listed]
        entries += [(f"{page.host}:{page.path}", page, page.body) for page in pages_for_search()]
        self._index = SearchIndex(entries)
        self._keys = {host.ip: host.key for host in world.hosts.values()}

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def answer(self, host: Host, request: web.BaseRequest) -> web.Response:
        """Answer a request."""
        if request.path == "/":
            return _html(self._renderer.search(host, "", None))
        if request.path != "/search":
            return web.Response(status=404, text="Not found.\n")
        query = request.query.get("q", "").strip()
        if not query:
            return web.Response(status=400, text="No query.\n")
        page_number = request.query.get("pageno", "1")
        number = max(1, int(page_number)) if page_number.isdecimal() else 1
        words, hosts = self._restricted(query)
        hits, total = self._index.search(words, number=number, hosts=hosts)
        results = [self._result(hit, position) for position, hit in enumerate(hits, start=1)]
        if request.query.get("format") == "json":
            return web.Response(
                text=json.dumps(_document(query, results, total)), content_type="application/json"
            )
        return _html(self._renderer.search(host, query, results))

    def _restricted(self, query: str) -> tuple[str, list[str] | None]:
        """The query's words, and the keys of the hosts that it names by `site:` (with or without a port)."""
        named = [word.removeprefix("site:") for word in query.split() if word.startswith("site:")]
        words = " ".join(word for word in query.split() if not word.startswith("site:"))
        keys = [self._keys.get(name.partition("/")[0].partition(":")[0], "") for name in named]
        return words, keys or None

    def _result(self, hit: Hit, position: int) -> dict[str, Any]:
        url = self._renderer.url(hit.reference)
        scheme, _, rest = url.partition("://")
        netloc, _, path = rest.partition("/")
        return {
            "url": url,
            "title": hit.title,
            "content": hit.snippet,
            "thumbnail": None,
            "engine": ENGINE,
            "engines": [ENGINE],
            "template": "default.html",
            "parsed_url": [scheme, netloc, f"/{path}", "", "", ""],
            "img_src": "",
            "priority": "",
            "positions": [position],
            "score": round(hit.score, 4),
            "category": "general",
            "publishedDate": f"{hit.date}T00:00:00" if hit.date else None,
        }


def _document(query: str, results: list[dict[str, Any]], total: int) -> dict[str, Any]:
    return {
        "query": query,
        "number_of_results": total,
        "results": results,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    }


def _html(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html", charset="utf-8")
