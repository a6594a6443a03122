"""Features of a block's position: on the page, relative to its core, under a heading, among neighbours."""

from collections.abc import Sequence

import numpy as np

from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.page_layout import Floats, Indices, PageLayout, count_equal

PLACE = [
    "order", "chars_before", "chars_after", "from_h1", "after_h1", "has_h1", "depth", "in_core", "core_distance",
    "core_share", "before_core", "after_core", "same_text", "repeats_earlier", "log_order", "log_after",
]  # fmt: skip


def place_features(
    layout: PageLayout, origins: Indices, blocks: Sequence[Block], sums: Floats, values: Floats, own: Floats
) -> Floats:
    """Features of each block's position, and of its distance to the element with most of the running text."""
    count = len(blocks)
    order = np.arange(count, dtype=np.float32)
    before = np.concatenate([[0], np.cumsum(values[:, 0])[:-1]])
    total = max(1.0, float(values[:, 0].sum()))
    tops = [index for index, block in enumerate(blocks) if block.kind == "heading" and block.level == 1]
    top = max(tops, key=lambda index: own[index, OWN.index("title_share")]) if tops else -1
    depth = _depths(layout)
    core = _core(layout, sums)
    lowest = _common_depth(layout, origins, core, depth)
    inside = lowest >= depth[core]
    in_core = np.flatnonzero(inside)
    first, last = (in_core[0], in_core[-1]) if len(in_core) else (0, count)
    texts = [block.text or block.cells for block in blocks]
    repeats = _repeats(texts)
    return np.stack(
        [
            order / count, before / total, 1 - (before + values[:, 0]) / total,
            np.clip(order - top, -50, 50), order > top, np.full(count, top >= 0), np.minimum(depth[origins], 40),
            inside, depth[core] - lowest, np.full(count, sums[core, 0] / total), order < first, order > last,
            np.minimum(count_equal(texts), 20), repeats, np.log1p(order), np.log1p(count - order),
        ],
        axis=1,
    ).astype(np.float32)  # fmt: skip


def _repeats(texts: Sequence[object]) -> Floats:
    """For each text, 1 if an earlier text is equal, else 0."""
    seen: set[object] = set()
    found = []
    for text in texts:
        found.append(text in seen)
        seen.add(text)
    return np.array(found, dtype=np.float32)


def _depths(layout: PageLayout) -> Indices:
    depth = [0] * len(layout.elements)
    for index, up in enumerate(layout.parent.tolist()):
        depth[index] = depth[up] + 1 if index else 0
    return np.array(depth, dtype=np.intp)


_CORE_SHARE = 0.7
"""The core of a page has this share of its likely main text."""


def _core(layout: PageLayout, sums: Floats) -> int:
    """The index of the lowest element that holds most of the running text."""
    wanted = _CORE_SHARE * float(sums[0, 3])
    if not wanted:
        return 0
    return int(np.flatnonzero(sums[:, 3] >= wanted)[-1])


def _common_depth(layout: PageLayout, origins: Indices, core: int, depth: Indices) -> Indices:
    """For each block, the depth of its lowest common ancestor with the core."""
    path = {core}
    while core:
        core = int(layout.parent[core])
        path.add(core)
    common = [0] * len(layout.elements)
    for index, up in enumerate(layout.parent.tolist()):
        common[index] = int(depth[index]) if index in path else common[up]
    return np.array(common, dtype=np.intp)[origins]


_UNDER_PHRASES = (
    "legal",
    "share",
    "more",
    "shop",
    "filter",
    "reviews",
    "ask",
    "contact",
    "forum",
    "title_share",
)
UNDER = ["under_distance", "under_level", *(f"under_{name}" for name in _UNDER_PHRASES)]


def under_features(blocks: Sequence[Block], own: Floats) -> Floats:
    """Features of the heading above each block; -1 where there is none."""
    columns = [OWN.index(name) for name in _UNDER_PHRASES]
    found = np.full((len(blocks), len(UNDER)), -1, dtype=np.float32)
    places = np.arange(len(blocks))
    levels = np.array([block.level if block.kind == "heading" else -1 for block in blocks])
    above = np.maximum.accumulate(np.where(levels >= 0, places, -1))
    under = places[1:][above[:-1] >= 0]
    last = above[under - 1]
    found[under, 0] = np.minimum(under - last, 60)
    found[under, 1] = levels[last]
    found[under, 2:] = own[last][:, columns]
    return found


_AROUND_COLUMNS = ("log_chars", "link_share", "heading", "commas")
_AROUND_STEPS = (-2, -1, 1, 2)
"""Which blocks before and behind a block are features of it."""
AROUND = [
    *(f"{name}{step:+d}" for step in _AROUND_STEPS for name in _AROUND_COLUMNS),
    "prose_near5", "links_near5", "prose_near15", "links_near15",
]  # fmt: skip


def around_features(own: Floats, values: Floats) -> Floats:
    """Features of the blocks before and after each block."""
    columns = own[:, [OWN.index(name) for name in _AROUND_COLUMNS]]
    found = []
    for step in _AROUND_STEPS:
        moved = np.full_like(columns, -1)
        if step < 0:
            moved[-step:] = columns[:step]
        else:
            moved[:-step] = columns[step:]
        found.append(moved)
    for reach in (5, 15):
        chars, links, prose = (_window(values[:, column], reach) for column in (0, 1, 3))
        found.append((np.stack([prose, links], axis=1) / np.maximum(chars, 1)[:, None]).astype(np.float32))
    return np.concatenate(found, axis=1).astype(np.float32)


def _window(values: Floats, reach: int) -> Floats:
    sums = np.concatenate([[0], np.cumsum(values, dtype=np.float64)])
    indices = np.arange(len(values))
    return np.asarray(
        sums[np.minimum(indices + reach + 1, len(values))] - sums[np.maximum(indices - reach, 0)],
        dtype=np.float32,
    )
