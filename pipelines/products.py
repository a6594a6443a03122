"""Reads the products of a page from its bytes, in a separate process; blocked and missing pages are skipped."""

from collections.abc import Sequence
from typing import Final, assert_never

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.messages.commands import (
    Command,
    ProjectRequest,
    SearchCommand,
    SectionCommand,
    VendorCommand,
    VisitCommand,
)
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.offers.products import Product, WantedProducts
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import StoredPage

_MODEL_TIME_S = 30.0
"""Longest time that a model may take to read one product."""
_PRODUCTS_OF_A_VISIT: Final = 1
"""How many products are read from a page that was visited for its text: only the one that it is about."""


class ProductsPipeline(ItemPipeline):
    """Fills `products` of vendors' pages, and of visited pages that are about a product."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `products`; if the page cannot be read, a vendor's command fails and a visit stays as it is."""
        item = reading.outcome
        wanted = wanted_of(item.command, item.page)
        if item.page is None or item.outcome != "ok" or wanted is None:
            return
        try:
            await reading.run(self._read(item, item.page, wanted))
            await reading.run(self._settle_gaps(reading, item.page))
        except PageUnreadable as error:
            if isinstance(item.command, VendorCommand):
                item.outcome, item.reason = "failed", error.reason
        finally:
            item.raw = b""  # frees the memory: the item may wait long for its settlement

    async def _read(self, item: CommandItem, page: StoredPage, wanted: WantedProducts) -> None:
        services = self.services
        raw = item.raw or await services.archive.raw_page(page.sha)
        if not raw:
            raise PageUnreadable(Reason.NOT_KEPT)
        headers = {"content-type": page.content_type}
        item.products = await services.parse_pool.read_products(
            raw, url=page.final_url, headers=headers, wanted=wanted
        )

    async def _settle_gaps(self, reading: ItemReading, page: StoredPage) -> None:
        """Let a model, if one is configured, read the fields that a product's page leaves open."""
        item = reading.outcome
        command = item.command
        if not isinstance(command, VendorCommand) or command.vendor.page != "product":
            return
        readers = await self.services.readers_for(command.job_context.model if command.job_context else "")
        if (model := readers.product_model) is None:
            return
        call = reading.call(_MODEL_TIME_S)
        try:
            item.products = await model.settle(item.products, page, command.job_context, call)
        finally:
            item.usage = item.usage + call.usage


def wanted_of(command: Command, page: StoredPage | None) -> WantedProducts | None:
    """Which products the command wants from its page; None if it wants none."""
    match command:
        case VendorCommand(vendor=spec):
            return WantedProducts(
                query=spec.query if spec.page == "search" else "",
                asked_url=command.first_url,
                vendor=spec.host,
                currency=spec.currency,
                most=spec.max_products,
            )
        case VisitCommand() if page is not None and page.page.kind == "product":
            return WantedProducts(most=_PRODUCTS_OF_A_VISIT)
        case VisitCommand() | SearchCommand() | SectionCommand() | ProjectRequest():
            return None
        case _ as unknown:
            assert_never(unknown)


def lighter(products: Sequence[Product]) -> list[Product]:
    """The products in less space: each call drops their specs, else their other offers, else their provenance.

    If they have none of these, the last quarter of the products is dropped.
    """
    if any(product.specs for product in products):
        return [product.changed(specs={}) for product in products]
    if any(product.offers for product in products):
        return [product.changed(offers=[]) for product in products]
    if any(product.provenance for product in products):
        return [product.changed(provenance={}) for product in products]
    return list(products[: len(products) * 3 // 4])
