"""The browser window in which a person opens a host's wall: behind the guard, and at the host's pace."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from playwright.async_api import BrowserContext, Page, Route, async_playwright
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Request as PlaywrightRequest

from research_crawler.core.models.web.saved_sessions import (
    SavedCookie,
    SavedItem,
    SavedOrigin,
    StorageState,
    seen_cookies,
)
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.urls import origin_of, slot_of
from research_crawler.handlers.guarding_proxy import GuardingProxy
from research_crawler.handlers.upstream_proxy import UpstreamProxy

WINDOW_BYTES: Final = 200_000_000
"""Most bytes that a person's window may move."""
_LOOK_S: Final = 0.4
"""Time between two looks at the session: what is set within it, before the window is closed, may be lost."""
_LONGEST_WAIT_MS: Final = 1_000
"""How long one look at the window waits."""
_STORAGE = "() => Object.entries(localStorage).map(([name, value]) => ({name, value}))"


class HostPace(Protocol):
    """Gives permits of hosts (`frontier.people.PersonQueue`)."""

    async def take_navigation_permit(self, slot: str, permit: str) -> int:
        """Take a permit: 0, or ms until it can be asked for again."""
        ...

    async def return_navigation_permit(self, slot: str, permit: str) -> None:
        """Return a permit."""
        ...


class PersonWindow:
    """One window, its session as it was last seen, and whether the person has closed it."""

    def __init__(self, context: BrowserContext, pace: HostPace) -> None:
        self._context, self._pace = context, pace
        self._name, self._count = secrets.token_hex(4), 0
        self._permits: dict[PlaywrightRequest, tuple[str, str]] = {}
        self._storage: dict[str, list[SavedItem]] = {}
        self._cookies: list[SavedCookie] = []
        self.closed = asyncio.Event()

    @property
    def state(self) -> StorageState:
        """The session as it was last seen."""
        origins = [SavedOrigin(origin=origin, localStorage=items) for origin, items in self._storage.items()]
        return StorageState(cookies=self._cookies, origins=[one for one in origins if one.localStorage])

    async def control(self) -> None:
        """Let every navigation of the window wait for its host's permit."""
        self._context.on("requestfinished", self._note_end)
        self._context.on("requestfailed", self._note_end)
        await self._context.route("**", self._decide)

    async def follow(self) -> None:
        """Look at the session until the window is closed."""
        while not self.closed.is_set() and self._context.pages:
            await self.look()
            await asyncio.sleep(_LOOK_S)
        self.closed.set()

    async def look(self) -> None:
        """Take down the session as it is now."""
        try:
            self._cookies = seen_cookies(dict(one) for one in await self._context.cookies())
            for page in self._context.pages:
                await self._look_at_storage(page)
        except PlaywrightError:  # a page is just being closed or left
            return

    async def _look_at_storage(self, page: Page) -> None:
        origin = origin_of(page.url) if page.url.startswith(("http://", "https://")) else ""
        with contextlib.suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(_LOOK_S):
                found = await page.evaluate(_STORAGE) if origin else []
                self._storage |= {origin: [SavedItem.model_validate(one) for one in found]} if found else {}

    async def _decide(self, route: Route) -> None:
        request = route.request
        with contextlib.suppress(PlaywrightError):  # the page may be closed already
            if _is_visit(request):
                await self._wait_for_host(request)
            await route.continue_()

    async def _wait_for_host(self, request: PlaywrightRequest) -> None:
        self._count += 1
        slot, permit = slot_of(request.url), f"person.{self._name}:{self._count}"
        wait_ms = await self._pace.take_navigation_permit(slot, permit)
        while wait_ms and not self.closed.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(wait_ms, _LONGEST_WAIT_MS) / 1000):
                    await self.closed.wait()
            wait_ms = await self._pace.take_navigation_permit(slot, permit)
        self._permits[request] = slot, permit

    async def _note_end(self, request: PlaywrightRequest) -> None:
        while request.redirected_from is not None:
            request = request.redirected_from
        if held := self._permits.pop(request, None):
            await self._pace.return_navigation_permit(*held)


@asynccontextmanager
async def person_window(
    url: str,
    *,
    options: Mapping[str, Any],
    guard: AddressGuard,
    pace: HostPace,
    user_agent: str,
    session: StorageState | None = None,
    upstream: UpstreamProxy | None = None,
) -> AsyncIterator[PersonWindow]:
    """Open a window on a page; it is closed with the block.

    Args:
        url: the page that met the wall.
        options: how the browser is launched.
        guard: what the window may connect to; as in the crawler there is no other way out.
        pace: permits of hosts, which every navigation takes.
        user_agent: that of the crawler: a session may be bound to it.
        session: what was kept of the host before.
        upstream: the proxy of RESEARCH_PROXY.

    Raises:
        PlaywrightError: the browser does not start.
    """
    proxy = GuardingProxy(guard, upstream=upstream, limit_bytes=WINDOW_BYTES)
    async with async_playwright() as playwright, proxy.gate() as gate:
        way_out: Any = {"server": gate.url, "bypass": "<-loopback>"}
        browser = await playwright.chromium.launch(**{**options, "proxy": way_out})
        try:
            kept: Any = session.model_dump() if session else None
            context = await browser.new_context(
                proxy=way_out,
                user_agent=user_agent,
                no_viewport=True,
                service_workers="block",
                accept_downloads=False,
                storage_state=kept,
            )
            window = PersonWindow(context, pace)
            await window.control()
            page = await context.new_page()
            following = asyncio.create_task(window.follow())
            try:
                with contextlib.suppress(PlaywrightError):  # the person sees what the browser says
                    await page.goto(url, wait_until="commit")
                yield window
                await window.look()
            finally:
                window.closed.set()
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
        finally:
            with contextlib.suppress(PlaywrightError):
                await browser.close()


def _is_visit(request: PlaywrightRequest) -> bool:
    try:
        return request.is_navigation_request() and request.frame.parent_frame is None
    except PlaywrightError:  # the frame does not exist yet: it is a window that the page opens
        return True
