"""Writes facts of a product that only the page's structured data has below its text, for quotes: `Price: 450 GBP`.

Many shops draw the price, the stock and the article number beside the text, or only name them in structured data. What
readers of the main text never see is written below it, under a heading with the product's name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from research_crawler.core.models.offers.products import Availability, Product
from research_crawler.core.models.web.pages import OFFER_CONDITION, OFFER_CURRENCY, OFFER_PRICE, PageKind
from research_crawler.core.text.plain_text import cleaned
from research_crawler.extraction.products.price.prose import named_prices
from research_crawler.extraction.products.product_reader import read_products

HEADING: Final = "Product data"
_MARKS: Final = ("pricecurrency", "product:price", "og:price")
_MARKED: Final = re.compile(r"itemprop=[\"']?price\b")
"""With `_MARKS`: what pages with a price for machines have. A page of another kind is read as a shop's only if it has
this."""
_STRUCTURED: Final = frozenset({"json_ld", "microdata", "rdfa", "open_graph"})
_LEAST_SURE: Final = 0.5
"""Where a price is read with less confidence, no facts are written below the text."""
_MOST_CHARS: Final = 160
"""Longest fact below the text."""
_STOCK: Final[dict[Availability, str]] = {
    "in_stock": "in stock", "limited": "in stock, few left", "out_of_stock": "out of stock",
    "preorder": "preorder", "backorder": "backorder",
}  # fmt: skip


@dataclass(frozen=True)
class StatedProduct:
    """What is written below a page's text, and what its metadata gets."""

    markdown: str = ""
    metadata: dict[str, str] = field(default_factory=dict)


def stated_product(html_text: str, *, url: str, language: str, kind: PageKind, shown: str) -> StatedProduct:
    """The product of a page that sells one; empty for all other pages.

    Args:
        html_text: the decoded page.
        url: the final URL.
        language: the page's language tag.
        kind: what the main text says of the page's kind.
        shown: the main text as Markdown.
    """
    is_shop = kind == "product"
    if not is_shop and not _states_price(html_text.lower()):
        return StatedProduct()
    found = read_products(html_text, url=url, language=language)
    if len(found) != 1:
        return StatedProduct()
    product = cleaned(found[0])
    if not _is_sure(product, needs_data=not is_shop):
        return StatedProduct()
    lines = [f"- {label}: {value}" for label, value in _missing(product, shown)]
    heading = f"## {HEADING}: {_line(product.name)}"
    metadata = {}
    if product.price_numeric is not None:
        metadata = {OFFER_PRICE: str(product.price_numeric), OFFER_CURRENCY: product.currency}
    if metadata and product.condition != "unknown":
        metadata[OFFER_CONDITION] = product.condition
    return StatedProduct("\n".join([heading, "", *lines]) if lines else "", metadata)


def _states_price(low: str) -> bool:
    return any(mark in low for mark in _MARKS) or ("itemprop" in low and _MARKED.search(low) is not None)


def _is_sure(product: Product, *, needs_data: bool) -> bool:
    provenance = product.provenance.get("price")
    if provenance is None:
        return not needs_data
    is_stated = provenance.source in _STRUCTURED and bool(product.currency)
    return provenance.confidence >= _LEAST_SURE and (is_stated or not needs_data)


def _missing(product: Product, shown: str) -> Iterator[tuple[str, str]]:
    """Label and value of the prices that the text does not have, and of what it seldom has with a label."""
    amounts = {price.low.amount for price in named_prices(shown) if price.has_mark}
    if product.price_numeric is not None and product.currency and product.price_numeric not in amounts:
        yield (
            "Price",
            _price(product.price, product.price_numeric, product.currency, is_least=product.price_from),
        )
    listed = product.list_price
    if listed and listed.amount not in amounts:
        yield "Original price", _price(listed.text, listed.amount, listed.currency or product.currency)
    if product.availability in _STOCK:
        yield "Availability", _STOCK[product.availability]
    for denied in _denied_stock(product):
        yield "Availability", f"{_STOCK[denied]} (elsewhere on the page)"
    for label, value in (("Brand", product.brand), ("SKU", product.sku), ("GTIN", product.gtin)):
        if value and not (label == "GTIN" and value == product.sku):
            yield label, _line(value)


def _denied_stock(product: Product) -> Iterator[Availability]:
    """What another part of the page says of the stock: its data "in stock", its text "out of stock"."""
    for gap in product.gaps:
        if gap.field == "availability" and gap.reason == "contradictory":
            yield from (said for said in _STOCK if said in gap.candidates and said != product.availability)


def _price(text: str, amount: Decimal, currency: str, *, is_least: bool = False) -> str:
    """The price as the page shows it, if that says which currency is meant; else amount and code."""
    if any(price.has_mark and price.low.amount == amount for price in named_prices(text)):
        return _line(text)
    whole = (
        amount.quantize(Decimal("0.01"))
        if amount != amount.to_integral_value()
        else amount.to_integral_value()
    )
    return f"{'from ' if is_least else ''}{whole} {currency}".strip()


def _line(text: str) -> str:
    return " ".join(text.split())[:_MOST_CHARS]
