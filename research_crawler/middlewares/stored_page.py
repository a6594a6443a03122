"""Commands that need no download: a stored page is read from the archive, a search only starts its fan-out."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.addresses import AddressGuard
from research_crawler.core.errors import AddressRefused, GiveBack
from research_crawler.core.models.commands import PageEntry
from research_crawler.core.ports import Archive
from research_crawler.frontier.node import Task
from research_crawler.handlers.refusals import RequestRefused, refusal_of


class StoredPages:
    """Answers requests with pages of the archive."""

    def __init__(self, archive: Archive, guard: AddressGuard | None = None) -> None:
        self.archive, self.guard = archive, guard

    async def response(self, request: Request, entry: PageEntry) -> Response:
        """A response without a body whose meta `stored` is the page.

        Raises:
            RequestRefused: the entry is a refusal, or the page of a host that this process must not visit.
            GiveBack: the archive does not have the page any more.
        """
        if entry.kind == "refused":
            raise RequestRefused(entry.reason, known=True)
        page = await self.archive.get_page(entry.sha)
        if page is None:
            raise GiveBack("no_page")
        self._check(page.url, page.final_url)
        request.meta["stored"] = page
        return Response(page.final_url, status=page.status, request=request)

    def _check(self, *urls: str) -> None:
        """Pages were stored under the settings of others: this process' host lists hold for them too."""
        try:
            for url in urls:
                if self.guard:
                    self.guard.check_url(url)
        except AddressRefused as error:
            raise RequestRefused(refusal_of(error).reason, known=True) from error


class StoredPageMiddleware:
    """Serves the page that came with the lease."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    async def process_request(self, request: Request) -> Response | None:
        """Short-cut the first request of a command where nothing is to be fetched."""
        task: Task = request.meta["task"]
        if not request.meta.get("first"):
            return None
        if task.command.kind == "search":
            return Response(request.url, request=request)
        if task.lease.page:
            pages: StoredPages = services.of(self.crawler).pages
            return await pages.response(request, task.lease.page)
        return None
