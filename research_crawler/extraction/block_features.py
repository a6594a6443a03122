"""What tells a page's main text from the rest, as numbers: one row for each block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from lxml import html

from research_crawler.extraction.block_words import OWN, own_features
from research_crawler.extraction.blocks import Block
from research_crawler.extraction.page_layout import (
    BITS,
    Floats,
    Layout,
    Places,
    count_equal,
    lay_out,
    siblings_alike,
    sums_below,
    unpack,
)

_UP = (1, 2, 3, 5, 8)
_SUMS = ("chars", "links", "blocks", "prose", "headings")
PROSE_WORDS = 12
"""A block of at least this many words with few links counts as running text."""


@dataclass(slots=True)
class PageView:
    """A page as the classifier sees it: its blocks, their places in the layout and their features."""

    blocks: list[Block]
    layout: Layout
    origins: Places
    rows: Floats
    templates: list[tuple[int, ...]]
    """For each block the names of its element and of those above it: equal for blocks of one template."""


def view_page(
    root: html.HtmlElement,
    blocks: Sequence[Block],
    *,
    title: str = "",
    description: str = "",
    declared: str = "",
) -> PageView:
    """Features of the blocks that were read from `root`.

    Args:
        declared: what the page declares as its text or description in structured data.
    """
    layout = lay_out(root, [block.origin for block in blocks])
    origins = np.array([layout.place_of.get(block.origin, 0) for block in blocks], dtype=np.intp)
    own = own_features(blocks, title, description, declared)
    templates = _templates(layout, origins.tolist())
    rows = np.concatenate([own, *_context(layout, origins, blocks, own, templates)], axis=1)
    return PageView(list(blocks), layout, origins, rows, templates)


def feature_names() -> list[str]:
    """The columns of `view_page`'s rows."""
    sums = [
        f"{name}_up{level}"
        for level in _UP
        for name in ("chars", "link_share", "block_chars", "prose", "headings")
    ]
    bits = [f"{where}:{bit}" for where in ("own", "near", "above") for bit in BITS]
    return [*OWN, *bits, *sums, *_RECORD, *_TEMPLATE, *_PLACE, *_UNDER, *_AROUND, *_PAGE]


def _templates(layout: Layout, origins: list[int]) -> list[tuple[int, ...]]:
    names, parent = layout.names, layout.parent.tolist()
    found: list[tuple[int, ...]] = []
    for one in origins:
        two = parent[one]
        three = parent[two]
        found.append((names[one], names[two], names[three], names[parent[three]]))
    return found


def _context(
    layout: Layout, origins: Places, blocks: Sequence[Block], own: Floats, templates: list[tuple[int, ...]]
) -> list[Floats]:
    chars = np.array([block.chars for block in blocks], dtype=np.float32)
    links = np.array([block.link_chars for block in blocks], dtype=np.float32)
    prose = chars * ((own[:, 1] >= PROSE_WORDS) & (own[:, 2] < 0.4))
    headings = own[:, OWN.index("heading")]
    values = np.stack([chars, links, np.ones_like(chars), prose, headings], axis=1)
    sums = sums_below(layout, origins, values)
    bits = [
        unpack([source[place] for place in origins.tolist()])
        for source in (layout.bits, layout.near, layout.above)
    ]
    return [
        *bits,
        *_sums_above(layout, origins, sums),
        _record_features(layout, origins, sums),
        _template_features(templates, values, own),
        _place_features(layout, origins, blocks, sums, values, own),
        _under_features(blocks, own),
        _around_features(own, values),
        _page_features(layout, values, own, len(blocks)),
    ]


def _sums_above(layout: Layout, origins: Places, sums: Floats) -> list[Floats]:
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


_RECORD = [
    f"{which}_{name}"
    for which in ("inner", "outer")
    for name in ("count", "share", "chars", "links", "blocks", "prose", "rank", "height", "order")
]


