"""The address guard in front of every request: pages, redirect hops, robots.txt and provider calls alike."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler

from research_crawler.core import services
from research_crawler.core.errors import AddressRefused
from research_crawler.frontier.request_state import find_state
from research_crawler.handlers.refusals import refusal_of


class AddressGuardMiddleware:
    """Judges a request by its URL; the download handler judges the addresses that its host resolves to."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As Scrapy builds its components."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let only permitted URLs pass; `service` of its state marks an endpoint that the operator configured.

        Raises:
            RequestRefused: host_list, or guard with its reason.
        """
        state = find_state(request)
        service = state is not None and state.service
        try:
            services.fetching_of(self._crawler).guard.check_url(request.url, service=service)
        except AddressRefused as error:
            raise refusal_of(error) from error
