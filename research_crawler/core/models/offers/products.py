"""Products on a page, each field with its source and its confidence."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from research_crawler.core.models.base import Frozen

Availability = Literal["in_stock", "out_of_stock", "preorder", "backorder", "limited", "unknown"]
IS_IN_STOCK: Mapping[str, bool] = {"in_stock": True, "limited": True, "out_of_stock": False}
"""Whether something can be had at once, by its availability; nobody knows of the others."""
Condition = Literal["new", "used", "refurbished", "open_box", "unknown"]
ExtractionSource = Literal[
    "json_ld", "microdata", "rdfa", "open_graph", "state", "dom", "url", "inferred", "model"
]
"""How a field was read, the most reliable way first; `inferred` means derived from other fields."""
Amount = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]
"""An exact amount, which becomes a number in JSON."""


class PriceReading(Frozen):
    """An amount of money on a page."""

    text: str
    """As the page shows it: "$799.99"."""
    amount: Amount
    currency: str = ""
    """ISO 4217 code; empty if neither the text nor the page has it."""
    unit: str = ""
    """The unit of the price if it is not one piece: "kg", "100 ml"."""


class Provenance(Frozen):
    """Where a field's value was read."""

    source: ExtractionSource = Field(alias="rung")
    path: str = ""
    """Place in the page: a JSON path, an element path, a parameter of the URL."""
    confidence: float = Field(default=0.0, ge=0, le=1)
    also: list[ExtractionSource] = Field(default_factory=list)
    """Other ways of reading that give the same value; for prices only."""


GapField = Literal["name", "price", "availability", "condition", "sku", "brand", "gtin", "mpn", "variant"]
"""A field of a product that a page may leave open or contradict."""


class FieldGap(Frozen):
    """A field that the page does not settle; a model or a second page may fill it."""

    field: GapField
    reason: Literal["missing", "contradictory", "unlikely"]
    candidates: list[str] = Field(default_factory=list)
    """Possible values, the likeliest first."""


class Offer(Frozen):
    """One of several offers of a product on one page: another seller, condition or variant."""

    price: PriceReading | None = None
    availability: Availability = "unknown"
    condition: Condition = "unknown"
    seller: str = ""
    variant: str = ""
    sku: str = ""
    url: str = ""


class Product(Frozen):
    """A product at a vendor. Fields that the page does not state are empty."""

    name: str
    price: str = ""
    """The price as text: "$799.99", "from $799.99"."""
    price_numeric: Amount | None = None
    """None for a product whose page shows no price: sold out, or shown to members only."""
    price_from: bool = False
    """Whether it is the lowest of several prices, for the cheapest variant or quantity."""
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
    """8, 12, 13 or 14 digits with a valid check digit."""
    mpn: str = ""
    condition: Condition = "unknown"
    variant: str = ""
    list_price: PriceReading | None = None
    """The struck-through price."""
    unit_price: PriceReading | None = None
    member_price: PriceReading | None = None
    shipping: PriceReading | None = None
    sponsored: bool = False
    offers: list[Offer] = Field(default_factory=list)
    """All offers if there are several, including this one."""
    confidence: float = Field(default=0.0, ge=0, le=1)
    provenance: dict[str, Provenance] = Field(default_factory=dict)
    """Field → where its value was read."""
    gaps: list[FieldGap] = Field(default_factory=list)


class WantedProducts(Frozen):
    """What to read from a page that sells products."""

    query: str = ""
    """The query, if the page is a results page; if empty, the page's own product is read."""
    asked_url: str = ""
    """URL of the search. A shop with a single match may redirect to the product's page."""
    language: str = ""
    """The page's language tag, if it is known from elsewhere."""
    vendor: str = ""
    """The vendor's host, if it is not the page's host."""
    currency: str = ""
    """Currency of prices without a sign on a page without a currency."""
    most: int = 20
    """Maximum number of products."""
