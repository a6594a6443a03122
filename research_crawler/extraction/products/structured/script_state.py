"""Script state: finds products in the state of a page's scripts by shape, without rules for single sites.

A product is any object with a price and a name or article number: in a JSON script, or in a value that a script
assigns or pushes.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from lxml import html

from research_crawler.core.models.offers.products import Availability
from research_crawler.extraction.products.price.reader import Numerals, Price, read_amount, read_price
from research_crawler.extraction.products.structured.mentions import Mention
from research_crawler.extraction.products.vocabulary.identifiers import clean_code, valid_gtin
from research_crawler.extraction.products.vocabulary.offer_words import read_condition
from research_crawler.extraction.products.vocabulary.stock_words import read_availability

_SCRIPTS_MAX_CHARS = 1_500_000
"""So much of a page's scripts is read in all."""
MAX_NODES = 40_000
"""Most objects of the scripts' state that are looked at."""
MAX_MENTIONS = 200
"""Most products that the state gives."""
_START = re.compile(r"(?:[=(,:]|\breturn)\s*([\[{])")
_PRICE_KEYS = (
    "saleprice", "displayprice", "finalprice", "currentprice", "specialprice", "discountedprice", "sellingprice",
    "offerprice", "nowprice", "pricevalue", "priceamount", "pricenow", "price", "now", "unitsaleprice", "baseprice",
    "regularprice", "value", "amount",
)  # fmt: skip
"""Most likely first. `value` and the like count only inside an object that is a price itself."""
_INNER_KEYS = frozenset(["value", "amount", "now"])
_PRICE_SET = frozenset(_PRICE_KEYS) - _INNER_KEYS
_LIST_KEYS = (
    "listprice",
    "originalprice",
    "oldprice",
    "wasprice",
    "regularprice",
    "rrp",
    "msrp",
    "compareatprice",
    "strikeprice",
)
_SKU_KEYS = (
    "sku",
    "productcode",
    "articlenumber",
    "itemnumber",
    "article",
    "partnumber",
    "productid",
    "itemid",
)
_NAME_KEYS = ("name", "title", "productname", "itemname", "displayname", "producttitle")
_CURRENCY_KEYS = ("currency", "currencycode", "pricecurrency", "currencyiso")
_VARIANT_KEYS = ("variants", "options", "skus", "models", "configurations")
_VARIANT_LABELS = (
    "option1", "option2", "option3", "size", "color", "colour", "capacity",
    "storage", "memory", "style",
)  # fmt: skip
_MAX_VARIANTS, _MAX_LABEL = 40, 100
"""Most variants of a product, and longest label of one."""
_URL_KEYS = ("url", "link", "href", "producturl", "canonicalurl")
_BRAND_KEYS = ("brand", "brandname", "manufacturer", "vendor")
_GTIN_KEYS = ("gtin", "gtin13", "ean", "ean13", "upc", "barcode", "gtin14")


def script_products(root: html.HtmlElement, numerals: Numerals) -> Iterator[Mention]:
    """The objects in inline scripts that are shaped like products, with their paths.

    Args:
        root: the tree of the page.
        numerals: how the page writes numbers.
    """
    reader = _StateReader(numerals)
    budget = _SCRIPTS_MAX_CHARS
    for number, script in enumerate(root.iter("script")):
        text = script.text or ""
        kind = (script.get("type") or "").lower()
        if len(text) < 30 or "ld+json" in kind or "template" in kind or "price" not in text.lower():
            continue
        if len(text) > budget:
            continue  # A shorter one may follow.
        budget -= len(text)
        yield from reader.script(text, f"script[{number}]")
        if reader.count >= MAX_MENTIONS:
            break


