"""Structured data: turns schema.org objects into mentions of products."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from research_crawler.core.models.offers.products import Availability, ExtractionSource
from research_crawler.extraction.products.price.reader import Numerals, Price, read_price
from research_crawler.extraction.products.structured.mentions import MAX_PRODUCT_NAME, Item, Mention, RawItem
from research_crawler.extraction.products.vocabulary.identifiers import clean_code, valid_gtin
from research_crawler.extraction.products.vocabulary.offer_words import read_condition
from research_crawler.extraction.products.vocabulary.stock_words import read_availability

_PRODUCTS = frozenset([
    "product", "productmodel", "productgroup", "individualproduct", "someproducts", "vehicle", "car",
    "motorcycle", "book", "game", "videogame", "softwareapplication", "mobileapplication",
    "webapplication", "event", "musicevent", "theaterevent", "sportsevent", "course", "movie",
    "musicalbum", "service", "trip", "house", "apartment", "accommodation", "hotelroom",
])  # fmt: skip
_GOODS = frozenset([
    "product", "productmodel", "productgroup", "individualproduct", "someproducts", "vehicle", "car",
    "motorcycle", "book", "game", "videogame", "musicalbum",
])  # fmt: skip
"""The products that are things."""
_OFFERS = frozenset(
    ["offer", "aggregateoffer", "offerfordurchase", "offerforpurchase", "offerforlease", "demand"]
)
_SIDE_KEYS = ("isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor")
_GTINS = ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "ean", "isbn", "upc", "productID")
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_MAX_OFFERS = 60
"""Most offers or variants of an object that are read."""
_MOST_DECIMALS = 4
"""An amount with more decimals is an error of arithmetic, and rounded."""


def read_item(raw: RawItem, numerals: Numerals) -> Iterator[Mention]:
    """The products that an object is or contains. Those that it only refers to get `is_side`."""
    yield from _SchemaReader(raw, numerals).products(raw.data, raw.path, is_side=False)


class _SchemaReader:
    def __init__(self, raw: RawItem, numerals: Numerals) -> None:
        self._source: ExtractionSource = raw.source
        self._element = raw.element
        self._numerals = numerals

    def products(self, item: Item, path: str, *, is_side: bool, depth: int = 0) -> Iterator[Mention]:
        if depth > 6:
            return
        types = _types(item)
        if types & _PRODUCTS or (not types and ("price" in item or "offers" in item)):
            yield self._product(item, path, is_side=is_side)
        elif types & _OFFERS:
            yield self._lone_offer(item, path, is_side=is_side)
        elif types:
            yield from self._inner(item, path, is_side=is_side or "itemlist" in types, depth=depth)
        for key in _SIDE_KEYS:
            for number, entry in enumerate(_objects(item.get(key))):
                yield from self.products(entry, f"{path}.{key}[{number}]", is_side=True, depth=depth + 1)

    def _inner(self, item: Item, path: str, *, is_side: bool, depth: int) -> Iterator[Mention]:
        """The products in a page, a list or the like, with `is_side` if it only refers to them."""
        for key, value in item.items():
            below = is_side if key in ("mainEntity", "item", "offers", "itemListElement", "about") else True
            for number, entry in enumerate(_objects(value)):
                if "@type" in entry or key == "item":
                    yield from self.products(entry, f"{path}.{key}[{number}]", is_side=below, depth=depth + 1)

    def _product(self, item: Item, path: str, *, is_side: bool) -> Mention:
        mention = self._offer(item, path)
        mention.name = _text(item.get("name"))[:MAX_PRODUCT_NAME]
        mention.is_side = is_side
        mention.is_goods = not _types(item) or bool(_types(item) & (_GOODS | _OFFERS))
        mention.element = self._element
        mention.brand = _name(item.get("brand")) or _name(item.get("manufacturer"))
        mention.variant = ", ".join(
            filter(None, (_name(item.get(key)) for key in ("color", "size", "pattern")))
        )
        mention.specs = self._specs(item)
        for number, entry in enumerate(_objects(item.get("hasVariant"))[:_MAX_OFFERS]):
            mention.variants.append(self._product(entry, f"{path}.hasVariant[{number}]", is_side=is_side))
        for number, entry in enumerate(_objects(item.get("offers"))[:_MAX_OFFERS]):
            mention.offers += self._offers(entry, f"{path}.offers[{number}]")
        mention.offers.sort(key=lambda offer: offer.is_for_several)
        return mention

    def _lone_offer(self, item: Item, path: str, *, is_side: bool) -> Mention:
        offered = next(iter(_objects(item.get("itemOffered"))), {})
        return self._product({"offers": item, **offered}, path, is_side=is_side)

    def _offers(self, item: Item, path: str) -> Iterator[Mention]:
        inner = _objects(item.get("offers"))[:_MAX_OFFERS]
        own = self._offer(item, path)
        if own.price or own.availability != "unknown" or not inner:
            yield own
        for number, entry in enumerate(inner):
            yield from self._offers(entry, f"{path}.offers[{number}]")

    def _offer(self, item: Item, path: str) -> Mention:
        currency = _text(item.get("priceCurrency") or item.get("currency"))
        mention = Mention(
            source=self._source,
            path=path,
            url=_text(item.get("url") or item.get("@id")),
            price=self._money(item.get("price"), currency) or self._money(item.get("lowPrice"), currency),
            high_price=self._money(item.get("highPrice"), currency),
            list_price=self._money(item.get("listPrice"), currency),
            sku=clean_code(_text(item.get("sku"))),
            mpn=clean_code(_text(item.get("mpn"))),
            gtin=next(filter(None, (valid_gtin(_text(item.get(key))) for key in _GTINS)), ""),
            seller=_name(item.get("seller")),
            condition=read_condition(_text(item.get("itemCondition")))
            if item.get("itemCondition")
            else "unknown",
        )
        mention.is_for_several = any(
            _is_several(entry) for entry in (*_objects(item.get("eligibleQuantity")), *_specified(item))
        )
        mention.availability = _availability(item)
        if not mention.sku:
            mention.sku = clean_code(
                re.sub(r"^(?:sku|mpn|id)\s*:\s*", "", _text(item.get("productID")), flags=re.I)
            )
        if not mention.sku:
            mention.sku = clean_code(_text(item.get("productGroupID") or item.get("inProductGroupWithID")))
        for entry in _objects(item.get("priceSpecification")):
            self._specify(mention, entry, currency)
        for entry in _objects(item.get("shippingDetails")):
            for rate in _objects(entry.get("shippingRate")):
                mention.shipping = (
                    self._money(rate.get("value"), _text(rate.get("currency"))) or mention.shipping
                )
        return mention

    def _specify(self, mention: Mention, item: Item, currency: str) -> None:
        """Read a priceSpecification: it has the price, the list price, a member's price or a unit price."""
        price = self._money(
            item.get("price") or item.get("minPrice"), _text(item.get("priceCurrency")) or currency
        )
        kind = _text(item.get("priceType")).lower()
        reference = next(iter(_objects(item.get("referenceQuantity"))), None)
        if price is None:
            return
        if item.get("validForMemberTier"):
            mention.member_price = price
        elif reference is not None:
            mention.unit_price = price
            unit = _text(reference.get("unitText") or reference.get("unitCode"))
            mention.unit = f"{_text(reference.get('value'))} {unit}".strip()
        elif any(word in kind for word in ("list", "strike", "srp", "msrp", "regular")):
            mention.list_price = price
        elif mention.price is None:
            mention.price = price

    def _money(self, value: Any, currency: str) -> Price | None:
        text = _text(value)
        if not text:
            return None
        numerals = Numerals(
            self._numerals.territory, self._numerals.decimal, currency or self._numerals.currency
        )
        if _PLAIN_NUMBER.fullmatch(text):
            # Structured data uses a decimal point, whatever the page's language is (schema.org/price).
            price = read_price("0", numerals)
            amount = _without_noise(written := Decimal(text))
            text = text if amount == written else f"{amount:f}"
            return Price(amount, price.currency if price else "", currency, text) if amount >= 0 else None
        return read_price(text, numerals)

    def _specs(self, item: Item) -> dict[str, str]:
        found = {}
        for entry in _objects(item.get("additionalProperty"))[:100]:
            name, value = _text(entry.get("name"))[:80], _text(entry.get("value"))[:300]
            if name and value:
                found[name] = value
        return found


