"""Vendors' pages: fetched and stored like any page, their bytes handed on for the products in them."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from scrapy.http import Response

from research_crawler.core.models.items import CommandItem
from research_crawler.frontier.node import Task
from research_crawler.spiders.page import PageSpider


class VendorSpider(PageSpider):
    """Reads one page of a vendor per `vendor` command: of results, or of a product."""

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
        item = await self.visit(task, response)
        if not item.from_store:
            item.raw = response.body
        return item
