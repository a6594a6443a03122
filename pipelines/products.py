"""What a page sells: read from its bytes in a process of its own, never from a page that is blocked or missing."""

from collections.abc import Sequence
from typing import Final

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.commands import Command
from research_crawler.core.models.items import CommandItem
from research_crawler.core.models.pages import StoredPage
from research_crawler.core.models.products import Product, WantedProducts
from research_crawler.core.models.reasons import Reason

_MODEL_TIME_S = 30.0
"""Longest time for a model's reading of one product."""
NOTED: Final = 1
"""Products of a page that was visited for its text: the one it is about."""


class ProductsPipeline(ItemPipeline):
    """Fills `products` of vendors' pages, and of visited pages that are about a product."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `products`; a vendor's page that cannot be read fails, a visited one stays what it is."""
        item = reading.outcome
        wanted = wanted_of(item.command, item.page)
        if item.page is None or item.what != "ok" or wanted is None:
            return
        try:
            await reading.run(self._read(item, item.page, wanted))
            await reading.run(self._settle_gaps(reading, item.page))
        except PageUnreadable as error:
            if item.command.kind == "vendor":
                item.what, item.reason = "failed", error.reason
        finally:
            item.raw = b""  # the item may wait long for its settlement

    async def _read(self, item: CommandItem, page: StoredPage, wanted: WantedProducts) -> None:
        mine = self.services
        raw = item.raw or await mine.archive.raw_page(page.sha)
        if not raw:
            raise PageUnreadable(Reason.NOT_KEPT)
        headers = {"content-type": page.content_type}
        item.products = await mine.parse_pool.read_products(
            raw, url=page.final_url, headers=headers, wanted=wanted
        )

    async def _settle_gaps(self, reading: ItemReading, page: StoredPage) -> None:
        """Let a model read what the page of a product leaves open, where there is one."""
        item, mine = reading.outcome, self.services
        spec = item.command.vendor
        if mine.product_model is None or spec is None or spec.page != "product":
            return
        call = reading.call(_MODEL_TIME_S)
        try:
            item.products = await mine.product_model.settle(item.products, page, item.command.purpose, call)
        finally:
            item.usage = item.usage + call.usage


def wanted_of(command: Command, page: StoredPage | None) -> WantedProducts | None:
    """What the command wants to know of what its page sells; None: nothing."""
    spec = command.vendor
    if command.kind == "vendor" and spec is not None:
        return WantedProducts(
            query=spec.query if spec.page == "search" else "",
            asked_url=command.asked or command.url,
            vendor=spec.host,
            currency=spec.currency,
            most=spec.max_products,
        )
    if command.kind == "visit" and page is not None and page.page.kind == "product":
        return WantedProducts(most=NOTED)
    return None


def lighter(products: Sequence[Product]) -> list[Product]:
    """The same in less room: first without specs, then without other offers, then without places, then fewer."""
    if any(one.specs for one in products):
        return [one.changed(specs={}) for one in products]
    if any(one.offers for one in products):
        return [one.changed(offers=[]) for one in products]
    if any(one.provenance for one in products):
        return [one.changed(provenance={}) for one in products]
    return list(products[: len(products) * 3 // 4])