def _availability(item: Item) -> Availability:
    """The stated availability, else whether the stated stock is empty (schema.org/inventoryLevel)."""
    value = item.get("availability")
    if isinstance(value, bool):
        return read_availability(value)
    if text := _text(value):
        return read_availability(text)
    level = _text(item.get("inventoryLevel"))
    return read_availability(Decimal(level) > 0) if _PLAIN_NUMBER.fullmatch(level) else "unknown"


def _without_noise(amount: Decimal) -> Decimal:
    """An amount without the digits that binary fractions leave: 198.99996 is 199."""
    exponent = amount.as_tuple().exponent
    is_noisy = isinstance(exponent, int) and exponent < -_MOST_DECIMALS
    return amount.quantize(Decimal("0.01")).normalize() if is_noisy else amount


def _types(item: Item) -> frozenset[str]:
    value = item.get("@type")
    names = value if isinstance(value, list) else [value]
    return frozenset(
        str(entry).rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for entry in names if entry
    )


def _objects(value: Any) -> list[Item]:
    return [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, dict)]


def _specified(item: Item) -> list[Item]:
    """The quantities of the price specifications of an offer."""
    every = _objects(item.get("priceSpecification"))
    return [quantity for entry in every for quantity in _objects(entry.get("eligibleQuantity"))]


def _is_several(quantity: Item) -> bool:
    """Whether an offer holds only for more than one piece."""
    least = _text(quantity.get("minValue")) or _text(quantity.get("value"))
    return bool(_PLAIN_NUMBER.fullmatch(least)) and Decimal(least) > 1


def _text(value: Any) -> str:
    while isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name") or value.get("value") or value.get("@id") or ""
        return "" if isinstance(value, dict) else _text(value)
    if isinstance(value, bool) or value is None:
        return ""
    return " ".join(str(value).split())


def _name(value: Any) -> str:
    """The name of a thing; "" for a thing that only has an address."""
    text = _text(value)[:120]
    return "" if text.startswith(("http://", "https://")) else text
