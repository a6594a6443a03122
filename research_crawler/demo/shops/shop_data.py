"""The shops of the demo web as data: articles, shops and offers, and the score of a reading of an offer."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Literal, TypedDict
from urllib.parse import quote_plus

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.offers.products import Availability, Condition, Product
from research_crawler.core.web.urls import canonical_url
from research_crawler.demo.content import SITE, Page
from research_crawler.demo.shops.shop_words import words_for

FIELDS = ("price", "currency", "availability", "condition")
"""The fields by which a reading of an offer is scored."""
_TERMS = (
    "Delivery within two working days where the item is in stock. Returns are accepted for thirty days in the original"
    " packing. Prices are those of today and may change tomorrow. Customers also viewed other things of this kind, and"
    " some of them bought one. Subscribe to our letter for offers, opening hours and the occasional apology. Gift"
    " cards, instalments and collection from the store are explained on the help pages, together with the terms of"
    " sale, the guarantee, and what becomes of your old appliance when we bring the new one."
)
"""The text that every shop shows below every product."""
Style = Literal["json_ld", "microdata", "plain", "next", "nuxt", "script", "tangled"]
Behaviour = Literal["plain", "captcha", "unavailable"]


class Article(Frozen):
    """An article that one or more shops sell."""

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


class ShopChanges(TypedDict, total=False):
    """What may change in the shops while they are served: one offer, one shop, or all as they were."""

    sku: str
    """The offer of which `price`, `availability` and `flicker` are said."""
    price: str
    availability: Availability
    flicker: str
    """A price that is shown once."""
    shop: str
    """A shop that shows a CAPTCHA instead of its pages."""
    blocked: bool
    """False: the shop shows its pages again."""
    reset: bool


class ShopOffer(Frozen):
    """One product page of a shop. The page does not show fields that are None."""

    article: str
    sku: str
    price: Decimal
    availability: Availability = "in_stock"
    condition: Condition = "new"
    list_price: Decimal | None = None
    member_price: Decimal | None = None
    unit_price: tuple[Decimal, str] | None = None
    """The amount and its unit: (2.28, "100 g")."""
    shipping: Decimal | None = None
    """The shipping costs; 0 is shown as free."""
    variants: dict[str, Decimal] = Field(default_factory=dict)
    stale_price: Decimal | None = None
    """An outdated price that the page's structured data still states."""
    stale_availability: Availability | None = None
    sponsored: bool = False
    """Whether the offer is shown first among results, marked as sponsored."""


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
    """The robots.txt; `{base}` is the shop's base URL in this run."""
    offers: tuple[ShopOffer, ...]


class Purchase(Frozen):
    """A purchase that a user may ask advice on, and what the rest of the demo web says about it."""

    id: str
    goal: str
    region: str
    currency: str
    forum: tuple[str, ...]
    """Forum threads about it, as `host:/path`."""
    reviews: tuple[str, ...]
    """Product tests that agree with the forum."""
    recommended: tuple[str, ...]
    """The recommended articles, the first choice first."""
    warned: tuple[str, ...]
    price_range: tuple[Decimal, Decimal]
    """The price range of the first choice."""
    vendors: tuple[str, ...]
    """The shops that the pages name."""


class PlantedOffer(Frozen):
    """The true facts of one product page, which a crawler should find."""

    shop: str
    url: str
    name: str
    sku: str
    price: Decimal
    currency: str
    availability: Availability
    condition: Condition
    offer: ShopOffer


class OfferScore(Frozen):
    """The score of a reading of a product page."""

    sku: str
    found: bool
    wrong: tuple[str, ...] = ()
    """The fields (of FIELDS) that are wrong."""


@cache
def read_shops() -> tuple[dict[str, Article], dict[str, Shop]]:
    """The articles and the shops, by key."""
    tables = tomllib.loads((SITE / "shops.toml").read_text("utf-8"))
    articles = {key: Article.model_validate(table) for key, table in tables["articles"].items()}
    shops = {key: Shop.model_validate({"key": key, **table}) for key, table in tables["shops"].items()}
    return articles, shops


@cache
def read_purchases() -> tuple[Purchase, ...]:
    """The purchases that the demo web gives advice on."""
    tables = tomllib.loads((SITE / "shops.toml").read_text("utf-8"))
    return tuple(Purchase.model_validate(table) for table in tables["purchases"])


def product_path(offer: ShopOffer) -> str:
    """The path of an offer's page, made of the article's name and the offer's number."""
    name = read_shops()[0][offer.article].name
    return f"/p/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}/{offer.sku}"


def title_of(shop: Shop, offer: ShopOffer) -> str:
    """The product's name as its shop writes it, with the condition (except in the style `tangled`)."""
    name = read_shops()[0][offer.article].name
    condition = words_for(shop.locale).conditions.get(offer.condition)
    return f"{name} ({condition})" if condition and shop.style != "tangled" else name


def planted_offers(hosts: Mapping[str, str]) -> list[PlantedOffer]:
    """All offers with their URLs in this run (`LocalWeb.hosts`), including those behind walls."""
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
    """Compare the reading of a product page, or of its row in a list, with the true facts."""
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
    """A `vendors.toml` with these shops only, for a run that must not leave this machine."""
    _, shops = read_shops()
    return "packaged = false\n" + "".join(map(_entry, shops.values(), (hosts[key] for key in shops)))


def pages_for_search() -> Iterable[Page]:
    """The offers as pages for the index of the demo web's search engine."""
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
