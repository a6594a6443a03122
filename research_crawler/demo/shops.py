"""The shops of the demo web as data: what exists, who sells it for how much, and how a reading of it is scored."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Literal, Self, TypedDict, Unpack
from urllib.parse import quote_plus

from pydantic import Field

from research_crawler.core.models.base import Frozen, replaced
from research_crawler.core.models.products import Availability, Condition, Product
from research_crawler.core.urls import canonical_url
from research_crawler.demo.content import SITE, Page
from research_crawler.demo.shop_words import words_for

FIELDS = ("price", "currency", "availability", "condition")
"""What a planted offer is scored by."""
_TERMS = (
    "Delivery within two working days where the item is in stock. Returns are accepted for thirty days in the original"
    " packing. Prices are those of today and may change tomorrow. Customers also viewed other things of this kind, and"
    " some of them bought one. Subscribe to our letter for offers, opening hours and the occasional apology. Gift"
    " cards, instalments and collection from the store are explained on the help pages, together with the terms of"
    " sale, the guarantee, and what becomes of your old appliance when we bring the new one."
)
"""What every shop says below every product."""
Style = Literal["json_ld", "microdata", "plain", "next", "nuxt", "script", "tangled"]
Behaviour = Literal["plain", "captcha", "unavailable"]


class Article(Frozen):
    """Something that exists, whoever sells it."""

    name: str
    brand: str
    mpn: str
    gtin: str
    words: str
    specs: dict[str, str]


class ShopOfferChanges(TypedDict, total=False):
    """What may change of an offer while it is served."""

    price: Decimal
    availability: Availability


class ShopOffer(Frozen):
    """One product page of a shop. Absent extras are those that the page does not show."""

    article: str
    sku: str
    price: Decimal
    availability: Availability = "in_stock"
    condition: Condition = "new"
    list_price: Decimal | None = None
    member_price: Decimal | None = None
    unit_price: tuple[Decimal, str] | None = None
    """Amount and what it buys: (2.28, "100 g")."""
    shipping: Decimal | None = None
    """0 is shown as free."""
    variants: dict[str, Decimal] = Field(default_factory=dict)
    stale_price: Decimal | None = None
    """What the page's data for machines still says."""
    stale_availability: Availability | None = None
    sponsored: bool = False
    """Stands first among the results, marked."""

    def changed(self, **changes: Unpack[ShopOfferChanges]) -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)


class Shop(Frozen):
    """A shop and its offers."""

    key: str
    ip: str
    name: str
    tagline: str = ""
    style: Style
    behaviour: Behaviour = "plain"
    search: str
    aliases: tuple[str, ...] = ()
    country: str
    currency: str
    locale: str
    robots: str = "User-agent: *\nAllow: /\nDisallow: /cart\n"
    """`{base}` is the shop's address in this run."""
    offers: tuple[ShopOffer, ...]


class Purchase(Frozen):
    """Something that somebody might want to buy, and what the rest of the demo web says of it."""

    id: str
    goal: str
    region: str
    currency: str
    forum: tuple[str, ...]
    """Threads, `host:/path`."""
    reviews: tuple[str, ...]
    """Tests that agree with the forum."""
    recommended: tuple[str, ...]
    """Articles, the first choice of all first."""
    warned: tuple[str, ...]
    price_range: tuple[Decimal, Decimal]
    """What the first choice should cost."""
    vendors: tuple[str, ...]
    """Shops that the pages name."""


class PlantedOffer(Frozen):
    """What is true of one product page: what a crawler should say of it."""

    shop: str
    url: str
    name: str
    sku: str
    price: Decimal
    currency: str
    availability: Availability
    condition: Condition
    offer: ShopOffer

    def changed(self, *, offer: ShopOffer, price: Decimal, availability: Availability) -> Self:
        """A copy with the given values."""
        return replaced(self, offer=offer, price=price, availability=availability)


