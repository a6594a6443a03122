"""Vendors' pages: fetched and stored like any page, their bytes handed on for the products in them."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.leases import Task
from research_crawler.core.models.items import CommandItem
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.frontier.request_state import state_of_response
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.spiders.page import PageSpider


class VendorSpider(PageSpider):
    """Reads one page of a vendor per `vendor` command: of results, of a product, or its sitemap."""

    name = "vendor"
    queues: ClassVar[tuple[str, ...]] = ("vendor",)

    def handlers(self) -> dict[str, Callable[[Task, Response], Awaitable[CommandItem]]]:
        """Vendors' pages."""
        return {**super().handlers(), "vendor": self.vendor}

    async def vendor(self, task: Task, response: Response) -> CommandItem:
        """The item of a vendor's page, with its bytes where they have just come.

        The archive may keep other bytes under the same text: what a price stands in is not always a reader's.

        Raises:
            as `visit`: a page that is blocked or missing is no page, and has no prices.
        """
        spec = task.command.vendor
        if spec and spec.sitemap:
            return await self._sitemap(task, response, spec.query)
        item = await self.visit(task, response)
        if not item.from_store:
            item.raw = response.body
        return item

    async def _sitemap(self, task: Task, response: Response, query: str) -> CommandItem:
        """What robots.txt or a sitemap names: no page to be stored, read or cited."""
        if response.status >= 400:
            raise RequestRefused(Why(Reason.HTTP, str(response.status)))
        mine, stored = services.of(self.crawler), state_of_response(response).stored
        body = (await mine.archive.raw_page(stored.sha) or b"") if stored else response.body
        found = await task.run(mine.parse_pool.read_sitemap(body, url=response.url, query=query))
        return CommandItem(command=task.command, token=task.token, query=query, results=found)
