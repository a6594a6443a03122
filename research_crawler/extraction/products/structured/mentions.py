"""What one place of a page says of one product, before anything is weighed against other places."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import html

from research_crawler.core.models.products import Availability, Condition, Rung
from research_crawler.extraction.products.price.reader import Price

Item = dict[str, Any]
"""A schema.org object in JSON-LD's shape, whatever markup it was read from."""


STRUCTURED: frozenset[Rung] = frozenset(["json_ld", "microdata", "rdfa"])
"""Rungs that follow schema.org."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawItem:
    """An object as found, with the place it was found at."""

    rung: Rung
    path: str
    data: Item
    element: html.HtmlElement | None = None
    """Where it lies in the page, for markup in the body."""


@dataclass(slots=True, kw_only=True)
class Mention:
    """A product, or one offer of it, as one place of the page states it. Empty fields are not stated there."""

    rung: Rung
    path: str
    name: str = ""
    url: str = ""
    price: Price | None = None
    high_price: Price | None = None
    """Of a range; `price` is then the lowest."""
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
    """Named as related, similar, or an entry of a list: hardly what the page is about."""
    element: html.HtmlElement | None = None

    def every_offer(self) -> Iterator["Mention"]:
        """Its own offer and those below it."""
        yield self
        yield from self.offers
