"""Phase 2: decide what one vendor is asked next: its results, its pages, its sitemap, a web search for it. Pure."""

from collections.abc import Sequence
from typing import assert_never

from planner.job.clock import ROUND_S
from planner.job.job_editor import JobEditor
from planner.offers.collection import is_incomplete, priced
from planner.offers.vendor_candidates import is_page_of
from planner.offers.vendor_commands import VendorCommandBuilder
from planner.offers.vendor_events import NO_PRICE, NO_PRODUCTS, TIMEOUT, phase2_of, replace_vendor, set_phase2
from research_crawler.core.models.offers.phase2 import VendorStage, VendorTry
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import NO_REASON
from research_crawler.core.vendors import Catalogue
from research_crawler.core.web.urls import page_key

TERMS_OF_A_VENDOR = 2
"""Most queries to one vendor."""
MAPS_OF_A_VENDOR = 3
"""Most files read to find a sitemap's pages: robots.txt, an index, a sitemap."""
LEAST_THINGS = 2
"""A vendor that shows fewer products is also searched for the kind of product, so that products can be compared."""
PAGES_OF_A_VENDOR = 2
"""Most product pages read if rows lack price, stock, condition or specs; each one waits for the host's delay."""
DOWN = frozenset(
    {Reason.TIMEOUT, Reason.VENDOR_BUSY, Reason.DNS, Reason.CONNECTION, Reason.CONNECTION_REFUSED}
)
"""Reasons that hold for all pages of a host, as do the statuses 429 and 5xx."""


def is_down(vendor: VendorTry) -> bool:
    """Whether the host is down, so that there is no use in fetching its product pages."""
    status = vendor.reason.status or 0
    return vendor.reason.kind in DOWN or status == 429 or 500 <= status < 600