class _StateReader:
    def __init__(self, numerals: Numerals) -> None:
        self._numerals = numerals
        self._nodes = MAX_NODES
        self._decoder = json.JSONDecoder(strict=False)
        self._known: set[tuple[object, ...]] = set()
        self.count = 0

    def script(self, text: str, path: str) -> Iterator[Mention]:
        position = 0
        stripped = text.lstrip()
        if stripped[:1] in "[{":
            position = len(text) - len(stripped)
            value, end = self._decode(text, position)
            if end:
                yield from self.walk(value, path)
                position = end
        while match := _START.search(text, position):
            value, end = self._decode(text, match.start(1))
            if end:
                yield from self.walk(value, path)
                position = end
            else:
                position = match.end()

    def _decode(self, text: str, start: int) -> tuple[Any, int]:
        # A literal that is not JSON fails within its first keys. Checking these saves the attempt to decode
        # it.
        if text[start] == "{" and not re.match(r'\{\s*["}]', text[start : start + 40]):
            return None, 0
        try:
            return self._decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return None, 0

    def walk(self, value: Any, path: str) -> Iterator[Mention]:
        """The objects in a value that are shaped like products."""
        stack = [(value, path)]
        while stack and self._nodes > 0 and self.count < MAX_MENTIONS:
            node, where = stack.pop()
            self._nodes -= 1
            if isinstance(node, dict):
                yield from self._new(self._mention(node, where))
                parts = [(one, f"{where}.{key}") for key, one in reversed(node.items())]
            elif isinstance(node, list):
                parts = [(entry, f"{where}[{index}]") for index, entry in reversed(list(enumerate(node)))]
            else:
                continue
            stack += [part for part in parts if isinstance(part[0], dict | list)]

    def _new(self, mention: Mention | None) -> Iterator[Mention]:
        """A mention, unless an earlier one says the same: scripts list a product once for each of its variants."""
        if mention is None:
            return
        address = mention.url.partition("?")[0]
        facts = (
            mention.name,
            mention.sku,
            mention.price,
            mention.availability,
            address,
            len(mention.variants),
        )
        if facts not in self._known:
            self._known.add(facts)
            self.count += 1
            yield mention

    def _mention(self, node: dict[str, Any], path: str) -> Mention | None:
        keys = {_bare(key): value for key, value in node.items()}
        if keys.keys().isdisjoint(_PRICE_SET):
            return None
        name = _first(keys, _NAME_KEYS)
        sku = next(filter(None, (clean_code(_plain(keys.get(key))) for key in _SKU_KEYS)), "")
        if not (name or sku):
            return None
        currency = _first(keys, _CURRENCY_KEYS)
        price = self._price(keys, _PRICE_KEYS, currency)
        if price is None:
            return None
        return Mention(
            source="state",
            path=path,
            name=" ".join(name.split())[:400],
            sku=sku,
            price=price,
            list_price=self._price(keys, _LIST_KEYS, currency),
            url=_first(keys, _URL_KEYS),
            brand=_first(keys, _BRAND_KEYS)[:120],
            gtin=next(filter(None, (valid_gtin(_plain(keys.get(key))) for key in _GTIN_KEYS)), ""),
            condition=read_condition(_plain(keys.get("condition"))) if keys.get("condition") else "unknown",
            availability=stock_of(keys),
            variants=list(self._variants(keys, currency, path)),
        )

    def _variants(self, keys: dict[str, Any], currency: str, path: str) -> Iterator[Mention]:
        """The entries of a product's list that have their own prices: sizes, capacities, colours."""
        for name in _VARIANT_KEYS:
            entries = keys.get(name)
            for index, entry in enumerate(entries[:_MAX_VARIANTS] if isinstance(entries, list) else []):
                inner = {_bare(key): value for key, value in entry.items()} if isinstance(entry, dict) else {}
                price = self._price(inner, _PRICE_KEYS, _first(inner, _CURRENCY_KEYS) or currency)
                label = _label_of(inner)
                if price is None or not label:
                    continue
                yield Mention(
                    source="state",
                    path=f"{path}.{name}[{index}]",
                    variant=label,
                    sku=clean_code(_plain(inner.get("sku"))),
                    price=price,
                    availability=stock_of(inner),
                )

    def _price(self, keys: dict[str, Any], names: tuple[str, ...], currency: str) -> Price | None:
        for name in names:
            value = keys.get(name)
            if name in _INNER_KEYS or value is None or isinstance(value, bool):
                continue
            if isinstance(value, dict):
                inner = {_bare(key): one for key, one in value.items()}
                own = _first(inner, _CURRENCY_KEYS) or currency
                value = next(
                    (inner[key] for key in _PRICE_KEYS if isinstance(inner.get(key), str | int | float)), None
                )
                price = self._money(value, own)
            else:
                price = self._money(value, currency)
            if price is not None:
                return price
        return None

    def _money(self, value: Any, currency: str) -> Price | None:
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            return None
        text = str(value).strip()
        numerals = Numerals(self._numerals.territory, self._numerals.decimal, currency)
        if re.fullmatch(r"\d+(?:\.\d+)?", text):
            code = read_price("0", numerals)
            amount = read_amount(text, ".", 3) if "." in text else read_amount(text)
            return Price(amount, code.currency if code else "", currency, text) if amount else None
        return read_price(text, numerals) if len(text) <= 40 else None


def _label_of(keys: dict[str, Any]) -> str:
    """The label of a variant: its name, else its option values such as size and colour."""
    named = _first(keys, (*_NAME_KEYS, "label"))
    values = [_plain(keys.get(key)) for key in _VARIANT_LABELS]
    return (named or ", ".join(filter(None, values)))[:_MAX_LABEL]


@lru_cache(maxsize=20_000)
def _bare(key: str) -> str:
    return re.sub(r"[\W_]", "", key).lower()


def _first(keys: dict[str, Any], names: tuple[str, ...]) -> str:
    return next(filter(None, (_plain(keys.get(name)) for name in names)), "")


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("name") or value.get("label")
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


_STATED: Final = (
    "availability", "availabilitystatus", "availabilitystate", "stockstatus", "stocklevelstatus", "inventorystatus",
    "stockstate", "instock", "isinstock", "availableforsale", "available", "isavailable",
    "issaleable", "issalable", "salable", "saleable",
    "orderable", "isorderable", "purchasable", "ispurchasable", "buyable", "isbuyable", "isavailableforpurchase",
    "availableonline", "hasstock", "canaddtocart", "stock", "inventory",
)  # fmt: skip
"""Keys whose value is a word or "yes", most exact first."""


def stock_of(keys: Mapping[str, Any]) -> Availability:
    """The availability of the product that an object describes; "unknown" if it has none that can be read.

    Args:
        keys: the object, its keys in small letters without signs.
    """
    values = (keys.get(key) for key in _STATED)
    stated = (read_availability(value) for value in values if isinstance(value, str | bool))
    return next((said for said in stated if said != "unknown"), "unknown")
