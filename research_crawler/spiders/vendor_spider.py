"""Visits vendors' pages: stores them like any page, and passes their bytes on for reading the products."""

from typing import ClassVar

from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.models.messages.commands import VendorCommand
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.tasks.leases import Task
from research_crawler.frontier.request_state import state_of_response
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.spiders.page_spider import PageSpider


class VendorSpider(PageSpider):
    """Reads one page of a vendor per `vendor` command: a page of results, a product's page, or a sitemap."""

    name = "vendor"
    queues: ClassVar[tuple[str, ...]] = ("vendor",)

    async def vendor(self, task: Task, command: VendorCommand, response: Response) -> CommandItem:
        """The item of a vendor's page, with its bytes if they have just been downloaded.

        The archive may hold other bytes for the same text, because a price may be outside the text that is read.

        Raises:
            The errors of `visit`, for a page that is blocked or missing and so has no prices.
        """
        if command.vendor.sitemap:
            return await self._sitemap(task, response, command.vendor.query)
        item = await self.visit(task, command, response)
        if not item.from_store:
            item.raw = response.body
        return item

    async def _sitemap(self, task: Task, response: Response, query: str) -> CommandItem:
        """The URLs that robots.txt or a sitemap names; the file itself is not stored, read or cited."""
        if response.status >= 400:
            raise RequestRefused(Why(Reason.HTTP, str(response.status)))
        crawl_services, stored = crawler_services.of(self.crawler), state_of_response(response).stored
        body = (await crawl_services.archive.raw_page(stored.sha) or b"") if stored else response.body
        results = await task.run(crawl_services.parse_pool.read_sitemap(body, url=response.url, query=query))
        return CommandItem(command=task.command, token=task.token, query=query, results=results)
