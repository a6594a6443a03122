"""Controls one page in the browser: what it may request, and when its text is complete."""

import asyncio
import contextlib
import time
from typing import Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route
from playwright.async_api import Request as PlaywrightRequest
from scrapy.http import Response

from research_crawler.core.web.urls import canonical_url

SKIPPED_TYPES: Final = frozenset({"image", "media", "font"})
"""Not fetched, to save bytes. For safety there is the gate."""
AWAITED_TYPES: Final = frozenset({"document", "script", "xhr", "fetch", "stylesheet"})
DROPPED_HEADERS: Final = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "alt-svc", "link",
     "report-to", "nel", "reporting-endpoints", "refresh"}
)  # fmt: skip
"""Headers about the finished transfer, headers that cause more requests, and `Refresh`, which would only
wait."""
_LOOK_S, QUIET_S, CALM_S, STUCK_S, EMPTY_S = 0.1, 0.4, 0.3, 3.0, 2.0
"""The time between two checks, and how long a page must be without traffic; without changes; without changes
if there is traffic; without traffic and changes if it has no text. Scripts mostly draw within a frame or two
of their last answer."""
_SETTLE_MAX_S = 15.0
"""A page that never stops changing is read after this time."""
SOME_TEXT_CHARS = 200
"""A page with so much text is read as soon as it is at rest; one with less is waited for longer."""

_MEASURE = """() => {
  const body = document.body;
  return [body ? body.innerText.trim().length : 0, document.getElementsByTagName('*').length];
}"""
_OPEN_SHADOWS = """() => {
  const open = root => {
    for (const host of root.querySelectorAll('*')) {
      if (!host.shadowRoot) continue;
      open(host.shadowRoot);
      const box = document.createElement('div');
      for (const part of host.shadowRoot.childNodes) box.append(part.cloneNode(true));
      box.querySelectorAll('style').forEach(style => style.remove());
      host.append(box);
    }
  };
  open(document);
}"""
"""Copies the text of web components into the page; their own trees are not part of its HTML."""


class PageVisit:
    """Shows one document in one page, and watches the page's requests and navigations.

    No navigation of the main frame reaches the network. The first one is answered with the document that the
    download handler fetched. A later one is recorded and handled like a redirect, with its own guard,
    robots.txt and permit.
    """

    def __init__(self, document: Response) -> None:
        self._document = document
        self.left = asyncio.Event()
        self.moved_to = ""
        """The URL to which the page itself navigated."""
        self.is_shown = False
        self.has_crashed = False
        self._pending: set[PlaywrightRequest] = set()
        self._traffic_at_s = 0.0

    async def prepare(self, page: Page) -> None:
        """Take control of a page before it navigates."""
        self._pending.clear()
        page.on("request", self._note_begin)
        page.on("requestfinished", self._note_end)
        page.on("requestfailed", self._note_end)
        page.on("crash", self._note_crash)
        page.on("popup", _close)
        await page.context.route("**", _abort)
        await page.route("**", self._decide)

    async def settle(self, page: Page, until_s: float) -> None:
        """Wait until the page has text and is quiet, navigates away, or `until_s` (monotonic) is reached."""
        changed_s = time.monotonic()
        until_s = min(until_s, changed_s + _SETTLE_MAX_S)
        measure: list[int] = []
        while not self.left.is_set() and not self.has_crashed:
            now_s = time.monotonic()
            if now_s > until_s:
                return
            new_measure: list[int] = await page.evaluate(_MEASURE)
            if new_measure != measure:
                measure, changed_s = new_measure, now_s
            if self._is_quiet(now_s - changed_s, text_chars=measure[0]):
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self.left.wait()

    async def read(self, page: Page) -> str:
        """The page's current HTML, including the contents of web components."""
        await page.evaluate(_OPEN_SHADOWS)
        return await page.content()

    def _is_quiet(self, unchanged_s: float, *, text_chars: int) -> bool:
        quiet_s = 0.0 if self._pending else time.monotonic() - self._traffic_at_s
        if text_chars >= SOME_TEXT_CHARS:
            return unchanged_s >= STUCK_S or (unchanged_s >= CALM_S and quiet_s >= QUIET_S)
        return unchanged_s >= EMPTY_S and quiet_s >= EMPTY_S

    async def _decide(self, route: Route) -> None:
        """Decide on one request: answer it, record it, drop it or send it. If this fails, it is not sent."""
        request = route.request
        with contextlib.suppress(PlaywrightError):  # the page may be closed already
            if request.is_navigation_request() and _is_main_frame(request):
                await self._navigate(route)
            elif request.resource_type in SKIPPED_TYPES:
                await route.abort()
            else:
                await route.continue_()

    async def _navigate(self, route: Route) -> None:
        if not self.is_shown:
            self.is_shown = True
            document = self._document
            await route.fulfill(
                status=document.status, headers=_headers_for_browser(document), body=document.body
            )
            return
        await route.abort("aborted")
        to = canonical_url(route.request.url)
        if to and route.request.method == "GET" and to != canonical_url(self._document.url):
            self.moved_to = to
            self.left.set()

    def _note_begin(self, request: PlaywrightRequest) -> None:
        if request.resource_type in AWAITED_TYPES:
            self._pending.add(request)

    def _note_end(self, request: PlaywrightRequest) -> None:
        if request in self._pending:
            self._pending.discard(request)
            self._traffic_at_s = time.monotonic()

    def _note_crash(self, _: Page) -> None:
        self.has_crashed = True


def _headers_for_browser(document: Response) -> dict[str, str]:
    """The headers of the document, with a referrer policy that hides the page from other hosts."""
    headers: dict[str, str] = {}
    for name, values in document.headers.items():
        key = name.decode("latin-1").lower()
        if key not in DROPPED_HEADERS:
            glue = "\n" if key == "set-cookie" else ", "
            headers[key] = glue.join(value.decode("latin-1") for value in values)
    return headers | {"referrer-policy": "same-origin"}


def _is_main_frame(request: PlaywrightRequest) -> bool:
    try:
        return request.frame.parent_frame is None
    except PlaywrightError:  # the frame does not exist yet: it is a window that the page opens
        return True


async def _close(popup: Page) -> None:
    with contextlib.suppress(PlaywrightError):
        await popup.close()


async def _abort(route: Route) -> None:
    with contextlib.suppress(PlaywrightError):
        await route.abort()
