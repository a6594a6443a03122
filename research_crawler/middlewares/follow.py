"""Redirects: each hop is a request of its own, with guard, robots and permit."""

import time
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.models.commands import Target
from research_crawler.core.urls import canonical_url
from research_crawler.handlers.refusals import RequestRefused

MAX_HOPS = 10
REDIRECT_LOOP = "redirect_loop"
ROBOTS_WAIT_S = 10.0
"""How long the host that a robots.txt was moved to may take, waiting included."""
OF_ONE_HOP = frozenset(
    {"download_slot", "download_latency", "download_timeout", "hold", "redirect_to", "ended_at", "delay_ms",
     "crawl_delay_ms", "service", "exempt"}
)  # fmt: skip
"""Meta that belongs to the host just left; a stock redirect keeps the old host's slot. `service` and `exempt` are
the operator's word for one endpoint, never for where it redirects to."""


class FollowMiddleware:
    """Farthest from the downloader: the response it sees has given its permit back already."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Answer with the response at the end of the redirects.

        Raises:
            RequestRefused: redirect_loop after ten hops or at a URL seen before.
        """
        to: Target | None = request.meta.get("redirect_to")
        if to is None:
            return response
        chain: tuple[str, ...] = (*request.meta.get("chain", ()), canonical_url(request.url))
        if to.url in chain or max(len(chain), _hops(request)) > MAX_HOPS:
            await self._refuse(request)
        meta = {name: value for name, value in request.meta.items() if name not in OF_ONE_HOP}
        meta |= {"target": to, "hop": request.meta["hop"] + 1, "chain": chain, "first": False}
        if "robots" in meta:
            meta.setdefault("deadline_s", time.monotonic() + ROBOTS_WAIT_S)
        next_request = Request(to.url, meta=meta, headers=_headers(request), dont_filter=True)
        return await self.crawler.engine.download_async(next_request)

    async def _refuse(self, request: Request) -> None:
        """Tell everybody, so that no other job walks in the same circle."""
        task = request.meta["task"]
        if "robots" not in request.meta and not request.meta.get("provider"):
            frontier = services.of(self.crawler).frontier
            target, hop = request.meta["target"], request.meta["hop"]
            await frontier.fetched(task.command.id, task.token, target, hop, "refused", reason=REDIRECT_LOOP)
        raise RequestRefused(REDIRECT_LOOP, known=True)


def _hops(request: Request) -> int:
    """Redirects of the command so far, those before it was put back included."""
    of_page = "robots" not in request.meta and not request.meta.get("provider")
    return request.meta["hop"] + 1 if of_page else 0


def _headers(request: Request) -> dict[str, Any]:
    """Nothing of the old request but what it takes; no Referer across hosts, no cookies."""
    kept = ("Accept", "Accept-Language", "Accept-Encoding")
    return {name: value for name in kept if (value := request.headers.get(name))}
