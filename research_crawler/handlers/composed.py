"""The crawler's download handler: plain downloads, and the browser for requests that ask for it."""

import asyncio
from typing import TYPE_CHECKING, ClassVar, Self, cast
from weakref import ReferenceType, WeakKeyDictionary, ref

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.reasons import Reason
from research_crawler.engines.typing_plan import Typist
from research_crawler.frontier.request_state import find_state
from research_crawler.handlers.pinned import PinnedDownloadHandler
from research_crawler.handlers.typist import BrowserTypist

if TYPE_CHECKING:  # importing Playwright takes a third of a second, so it waits for the first rendering
    from research_crawler.handlers.browser import Rendering


class ComposedDownloadHandler(BaseDownloadHandler):
    """One handler for http and https. A request whose state has `render` is rendered in the browser."""

    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, "ReferenceType[ComposedDownloadHandler]"]] = (
        WeakKeyDictionary()
    )

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.plain = PinnedDownloadHandler.from_crawler(crawler)
        self._rendering: Rendering | None = None
        has_browser = crawler_services.fetching_of(crawler).browser is not None
        self.typist: Typist | None = BrowserTypist(crawler, lambda: self.rendering) if has_browser else None
        """Types a query into a search engine's page; None if this process has no browser."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The crawler's only handler; Scrapy calls this once per scheme."""
        known = cls._of_crawler.get(crawler)
        handler = known() if known else None
        if handler is None or handler.plain.is_closed:
            handler = cls(crawler)
            cls._of_crawler[crawler] = ref(handler)
        return cast(Self, handler)

    @property
    def rendering(self) -> "Rendering":
        """The rendering in the browser, created at the first use."""
        if self._rendering is None:
            from research_crawler.handlers.browser import Rendering

            self._rendering = Rendering(self.crawler, self.plain.download_request)
        return self._rendering

    async def download_request(self, request: Request) -> Response:
        """Download or render a page.

        Raises:
            IgnoreRequest: `cancelled`; after a CancelledError Scrapy would never finish the request.
            Exception: see `PinnedDownloadHandler` and `Rendering`.
        """
        state = find_state(request)
        if state is None or not state.render:
            return await self.plain.download_request(request)
        try:
            return await state.task.run(self.rendering.render(request))
        except (LeaseLost, asyncio.CancelledError) as error:
            raise IgnoreRequest(Reason.CANCELLED) from error

    async def close(self) -> None:
        """Close connections and browser; may be called again."""
        if self._rendering is not None:
            await self._rendering.close()
        await self.plain.close()
