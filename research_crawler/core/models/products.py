"""Products as a page offers them: every field with where it came from and how sure it is."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal, Self, Unpack

from pydantic import Field, PlainSerializer

from research_crawler.core.models.base import Frozen, replaced

if TYPE_CHECKING:
    from research_crawler.core.models.changes import ProductChanges

Availability = Literal["in_stock", "out_of_stock", "preorder", "backorder", "limited", "unknown"]
IS_IN_STOCK: Mapping[str, bool] = {"in_stock": True, "limited": True, "out_of_stock": False}
"""Whether something can be had at once, by its availability; nobody knows of the others."""
Condition = Literal["new", "used", "refurbished", "open_box", "unknown"]
Rung = Literal["json_ld", "microdata", "rdfa", "open_graph", "state", "dom", "url", "inferred", "model"]
"""What a field was read by, in the order of the ladder; `inferred` is concluded from other fields."""
Amount = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]
"""Exact here, a number in JSON."""


class PriceReading(Frozen):
    """An amount of money on a page."""

    text: str
    """As a reader sees it: "$799.99"."""
    amount: Amount
    currency: str = ""
    """ISO 4217 code, empty where neither text nor page say."""
    unit: str = ""
    """What it is the price of, where that is not one piece: "kg", "100 ml"."""

    def changed(self, *, currency: str) -> Self:
        """A copy with the given values."""
        return replaced(self, currency=currency)


class Provenance(Frozen):
    """Where a field's value was read."""

    rung: Rung
    path: str = ""
    """In the page: a JSON path, an element path, a parameter of the URL."""
    confidence: float = Field(default=0.0, ge=0, le=1)
    also: list[Rung] = Field(default_factory=list)
    """Other rungs that state the same: of the price."""


class FieldGap(Frozen):
    """A field that the page leaves open: what a model, or a second page, would have to settle."""

    field: str
    reason: Literal["missing", "contradictory", "unlikely"]
    candidates: list[str] = Field(default_factory=list)
    """The values in question, the likeliest first."""


class Offer(Frozen):
    """One of several offers of the same product on the same page: another seller, condition or variant."""

    price: PriceReading | None = None
    availability: Availability = "unknown"
    condition: Condition = "unknown"
    seller: str = ""
    variant: str = ""
    sku: str = ""
    url: str = ""

    def changed(self, *, price: PriceReading | None) -> Self:
        """A copy with the given values."""
        return replaced(self, price=price)


class Product(Frozen):
    """A product at a vendor. Empty fields are those that the page does not state."""

    name: str
    price: str = ""
    """The price as text: "$799.99"."""
    price_numeric: Amount | None = None
    currency: str = ""
    vendor: str = ""
    """The host, without `www.`: "amazon.com"."""
    url: str = ""
    in_stock: bool | None = None
    availability: Availability = "unknown"
    specs: dict[str, str] = Field(default_factory=dict)
    sku: str = ""
    brand: str = ""
    gtin: str = ""
    """8, 12, 13 or 14 digits with a right check digit."""
    mpn: str = ""
    condition: Condition = "unknown"
    variant: str = ""
    list_price: PriceReading | None = None
    """The price that is struck through."""
    unit_price: PriceReading | None = None
    member_price: PriceReading | None = None
    shipping: PriceReading | None = None
    sponsored: bool = False
    offers: list[Offer] = Field(default_factory=list)
    """All offers where there are several, this one's included."""
    confidence: float = Field(default=0.0, ge=0, le=1)
    provenance: dict[str, Provenance] = Field(default_factory=dict)
    """By field."""
    gaps: list[FieldGap] = Field(default_factory=list)

    def changed(self, **changes: "Unpack[ProductChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)


class WantedProducts(Frozen):
    """What is to be read of a page that sells."""

    query: str = ""
    """What was searched for, where the page is one of results; else the page is read for its own product."""
    asked_url: str = ""
    """Of the search: a shop that knows only one such product leads to its page."""
    language: str = ""
    """The page's language tag, where it is known better than the page says."""
    vendor: str = ""
    """The vendor's host, where it is not simply the page's."""
    currency: str = ""
    """Of prices that show no sign on a page that names no currency."""
    most: int = 20
    """Rows."""
