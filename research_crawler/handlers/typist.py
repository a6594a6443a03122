"""Types a query into a search engine's own page in the crawler's browser, at a person's speed, without
disguise."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from research_crawler.core.errors import FetchFailed
from research_crawler.core.models.reasons import Reason
from research_crawler.core.tasks.leases import HeldPermit, Task
from research_crawler.core.web.urls import frontier_target
from research_crawler.engines.typing_plan import TypedPage, TypingPlan
from research_crawler.frontier.request_state import RequestState

if TYPE_CHECKING:
    from playwright.async_api import Page

    from research_crawler.handlers.browser import Rendering

HOME_HOP, RESULTS_HOP = 70, 85
"""Hop numbers of the permits. They differ from those of the search's other requests, with room for
redirects."""
SHOW_S, LEAVE_S = 5.0, 5.0
"""Longest time until the home page shows its search field, and until Enter leads to another page."""
_FIELDS: Final = ", ".join(
    (
        "input[type=search]:visible",
        "[role=searchbox]:visible",
        "input[name=q]:visible",
        "textarea[name=q]:visible",
        "input[name=query]:visible",
        "form input[type=text]:visible",
    )
)


class BrowserTypist:
    """The port `engines.typed.Typist` with the crawler's browser.

    The crawler requests both pages, with guard, robots.txt and permit. It holds no permit while it types.
    """

    def __init__(self, crawler: Crawler, rendering: Callable[[], "Rendering"]) -> None:
        """`rendering`: gives the crawler's rendering, which is made when it is first needed."""
        self._crawler, self._rendering = crawler, rendering

    async def type_query(
        self, plan: TypingPlan, *, task: Task, timeout_s: float, permit: HeldPermit | None = None
    ) -> TypedPage:
        """Type a query and return the results page; see `engines.typed.Typist`.

        Raises:
            FetchFailed: no_search_field, no_results_page, timeout.
            Exception: an error of one of the two downloads.
        """
        until_s = time.monotonic() + timeout_s
        try:
            async with asyncio.timeout(timeout_s):
                return await task.run(self._type(plan, task, until_s, permit))
        except TimeoutError as error:
            raise FetchFailed(Reason.TIMEOUT, transient=True) from error

    async def _type(
        self, plan: TypingPlan, task: Task, until_s: float, permit: HeldPermit | None
    ) -> TypedPage:
        home, _ = await asyncio.gather(
            self._download(plan.home_url, task, HOME_HOP, until_s, permit=permit), self._rendering().warm()
        )
        if home.status >= 400 or not isinstance(home, HtmlResponse):
            return TypedPage(url=home.url, status=home.status, html="")
        home_request = Request(home.url, headers={"Accept-Language": "en"})
        async with self._rendering().shown(home_request, home) as (page, visit, _):
            await _type_and_submit(page, plan)
            try:
                async with asyncio.timeout(LEAVE_S):
                    await visit.left.wait()
            except TimeoutError as error:
                raise FetchFailed(Reason.NO_RESULTS_PAGE) from error
        results = await self._download(
            visit.moved_to, task, RESULTS_HOP, until_s, shown_for_s=plan.results_ms / 1000
        )
        return TypedPage(url=results.url, status=results.status, html=getattr(results, "text", ""))

    async def _download(
        self,
        url: str,
        task: Task,
        hop: int,
        until_s: float,
        *,
        shown_for_s: float | None = None,
        permit: HeldPermit | None = None,
    ) -> Response:
        """Download a page; with `shown_for_s` render it, and wait that long before it is read."""
        state = RequestState(
            task=task,
            target=frontier_target(url),
            redirects=hop,
            permit=permit,
            render=shown_for_s is not None,
            provider=True,
            deadline_s=until_s,
            limit_s=max(until_s - time.monotonic(), 1.0),
            pause_s=shown_for_s or 0.0,
        )
        return await self._crawler.engine.download_async(Request(url, meta=state.meta, dont_filter=True))


async def _type_and_submit(page: "Page", plan: TypingPlan) -> None:
    """Wait, type the query, press Enter."""
    field = page.locator(_FIELDS).first
    await asyncio.sleep(plan.before_ms / 1000)
    try:
        async with asyncio.timeout(SHOW_S):
            await field.focus()
    except TimeoutError as error:
        raise FetchFailed(Reason.NO_SEARCH_FIELD) from error
    for character, pause_ms in zip(plan.query, plan.keys_ms, strict=True):
        await page.keyboard.type(character)
        await asyncio.sleep(pause_ms / 1000)
    await page.keyboard.press("Enter")
