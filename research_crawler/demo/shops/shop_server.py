"""Answers requests to the shops of the demo web, and lets tests change their offers."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, Unpack
from urllib.parse import parse_qs

from aiohttp import web

from research_crawler.core.models.offers.products import Availability
from research_crawler.demo.demo_walls import wall
from research_crawler.demo.index import STOP_WORDS
from research_crawler.demo.shops.shop_data import (
    PlantedOffer,
    Shop,
    ShopChanges,
    ShopOffer,
    ShopOfferChanges,
    planted_offers,
    product_path,
    read_shops,
)
from research_crawler.demo.shops.shop_pages import ShopPages, product_context

_LEAST_LIKE: Final = 0.5
"""A shop shows the offers that share at least this portion of the best hit's words with the query."""


class Shops:
    """All shops, with the URLs of this run.

    Offers can be changed while the web runs: by the methods, or from another process by a PUT of the argument
    of `change` as JSON to `/__shops.json` on the host "admin".
    """

    def __init__(self, bases: Mapping[str, str]) -> None:
        self._bases = bases
        self._pages = ShopPages()
        self.reset()

    def reset(self) -> None:
        """Restore everything to the state in the file."""
        _, shops = read_shops()
        self._offers = {key: {offer.sku: offer for offer in shop.offers} for key, shop in shops.items()}
        self._flickers: dict[str, Decimal] = {}
        self._blocked: set[str] = set()

    def set_price(self, sku: str, price: str) -> None:
        """Set the price of an offer."""
        self._update(sku, price=Decimal(price))

    def set_availability(self, sku: str, availability: Availability) -> None:
        """Set the availability of an offer."""
        self._update(sku, availability=availability)

    def flicker(self, sku: str, price: str) -> None:
        """Show this price once, at the next request for the offer's page."""
        self._shop_of(sku)
        self._flickers[sku] = Decimal(price)

    def block(self, shop: str, *, blocked: bool = True) -> None:
        """Make a shop show a CAPTCHA instead of every page, or (`blocked=False`) show its pages again."""
        (self._blocked.add if blocked else self._blocked.discard)(read_shops()[1][shop].key)

    def change(self, changes: ShopChanges) -> None:
        """Make several of these changes at once."""
        if changes.get("reset"):
            self.reset()
        sku = str(changes.get("sku", ""))
        if "price" in changes:
            self.set_price(sku, str(changes["price"]))
        if "availability" in changes:
            self.set_availability(sku, changes["availability"])
        if "flicker" in changes:
            self.flicker(sku, str(changes["flicker"]))
        if "shop" in changes:
            self.block(str(changes["shop"]), blocked=bool(changes.get("blocked", True)))

    def planted(self) -> list[PlantedOffer]:
        """The true facts of all offers now."""
        return [
            one.changed(offer=now, price=now.price, availability=now.availability)
            for one in planted_offers(self._bases)
            for now in [self._offers[one.shop][one.sku]]
        ]

    def robots(self, key: str) -> str:
        """The shop's robots.txt."""
        return read_shops()[1][key].robots.replace("{base}", self._bases[key])

    def answer(self, key: str, request: web.BaseRequest) -> web.Response:
        """Answer a request to a shop."""
        shop = read_shops()[1][key]
        if shop.behaviour == "unavailable":
            return _html("<h1>Service unavailable</h1><p>Please come back later.</p>", status=503)
        if shop.behaviour == "captcha" or key in self._blocked:
            blocked = wall("/captcha")
            assert blocked
            return blocked
        if request.path == "/sitemap.xml":
            return self._sitemap(shop)
        is_api = shop.style == "script" and request.path.startswith("/api/")
        path = request.path.removeprefix("/api") if is_api else request.path
        if offer := self._offer_at(shop, path):
            shown = self._as_shown(offer) if is_api or shop.style != "script" else offer
            return self._product(shop, shown, as_json=is_api)
        query = _query_of(shop, path, request.query_string)
        if query is None and path != "/":
            return _html("<h1>Page not found</h1>", status=404)
        return self._results(shop, query or "", as_json=is_api)

    def _product(self, shop: Shop, offer: ShopOffer, *, as_json: bool) -> web.Response:
        base = self._bases[shop.key]
        if as_json:
            product = product_context(shop, base, offer)
            return _json({"title": f"{product['name']} | {shop.name}", "product": product})
        return _html(self._pages.product(shop, base, offer, list(self._offers[shop.key].values())))

    def _results(self, shop: Shop, query: str, *, as_json: bool) -> web.Response:
        base, found = self._bases[shop.key], self._search(shop, query)
        if as_json:
            rows = [product_context(shop, base, offer) for offer in found]
            return _json({"title": f"{query} | {shop.name}", "query": query, "rows": rows})
        return _html(self._pages.results(shop, base, query, found))

    def _search(self, shop: Shop, query: str) -> list[ShopOffer]:
        """The offers that share words with the query, sponsored first, then by hits; all without a query."""
        offers = list(self._offers[shop.key].values())
        wanted = _words(query) - STOP_WORDS
        if not wanted:
            return offers
        hits = {offer.sku: len(wanted & _words(_article_text(offer))) for offer in offers}
        best = max(hits.values(), default=0)
        found = [offer for offer in offers if hits[offer.sku] and hits[offer.sku] >= best * _LEAST_LIKE]
        return sorted(found, key=lambda offer: (not offer.sponsored, -hits[offer.sku]))

    def _sitemap(self, shop: Shop) -> web.Response:
        base = self._bases[shop.key]
        paths = ["/", *(product_path(offer) for offer in shop.offers)]
        urls = "".join(f"<url><loc>{base}{path}</loc></url>" for path in paths)
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        return web.Response(text=text, content_type="application/xml")

    def _offer_at(self, shop: Shop, path: str) -> ShopOffer | None:
        offer = self._offers[shop.key].get(path.rpartition("/")[2])
        return offer if offer and path == product_path(offer) else None

    def _as_shown(self, offer: ShopOffer) -> ShopOffer:
        price = self._flickers.pop(offer.sku, None)
        return offer if price is None else offer.changed(price=price)

    def _shop_of(self, sku: str) -> str:
        return next(key for key, offers in self._offers.items() if sku in offers)

    def _update(self, sku: str, **changes: Unpack[ShopOfferChanges]) -> None:
        offers = self._offers[self._shop_of(sku)]
        offers[sku] = offers[sku].changed(**changes)


def _article_text(offer: ShopOffer) -> str:
    article = read_shops()[0][offer.article]
    return f"{article.name} {article.brand} {article.mpn}"


def _words(text: str) -> set[str]:
    """The words of a text, without the s of plurals."""
    return {word.removesuffix("s") if len(word) > 3 else word for word in re.findall(r"\w+", text.lower())}


def _query_of(shop: Shop, path: str, query_string: str) -> str | None:
    """The query; None if the path is not the shop's search page."""
    pattern, _, arguments = shop.search.partition("?")
    if arguments:
        values = parse_qs(query_string).get(arguments.partition("=")[0], [""])
        return values[0] if path == pattern else None
    before, _, after = pattern.partition("{query}")
    if not path.startswith(before) or not path.endswith(after) or len(path) <= len(before):
        return None
    return path[len(before) :].removesuffix(after)


def _html(text: str, *, status: int = 200) -> web.Response:
    """A page as the answer; 200 is the HTTP status of success."""
    return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")


def _json(document: Any) -> web.Response:
    return web.Response(text=json.dumps(document), content_type="application/json")
