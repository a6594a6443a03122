"""Rendering: a page's document is fetched like any other page, then shown in the browser, whose text is the answer.

Everything that depends on the inside of scrapy-playwright is in this file: its handler holds the browser and its
contexts, and is made at the first page that needs one.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import structlog
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import HtmlResponse, Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from research_crawler.core import services
from research_crawler.core.errors import FetchFailed
from research_crawler.core.models.reasons import Reason
from research_crawler.frontier.request_state import GateTraffic, state_of
from research_crawler.handlers.guarding_proxy import Gate, GuardingProxy
from research_crawler.handlers.page_visit import PageVisit
from research_crawler.handlers.upstream_proxy import UpstreamProxy

log = structlog.get_logger(__name__)
VIEW: Final = {"width": 1280, "height": 2400}
"""Tall, so that what loads when it comes into view is in view."""
_END_S, CLOSE_S, _START_S = 1.0, 5.0, 40.0
"""Kept of a page's time for reading it; for a context or a browser to close; for the browser to start."""
HTML_TYPES: Final = ("text/html", "application/xhtml+xml")

Fetch = Callable[[Request], Awaitable[Response]]


class Rendering:
    """Shows documents in one browser, a context for each, each behind a gate of the guarding proxy.

    It reads `pause_s` of a request's state and Scrapy's `download_timeout`, and writes `gate` of the state.

    Args:
        crawler: its services name the browser (`browser`), guard and settings.
        fetch: downloads a document, with all that a download needs.
    """

    def __init__(self, crawler: Crawler, fetch: Fetch) -> None:
        mine = services.fetching_of(crawler)
        self._crawler, self._fetch, self._config = crawler, fetch, mine.config
        self._proxy = GuardingProxy(mine.guard, upstream=UpstreamProxy.from_config(mine.config))
        self._unpacking = HttpCompressionMiddleware(crawler=crawler)
        self._starting = asyncio.Lock()
        self._handler: ScrapyPlaywrightDownloadHandler | None = None
        self._is_in_doubt = False
        self._closing = AsyncExitStack()

    async def render(self, request: Request) -> Response:
        """The page as its scripts left it; a redirect where it went elsewhere; what is no HTML as it came.

        Raises:
            FetchFailed: timeout, page_crashed, browser_gone, browser_unusable …
            Exception: what the download of the document raised.
        """
        began_s = time.monotonic()
        document = await self._fetch(request)
        if document.status >= 300 or not _is_html(document):
            return document
        unpacked = self._unpacking.process_response(request, document)
        assert isinstance(unpacked, Response)
        left_s = request.meta["download_timeout"] - (time.monotonic() - began_s)
        budget_s = min(left_s, self._config.playwright_timeout_ms / 1000)
        until_s = time.monotonic() + budget_s - _END_S
        try:
            async with asyncio.timeout(budget_s):
                try:
                    return await self._show(request, unpacked, until_s)
                except FetchFailed as failure:
                    if failure.reason.kind is not Reason.BROWSER_GONE:
                        raise
                    return await self._show(request, unpacked, until_s)
        except (PlaywrightTimeoutError, TimeoutError) as error:
            raise FetchFailed(Reason.TIMEOUT, transient=True) from error

    @asynccontextmanager
    async def shown(
        self, request: Request, document: Response
    ) -> AsyncIterator[tuple[Page, PageVisit, Gate]]:
        """A page with the document in it, in a context of its own that ends with the block.

        Raises:
            FetchFailed: the browser does not start, is gone, or does not show it.
        """
        handler = await self._started()
        visit = PageVisit(document)
        async with self._proxy.gate() as gate:
            name = str(id(visit))
            shown = Request(document.url, meta=self._meta(request, name, gate, visit), dont_filter=True)
            try:
                with self._told():
                    await handler.download_request(shown)
                    page: Page = shown.meta["playwright_page"]
                    if not visit.is_shown:
                        raise FetchFailed(Reason.BROWSER_UNUSABLE)
                    yield page, visit, gate
            finally:
                await self._close_context(handler, name)

    async def warm(self) -> None:
        """Start the browser, where it does not run.

        Raises:
            FetchFailed: it does not start.
        """
        await self._started()

    async def close(self) -> None:
        """End the browser; may be called again."""
        self._handler = None
        await self._closing.aclose()

    async def _show(self, request: Request, document: Response, until_s: float) -> Response:
        state = state_of(request)
        async with self.shown(request, document) as (page, visit, gate):
            await visit.settle(page, until_s)
            await asyncio.sleep(state.pause_s)
            if visit.has_crashed:
                raise FetchFailed(Reason.PAGE_CRASHED)
            state.gate = GateTraffic(
                moved_bytes=gate.moved_bytes, requests=gate.requests, refused=dict(gate.refused)
            )
            if visit.moved_to:
                return Response(
                    document.url, status=302, headers={"Location": visit.moved_to}, request=request
                )
            html = await visit.read(page)
        headers = document.headers.copy()
        headers["Content-Type"] = "text/html; charset=utf-8"
        return HtmlResponse(
            document.url,
            status=document.status,
            headers=headers,
            body=html.encode(),
            request=request,
            encoding="utf-8",
        )

    def _meta(self, request: Request, name: str, gate: Gate, visit: PageVisit) -> dict[str, Any]:
        languages = (request.headers.get("Accept-Language") or b"en").decode("latin-1")

        async def prepare(page: Page, _: Request) -> None:
            await visit.prepare(page)

        return {
            "playwright": True,
            "playwright_include_page": True,
            "playwright_context": name,
            "playwright_context_kwargs": {
                "proxy": {"server": gate.url, "bypass": "<-loopback>"},
                "user_agent": self._crawler.settings["USER_AGENT"],
                "locale": languages.partition(",")[0].partition(";")[0].strip() or "en",
                "viewport": VIEW,
                "service_workers": "block",
                "accept_downloads": False,
                "reduced_motion": "reduce",
            },
            "playwright_page_init_callback": prepare,
            "playwright_page_goto_kwargs": {"wait_until": "commit"},
        }

    async def _started(self) -> ScrapyPlaywrightDownloadHandler:
        """The handler with its driver running; made anew where the driver is gone."""
        async with self._starting:
            if self._handler is not None and await self._is_alive(self._handler):
                self._is_in_doubt = False
                return self._handler
            await self.close()
            try:
                async with asyncio.timeout(_START_S):
                    self._handler = await self._start()
            except (PlaywrightError, OSError, TimeoutError) as error:
                await self.close()
                log.warning("the browser does not start", error=str(error)[:500])
                raise FetchFailed(Reason.BROWSER_UNUSABLE) from error
            self._is_in_doubt = False
            return self._handler

    async def _is_alive(self, handler: ScrapyPlaywrightDownloadHandler) -> bool:
        """Whether the browser can be used; asked where a page ended by itself, for it may have been the driver."""
        browser = getattr(handler, "browser", None)
        if browser is None or not browser.is_connected():
            return False
        if not self._is_in_doubt:
            return True
        try:
            async with asyncio.timeout(CLOSE_S):
                await (await browser.new_context()).close()
        except (PlaywrightError, TimeoutError, OSError):
            return False
        return True

    async def _start(self) -> ScrapyPlaywrightDownloadHandler:
        browser = services.fetching_of(self._crawler).browser
        if browser is None:
            raise FetchFailed(Reason.NO_BROWSER)
        handler = ScrapyPlaywrightDownloadHandler(self._crawler)
        # What the browser sends beside its pages finds a gate that lets nothing through.
        closed = await self._closing.enter_async_context(self._proxy.gate(limit_bytes=0))
        handler.config.launch_options = {
            **browser.options,
            "proxy": {"server": closed.url, "bypass": "<-loopback>"},
        }
        handler.process_request_headers = None  # the browser's own are honest enough
        self._closing.push_async_callback(_close_handler, handler)
        await handler._launch()
        await handler._maybe_launch_browser()
        return handler

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Playwright's errors in the words of events."""
        try:
            yield
        except PlaywrightTimeoutError:
            raise
        except PlaywrightError as error:
            text = str(error)
            if "crash" in text.lower():
                raise FetchFailed(Reason.PAGE_CRASHED) from error
            if "closed" in text.lower():
                self._is_in_doubt = True
                raise FetchFailed(Reason.BROWSER_GONE, transient=True) from error
            log.warning("the browser failed", error=text[:500])
            raise FetchFailed(Reason.BROWSER_FAILED, transient=True) from error

    async def _close_context(self, handler: ScrapyPlaywrightDownloadHandler, name: str) -> None:
        """Close a context; where the browser does not obey, it is started anew for the next page."""
        wrapper = handler.context_wrappers.get(name)
        if wrapper is None:
            return
        try:
            async with asyncio.timeout(CLOSE_S):
                await wrapper.context.close()
        except (PlaywrightError, TimeoutError):
            handler.context_wrappers.pop(name, None)
            if handler is self._handler:
                log.warning("the browser does not close a page; it is started anew")
                self._handler = None


def _is_html(document: Response) -> bool:
    content_type = (document.headers.get("Content-Type") or b"text/html").decode("latin-1").lower()
    return content_type.startswith(HTML_TYPES) and bool(document.body)


async def _close_handler(handler: ScrapyPlaywrightDownloadHandler) -> None:
    with contextlib.suppress(Exception):  # whatever it was: driver and browser end with their pipes
        async with asyncio.timeout(CLOSE_S):
            await handler.close()
