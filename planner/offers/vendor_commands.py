"""Make the commands of phase 2: vendors' result pages, product pages, sitemaps, and web searches."""

from datetime import datetime
from typing import Literal, TypeVar

from planner.job.allowances import FIRST_VENDOR_ROUND
from planner.job.commands import longest_wait_ms, page_fields, search_command, shared_fields
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.commands import (
    Command,
    SearchCommand,
    SearchSpec,
    VendorCommand,
    VendorSpec,
)
from research_crawler.core.vendors import Catalogue

STORED_SHOP_PAGE_MAX_AGE_S = 3_600
"""Prices and stock change within a day, so a stored page is used for an hour only."""
LEAST_AGE_S = 1
"""0 would forbid to share the page with other jobs that ask for it at this moment."""
_MAX_ROWS = 20
"""Most rows that are read of a vendor's page of results."""
_Made = TypeVar("_Made", SearchCommand, VendorCommand)


class VendorCommandBuilder:
    """Makes the commands of a job's vendor round, with consecutive ids."""

    def __init__(self, job: Job, now_ms: int, catalogue: Catalogue) -> None:
        self._currencies = {vendor.host: vendor.currency for vendor in catalogue.vendors}
        self._job, self._now_ms, self._next = job, now_ms, job.plan.next_command
        self.made: list[Command] = []

    @property
    def next_command(self) -> int:
        """The number of the next command of the job."""
        return self._next

    def search(self, query: str, *, results: int = 10) -> SearchCommand:
        """A web search; it does not count as one of phase 1's."""
        spec = SearchSpec(query=query, max_results=results, language=self._job.inputs.language)
        return self._kept(search_command(self._job, self._next, spec, round=self._round))

    def results(self, host: str, url: str, query: str) -> VendorCommand:
        """A vendor's page of search results."""
        return self._vendor(host, url, query, page="search")

    def product(self, host: str, url: str, query: str, *, anew: bool = False) -> VendorCommand:
        """The page of one product; `anew`: not the stored one, whatever its age."""
        return self._vendor(host, url, query, page="product", max_age_s=0 if anew else None)

    def sitemap(self, host: str, url: str, query: str) -> VendorCommand:
        """A host's robots.txt or a sitemap, for the URLs in it that fit the query."""
        return self._vendor(host, url, query, page="search", sitemap=True)

    def _vendor(
        self,
        host: str,
        url: str,
        query: str,
        *,
        page: Literal["search", "product"],
        sitemap: bool = False,
        max_age_s: int | None = None,
    ) -> VendorCommand:
        inputs = self._job.inputs
        spec = VendorSpec(
            host=host,
            query=query,
            page=page,
            region=inputs.region,
            currency=self._currencies.get(host) or inputs.currency,
            max_products=_MAX_ROWS,
            sitemap=sitemap,
        )
        return self._kept(
            VendorCommand(
                **shared_fields(self._job, self._next, round=self._round),
                **page_fields(self._job, url),
                max_age_s=self._max_age_s() if max_age_s is None else max_age_s,
                max_wait_ms=longest_wait_ms(self._job, self._now_ms),
                vendor=spec,
            )
        )

    def _max_age_s(self) -> int:
        """How old a stored page of a shop may be: no older than the job, for nothing is recommended from before it."""
        begun = self._job.created_at
        age_ms = (
            self._now_ms - datetime.fromisoformat(begun).timestamp() * 1000
            if begun
            else STORED_SHOP_PAGE_MAX_AGE_S * 1000
        )
        return int(min(STORED_SHOP_PAGE_MAX_AGE_S, max(LEAST_AGE_S, age_ms / 1000)))

    @property
    def _round(self) -> int:
        return FIRST_VENDOR_ROUND + (self._job.phase2.round if self._job.phase2 else 0) + 1

    def _kept(self, command: _Made) -> _Made:
        self._next += 1
        self.made.append(command)
        return command
