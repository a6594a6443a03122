"""Adds to the chosen names of a grid of products their prices, makers and units."""

from collections.abc import Sequence

import numpy as np

from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.page_layout import name_words

_PRICE_WORDS, _MAKER_WORDS = 12, 6
_CARD_BLOCKS = 12
"""A card has at most so many blocks. With 8, 12 or 20 the results are the same: of 1,470 prices in the true
texts of 86 collections (sites left out) 1,052 are in the text instead of 950, and F1 stays within 0.001."""
_MAKERS = frozenset({"brand", "vendor", "manufacturer", "maker", "merchant", "seller", "unit", "uom"})
_INTERFACE = [
    OWN.index(name)
    for name in (
        "legal", "account", "share", "more", "skip", "filter", "pager", "shop", "contact", "reviews",
    )
]  # fmt: skip
_PRICE, _WORDS = OWN.index("price"), OWN.index("words")


def complete_cards(view: ClassifiedPage, chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and the price, maker and unit of each card that has a chosen block.

    A block belongs to the smallest element around it that also holds a chosen block, if that is a card.
    """
    parent = view.layout.parent.tolist()
    origins = view.origins.tolist()
    size = len(parent)
    blocks = np.bincount(view.origins, minlength=size).tolist()
    named = np.bincount(view.origins[list(chosen)], minlength=size).tolist()
    for index in range(size - 1, 0, -1):
        blocks[parent[index]] += blocks[index]
        named[parent[index]] += named[index]
    taken = set(chosen)
    for index in range(len(origins)):
        if index in taken or not _is_of_product(view, index):
            continue
        card = origins[index]
        while card and not named[card]:
            card = parent[card]
        if card and blocks[card] <= _CARD_BLOCKS:
            taken.add(index)
    return sorted(taken)


def _is_of_product(view: ClassifiedPage, index: int) -> bool:
    row = view.rows[index]
    if row[_PRICE]:
        return bool(row[_WORDS] <= _PRICE_WORDS)
    if row[_WORDS] > _MAKER_WORDS or row[_INTERFACE].any():
        return False
    element = int(view.origins[index])
    names = (view.layout.named[element], view.layout.named[int(view.layout.parent[element])])
    return any(not _MAKERS.isdisjoint(name_words(name)) for name in names)
