"""A mention: what one source on a page states about one product, before the sources are compared."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import html

from research_crawler.core.models.offers.products import Availability, Condition, ExtractionSource
from research_crawler.extraction.products.price.reader import Price

Item = dict[str, Any]
"""A schema.org object in the shape of JSON-LD, whatever markup it was read from."""


MAX_PRODUCT_NAME = 400
"""Longest name of a product that a page is read for; an event keeps less of it (`event_products.py`)."""
STRUCTURED: frozenset[ExtractionSource] = frozenset(["json_ld", "microdata", "rdfa"])
"""The sources that follow schema.org."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawItem:
    """A schema.org object with its path in the page."""

    source: ExtractionSource
    path: str
    data: Item
    element: html.HtmlElement | None = None
    """The element that holds it, for markup in the body."""


@dataclass(slots=True, kw_only=True)
class Mention:
    """A product, or one offer of it, as one source on the page states it. Unstated fields are empty."""

    source: ExtractionSource
    path: str
    name: str = ""
    url: str = ""
    price: Price | None = None
    high_price: Price | None = None
    """The highest price of a range; `price` is then the lowest."""
    list_price: Price | None = None
    member_price: Price | None = None
    unit_price: Price | None = None
    unit: str = ""
    shipping: Price | None = None
    availability: Availability = "unknown"
    condition: Condition = "unknown"
    sku: str = ""
    mpn: str = ""
    gtin: str = ""
    brand: str = ""
    seller: str = ""
    variant: str = ""
    specs: dict[str, str] = field(default_factory=dict)
    offers: list["Mention"] = field(default_factory=list)
    variants: list["Mention"] = field(default_factory=list)
    is_side: bool = False
    """Whether it is named as related, similar or a list entry, so that the page is hardly about it."""
    is_for_several: bool = False
    """Whether an offer holds only for more than one piece."""
    is_goods: bool = True
    """Whether it is a thing. Services, software and events are for sale only if they have a price."""
    element: html.HtmlElement | None = None

    def every_offer(self) -> Iterator["Mention"]:
        """The mention itself and its offers."""
        yield self
        yield from self.offers