def _record_features(layout: Layout, origins: Places, sums: Floats) -> Floats:
    """Of the innermost and of the largest repeated element around each block: forums, listings, card grids."""
    groups, keys = siblings_alike(layout, (sums[:, 0] > 0).tolist())
    size = np.bincount(groups, minlength=len(keys)).astype(np.float32)
    totals = np.stack([np.bincount(groups, sums[:, column], len(keys)) for column in range(4)], axis=1)
    is_record = (size >= 3) & (totals[:, 2] / np.maximum(size, 1) >= 2)
    is_record &= np.array([name >= 0 for _, name in keys])
    rank = np.empty(len(keys), dtype=np.float32)
    rank[np.argsort(-totals[:, 0] * is_record, kind="stable")] = np.arange(len(keys))
    order = _order_in_group(groups.tolist())
    parent = layout.parent.tolist()
    flags, group_list, share = is_record[groups].tolist(), groups.tolist(), totals[:, 0].tolist()
    inner = list(range(len(parent)))
    outer = list(range(len(parent)))
    for place in range(len(parent)):
        up = parent[place]
        inherited_in, inherited_out = (inner[up], outer[up]) if place else (-1, -1)
        inner[place] = place if flags[place] else inherited_in
        best = inherited_out
        if flags[place] and (best < 0 or share[group_list[place]] > share[group_list[best]] * 0.9):
            best = place
        outer[place] = best
    found = []
    for chosen in (np.array(inner)[origins], np.array(outer)[origins]):
        has = chosen >= 0
        group = groups[np.maximum(chosen, 0)]
        count = size[group]
        columns = [
            np.log1p(count), totals[group, 0] / max(1.0, float(sums[0, 0])), np.log1p(totals[group, 0] / count),
            totals[group, 1] / np.maximum(totals[group, 0], 1), totals[group, 2] / count,
            totals[group, 3] / np.maximum(totals[group, 0], 1), np.minimum(rank[group], 20),
            np.log1p(sums[np.maximum(chosen, 0), 2]), order[np.maximum(chosen, 0)] / count,
        ]  # fmt: skip
        found += [np.where(has, column, -1) for column in columns]
    return np.stack(found, axis=1).astype(np.float32)


def _order_in_group(groups: list[int]) -> Floats:
    seen: dict[int, int] = {}
    order = np.zeros(len(groups), dtype=np.float32)
    for place, group in enumerate(groups):
        order[place] = seen[group] = seen.get(group, -1) + 1
    return order


_TEMPLATE = [
    "tpl_count",
    "tpl_chars",
    "tpl_links",
    "tpl_prose",
    "tpl_share",
    "tpl_same_text",
    "tpl_date",
    "tpl_price",
]


def _template_features(templates: list[tuple[int, ...]], values: Floats, own: Floats) -> Floats:
    known: dict[tuple[int, ...], int] = {}
    group = np.array([known.setdefault(one, len(known)) for one in templates], dtype=np.intp)
    date, price = own[:, OWN.index("date")], own[:, OWN.index("price")]
    texts = [hash(row.tobytes()) for row in own[:, :8]]

    def mean(column: Floats) -> Floats:
        sums = np.bincount(group, column, len(known))
        return np.asarray((sums / size)[group], dtype=np.float32)

    size = np.maximum(np.bincount(group, minlength=len(known)), 1)
    chars = np.bincount(group, values[:, 0], len(known))
    return np.stack(
        [
            np.log1p(size[group]), np.log1p(mean(values[:, 0])),
            np.bincount(group, values[:, 1], len(known))[group] / np.maximum(chars[group], 1),
            np.bincount(group, values[:, 3], len(known))[group] / np.maximum(chars[group], 1),
            chars[group] / max(1.0, float(values[:, 0].sum())), count_equal(texts), mean(date), mean(price),
        ],
        axis=1,
    ).astype(np.float32)  # fmt: skip


