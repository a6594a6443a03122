"""robots.txt: rules are shared by all nodes for a day and obeyed for every fetch."""

import asyncio
import time
from typing import Self

import structlog
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.errors import ControlFlow, LeaseLost, MessageError, ResearchError
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.urls import origin_of
from research_crawler.core.user_agent import product_token_of
from research_crawler.extraction.formats.robots import RobotsRules, parse_robots
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import RequestState, state_of
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused

log = structlog.get_logger(__name__)
_TIMEOUT_S = 10.0
READ_BYTES = 512_000
"""What is read of a robots.txt (RFC 9309, 2.5: at least 500 KiB); the rest of a longer one is left unread."""
TOO_SLOW_S = 30.0
"""A longer Crawl-delay is not waited for in a research job; a watch has the time."""
CACHED_ORIGINS = 10_000
FOUND = 302
"""Stands for redirects that lead nowhere."""


class RobotsReading:
    """What a download of robots.txt comes to; read while its permit is held, so that the host rests as it asks."""

    def __init__(self, product_token: str) -> None:
        self._product_token = product_token
        self.rules: RobotsRules | None = None

    def read(self, response: Response) -> int | None:
        """Read the answer; the Crawl-delay in ms, or None while that is not known."""
        if response.headers.get("Content-Encoding"):
            return None
        self.rules = parse_robots(response.status, response.body, now_ms=_now_ms())
        if self.rules.state == "unreachable":
            return None
        return int((self.rules.crawl_delay_s(self._product_token) or 0) * 1000)


class RobotsMiddleware:
    """Refuses what the rules disallow. Where no fresh rules are there, it spends the permit of the lease on them."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._product_token = product_token_of(services.fetching_of(crawler).config)
        self._rules: dict[str, tuple[RobotsRules, float]] = {}
        self._fetching: dict[str, asyncio.Future[RobotsRules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Check the rules of the request's origin; `exempt` of its state marks an endpoint that needs no leave.

        Raises:
            RequestRefused: robots, robots_unreachable, or too_slow(Crawl-delay).
        """
        state = state_of(request)
        if state.robots is not None or state.exempt:
            return
        rules = await self._rules_for(origin_of(request.url), state)
        if rules.state == "unreachable":
            raise RequestRefused(Reason.ROBOTS_UNREACHABLE)
        if not rules.allowed(request.url, self._product_token):
            raise RequestRefused(Reason.ROBOTS)
        delay_s = rules.crawl_delay_s(self._product_token)
        if delay_s:
            state.crawl_delay_ms = int(delay_s * 1000)
            if delay_s > TOO_SLOW_S and not state.task.command.patient:
                raise RequestRefused(Why(Reason.TOO_SLOW, f"{delay_s:g} s"))

    async def _rules_for(self, origin: str, state: RequestState) -> RobotsRules:
        known = self._rules.get(origin)
        if known and known[1] > time.monotonic():
            return known[0]
        while fetching := self._fetching.get(origin):
            await self._let_go(state)
            try:
                return await asyncio.shield(fetching)
            except ResearchError:
                continue  # whoever fetched them had to stop: the next one does it
        future = self._fetching[origin] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda f: f.cancelled() or f.exception())
        try:
            rules = await self._load(origin, state)
        except BaseException as error:
            future.set_exception(error if isinstance(error, ControlFlow) else ControlFlow(str(error)))
            raise
        else:
            future.set_result(rules)
            return rules
        finally:
            del self._fetching[origin]

    async def _let_go(self, state: RequestState) -> None:
        """Nobody waits while holding a permit: whoever fetches the rules may need just this one."""
        hold, state.hold = state.hold, None
        if hold:
            await services.of(self.crawler).node.return_unused(state.task, hold)

    async def _load(self, origin: str, state: RequestState) -> RobotsRules:
        frontier = services.of(self.crawler).frontier
        rules = _kept(await frontier.robots_get(origin))
        if rules is None:
            rules = await self._fetch(origin, state)
            await frontier.robots_set(origin, rules.to_json(), rules.ttl_s)
        if len(self._rules) >= CACHED_ORIGINS:
            self._rules.pop(next(iter(self._rules)))
        left_s = min(rules.ttl_s, rules.ttl_s - (_now_ms() - rules.fetched_ms) / 1000)
        self._rules[origin] = rules, time.monotonic() + left_s
        return rules

    async def _fetch(self, origin: str, state: RequestState) -> RobotsRules:
        """Download robots.txt on the page's permit; the page asks for another one afterwards.

        Raises what is no answer of the host: the lease is lost, or the host is busy for too long.
        """
        reading = RobotsReading(self._product_token)
        meta = state.for_robots_txt(reading, limit_s=_TIMEOUT_S, read_bytes=READ_BYTES).meta
        headers = {"Accept-Encoding": "identity"}  # a compressed text cut in the middle could not be read
        request = Request(f"{origin}/robots.txt", meta=meta, headers=headers, dont_filter=True)
        try:
            response = await self.crawler.engine.download_async(request)
        except (ControlFlow, *OUT_OF_REACH):
            raise
        except RequestRefused as refusal:
            led_nowhere = refusal.reason.kind is Reason.REDIRECT_LOOP
            if refusal.known and not led_nowhere and state.deadline_s is not None:
                raise
            log.info("robots.txt leads elsewhere", origin=origin, reason=refusal.reason.text)
            return parse_robots(FOUND if led_nowhere else None, b"", now_ms=_now_ms())
        except Exception as error:
            reason = failure_reason(error)[0]
            if reason.kind is Reason.CANCELLED:
                raise LeaseLost from error
            if reason.kind is Reason.UNEXPECTED:
                raise
            log.info("robots.txt is unreachable", origin=origin, reason=reason.text)
            return parse_robots(None, b"", now_ms=_now_ms())
        return reading.rules or parse_robots(response.status, response.body, now_ms=_now_ms())


def _kept(text: str | None) -> RobotsRules | None:
    """Rules that another node stored, where they can be read and are fresh."""
    try:
        rules = RobotsRules.from_json(text) if text else None
    except MessageError:
        return None
    return rules if rules and rules.is_fresh(_now_ms()) else None


def _now_ms() -> int:
    return int(time.time() * 1000)
