"""Cookies of redirects: each command has its own jar, and only the cookies of that jar are sent.

A job that asks persons at walls (`Command.ask`) also sends the cookies of the session that a person has opened for the
host; other jobs visit it as strangers.

Scrapy's cookie jar is switched off, because all jobs would share it. A command whose next host is not free is put back
between two hops and may resume on another node, so its jar is kept in Redis for ten minutes at most.
"""

import time
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import MessageError
from research_crawler.core.models.messages.commands import may_ask
from research_crawler.core.models.web.cookies import CookieJar
from research_crawler.core.ports.frontier import CrawlFrontier
from research_crawler.core.tasks.leases import Task
from research_crawler.frontier.request_state import RequestState, find_state, state_of


class CookiesMiddleware:
    """Sends and stores the cookies of redirects; the jar is the field `cookies` of a request's state."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the middleware for a crawler, as Scrapy does."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Send the cookies that the site has set during the redirects."""
        state = find_state(request)
        if state is None or state.robots is not None:  # a later middleware refuses a request without a lease
            return
        if state.cookies is None and self._was_put_back(state):
            state.cookies = await self._load(state.task)
        if header := self._jar(state).header_for(request.url, time.time()):
            request.headers["Cookie"] = header

    async def process_response(self, request: Request, response: Response) -> Response:
        """Keep the cookies that a redirect sets; those of the final page are not needed."""
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

    def _jar(self, state: RequestState) -> CookieJar:
        """The command's own cookies, over those of the session that a person has opened for this host."""
        own, kept = state.cookies or CookieJar(), crawler_services.fetching_of(self.crawler).sessions
        session = (
            kept.get(state.target.slot)
            if kept and may_ask(state.task.command) and not state.provider
            else None
        )
        if session is None:
            return own
        set_since = {cookie.key for cookie in own.cookies}
        older = [cookie for cookie in session.jar().cookies if cookie.key not in set_since]
        return CookieJar(cookies=[*older, *own.cookies])

    @staticmethod
    def _was_put_back(state: RequestState) -> bool:
        return state.first and state.task.command.redirects > 0

    async def _load(self, task: Task) -> CookieJar:
        text = await self._frontier.cookies_get(task.command.id)
        try:
            return CookieJar.from_wire(text) if text else CookieJar()
        except MessageError:
            return CookieJar()

    @property
    def _frontier(self) -> CrawlFrontier:
        return crawler_services.of(self.crawler).frontier


def _lines(response: Response) -> list[str]:
    """The Set-Cookie headers as text; headers that are not UTF-8 are left out."""
    raw: list[bytes] = response.headers.getlist("Set-Cookie")
    return [line.decode("utf-8") for line in raw if _is_text(line)]


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