_PLACE = [
    "order", "chars_before", "chars_after", "from_h1", "after_h1", "has_h1", "depth", "in_core", "core_distance",
    "core_share", "before_core", "after_core", "same_text", "repeats_earlier", "log_order", "log_after",
]  # fmt: skip


def _place_features(
    layout: Layout, origins: Places, blocks: Sequence[Block], sums: Floats, values: Floats, own: Floats
) -> Floats:
    count = len(blocks)
    order = np.arange(count, dtype=np.float32)
    before = np.concatenate([[0], np.cumsum(values[:, 0])[:-1]])
    total = max(1.0, float(values[:, 0].sum()))
    tops = [place for place, block in enumerate(blocks) if block.kind == "heading" and block.level == 1]
    top = max(tops, key=lambda place: own[place, OWN.index("title_share")]) if tops else -1
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
    """Whether each text has been there before."""
    seen: set[object] = set()
    found = []
    for text in texts:
        found.append(text in seen)
        seen.add(text)
    return np.array(found, dtype=np.float32)


def _depths(layout: Layout) -> Places:
    depth = [0] * len(layout.elements)
    for place, up in enumerate(layout.parent.tolist()):
        depth[place] = depth[up] + 1 if place else 0
    return np.array(depth, dtype=np.intp)


_CORE_SHARE = 0.7


def _core(layout: Layout, sums: Floats) -> int:
    """The lowest element that holds most of the running text."""
    wanted = _CORE_SHARE * float(sums[0, 3])
    if not wanted:
        return 0
    return int(np.flatnonzero(sums[:, 3] >= wanted)[-1])


def _common_depth(layout: Layout, origins: Places, core: int, depth: Places) -> Places:
    """The depth at which the way to each block leaves the way to the core."""
    way = {core}
    while core:
        core = int(layout.parent[core])
        way.add(core)
    common = [0] * len(layout.elements)
    for place, up in enumerate(layout.parent.tolist()):
        common[place] = int(depth[place]) if place in way else common[up]
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
_UNDER = ["under_distance", "under_level", *(f"under_{name}" for name in _UNDER_PHRASES)]


def _under_features(blocks: Sequence[Block], own: Floats) -> Floats:
    """Of the heading that a block stands under."""
    columns = [OWN.index(name) for name in _UNDER_PHRASES]
    found = np.full((len(blocks), len(_UNDER)), -1, dtype=np.float32)
    last = -1
    for place, block in enumerate(blocks):
        if last >= 0:
            found[place, 0] = min(place - last, 60)
            found[place, 1] = blocks[last].level
            found[place, 2:] = own[last, columns]
        if block.kind == "heading":
            last = place
    return found


_AROUND_COLUMNS = ("log_chars", "link_share", "heading", "commas")
_AROUND_STEPS = (-2, -1, 1, 2)
_AROUND = [
    *(f"{name}{step:+d}" for step in _AROUND_STEPS for name in _AROUND_COLUMNS),
    "prose_near5", "links_near5", "prose_near15", "links_near15",
]  # fmt: skip


def _around_features(own: Floats, values: Floats) -> Floats:
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
    places = np.arange(len(values))
    return np.asarray(
        sums[np.minimum(places + reach + 1, len(values))] - sums[np.maximum(places - reach, 0)],
        dtype=np.float32,
    )


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


def _page_features(layout: Layout, values: Floats, own: Floats, count: int) -> Floats:
    chars = max(1.0, float(values[:, 0].sum()))
    row = [
        np.log1p(count), np.log1p(chars), values[:, 1].sum() / chars, values[:, 3].sum() / chars,
        own[:, OWN.index("date")].mean(), own[:, OWN.index("price")].mean(), np.log1p(layout.size),
        own[:, OWN.index("code")].mean(),
    ]  # fmt: skip
    return np.tile(np.array(row, dtype=np.float32), (count, 1))
