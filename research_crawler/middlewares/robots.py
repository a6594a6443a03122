"""Obeys robots.txt for every request; all nodes share the rules of a host for a day."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import ControlFlow, LeaseLost, MessageError, ResearchError
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import Command, FetchCommand
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import origin_of
from research_crawler.core.web.user_agent import product_token_of
from research_crawler.extraction.formats.robots_txt import ROBOTS_MAX_BYTES, RobotsRules, parse_robots
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import RequestState, state_of
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused

log = get_log(__name__)
_TIMEOUT_S = 10.0
"""How long a robots.txt may take; then the host has none for now."""
TOO_SLOW_S = 30.0
"""Longest Crawl-delay that a research job waits for; a watch waits longer."""
CACHED_ORIGINS = 10_000
"""Most origins whose rules a node keeps."""
FOUND = 302
"""The status used for a robots.txt whose redirects do not end at a file."""


class RobotsReading:
    """Reads a downloaded robots.txt while its permit is held, so that its Crawl-delay applies at once."""

    def __init__(self, product_token: str) -> None:
        self._product_token = product_token
        self.rules: RobotsRules | None = None

    def read(self, response: Response) -> int | None:
        """Read the response; return the Crawl-delay in ms, or None if it is not known."""
        if response.headers.get("Content-Encoding"):
            return None
        self.rules = parse_robots(response.status, response.body, now_ms=_now_ms())
        if self.rules.state == "unreachable":
            return None
        return int((self.rules.crawl_delay_s(self._product_token) or 0) * 1000)


class RobotsMiddleware:
    """Refuses requests that the rules disallow; it fetches missing or expired rules with the permit of the lease."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._product_token = product_token_of(crawler_services.fetching_of(crawler).config)
        self._rules: dict[str, tuple[RobotsRules, float]] = {}
        self._fetching: dict[str, asyncio.Future[RobotsRules]] = {}
        self._unknown_hosts: set[str] = set()
        """Origins whose host had no address when their robots.txt was asked for."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the middleware for a crawler, as Scrapy does."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Check the request against the rules of its origin.

        The field `exempt` of the request's state marks an endpoint whose robots.txt is not checked.

        Raises:
            RequestRefused: the reason is `robots`, `robots_unreachable` (until when), `dns`, or `too_slow` (the
                Crawl-delay).
        """
        state = state_of(request)
        if state.robots is not None or state.exempt:
            return
        rules = await self._rules_for(origin_of(request.url), state)
        if rules.state == "unreachable":
            # Known: the rules tell every node, and end sooner than the refusal of a page would.
            is_unknown = origin_of(request.url) in self._unknown_hosts
            why = Why(Reason.DNS) if is_unknown else Why(Reason.ROBOTS_UNREACHABLE, _until(rules))
            raise RequestRefused(why, known=True)
        if not rules.allowed(request.url, self._product_token):
            raise RequestRefused(Reason.ROBOTS)
        delay_s = rules.crawl_delay_s(self._product_token)
        if delay_s:
            state.crawl_delay_ms = int(delay_s * 1000)
            if delay_s > TOO_SLOW_S and not _is_patient(state.task.command):
                raise RequestRefused(Why(Reason.TOO_SLOW, f"{delay_s:g} s"))

    async def _rules_for(self, origin: str, state: RequestState) -> RobotsRules:
        known = self._rules.get(origin)
        if known and known[1] > time.monotonic() and not _is_tried_anew(known[0], state):
            return known[0]
        while fetching := self._fetching.get(origin):
            await self._return_permit(state)
            try:
                return await asyncio.shield(fetching)
            except ResearchError:
                continue  # the request that fetched the rules was stopped, so another one fetches them
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

    async def _return_permit(self, state: RequestState) -> None:
        """Return the permit before waiting for the rules, since their download may need the same permit."""
        permit, state.permit = state.permit, None
        if permit:
            await crawler_services.of(self.crawler).node.return_unused(state.task, permit)

    async def _load(self, origin: str, state: RequestState) -> RobotsRules:
        frontier = crawler_services.of(self.crawler).frontier
        known = _stored_rules(await frontier.robots_get(origin))
        if known and known.is_fresh(_now_ms()) and not _is_tried_anew(known, state):
            rules = known
        else:
            rules = (await self._fetch(origin, state)).after(known)
            await frontier.robots_set(origin, rules.to_json(), rules.kept_s)
        if len(self._rules) >= CACHED_ORIGINS:
            oldest = next(iter(self._rules))
            self._rules.pop(oldest)
            self._unknown_hosts.discard(oldest)
        remaining_s = min(rules.ttl_s, rules.ttl_s - (_now_ms() - rules.fetched_ms) / 1000)
        self._rules[origin] = rules, time.monotonic() + remaining_s
        return rules

    async def _fetch(self, origin: str, state: RequestState) -> RobotsRules:
        """Download robots.txt with the page's permit; the page asks for another one afterwards.

        It raises only errors that are not the host's answer: the lease is lost, or the host is busy for too long.
        """
        reading = RobotsReading(self._product_token)
        meta = state.for_robots_txt(reading, limit_s=_TIMEOUT_S, read_bytes=ROBOTS_MAX_BYTES).meta
        headers = {"Accept-Encoding": "identity"}  # a compressed text cut in the middle could not be read
        request = Request(f"{origin}/robots.txt", meta=meta, headers=headers, dont_filter=True)
        try:
            self._unknown_hosts.discard(origin)
            response = await self.crawler.engine.download_async(request)
        except (ControlFlow, *OUT_OF_REACH):
            raise
        except RequestRefused as refusal:
            is_loop = refusal.reason.kind is Reason.REDIRECT_LOOP
            if refusal.known and not is_loop and state.deadline_s is not None:
                raise
            log.info("the redirect of robots.txt was refused", origin=origin, reason=refusal.reason.text)
            return parse_robots(FOUND if is_loop else None, b"", now_ms=_now_ms())
        except Exception as error:
            reason = failure_reason(error)[0]
            if reason.kind is Reason.CANCELLED:
                raise LeaseLost from error
            if reason.kind is Reason.UNEXPECTED:
                raise
            log.info("robots.txt is unreachable", origin=origin, reason=reason.text)
            if reason.kind is Reason.DNS:
                self._unknown_hosts.add(origin)
            return parse_robots(None, b"", now_ms=_now_ms())
        return reading.rules or parse_robots(response.status, response.body, now_ms=_now_ms())


def _is_tried_anew(rules: RobotsRules, state: RequestState) -> bool:
    """Whether a person asks for a host whose robots.txt could not be read before: it is tried once more for them."""
    task = state.task
    began_ms = _now_ms() - task.seconds * 1000
    is_asked_for = isinstance(task.command, FetchCommand) and task.command.retries_unreachable
    return is_asked_for and rules.state == "unreachable" and rules.fetched_ms < began_ms


def _is_patient(command: Command) -> bool:
    return isinstance(command, FetchCommand) and command.accepts_long_delay


def _until(rules: RobotsRules) -> str:
    return f"until {datetime.fromtimestamp(rules.until_ms / 1000, UTC):%H:%M:%S} UTC"


def _stored_rules(text: str | None) -> RobotsRules | None:
    """The rules that a node stored; None if there are none, or they cannot be read."""
    try:
        return RobotsRules.from_json(text) if text else None
    except MessageError:
        return None


def _now_ms() -> int:
    return int(time.time() * 1000)
