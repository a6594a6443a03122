"""Computes the features of blocks that tell main text from the rest of a page: one row of numbers a block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from lxml import html

from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.blocks.block_places import (
    AROUND,
    PLACE,
    UNDER,
    around_features,
    place_features,
    under_features,
)
from research_crawler.extraction.main_text.blocks.block_records import (
    RECORD,
    TEMPLATE,
    record_features,
    template_features,
)
from research_crawler.extraction.main_text.blocks.block_words import OWN, own_features
from research_crawler.extraction.main_text.page_layout import (
    BITS,
    Floats,
    Indices,
    PageLayout,
    lay_out,
    sums_below,
    unpack,
)

_UP = (1, 2, 3, 5, 8)
"""So many elements above a block its surroundings are measured."""
PROSE_WORDS = 12
"""A block of at least this many words with few links counts as running text."""


@dataclass(slots=True)
class ClassifiedPage:
    """The classifier's view of a page: its blocks, the index of each block's element, and their features."""

    blocks: list[Block]
    layout: PageLayout
    origins: Indices
    rows: Floats
    templates: list[tuple[int, ...]]
    """For each block, the template numbers of its element and the three above it."""


def view_page(
    root: html.HtmlElement,
    blocks: Sequence[Block],
    *,
    title: str = "",
    description: str = "",
    declared: str = "",
) -> ClassifiedPage:
    """Compute the features of the blocks that were read from `root`.

    Args:
        declared: the text or description that the page declares in structured data.
    """
    layout = lay_out(root, [block.origin for block in blocks])
    origins = np.array([layout.index_of.get(block.origin, 0) for block in blocks], dtype=np.intp)
    own = own_features(blocks, title, description, declared)
    templates = _templates(layout, origins.tolist())
    rows = np.concatenate([own, *_context(layout, origins, blocks, own, templates)], axis=1)
    return ClassifiedPage(list(blocks), layout, origins, rows, templates)


def feature_names() -> list[str]:
    """The names of the columns of `view_page`'s rows."""
    sums = [
        f"{name}_up{level}"
        for level in _UP
        for name in ("chars", "link_share", "block_chars", "prose", "headings")
    ]
    bits = [f"{where}:{bit}" for where in ("own", "near", "above") for bit in BITS]
    return [*OWN, *bits, *sums, *RECORD, *TEMPLATE, *PLACE, *UNDER, *AROUND, *_PAGE]


def _templates(layout: PageLayout, origins: list[int]) -> list[tuple[int, ...]]:
    names, parent = layout.names, layout.parent.tolist()
    found: list[tuple[int, ...]] = []
    for element in origins:
        above = parent[element]
        second = parent[above]
        found.append((names[element], names[above], names[second], names[parent[second]]))
    return found


def _context(
    layout: PageLayout,
    origins: Indices,
    blocks: Sequence[Block],
    own: Floats,
    templates: list[tuple[int, ...]],
) -> list[Floats]:
    chars = np.array([block.chars for block in blocks], dtype=np.float32)
    links = np.array([block.link_chars for block in blocks], dtype=np.float32)
    prose = chars * ((own[:, 1] >= PROSE_WORDS) & (own[:, 2] < 0.4))
    headings = own[:, OWN.index("heading")]
    values = np.stack([chars, links, np.ones_like(chars), prose, headings], axis=1)
    sums = sums_below(layout, origins, values)
    bits = [
        unpack([source[index] for index in origins.tolist()])
        for source in (layout.bits, layout.near, layout.above)
    ]
    return [
        *bits,
        *_sums_above(layout, origins, sums),
        record_features(layout, origins, sums),
        template_features(templates, values, own),
        place_features(layout, origins, blocks, sums, values, own),
        under_features(blocks, own),
        around_features(own, values),
        _page_features(layout, values, own, len(blocks)),
    ]


def _sums_above(layout: PageLayout, origins: Indices, sums: Floats) -> list[Floats]:
    total = np.maximum(sums[0], 1)
    found, here, level = [], origins, 0
    for wanted in _UP:
        while level < wanted:
            here = layout.parent[here]
            level += 1
        at = sums[here]
        found.append(
            np.stack(
                [
                    at[:, 0] / total[0],
                    at[:, 1] / np.maximum(at[:, 0], 1),
                    np.log1p(at[:, 0] / np.maximum(at[:, 2], 1)),
                    at[:, 3] / np.maximum(at[:, 0], 1),
                    at[:, 4] / np.maximum(at[:, 2], 1),
                ],
                axis=1,
            )
        )
    return found


_PAGE = [
    "page_blocks",
    "page_chars",
    "page_links",
    "page_prose",
    "page_dates",
    "page_prices",
    "page_elements",
    "page_code",
]


def _page_features(layout: PageLayout, values: Floats, own: Floats, count: int) -> Floats:
    chars = max(1.0, float(values[:, 0].sum()))
    row = [
        np.log1p(count), np.log1p(chars), values[:, 1].sum() / chars, values[:, 3].sum() / chars,
        own[:, OWN.index("date")].mean(), own[:, OWN.index("price")].mean(), np.log1p(layout.size),
        own[:, OWN.index("code")].mean(),
    ]  # fmt: skip
    return np.tile(np.array(row, dtype=np.float32), (count, 1))
