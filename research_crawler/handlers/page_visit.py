"""What one page may do in the browser, and when it has said what it has to say."""

import asyncio
import contextlib
import time
from typing import Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route
from playwright.async_api import Request as Asked
from scrapy.http import Response

from research_crawler.core.urls import canonical_url

SAVED_TYPES: Final = frozenset({"image", "media", "font"})
"""Not fetched, to save bytes; the gate is the guard."""
AWAITED_TYPES: Final = frozenset({"document", "script", "xhr", "fetch", "stylesheet"})
NOT_PASSED_ON: Final = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "alt-svc", "link",
     "report-to", "nel", "reporting-endpoints", "refresh"}
)  # fmt: skip
"""Headers about the transfer that is over, those that have the browser ask for more, and `Refresh`, whose waits
are not ours to sit out."""
_LOOK_S, QUIET_S, CALM_S, STUCK_S, EMPTY_S = 0.1, 0.4, 0.3, 3.0, 2.0
"""Between looks; without traffic; without change of the page; without change in spite of traffic; without any
text in spite of silence. Scripts mostly draw within a frame or two of their last answer."""
_LONGEST_S = 15.0
"""A page that never comes to rest is read as it is then."""
SOME_TEXT_CHARS = 200

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
"""Web components keep their text in trees of their own, which a page's HTML leaves out."""


class PageVisit:
    """One document in one page: serves it as the navigation's answer, watches what it asks for, and where it goes.

    No navigation of the main frame reaches the network: the first one is answered with the document that the
    download handler fetched, any later one is noted, so that it takes the way of a redirect, with its own guard,
    robots.txt and permit.
    """

    def __init__(self, document: Response) -> None:
        self._document = document
        self.left = asyncio.Event()
        self.moved_to = ""
        """Where the page itself went on to."""
        self.is_shown = False
        self.has_crashed = False
        self._pending: set[Asked] = set()
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
        """Wait until the page has its text and rests, goes elsewhere, or the time (monotonic) is over."""
        changed_s = time.monotonic()
        until_s = min(until_s, changed_s + _LONGEST_S)
        measure: list[int] = []
        while not self.left.is_set() and not self.has_crashed:
            now_s = time.monotonic()
            if now_s > until_s:
                return
            seen: list[int] = await page.evaluate(_MEASURE)
            if seen != measure:
                measure, changed_s = seen, now_s
            if self._rests(now_s - changed_s, text_chars=measure[0]):
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self.left.wait()

    async def read(self, page: Page) -> str:
        """The page's HTML as it is now, the insides of web components included."""
        await page.evaluate(_OPEN_SHADOWS)
        return await page.content()

    def _rests(self, unchanged_s: float, *, text_chars: int) -> bool:
        quiet_s = 0.0 if self._pending else time.monotonic() - self._traffic_at_s
        if text_chars >= SOME_TEXT_CHARS:
            return unchanged_s >= STUCK_S or (unchanged_s >= CALM_S and quiet_s >= QUIET_S)
        return unchanged_s >= EMPTY_S and quiet_s >= EMPTY_S

    async def _decide(self, route: Route) -> None:
        """Answer, note, save or let go. A request whose fate is in doubt is not made."""
        asked = route.request
        with contextlib.suppress(PlaywrightError):  # the page may be gone by now
            if asked.is_navigation_request() and _is_main_frame(asked):
                await self._navigate(route)
            elif asked.resource_type in SAVED_TYPES:
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

    def _note_begin(self, asked: Asked) -> None:
        if asked.resource_type in AWAITED_TYPES:
            self._pending.add(asked)

    def _note_end(self, asked: Asked) -> None:
        if asked in self._pending:
            self._pending.discard(asked)
            self._traffic_at_s = time.monotonic()

    def _note_crash(self, _: Page) -> None:
        self.has_crashed = True


def _headers_for_browser(document: Response) -> dict[str, str]:
    """The document's own headers; other hosts are not told which page asks."""
    headers: dict[str, str] = {}
    for name, values in document.headers.items():
        key = name.decode("latin-1").lower()
        if key not in NOT_PASSED_ON:
            glue = "\n" if key == "set-cookie" else ", "
            headers[key] = glue.join(value.decode("latin-1") for value in values)
    return headers | {"referrer-policy": "same-origin"}


def _is_main_frame(asked: Asked) -> bool:
    try:
        return asked.frame.parent_frame is None
    except PlaywrightError:  # a frame that is not there yet: a window that the page opens
        return True


async def _close(popup: Page) -> None:
    with contextlib.suppress(PlaywrightError):
        await popup.close()


async def _abort(route: Route) -> None:
    with contextlib.suppress(PlaywrightError):
        await route.abort()
