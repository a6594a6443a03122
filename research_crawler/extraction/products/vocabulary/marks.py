"""What the class or id of an element says about the texts in it."""

import re

from research_crawler.extraction.products.vocabulary.offer_words import BUY_NAME


class ElementMark:
    """What the markup around a text says about it, as bits of a plain int.

    (With an `enum.Flag`, a third of the time of a walk was spent on its operations.)
    """

    NONE = 0
    SIDE = 1
    """Related products, carousels, navigation, footer, cart."""
    HIDDEN = 2
    STRUCK = 4
    PRICE = 8
    OLD = 16
    NOW = 32
    LINK = 128
    """The text is in a link to another page."""
    UNIT = 2048
    MEMBER = 4096
    SHIPPING = 8192
    BUYING = 32768
    """A button for buying by its name, whatever element it is."""


_WORDS: tuple[tuple[int, re.Pattern[str]], ...] = (
    (
        ElementMark.SIDE,
        re.compile(
            r"relat(?!ive)|recommend|similar|carousel|slider|swiper|slick|owl-|upsell|cross-?sell|also"
            r"|recently|viewed|sponsor|footer"
            r"|\bnav|menu|breadcrumb|minicart|mini-cart|cart-(?:item|content|drawer)|header-cart|compar(?:e"
            r"|ison)|accessor|bundle|wishlist|suggest|popular|bestsell|"
            r"review|rating|comment|question|banner|promo-|newsletter|cookie|tooltip|modal|popup|filter|facet"
            r"|sidebar",
            re.I,
        ),
    ),
    (ElementMark.PRICE, re.compile(r"pric|amount|cost", re.I)),
    (
        ElementMark.OLD,
        re.compile(
            r"(?:^|[^a-z])(?:old|was|rrp|msrp|uvp|listprice|strike\w*|regular|before|previous|crossed\w*|compare"
            r"|original|through)(?:[^a-z]|$)|oldprice|priceold|was-?price|list-?price|line-?through"
            r"|price-?(?:was|regular|before|original)|(?:regular|original|retail)-?price",
            re.I,
        ),
    ),
    (
        ElementMark.NOW,
        re.compile(
            r"(?:^|[^a-z])(?:now|current|sale|special|final|actual|new|our|main|selling|sell|present|today|buy"
            r"|offer|primary|discounted|reduced|promo|active)(?:[^a-z]|$)"
            r"|(?:sale|current|final|special|offer|new|now|selling|our|product|main)-?_?price|price-?(?:now"
            r"|current|sale|final|new|special|main|actual)",
            re.I,
        ),
    ),
    (ElementMark.BUYING, BUY_NAME),
    (ElementMark.UNIT, re.compile(r"unit-?_?price|price-?_?per|per-?_?unit|grundpreis|base-?price", re.I)),
    (ElementMark.MEMBER, re.compile(r"member|loyal|club|prime|clubcard|plus-?price|vip|card-?price", re.I)),
    (ElementMark.SHIPPING, re.compile(r"shipping|delivery|versand|livraison|env[ií]o|spediz|dostav|doprav|frakt|fragt"
    r"|frete|verzend", re.I)),
)  # fmt: skip
_marks_of_names: dict[str, int] = {}
_MAX_CACHED = 20_000
"""Most names of classes and ids whose marks are remembered."""


def marks_of_name(word: str) -> int:
    """The marks of a class or id. They are cached, because a page's elements share a few hundred names."""
    known = _marks_of_names.get(word)
    return _compute_marks(word) if known is None else known


def _compute_marks(word: str) -> int:
    found = ElementMark.NONE
    for mark, words in _WORDS:
        if words.search(word):
            found |= mark
    if len(_marks_of_names) >= _MAX_CACHED:
        _marks_of_names.clear()
    _marks_of_names[word] = found
    return found