class OfferScore(Frozen):
    """How a reading of a product page did, field by field."""

    sku: str
    found: bool
    wrong: tuple[str, ...] = ()
    """Fields of FIELDS that are not as planted."""


@cache
def read_shops() -> tuple[dict[str, Article], dict[str, Shop]]:
    """Articles and shops by their keys."""
    tables = tomllib.loads((SITE / "shops.toml").read_text("utf-8"))
    articles = {key: Article.model_validate(table) for key, table in tables["articles"].items()}
    shops = {key: Shop.model_validate({"key": key, **table}) for key, table in tables["shops"].items()}
    return articles, shops


@cache
def read_purchases() -> tuple[Purchase, ...]:
    """What can be bought with advice."""
    tables = tomllib.loads((SITE / "shops.toml").read_text("utf-8"))
    return tuple(Purchase.model_validate(table) for table in tables["purchases"])


def product_path(offer: ShopOffer) -> str:
    """The path of an offer's page: words of its name, and its article number."""
    name = read_shops()[0][offer.article].name
    return f"/p/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}/{offer.sku}"


def title_of(shop: Shop, offer: ShopOffer) -> str:
    """The product's name as its shop writes it; a tangled shop does not say the condition in it."""
    name = read_shops()[0][offer.article].name
    said = words_for(shop.locale).conditions.get(offer.condition)
    return f"{name} ({said})" if said and shop.style != "tangled" else name


def planted_offers(hosts: Mapping[str, str]) -> list[PlantedOffer]:
    """Every offer with its address in this run (`LocalWeb.hosts`), those behind walls included."""
    _, shops = read_shops()
    return [
        PlantedOffer(
            shop=shop.key,
            url=canonical_url(hosts[shop.key] + product_path(offer)),
            name=title_of(shop, offer),
            sku=offer.sku,
            price=offer.price,
            currency=shop.currency,
            availability=offer.availability,
            condition=offer.condition,
            offer=offer,
        )
        for shop in shops.values()
        for offer in shop.offers
    ]


def score_offer(planted: PlantedOffer, product: Product | None) -> OfferScore:
    """Compare what was read of a product page, or of its row in a list, with what is true."""
    if product is None:
        return OfferScore(sku=planted.sku, found=False)
    read = {
        "price": product.price_numeric,
        "currency": product.currency,
        "availability": product.availability,
        "condition": "new" if product.condition == "unknown" else product.condition,
    }
    wrong = tuple(name for name in FIELDS if read[name] != getattr(planted, name))
    return OfferScore(sku=planted.sku, found=True, wrong=wrong)


def vendors_toml(hosts: Mapping[str, str]) -> str:
    """A `vendors.toml` that knows these shops and no other: for a run that must not leave this machine."""
    _, shops = read_shops()
    return "packaged = false\n" + "".join(map(_entry, shops.values(), (hosts[key] for key in shops)))


def pages_for_search() -> Iterable[Page]:
    """The offers as the search engine of the demo web knows them."""
    articles, shops = read_shops()
    for shop in shops.values():
        for offer in shop.offers:
            article = articles[offer.article]
            title = f"{title_of(shop, offer)} – buy at {shop.name}"
            specs = " ".join(f"{name}: {value}." for name, value in article.specs.items())
            yield Page(
                host=shop.key,
                path=product_path(offer),
                title=title,
                body=f"{article.words} {specs} {_TERMS}",
            )


def search_url(shop: Shop, base: str, query: str) -> str:
    """The shop's search page for a query."""
    return base + shop.search.replace("{query}", quote_plus(query))


def _entry(shop: Shop, base: str) -> str:
    aliases = ", ".join(f'"{alias}"' for alias in shop.aliases)
    return (
        f'\n[[vendor]]\nname = "{shop.name}"\nhost = "{shop.ip}"\nsearch = "{base}{shop.search}"\n'
        f'aliases = [{aliases}]\ncountry = "{shop.country}"\ncurrency = "{shop.currency}"\n'
    )
