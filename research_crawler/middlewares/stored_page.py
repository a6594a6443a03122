"""Answers commands that need no download: a stored page comes from the archive, a search calls its providers later."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import AddressRefused, GiveBack
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import (
    PageEntry,
    SearchCommand,
    SectionCommand,
    SectionSpec,
)
from research_crawler.core.models.reasons import Reason
from research_crawler.core.ports.archives import Archive
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.core.web.urls import OWN_FILE
from research_crawler.frontier.request_state import find_state, state_of
from research_crawler.handlers.refusals import RequestRefused

log = get_log(__name__)


class StoredPages:
    """Answers requests with pages from the archive."""

    def __init__(self, archive: Archive, guard: AddressGuard) -> None:
        self.archive, self.guard = archive, guard

    async def response(self, request: Request, entry: PageEntry) -> Response:
        """A response without a body; the page itself is put into the field `stored` of the request's state.

        Raises:
            RequestRefused: the entry is a refusal, or the page is of a host that this process must not visit.
            GiveBack: the archive no longer has the page.
        """
        if entry.kind == "refused":
            raise RequestRefused(entry.reason, known=True)
        page = await self.archive.get_page(entry.sha)
        if page is None:
            raise GiveBack("no_page")
        if not page.final_url.startswith(
            OWN_FILE
        ):  # no host has served it; only the caller stores such pages
            self._check(page.url, page.final_url)
        state_of(request).stored = page
        return Response(page.final_url, status=page.status, request=request)

    def _check(self, *urls: str) -> None:
        """Check the URLs against this process's host lists, since the node that stored the page may have had others."""
        try:
            for url in urls:
                self.guard.check_url(url)
        except AddressRefused as error:
            raise RequestRefused(error.reason, known=True) from error


def stored_pages(crawler: Crawler) -> StoredPages:
    """The stored pages that a crawler may use."""
    crawl_services = crawler_services.of(crawler)
    return StoredPages(crawl_services.archive, crawl_services.guard)


class StoredPageMiddleware:
    """Answers a request with the stored page that came with the lease."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the middleware for a crawler, as Scrapy does."""
        return cls(crawler)

    async def process_request(self, request: Request) -> Response | None:
        """Answer the first request of a command if nothing has to be downloaded for it.

        Raises:
            RequestRefused: `no_lease`, for a request that a project's code did not pass through the scheduler.
        """
        state = find_state(request)
        if state is None:
            log.warning("a request without a lease is refused: yield it from a callback", url=request.url)
            raise RequestRefused(Reason.NO_LEASE, known=True)
        task = state.task
        if not state.first:
            return None
        if isinstance(task.command, SearchCommand):
            return Response(request.url, request=request)
        if isinstance(task.command, SectionCommand):
            return await self._stored(request, task.command.section)
        if task.lease.page:
            return await stored_pages(self.crawler).response(request, task.lease.page)
        return None

    async def _stored(self, request: Request, section: SectionSpec) -> Response:
        """The page of a section, which is never fetched for it.

        Raises:
            RequestRefused: the archive no longer has the page.
        """
        try:
            entry = PageEntry(kind="page", sha=section.sha)
            return await stored_pages(self.crawler).response(request, entry)
        except GiveBack as error:
            raise RequestRefused(Reason.NOT_KEPT, known=True) from error
