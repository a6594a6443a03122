"""Splits the saved product pages by shop, for whoever writes or judges rules: half of the shops are held back.

A rule is written only from pages of shops that are not held back, and figures are reported on those that
are. The side hangs on the shop's name alone, so that nobody chooses it and a new page has its side at once.
The rules that are older than this split were written with all pages in view.
"""

import hashlib

from research_crawler.core.web.urls import site_of


def shop_of(url: str) -> str:
    """The registrable domain without its suffix, so that `shop.de` and `shop.co.uk` are one shop."""
    return site_of(url).partition(".")[0]


def is_held_back(shop: str) -> bool:
    """Whether a shop's pages judge rules. Otherwise rules may be written from them."""
    return hashlib.sha256(shop.encode()).digest()[0] % 2 == 1
