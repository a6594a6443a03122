"""Structured data: reads the meta elements of OpenGraph and of shops that extend it."""

from collections.abc import Iterator, Mapping

from research_crawler.extraction.products.price.currencies import resolve_currency
from research_crawler.extraction.products.structured.mentions import RawItem

_PREFIXES = ("product:", "og:product:", "og:", "twitter:", "")
_NAMES = {
    "price": ("price:amount", "price", "price.amount"),
    "priceCurrency": ("price:currency", "currency", "pricecurrency"),
    "salePrice": ("sale_price:amount",),
    "listPrice": ("original_price:amount", "price:standard_amount"),
    "availability": ("availability",),
    "itemCondition": ("condition",),
    "brand": ("brand",),
    "sku": ("retailer_item_id", "sku", "retailer_part_no"),
    "mpn": ("mfr_part_no", "mpn"),
    "gtin": ("ean", "gtin", "upc", "isbn"),
}


def read_open_graph(meta: Mapping[str, str]) -> Iterator[RawItem]:
    """The product that the page's meta elements describe, if they state more than its title.

    Args:
        meta: the content of meta elements by property or name, in lower case.
    """
    item = {}
    is_product = "product" in " ".join(meta) or "product" in meta.get("og:type", "").lower()
    for field, names in _NAMES.items():
        found = next(
            (meta[key] for name in names for prefix in _PREFIXES if meta.get(key := prefix + name)), ""
        )
        if found and (is_product or field not in ("brand", "availability")):
            item[field] = found
    if not item:
        return
    if sale := item.pop("salePrice", ""):
        item |= {"listPrice": item.get("price", ""), "price": sale}
    item |= {"@type": "Product", "name": meta.get("og:title", ""), "url": meta.get("og:url", "")}
    yield RawItem(source="open_graph", path="meta", data=item)


def stated_currency(meta: Mapping[str, str]) -> str:
    """The code of the currency that the meta elements name, even if they have no price; "" if they name none."""
    keys = (prefix + name for name in _NAMES["priceCurrency"] for prefix in _PREFIXES)
    return next((code for key in keys if (code := resolve_currency(meta.get(key, "").upper()))), "")
