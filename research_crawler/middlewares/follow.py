"""Follows redirects: each hop is a separate request that passes the guard, robots.txt and the permit."""

import time
from typing import Any, Final, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import canonical_url
from research_crawler.frontier.request_state import RequestState, state_of
from research_crawler.handlers.refusals import RequestRefused

MAX_REDIRECTS = 10
"""Most redirects of one request; the scripts say the same (`MAX_REDIRECTS` in `frontier/lua/_base.lua`)."""
REDIRECT_LOOP = Why(Reason.REDIRECT_LOOP)
_SAME_METHOD: Final = frozenset({307, 308})
_SAME_METHOD_WAIT_S: Final = 60.0
"""Longest time for the next hop of such a redirect, including the wait for its host."""
OF_ONE_HOP = frozenset({"download_slot", "download_latency", "download_timeout"})
"""Scrapy's meta that belongs to the previous host; Scrapy's own redirect would keep the old host's slot."""


class FollowMiddleware:
    """Follows redirects. It is farthest from the downloader, so a response's permit has already been returned."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the middleware for a crawler, as Scrapy does."""
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the response at the end of the redirects.

        Raises:
            RequestRefused: `redirect_loop`, after ten hops or at a URL that was visited before.
        """
        state = state_of(request)
        to = state.redirect_to
        if to is None:
            return response
        chain = (*state.chain, canonical_url(request.url))
        if to.url in chain or max(len(chain), _hops(state)) > MAX_REDIRECTS:
            await self._refuse(state)
        meta = {name: value for name, value in request.meta.items() if name not in OF_ONE_HOP}
        after = state.after_redirect(to, chain=chain)
        next_request = Request(
            to.url,
            meta=meta | after.meta,
            headers=_headers(request),
            callback=request.callback,  # Scrapy calls the callback of the request that got the response
            errback=request.errback,
            cb_kwargs=request.cb_kwargs,
            dont_filter=True,
            **_same_method(request, response, after),
        )
        if next_request.body and "Content-Type" in request.headers:
            next_request.headers["Content-Type"] = request.headers["Content-Type"]
        return await self.crawler.engine.download_async(next_request)

    async def _refuse(self, state: RequestState) -> None:
        """Refuse the request, and store the reason so that no other job follows the same loop."""
        task = state.task
        if state.is_of_page:
            await crawler_services.of(self.crawler).frontier.download_ended(
                task.command.id, task.token, state.target, state.redirects, "refused", reason=REDIRECT_LOOP
            )
        raise RequestRefused(REDIRECT_LOOP, known=True)


def _same_method(request: Request, response: Response, after: RequestState) -> dict[str, Any]:
    """The method and body that a redirect with 307 or 308 keeps (RFC 9110, 15.4.8).

    A request that is not a GET waits for its next host on this node, because a command that is put back resumes as a
    GET.
    """
    if request.method in ("GET", "HEAD") or response.status not in _SAME_METHOD:
        return {"method": "HEAD"} if request.method == "HEAD" else {}
    if after.deadline_s is None:
        after.deadline_s = time.monotonic() + _SAME_METHOD_WAIT_S
    return {"method": request.method, "body": request.body}


def _hops(state: RequestState) -> int:
    """The number of the command's redirects so far, including those before it was put back."""
    return state.redirects + 1 if state.is_of_page else 0


def _headers(request: Request) -> dict[str, Any]:
    """The old request's Accept headers only: no Referer across hosts, no cookies."""
    copied = ("Accept", "Accept-Language", "Accept-Encoding")
    return {name: value for name in copied if (value := request.headers.get(name))}
