"""Cookies of redirects: each command has a jar of its own, and nothing else is ever sent.

Scrapy's jar, which all jobs would share, is off. A command whose next host is not free is put back between two hops
and may go on in another node: its jar waits in Redis meanwhile, for ten minutes at most.
"""

import time
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.crawl_ports import CrawlFrontier
from research_crawler.core.errors import MessageError
from research_crawler.core.leases import Task
from research_crawler.core.models.cookies import CookieJar
from research_crawler.frontier.request_state import RequestState, find_state, state_of


class CookiesMiddleware:
    """Between redirects and guard. Of a request's state it reads and writes `cookies`, the command's jar."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Send what the site has set on the way here."""
        state = find_state(request)
        if state is None or state.robots is not None:  # one without a lease is refused after this
            return
        if state.cookies is None and self._was_put_back(state):
            state.cookies = await self._load(state.task)
        if state.cookies and (header := state.cookies.header_for(request.url, time.time())):
            request.headers["Cookie"] = header

    async def process_response(self, request: Request, response: Response) -> Response:
        """Keep what a redirect sets; a page's own cookies are of no use to anybody."""
        state, lines = state_of(request), _lines(response)
        if not lines or state.redirect_to is None or state.robots is not None:
            return response
        before = state.cookies or CookieJar()
        jar = before.taking(request.url, lines, time.time())
        if jar is not before:
            state.cookies = jar
            if not state.provider:
                await self._frontier.cookies_set(state.task.command.id, jar.to_wire())
        return response

    @staticmethod
    def _was_put_back(state: RequestState) -> bool:
        return state.first and state.task.command.hop > 0

    async def _load(self, task: Task) -> CookieJar:
        text = await self._frontier.cookies_get(task.command.id)
        try:
            return CookieJar.from_wire(text) if text else CookieJar()
        except MessageError:
            return CookieJar()

    @property
    def _frontier(self) -> CrawlFrontier:
        return services.of(self.crawler).frontier


def _lines(response: Response) -> list[str]:
    """Set-Cookie as text; what is no UTF-8 is left out."""
    raw: list[bytes] = response.headers.getlist("Set-Cookie")
    return [line.decode("utf-8") for line in raw if _is_text(line)]


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
