"""Renders pages: a document is fetched like any other page and shown in the browser, whose HTML is the
response.

Everything that depends on internals of scrapy-playwright is in this file. Its handler holds the browser and
its contexts, and is created at the first page that needs one.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import HtmlResponse, Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from research_crawler.core import crawler_services
from research_crawler.core.errors import FetchFailed
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import may_ask
from research_crawler.core.models.reasons import Reason
from research_crawler.frontier.request_state import GateTraffic, find_state, state_of
from research_crawler.handlers.guarding_proxy import Gate, GuardingProxy
from research_crawler.handlers.page_visit import PageVisit
from research_crawler.handlers.upstream_proxy import UpstreamProxy

log = get_log(__name__)
VIEW: Final = {"width": 1280, "height": 2400}
"""The window is tall, so that content that loads when it comes into view is loaded."""
_END_S, CLOSE_S, _START_S = 1.0, 5.0, 40.0
"""Time reserved for reading a page; for closing a context or the browser; for starting the browser."""
HTML_TYPES: Final = ("text/html", "application/xhtml+xml")

Fetch = Callable[[Request], Awaitable[Response]]


class Rendering:
    """Shows documents in one browser. Each has its own context and its own gate of the guarding proxy.

    It reads `pause_s` of a request's state and Scrapy's `download_timeout`, and sets `gate` of the state.

    Args:
        crawler: its services have the browser, the guard and the settings.
        fetch: downloads a document.
    """

    def __init__(self, crawler: Crawler, fetch: Fetch) -> None:
        fetch_services = crawler_services.fetching_of(crawler)
        self._crawler, self._fetch, self._config = crawler, fetch, fetch_services.config
        self._proxy = GuardingProxy(
            fetch_services.guard, upstream=UpstreamProxy.from_config(fetch_services.config)
        )
        self._unpacking = HttpCompressionMiddleware(crawler=crawler)
        self._starting = asyncio.Lock()
        self._handler: ScrapyPlaywrightDownloadHandler | None = None
        self._is_in_doubt = False
        self._closing = AsyncExitStack()

    async def render(self, request: Request) -> Response:
        """Render a page: its HTML after its scripts have run.

        If the page goes to another URL, the response is a redirect. A document that is not HTML is returned
        as it is.

        Raises:
            FetchFailed: timeout, page_crashed, browser_gone, browser_unusable …
            Exception: an error of the document's download.
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
        """Open a page that shows the document, in a context of its own that is closed with the block.

        Raises:
            FetchFailed: the browser does not start, has ended, or does not show the document.
        """
        handler = await self._running_handler()
        visit = PageVisit(document)
        async with self._proxy.gate() as gate:
            name = str(id(visit))
            navigation = Request(document.url, meta=self._meta(request, name, gate, visit), dont_filter=True)
            try:
                with self._translated_errors():
                    await handler.download_request(navigation)
                    page: Page = navigation.meta["playwright_page"]
                    if not visit.is_shown:
                        raise FetchFailed(Reason.BROWSER_UNUSABLE)
                    yield page, visit, gate
            finally:
                await self._close_context(handler, name)

    async def warm(self) -> None:
        """Start the browser if it is not running.

        Raises:
            FetchFailed: the browser does not start.
        """
        await self._running_handler()

    async def close(self) -> None:
        """Close the browser; may be called again."""
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
                **self._session(request),
            },
            "playwright_page_init_callback": prepare,
            "playwright_page_goto_kwargs": {"wait_until": "commit"},
        }

    def _session(self, request: Request) -> dict[str, Any]:
        """The session that a person has opened for the request's host, for a job that asks persons."""
        state, kept = find_state(request), crawler_services.fetching_of(self._crawler).sessions
        if state is None or kept is None or not may_ask(state.task.command):
            return {}
        session = kept.get(state.target.slot)
        return {"storage_state": session.model_dump()} if session else {}

    async def _running_handler(self) -> ScrapyPlaywrightDownloadHandler:
        """The handler with a running driver; a new one if the driver has ended."""
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
        """Whether the browser is usable. After a page has closed unexpectedly, this tries a new context."""
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
        browser = crawler_services.fetching_of(self._crawler).browser
        if browser is None:
            raise FetchFailed(Reason.NO_BROWSER)
        handler = ScrapyPlaywrightDownloadHandler(self._crawler)
        # Requests that the browser makes outside of pages get a gate that refuses everything.
        closed = await self._closing.enter_async_context(self._proxy.gate(limit_bytes=0))
        handler.config.launch_options = {
            **browser.options,
            "proxy": {"server": closed.url, "bypass": "<-loopback>"},
        }
        handler.process_request_headers = None  # the browser sends its own headers
        self._closing.push_async_callback(_close_handler, handler)
        await handler._launch()
        await handler._maybe_launch_browser()
        return handler

    @contextlib.contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Translate Playwright's errors to reasons of failures."""
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
        """Close a context. If the browser does not do so in time, it is restarted for the next page."""
        wrapper = handler.context_wrappers.get(name)
        if wrapper is None:
            return
        try:
            async with asyncio.timeout(CLOSE_S):
                await wrapper.context.close()
        except (PlaywrightError, TimeoutError):
            handler.context_wrappers.pop(name, None)
            if handler is self._handler:
                log.warning("the browser does not close a page; restarting it")
                self._handler = None


def _is_html(document: Response) -> bool:
    content_type = (document.headers.get("Content-Type") or b"text/html").decode("latin-1").lower()
    return content_type.startswith(HTML_TYPES) and bool(document.body)


async def _close_handler(handler: ScrapyPlaywrightDownloadHandler) -> None:
    with contextlib.suppress(Exception):  # any error: driver and browser end with their pipes
        async with asyncio.timeout(CLOSE_S):
            await handler.close()
