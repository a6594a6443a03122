"""Permits: no request is sent without a permit of its host, and each permit is returned when its download ends."""

import asyncio
import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Self, assert_never

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import ControlFlow, GiveBack, LeaseLost
from research_crawler.core.failpoints import failpoint
from research_crawler.core.models.messages.commands import PageEntry, is_rendered
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.target import Target
from research_crawler.core.models.why import NO_REASON, Refusal, Why
from research_crawler.core.ports.crawler import CrawlNode
from research_crawler.core.ports.frontier import CrawlFrontier
from research_crawler.core.tasks.leases import Download, HeldPermit, PermitReply
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.frontier.node import LEFT_S, OUT_OF_REACH
from research_crawler.frontier.request_state import RequestState, find_state, state_of
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.middlewares.stored_page import stored_pages

MAX_WAIT_MS = 2_000
"""Longest wait for a permit under a lease; for a longer wait the command goes back into its queue."""
LOOK_MS = 250
"""Time between two requests for a permit while other downloads from the host are running."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})
BAD_REDIRECT = Why(Reason.BAD_REDIRECT)
TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
BUSY_BLOCK_MS = 10_000
"""How long a host is not asked after a 429 or 503 without Retry-After."""
FAILED_DOWNLOAD_REST_MS = 2_000
"""How long a host is not asked after a download that failed or timed out, or another 5xx: no sooner is the page tried
again."""
LONGEST_BLOCK_MS = 3_600_000
"""Longest time for which a Retry-After header can close a host."""


@dataclass(frozen=True)
class Ending:
    """How a download ended, in the terms of the frontier."""

    outcome: Download
    to: Target | None = None
    reason: Why | Refusal = NO_REASON
    block_ms: int = 0


class PolitenessMiddleware:
    """Gets a permit for each request and returns it after the download.

    It is closest to the downloader, so the permit is taken last and returned first. It writes `permit`, `redirect_to`
    and `ended_at` of the request's state, and Scrapy's own `download_timeout`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the middleware for a crawler, as Scrapy does."""
        return cls(crawler)

    async def process_request(self, request: Request) -> Response | None:
        """Let the request pass only with a permit that lasts long enough for its download."""
        state = state_of(request)
        while True:
            permit = state.permit
            if permit is None:
                reply = await self._acquire(state)
                if isinstance(reply, PageEntry):
                    return await stored_pages(self.crawler).response(request, reply)
                permit = state.permit = reply
            heartbeat_overdue = self._node.heartbeat_overdue
            if not heartbeat_overdue and permit.left_s >= LEFT_S and not state.task.cancelled:
                break
            await self._return_unused(state, permit, heartbeat_overdue=heartbeat_overdue)
        request.meta["download_timeout"] = self._time_limit_s(state, permit)
        state.task.downloads += 1
        failpoint("after-permit")
        return None

    def _time_limit_s(self, state: RequestState, permit: HeldPermit) -> float:
        longest_s = crawler_services.of(self.crawler).config.download_timeout_seconds
        wanted_s = longest_s if state.limit_s is None else state.limit_s
        return min(wanted_s, longest_s, permit.left_s)

    async def _acquire(self, state: RequestState) -> HeldPermit | PageEntry:
        """A permit for the request's host, or the page if another node has stored it in the meantime."""
        task, target, redirects = state.task, state.target, state.redirects
        aside = state.robots is not None
        while not task.cancelled:
            permit = HeldPermit(target, redirects, time.monotonic())
            task.permits.append(permit)
            reply = await self._frontier.permit(task.command.id, task.token, target, redirects, aside=aside)
            if reply.kind != "go" and permit in task.permits:
                task.permits.remove(permit)
            match reply.kind:
                case "go":
                    return permit
                case "wait":
                    await self._wait(state, reply)
                case "page":
                    return _entry_of(reply)
                case "refused":
                    raise RequestRefused(_entry_of(reply).reason, known=True)
                case "moved":
                    raise GiveBack("wait", target=_target_of(reply), redirects=redirects + 1)
                case "want":
                    raise GiveBack("wait", target=target, redirects=redirects)
                case "lost":
                    raise LeaseLost
                case _:
                    assert_never(reply.kind)
        raise LeaseLost

    async def _wait(self, state: RequestState, reply: PermitReply) -> None:
        """Wait for the host without holding a permit; if that takes too long, give the command back or refuse it."""
        deadline_s, wait_ms = state.deadline_s, reply.wait_ms
        if deadline_s is not None:
            remaining_ms = (deadline_s - time.monotonic()) * 1000
            if remaining_ms < max(reply.least_wait_ms, 1):
                raise RequestRefused(Why(Reason.BUSY, f"{wait_ms / 1000:.0f} s"), known=True)
            if (
                wait_ms > reply.least_wait_ms
            ):  # a download is running, which usually ends long before its permit expires
                wait_ms = max(reply.least_wait_ms, LOOK_MS)
        elif wait_ms > MAX_WAIT_MS:
            target, redirects = state.resume_at or (state.target, state.redirects)
            raise GiveBack("wait", target=target, redirects=redirects)
        with state.task.watch.waiting():
            await state.task.run(asyncio.sleep(max(wait_ms, 1) / 1000))

    async def _return_unused(
        self, state: RequestState, permit: HeldPermit, *, heartbeat_overdue: bool
    ) -> None:
        """Return a permit without a download: it is too old, or the node may not dispatch requests."""
        state.permit = None
        has_lease = await self._node.return_unused(state.task, permit)
        if state.task.cancelled or not has_lease:
            raise LeaseLost
        if heartbeat_overdue:
            raise GiveBack("drain")

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the permit when the last byte has arrived, before the page is read.

        Raises:
            LeaseLost: another node has the command by now.
            RequestRefused: the response is a redirect without a usable target.
        """
        state = state_of(request)
        permit, state.permit = state.permit, None
        if permit is None:
            return response
        failpoint("after-bytes")
        ending = _ending_of_response(request, response, state)
        state.redirect_to, state.ended_at = ending.to, datetime.now(UTC)
        if ending.outcome == "page" and not state.provider:
            state.task.pages_fetched += 1
        if not await self._return_permit(state, permit, ending):
            raise LeaseLost
        if ending.outcome == "refused" and ending.reason == BAD_REDIRECT:
            raise RequestRefused(BAD_REDIRECT, known=True)
        return response

    async def process_exception(self, request: Request, exception: Exception) -> None:
        """Return the permit of a request that ended without a response; a refusal is stored for other jobs too."""
        state = find_state(request)
        if state is None:
            return
        permit, state.permit = state.permit, None
        if isinstance(exception, OUT_OF_REACH):
            return
        ending = _ending_of_failure(state, exception)
        if permit is None and ending.outcome == "refused":
            permit = HeldPermit(state.target, state.redirects, 0.0)
        if permit:
            await self._return_permit(state, permit, ending)

    async def _return_permit(self, state: RequestState, permit: HeldPermit, ending: Ending) -> bool:
        task, gap_ms = state.task, state.gap_ms
        if permit in task.permits:
            task.permits.remove(permit)
        return await self._frontier.download_ended(
            task.command.id,
            task.token,
            permit.target,
            permit.redirects,
            "robots" if gap_ms is not None and ending.outcome == "page" else ending.outcome,
            suggested_delay_ms=state.suggested_delay_ms,
            jitter=1.0 if state.provider else self._jitter(),
            robots_gap_ms=gap_ms,
            block_ms=ending.block_ms,
            crawl_delay_ms=state.crawl_delay_ms,
            to=ending.to,
            reason=ending.reason,
        )

    def _jitter(self) -> float:
        """A factor for one delay, drawn uniformly from 1 ± the configured share."""
        share = crawler_services.of(self.crawler).config.delay_jitter
        return 1.0 + random.uniform(-share, share) if share else 1.0

    @property
    def _frontier(self) -> CrawlFrontier:
        return self._node.frontier

    @property
    def _node(self) -> CrawlNode:
        return crawler_services.of(self.crawler).node


def _entry_of(reply: PermitReply) -> PageEntry:
    """The result that came with an answer of the frontier; a node that gets none has no part in the command anymore."""
    if reply.entry is None:
        raise LeaseLost
    return reply.entry


def _target_of(reply: PermitReply) -> Target:
    """To where the page has moved."""
    if (to := _entry_of(reply).to) is None:
        raise LeaseLost
    return to


def _ending_of_response(request: Request, response: Response, state: RequestState) -> Ending:
    """What a response means for its host, and for other jobs that want the page."""
    block_ms = block_ms_of(response.status, response.headers.get("Retry-After"))
    is_redirect = response.status in REDIRECTS
    url = canonical_url(_location(response), base=request.url) if is_redirect else ""
    to = frontier_target(url, render=is_rendered(state.task.command)) if url else None
    if state.robots is not None:
        if to is None:
            state.crawl_delay_ms = state.robots.read(response)
        return Ending("robots", to=to, block_ms=block_ms)
    if to:
        return Ending("redirect", to=to)
    error = Why(Reason.HTTP, str(response.status))
    if response.status in TRANSIENT:
        return Ending("transient", reason=error, block_ms=block_ms)
    if is_redirect or response.status >= 400:
        reason = BAD_REDIRECT if is_redirect and not state.provider else error
        return Ending("refused", reason=reason, block_ms=block_ms)
    return Ending("page")


def _location(response: Response) -> str:
    """The Location header as text; many servers send it as UTF-8, although its grammar does not allow that."""
    raw = response.headers.get("Location") or b""
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        return raw.decode("latin-1").strip()


def _ending_of_failure(state: RequestState, exception: Exception) -> Ending:
    page = state.is_of_page
    if isinstance(exception, RequestRefused):
        # A host list is a setting of this process; other processes may have other lists.
        is_shared = page and not exception.known and exception.reason.kind is not Reason.HOST_LIST
        return Ending("refused", reason=exception.refusal) if is_shared else Ending("unused")
    if isinstance(exception, ControlFlow):
        return Ending("unused")
    reason, transient = failure_reason(exception)
    if reason.kind in (Reason.CANCELLED, Reason.UNEXPECTED):
        # Not the host's fault, and not a property of the page that other jobs should know.
        return Ending("aborted")
    if transient:
        return Ending("transient" if page else "aborted", reason=reason, block_ms=block_ms_of(0, None))
    return Ending("refused", reason=Refusal(reason, "failed")) if page else Ending("aborted", reason=reason)


def block_ms_of(status: int, retry_after: bytes | None) -> int:
    """Milliseconds for which the host must not be asked after this response (RFC 9110, 10.2.3); 0 for no block.

    Status 0 means a download that failed without a response.
    """
    if status in (429, 503):
        asked_ms = _asked_ms(retry_after) if retry_after else None
        return BUSY_BLOCK_MS if asked_ms is None else min(asked_ms, LONGEST_BLOCK_MS)
    return FAILED_DOWNLOAD_REST_MS if status == 0 or status >= 500 else 0


def _asked_ms(header: bytes) -> int | None:
    text = header.decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return int(text[:9]) * 1000
    try:
        at = parsedate_to_datetime(text)
        seconds = at.replace(tzinfo=at.tzinfo or UTC).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return max(0, int(seconds * 1000))
