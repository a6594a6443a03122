"""Features that tell posts, rows and cards from the rest: of repeated elements, and of a block's template."""

import numpy as np

from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.page_layout import (
    Floats,
    Indices,
    PageLayout,
    count_equal,
    group_siblings,
)

RECORD = [
    f"{which}_{name}"
    for which in ("inner", "outer")
    for name in ("count", "share", "chars", "links", "blocks", "prose", "rank", "height", "order")
]


def record_features(layout: PageLayout, origins: Indices, sums: Floats) -> Floats:
    """Features of the innermost and the largest repeated element around each block (posts, rows, cards)."""
    groups, keys = group_siblings(layout, (sums[:, 0] > 0).tolist())
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
    for index in range(len(parent)):
        up = parent[index]
        inherited_in, inherited_out = (inner[up], outer[up]) if index else (-1, -1)
        inner[index] = index if flags[index] else inherited_in
        best = inherited_out
        if flags[index] and (best < 0 or share[group_list[index]] > share[group_list[best]] * 0.9):
            best = index
        outer[index] = best
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
    for index, group in enumerate(groups):
        order[index] = seen[group] = seen.get(group, -1) + 1
    return order


TEMPLATE = [
    "tpl_count",
    "tpl_chars",
    "tpl_links",
    "tpl_prose",
    "tpl_share",
    "tpl_same_text",
    "tpl_date",
    "tpl_price",
]


def template_features(templates: list[tuple[int, ...]], values: Floats, own: Floats) -> Floats:
    """Features of all blocks that share a block's template.

    Args:
        values: for each block its characters, characters in links, 1, characters of running text, and whether
            it is a heading.
    """
    known: dict[tuple[int, ...], int] = {}
    group = np.array([known.setdefault(template, len(known)) for template in templates], dtype=np.intp)
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
