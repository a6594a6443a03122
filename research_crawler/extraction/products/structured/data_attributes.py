"""Second rung: reads products from `data-` attributes: `data-price`, `data-sku`, or a whole object as JSON."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from lxml import html

_MAX_ELEMENTS, _MAX_JSON = 400, 200_000
_PREFIXES = ("product-", "item-", "ga-", "gtm-", "analytics-")
"""Prefixes of names that say only whose value it is: `data-product-price`."""


def data_nodes(marked: Iterable[html.HtmlElement]) -> Iterator[tuple[Any, str]]:
    """What the `data-` attributes of the page say of products, as objects with their paths.

    The attributes of an element are one object. An attribute whose value is JSON is an object of its own.

    Args:
        marked: the elements with `data-` attributes that may be about products, in order.
    """
    for element in islice(marked, _MAX_ELEMENTS):
        path = str(element.getroottree().getpath(element))
        flat: dict[str, str] = {}
        for attribute, value in element.items():
            if not attribute.startswith("data-"):
                continue
            name = _bare_name(attribute.removeprefix("data-"))
            if value.lstrip()[:1] in ("{", "["):
                if (inner := _decoded(value)) is not None:
                    yield inner, f"{path}/@{attribute}"
            else:
                flat.setdefault(name, value)
        if flat:
            yield flat, path


def _bare_name(name: str) -> str:
    for prefix in _PREFIXES:
        if name.startswith(prefix) and name != f"{prefix}id":
            return name.removeprefix(prefix)
    return name


def _decoded(text: str) -> Any:
    if len(text) > _MAX_JSON:
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