class VendorSteps:
    """Chooses and records the next commands for single vendors."""

    def __init__(self, editor: JobEditor, catalogue: Catalogue, commands: VendorCommandBuilder) -> None:
        self.editor, self.catalogue, self.commands = editor, catalogue, commands

    def go_on(self, vendor: VendorTry) -> None:
        """The step after the answers to the vendor's last commands."""
        match vendor.stage:
            case "search_page":
                self._after_results(vendor)
            case "site_search" | "sitemap":
                self._after_addresses(vendor)
            case "product_pages" | "waiting" | "answered" | "failed" | "not_asked":
                self._after_pages(vendor)
            case unknown:
                assert_never(unknown)

    def _after_pages(self, vendor: VendorTry) -> None:
        if vendor.found:
            self.close(vendor, "answered")
        elif not vendor.site_searched and (vendor.origin != "search" or vendor.sells_another):
            self._search_site(vendor)
        else:
            self.close(vendor, "failed")

    def start(self, vendor: VendorTry) -> None:
        """The first step with a vendor."""
        if vendor.is_known:
            self._ask_vendor(vendor)
        elif vendor.pages:
            self._read_pages(vendor, vendor.pages, else_stage="failed")
        else:
            self._search_site(vendor)

    def _after_addresses(self, vendor: VendorTry) -> None:
        """Read the vendor's pages that were found; if there are none, look for a sitemap in robots.txt."""
        if any(page_key(url) not in vendor.asked for url in vendor.pages):
            self._read_pages(vendor, vendor.pages, else_stage="failed")
        elif vendor.maps_read == 0 and vendor.url and vendor.reason != TIMEOUT:
            self._read_map(vendor, f"{vendor.url.split('/', 3)[0]}//{vendor.url.split('/', 3)[2]}/robots.txt")
        elif vendor.maps and vendor.maps_read < MAPS_OF_A_VENDOR:
            self._read_map(vendor, vendor.maps[0])
        else:
            self.close(vendor, "failed")

    def _read_map(self, vendor: VendorTry, url: str) -> None:
        command = self.commands.sitemap(vendor.host, url, phase2_of(self.editor.job).terms[vendor.term])
        vendor = vendor.changed(maps=vendor.maps[1:], maps_read=vendor.maps_read + 1)
        self._opened(vendor, "sitemap", {command.id: command.page_key}, "its sitemap")

    def _after_results(self, vendor: VendorTry) -> None:
        phase2 = phase2_of(self.editor.job)
        own = [product for product in phase2.products if product.vendor == vendor.host]
        terms = min(TERMS_OF_A_VENDOR, len(phase2.terms))
        if own and vendor.term == 0 and terms > 1 and len({product.name for product in own}) < LEAST_THINGS:
            self._ask_vendor(vendor.changed(term=len(phase2.terms) - 1))
        elif own:
            lacking = [p.url for p in own[:PAGES_OF_A_VENDOR] if is_incomplete(p) and p.url != vendor.url]
            pages = [url for url in lacking if url and is_page_of(url, vendor.host)]
            self._read_pages(vendor, pages, else_stage="answered" if priced(own) else "failed")
        elif vendor.reason == NO_PRODUCTS and vendor.term + 1 < terms:
            last = len(phase2.terms) - 1 if vendor.term + 2 == terms else vendor.term + 1
            self._ask_vendor(vendor.changed(term=last, reason=NO_REASON))
        elif not (vendor.site_searched or is_down(vendor)):
            self._search_site(vendor)
        else:
            self.close(vendor, "failed")

    def _ask_vendor(self, vendor: VendorTry) -> None:
        term = phase2_of(self.editor.job).terms[vendor.term]
        known = self.catalogue.match(vendor.host)
        url = known.search_url(term) if known else ""
        if not url:
            self._search_site(vendor)
            return
        command = self.commands.results(vendor.host, url, term)
        vendor = vendor.changed(url=url)
        self._opened(vendor, "search_page", {command.id: command.page_key}, f"“{term}”")

    def _search_site(self, vendor: VendorTry) -> None:
        phase2 = phase2_of(self.editor.job)
        command = self.commands.search(f"site:{vendor.host} {phase2.terms[vendor.term]}", results=5)
        set_phase2(self.editor, searches=phase2.searches + 1)
        vendor = vendor.changed(site_searched=True)
        text = f"its pages by a web search{f', for {vendor.reason}' if vendor.reason else ''}"
        self._opened(vendor, "site_search", {command.id: ""}, text)

    def _read_pages(self, vendor: VendorTry, pages: Sequence[str], *, else_stage: VendorStage) -> None:
        fresh = [url for url in dict.fromkeys(pages) if page_key(url) not in vendor.asked]
        if not fresh:
            self.close(vendor, else_stage)
            return
        query = phase2_of(self.editor.job).terms[vendor.term]
        made = [self.commands.product(vendor.host, url, query) for url in fresh]
        opened = {command.id: command.page_key for command in made}
        vendor = vendor.changed(asked=[*vendor.asked, *opened.values()])
        text = f"{len(fresh)} product page{'s' * (len(fresh) > 1)}"
        self._opened(vendor, "product_pages", opened, text)

    def read_anew(self, vendor: VendorTry, product: Product) -> None:
        """Fetch the page of an offer once more, because its price is hard to believe."""
        query = phase2_of(self.editor.job).terms[vendor.term]
        command = self.commands.product(vendor.host, product.url, query, anew=True)
        self._opened(
            vendor, "product_pages", {command.id: command.page_key}, "once more, its price is hard to believe"
        )

    def _opened(self, vendor: VendorTry, stage: VendorStage, opened: dict[str, str], text: str) -> None:
        """Record a vendor's open commands (page key by command id), with `text` for the timeline."""
        seconds = ROUND_S["search"] if stage == "site_search" else ROUND_S["visit"]
        until_ms = self.editor.now_ms + int(seconds * 1000)
        replace_vendor(self.editor, vendor.changed(stage=stage, open=opened, until_ms=until_ms))
        self.editor.note("vendor", f"{vendor.host} – {text}")

    def close(self, vendor: VendorTry, stage: VendorStage) -> None:
        """End the vendor as answered or failed; a failed one keeps the reason."""
        if stage == "answered":
            closed = vendor.changed(stage=stage, reason=NO_REASON, pages=[])
        else:
            own = [p for p in phase2_of(self.editor.job).products if p.vendor == vendor.host]
            reason = vendor.reason or (NO_PRICE if own else NO_PRODUCTS)
            closed = vendor.changed(stage="failed", reason=reason, pages=[])
        replace_vendor(self.editor, closed)
