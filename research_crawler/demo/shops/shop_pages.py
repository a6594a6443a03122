"""Renders the pages of shops: product pages and lists of results, in the style and language of each shop."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from research_crawler.core.models.offers.products import Availability, Condition
from research_crawler.demo.content import SITE
from research_crawler.demo.shops.shop_data import Shop, ShopOffer, product_path, read_shops, title_of
from research_crawler.demo.shops.shop_words import Words, money, words_for

_AVAILABILITY: Final[dict[Availability, str]] = {
    "in_stock": "InStock",
    "out_of_stock": "OutOfStock",
    "limited": "LimitedAvailability",
    "preorder": "PreOrder",
    "backorder": "BackOrder",
}
_CONDITION: Final[dict[Condition, str]] = {
    "new": "NewCondition",
    "open_box": "OpenBox",
    "refurbished": "RefurbishedCondition",
    "used": "UsedCondition",
}
_OTHERS: Final = 4
"""The number of other products below a product."""


class ShopPages:
    """Renders the pages of all shops, with the URLs that they have in this run."""

    def __init__(self) -> None:
        self._jinja = Environment(
            loader=FileSystemLoader(SITE / "_templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
        )

    def product(self, shop: Shop, base: str, offer: ShopOffer, others: Sequence[ShopOffer]) -> str:
        """The page of one offer."""
        product = product_context(shop, base, offer)
        rows = [product_context(shop, base, other) for other in others if other is not offer][:_OTHERS]
        state = {"product": _state(shop, offer, product)}
        return self._render(
            shop, base, product=product, others=rows, rows=[], query="", state=_wrapped(shop, state)
        )

    def results(self, shop: Shop, base: str, query: str, offers: Sequence[ShopOffer]) -> str:
        """The shop's search page."""
        rows = [product_context(shop, base, offer) for offer in offers]
        found = [_state(shop, offer, row) for offer, row in zip(offers, rows, strict=True)]
        state = _wrapped(shop, {"search": {"query": query, "hits": found}})
        return self._render(shop, base, product=None, others=[], rows=rows, query=query, state=state)

    def _render(self, shop: Shop, base: str, *, product: dict[str, Any] | None, **values: Any) -> str:
        words = words_for(shop.locale)
        json_ld = _json_ld(shop, product) if product else None
        return self._jinja.get_template(f"shop_{shop.style}.html").render(
            shop=_frame(shop),
            base=base,
            lang=shop.locale if shop.country != "US" else words.lang,
            t=words.labels,
            product=product,
            json_ld=json_ld,
            **values,
        )


def product_context(shop: Shop, base: str, offer: ShopOffer) -> dict[str, Any]:
    """The template variables of an offer, in the words of its shop."""
    article, words = read_shops()[0][offer.article], words_for(shop.locale)
    price = money(offer.price, shop.locale)
    dollars, _, cents = price.strip("$").partition(".")
    return {
        "name": title_of(shop, offer),
        "brand": article.brand,
        "sku": offer.sku,
        "gtin": article.gtin,
        "mpn": article.mpn,
        "words": article.words,
        "specs": article.specs,
        "url": base + product_path(offer),
        "price": price,
        "amount": f"{offer.price:f}",
        "currency": shop.currency,
        "sign": "$",
        "whole": dollars,
        "cents": cents,
        "list_price": _optional(offer.list_price, shop),
        "member_price": _optional(offer.member_price, shop),
        "unit_price": _unit_price(offer, shop),
        "shipping": _shipping(offer, shop, words),
        "availability": words.availability[offer.availability],
        "schema_availability": _AVAILABILITY[offer.availability],
        "condition": words.conditions.get(offer.condition, "New" if words.lang == "en" else "Neu"),
        "condition_shown": offer.condition != "new",
        "schema_condition": _CONDITION[offer.condition],
        "can_buy": offer.availability != "out_of_stock",
        "sponsored": offer.sponsored,
        "saving": _optional(offer.list_price and offer.list_price - offer.price, shop),
        "monthly": money((offer.price / 12).quantize(Decimal("0.01")), shop.locale),
        "trade_in": money(Decimal(120), shop.locale),
        "warranty": money(Decimal("49.99"), shop.locale),
        "bundle": money(offer.price + Decimal("79.90"), shop.locale),
        "stale_amount": f"{offer.stale_price or offer.price:f}",
        "stale_availability": _AVAILABILITY[offer.stale_availability or offer.availability],
        "variants": [{"name": name} for name in offer.variants] or [{"name": "Standard"}],
    }


def _frame(shop: Shop) -> dict[str, Any]:
    """The template variables that all pages of a shop need: its name, its search form, other amounts."""
    path, _, arguments = shop.search.partition("?")
    return {
        "name": shop.name,
        "tagline": shop.tagline,
        "currency": shop.currency,
        "form_action": path.replace("{query}/", ""),
        "form_field": arguments.partition("=")[0] or "q",
        "zero": money(Decimal(0), shop.locale),
        "threshold": money(Decimal(50), shop.locale),
    }


def _json_ld(shop: Shop, product: dict[str, Any]) -> dict[str, Any]:
    """The JSON-LD of a product page. Shops of the style `tangled` do not state the condition in it."""
    condition = {"itemCondition": f"https://schema.org/{product['schema_condition']}"}
    return {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": product["name"],
        "sku": product["sku"],
        "gtin13": product["gtin"],
        "mpn": product["mpn"],
        "brand": {"@type": "Brand", "name": product["brand"]},
        "description": product["words"],
        "offers": {
            "@type": "Offer",
            "url": product["url"],
            "price": product["stale_amount"],
            "priceCurrency": shop.currency,
            "availability": f"https://schema.org/{product['stale_availability']}",
            **(condition if shop.style != "tangled" else {}),
        },
    }


def _state(shop: Shop, offer: ShopOffer, product: dict[str, Any]) -> dict[str, Any]:
    """An offer as the state of a shop's scripts."""
    variants = [{"capacity": name, "price": float(price)} for name, price in offer.variants.items()]
    return {
        "id": product["sku"],
        "sku": product["sku"],
        "name": product["name"],
        "brand": product["brand"],
        "ean": product["gtin"],
        "path": product_path(offer),
        "price": {"value": float(offer.price), "currency": shop.currency},
        "availability": product["schema_availability"],
        "options": variants,
    }


def _wrapped(shop: Shop, state: dict[str, Any]) -> dict[str, Any]:
    if shop.style != "next":
        return state
    return {"props": {"pageProps": state}, "page": "/p/[slug]", "query": {}, "buildId": "k3x9"}


def _optional(amount: Decimal | None, shop: Shop) -> str:
    return "" if amount is None else money(amount, shop.locale)


def _unit_price(offer: ShopOffer, shop: Shop) -> str:
    if offer.unit_price is None:
        return ""
    amount, unit = offer.unit_price
    return f"{money(amount, shop.locale)} / {unit}"


def _shipping(offer: ShopOffer, shop: Shop, words: Words) -> str:
    if offer.shipping is None:
        return ""
    return money(offer.shipping, shop.locale) if offer.shipping else words.labels["free"]
