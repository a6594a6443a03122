"""Phase 2: the vendors that a job asks, their offers, and the recommendation."""

from typing import Literal

from pydantic import AliasChoices, Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reasons import StepOutcome
from research_crawler.core.models.why import NO_REASON, Why

VendorOrigin = Literal["hint", "search", "known"]
VendorStage = Literal[
    "waiting", "search_page", "site_search", "sitemap", "product_pages", "answered", "failed", "not_asked"
]
"""`not_asked` is the last stage of a vendor that was not needed: enough others answered, or time was up."""
LookupKind = Literal["buy", "hint"]
CheckState = Literal["verified", "violated", "unknown"]
RequirementKind = Literal["price", "brand", "spec", "colour", "condition", "availability"]


class VendorTry(Frozen):
    """A vendor that phase 2 asks or may ask, and the progress with it."""

    host: str
    """Without `www.`: "amazon.com"."""
    origin: VendorOrigin
    stage: VendorStage = "waiting"
    open: dict[str, str] = Field(default_factory=dict)
    """Commands without an event yet: {id: key of the page, or "" for a search}."""
    until_ms: int = 0
    """When to look next whether the open commands have used up their time."""
    term: int = 0
    """Position of the search term in use."""
    url: str = ""
    """The page that was requested last."""
    pages: list[str] = Field(default_factory=list)
    """Product pages that a web search found."""
    asked: list[str] = Field(default_factory=list)
    """Keys of the product pages that were requested."""
    is_known: bool = False
    """It is in the catalogue, so its search page is known."""
    site_searched: bool = False
    sells_another: bool = False
    """The page that was read last has products, but not what is asked for."""
    maps: list[str] = Field(default_factory=list)
    """Sitemaps listed in its robots.txt or in another sitemap."""
    maps_read: int = 0
    """How many of these files were requested, including robots.txt."""
    reason: Why = NO_REASON
    """Why it had no products, the first failure first."""
    found: int = 0
    """Number of products found there."""


class Lookup(Frozen):
    """A web search of phase 2 for vendors: for shops that sell the product, or for the vendor of a hint."""

    kind: LookupKind
    command: str
    query: str
    hint: str = ""
    until_ms: int = 0
    outcome: StepOutcome = Field("", alias="what")
    """Empty while it runs."""
    reason: Why = NO_REASON
    results: int = 0


class Phase2(Wire):
    """The record of phase 2 while it runs and afterwards."""

    started_ms: int = 0
    spent_ms: int = 0
    """Work of phase 2, as `PlanningState.spent_ms` is that of phase 1."""
    finished_ms: int = 0
    round: int = 0
    """Grows whenever commands are sent. The number of its timer is FIRST_ROUND + round."""
    terms: list[str] = Field(default_factory=list)
    """Search terms for vendors' pages, the best first."""
    lookups: list[Lookup] = Field(default_factory=list)
    unmatched: list[str] = Field(default_factory=list)
    """Hints that are not in the catalogue and not looked up yet."""
    vendors: list[VendorTry] = Field(default_factory=list)
    """In the order in which they are asked."""
    looked_up: bool = False
    """Whether the searches for vendors were sent."""
    known_added: bool = False
    products: list[Product] = Field(default_factory=list)
    rechecks: dict[str, bool] = Field(default_factory=dict)
    """By the key of its page: whether a second fetch of an offer showed the same price, which was hard to believe."""
    searches: int = 0
    ended: str = ""
    """Why it ended (`planner.offers.vendor_rounds.Ending`); records of earlier releases have other words too."""


class Requirement(Frozen):
    """A property that the goal requires of a product."""

    kind: RequirementKind
    text: str
    """In the goal's words: "under $1000", "RTX 4060"."""
    least: float | None = None
    most: float | None = None
    currency: str = ""


class Check(Frozen):
    """A requirement of the goal, checked for a product."""

    requirement: str = Field(validation_alias=AliasChoices("requirement", "wish"))
    """In the goal's words. Reports of earlier releases call this field `wish`."""
    kind: RequirementKind
    state: CheckState
    evidence: str = ""
    """What the vendor's page says about it."""


class OfferView(Frozen):
    """A product as the recommender reads it: `P1` is the first, and so on."""

    product: Product
    checks: list[Check] = Field(default_factory=list)
    score: float = 0.0
    """Its score in the ranking without a model."""
    named: list[int] = Field(default_factory=list)
    """Positions of findings that name the product."""
    warned: list[int] = Field(default_factory=list)
    """Positions of findings that warn against it."""
    named_before: str = ""
    """Its name in §2 of the caller's context, if it stands there."""
    specs_before: list[str] = Field(default_factory=list)
    """The specs of §2 of the caller's context that its vendor's page confirms."""
    comparable: float | None = None
    """Its price in the job's currency, converted if necessary."""
    converted: bool = False
    doubtful: bool = False
    """Its price is hard to believe, and no second fetch has shown it again."""


class Alternative(Frozen):
    """Another product worth considering, and the reason."""

    name: str
    vendor: str
    url: str
    price: str = ""
    why: str = ""


class Phase2Result(Frozen):
    """The result of phase 2."""

    success: bool
    """At least one product with a price."""
    products: list[Product] = Field(default_factory=list)
    recommendation: str = ""
    """Which product is best and why, with the citations of the report."""
    price_assessment: str = ""
    """Whether prices are good compared with what phase 1 found."""
    vendors_visited: list[str] = Field(default_factory=list)
    """Hosts whose products are compared."""
    vendors_failed: list[str] = Field(default_factory=list)
    """ "bestbuy.com: robots": host and reason."""
    elapsed_seconds: float = 0.0
    recommended: Product | None = None
    constraints: list[Check] = Field(default_factory=list)
    """The goal's requirements, checked for the recommended product."""
    alternatives: list[Alternative] = Field(default_factory=list)
    region: str = ""
    currency: str = ""
    search_terms: list[str] = Field(default_factory=list)
