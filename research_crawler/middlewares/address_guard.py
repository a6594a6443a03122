"""Checks the URL of every request with the address guard: pages, redirects, robots.txt and provider calls."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler

from research_crawler.core import crawler_services
from research_crawler.core.errors import AddressRefused
from research_crawler.frontier.request_state import find_state
from research_crawler.handlers.refusals import refusal_of


class AddressGuardMiddleware:
    """Checks a request's URL; the download handler checks the addresses that its host resolves to."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Build the middleware for a crawler, as Scrapy does."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Refuse a URL that is not permitted.

        The field `service` of the request's state marks an endpoint that the operator configured, whose address may
        be private.

        Raises:
            RequestRefused: the reason is `host_list`, or `guard` with its detail.
        """
        state = find_state(request)
        service = state is not None and state.service
        try:
            crawler_services.fetching_of(self._crawler).guard.check_url(request.url, service=service)
        except AddressRefused as error:
            raise refusal_of(error) from error
