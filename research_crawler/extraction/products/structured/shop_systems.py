"""Tells shop systems whose product numbers in scripts count rows of a database, for the reader of scripts' state."""

from itertools import chain
from typing import Final

from lxml import html

_FILES: Final = ("cdn.shopify.com", "/cdn/shop/", "/wp-content/plugins/woocommerce/", "cdn11.bigcommerce.com")
"""Where the files of Shopify, WooCommerce and BigCommerce lie. Their scripts call such a number `product_id`, and an
article number `sku`; in other systems the former may be the latter."""
_MAX_FILES: Final = 400


def counts_products(root: html.HtmlElement) -> bool:
    """Whether the page's shop system gives each product a number of its database beside the article number."""
    files = chain(root.iter("link"), root.iter("script"))
    for element, _ in zip(files, range(_MAX_FILES), strict=False):
        address = element.get("href") or element.get("src") or ""
        if any(part in address for part in _FILES):
            return True
    return False
