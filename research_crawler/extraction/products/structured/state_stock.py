"""Second rung: reads the availability from an object of a page's state, whatever shop system wrote it."""

import re
from collections.abc import Mapping
from typing import Any, Final

from research_crawler.core.models.offers.products import Availability
from research_crawler.extraction.products.vocabulary.stock_words import read_availability

_STATED: Final = (
    "availability", "availabilitystatus", "availabilitystate", "stockstatus", "stocklevelstatus", "inventorystatus",
    "stockstate", "instock", "isinstock", "availableforsale", "available", "isavailable",
    "issaleable", "issalable", "salable", "saleable",
    "orderable", "isorderable", "purchasable", "ispurchasable", "buyable", "isbuyable", "isavailableforpurchase",
    "availableonline", "hasstock", "canaddtocart", "stock", "inventory",
)  # fmt: skip
"""Keys whose value is a word, "yes", or an object with such keys of its own; most exact first."""
_MAX_DEPTH = 2


def stock_of(keys: Mapping[str, Any], depth: int = 0) -> Availability:
    """The availability of the product that an object describes; "unknown" if it has none that can be read.

    Args:
        keys: the object, its keys in small letters without signs.
        depth: how many objects it is inside.
    """
    for key in _STATED:
        if (said := _said(keys.get(key), depth)) != "unknown":
            return said
    return "unknown"


def _said(value: Any, depth: int) -> Availability:
    if isinstance(value, dict):
        if depth >= _MAX_DEPTH:
            return "unknown"
        inner = {re.sub(r"[\W_]", "", str(key)).lower(): one for key, one in list(value.items())[:40]}
        named = next((inner[key] for key in ("status", "state", "label", "value") if key in inner), None)
        said = stock_of(inner, depth + 1)
        return said if said != "unknown" or not isinstance(named, str) else read_availability(named)
    return read_availability(value) if isinstance(value, str | bool) else "unknown"
