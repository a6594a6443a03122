"""Sorts the product mentions of a page into those about its own product and those about others."""

import html as entities
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from research_crawler.extraction.products.structured.mentions import Mention
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.identifiers import codes_in_url, comparable_code

MIN_LIKENESS = 0.5
"""The least likeness to the page's names for a name, among several, to count as the page's own."""
_LIST_SIZE = 3
"""A page without a product of its own that names more is a list."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,40}>")
"""A tag that a shop has left in a name."""


@dataclass(slots=True)
class MentionGroups:
    """The mentions of a page, sorted by the product that they are about."""

    main: list[Mention] = field(default_factory=list)
    """The mentions of the page's own product, best match first."""
    others: list[Mention] = field(default_factory=list)
    is_list: bool = False
    """Whether the page mentions several products of equal groups, and none is its own."""


def sort_mentions(page: ProductPage, mentions: Iterable[Mention]) -> MentionGroups:
    """Tell the page's own product from related ones, by name, URL, codes and position in the markup."""
    every = list(mentions)
    for mention in every:
        mention.name = _TAG.sub("", entities.unescape(mention.name))
        mention.brand = entities.unescape(entities.unescape(mention.brand))
    codes = {comparable_code(code) for code in codes_in_url(page.url)}
    rated = sorted(
        ((_standing(page, mention, codes), -index, mention) for index, mention in enumerate(every)),
        reverse=True,
        key=_key,
    )
    groups = MentionGroups()
    structured = [
        mention
        for _, _, mention in rated
        if mention.source != "state" and not mention.is_side and (mention.name or _has_price(mention))
    ]
    own = [one for score, _, one in rated if score >= 1]
    named = {one.name for one in structured if one.name}
    groups.is_list = not own and len(named) > _LIST_SIZE
    if own:
        groups.main = own
    elif structured and not groups.is_list and len(named) <= 1:
        groups.main = structured
    chosen = set(map(id, groups.main))
    groups.others = [one for one in every if id(one) not in chosen]
    return groups


def _key(rated: tuple[float, int, Mention]) -> tuple[float, int]:
    return rated[0], rated[1]


def _standing(page: ProductPage, mention: Mention, codes: set[str]) -> float:
    """Rate how likely a mention is about the page's product: 1 and more means that it is."""
    likeness = page.resembles(mention.name)
    score = likeness if likeness >= MIN_LIKENESS else likeness / 2
    if mention.url and page.is_own_url(mention.url):
        score += 0.6
    if mention.sku and comparable_code(mention.sku) in codes:
        score += 0.7
    if mention.source == "state":
        return score + (0.3 if likeness >= 0.8 else 0.0) - 0.01
    score += 0.3 if _has_price(mention) else 0.0
    score += 0.3 if mention.source == "open_graph" else 0.0
    if mention.is_side:
        score -= 0.4
    return score


def _has_price(mention: Mention) -> bool:
    return any(one.price is not None for one in mention.every_offer())
