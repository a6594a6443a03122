"""Redirects: each hop is a request of its own, with guard, robots and permit."""

from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.urls import canonical_url
from research_crawler.frontier.request_state import RequestState, state_of
from research_crawler.handlers.refusals import RequestRefused

MAX_HOPS = 10
REDIRECT_LOOP = Why(Reason.REDIRECT_LOOP)
OF_ONE_HOP = frozenset({"download_slot", "download_latency", "download_timeout"})
"""Scrapy's meta that belongs to the host just left; a stock redirect keeps the old host's slot."""


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
        state = state_of(request)
        to = state.redirect_to
        if to is None:
            return response
        chain = (*state.chain, canonical_url(request.url))
        if to.url in chain or max(len(chain), _hops(state)) > MAX_HOPS:
            await self._refuse(state)
        meta = {name: value for name, value in request.meta.items() if name not in OF_ONE_HOP}
        meta |= state.after_redirect(to, chain=chain).meta
        next_request = Request(to.url, meta=meta, headers=_headers(request), dont_filter=True)
        return await self.crawler.engine.download_async(next_request)

    async def _refuse(self, state: RequestState) -> None:
        """Tell everybody, so that no other job walks in the same circle."""
        task = state.task
        if state.is_of_page:
            await services.of(self.crawler).frontier.fetched(
                task.command.id, task.token, state.target, state.hop, "refused", reason=REDIRECT_LOOP
            )
        raise RequestRefused(REDIRECT_LOOP, known=True)


def _hops(state: RequestState) -> int:
    """Redirects of the command so far, those before it was put back included."""
    return state.hop + 1 if state.is_of_page else 0


def _headers(request: Request) -> dict[str, Any]:
    """Nothing of the old request but what it takes; no Referer across hosts, no cookies."""
    kept = ("Accept", "Accept-Language", "Accept-Encoding")
    return {name: value for name in kept if (value := request.headers.get(name))}
