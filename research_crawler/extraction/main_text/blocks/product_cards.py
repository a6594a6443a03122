"""Finds the cards of a page of products: repeated elements of a template with a few texts each, most with a price."""

import numpy as np

from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.blocks.whole_parts import is_around
from research_crawler.extraction.main_text.page_layout import Floats, Indices, group_siblings, sums_below

_LEAST_CARDS, _LEAST_TEXTS = 6, 2
"""Fewest cards of a listing, and fewest texts of one that count as filled."""
_TEXTS_SHARE, _PRICES_SHARE = 0.8, 0.5
"""Shares of a group's elements that have several texts and a price: some cards are banners, or are sold out."""


def card_blocks(view: ClassifiedPage) -> list[int]:
    """The indexes of the blocks in the cards of the largest group of them, in order; none without such a group."""
    layout = view.layout
    values = np.stack(
        [
            np.array([block.chars for block in view.blocks], dtype=np.float32),
            view.rows[:, OWN.index("price")],
            np.ones(len(view.blocks), dtype=np.float32),
        ],
        axis=1,
    )
    sums = sums_below(layout, view.origins, values)
    groups, keys = group_siblings(layout, (sums[:, 0] > 0).tolist())
    best = _largest_group(groups, [template >= 0 for _, template in keys], sums)
    if best is None:
        return []
    parent, inside = layout.parent.tolist(), (groups == best).tolist()
    for index in range(1, len(inside)):  # a parent stands before its children
        inside[index] = inside[index] or inside[parent[index]]
    return [
        index
        for index, origin in enumerate(view.origins.tolist())
        if inside[origin] and not is_around(view.blocks[index])
    ]


def _largest_group(groups: Indices, is_filled: list[bool], sums: Floats) -> int | None:
    """The group of cards with most text."""

    def totals(column: Floats) -> Floats:
        return np.bincount(groups, column, len(is_filled)).astype(np.float32)

    size = np.maximum(totals(np.ones(len(groups), dtype=np.float32)), 1)
    texts = totals((sums[:, 2] >= _LEAST_TEXTS).astype(np.float32)) / size
    prices = totals((sums[:, 1] >= 1).astype(np.float32)) / size
    are_cards = (
        np.array(is_filled) & (size >= _LEAST_CARDS) & (texts >= _TEXTS_SHARE) & (prices >= _PRICES_SHARE)
    )
    if not are_cards.any():
        return None
    return int(np.argmax(np.where(are_cards, totals(sums[:, 0]), np.float32(-1))))
