"""Blocks that are alike on a page are rated alike: the rates of a template and of a repeated part are averaged.

What is read of one post, row or section is then read of the next one too. On unseen sites the mean over templates wins
0.002 over all pages (forums and documentation 0.005), the mean over repeated parts 0.01 on documentation and services;
on shops, lists and forums it costs as much, since parts of a card there differ: so it counts by the page's kind.
"""

from collections.abc import Sequence

import numpy as np

from research_crawler.extraction.main_text.block_features import ClassifiedPage
from research_crawler.extraction.main_text.page_kinds import KINDS
from research_crawler.extraction.main_text.page_layout import Floats, PageLayout, Places, siblings_alike

TEMPLATE_SHARE = 0.6
"""0.5 to 0.9 are within 0.0005."""
PART_SHARE = 0.5
"""At 0.65 documentation and services win 0.003 more, and so do texts that do not belong."""
_PROSE_KINDS = [KINDS.index(kind) for kind in ("article", "documentation", "service")]
_LEAST_PARTS, _LEAST_BLOCKS = 4, 2
_LARGER = 0.9


def smooth_rates(view: ClassifiedPage, rates: Floats, kinds: Floats) -> Floats:
    """The rates of the blocks, drawn to the mean of their likes; `kinds` are the page's rates."""
    sizes = np.maximum(1, view.rows[:, 1])
    of_parts = _mean_of(_part_groups(view, sizes), rates, sizes)
    share = PART_SHARE * float(kinds[_PROSE_KINDS].sum())
    drawn = (1 - share) * rates + share * of_parts
    of_templates = _mean_of(_numbers(view.templates), drawn, sizes)
    return np.asarray((1 - TEMPLATE_SHARE) * drawn + TEMPLATE_SHARE * of_templates, dtype=np.float32)


def _mean_of(groups: Places, rates: Floats, sizes: Floats) -> Floats:
    """For each block the mean rate of its group by size; its own where it has none (-1)."""
    shown = groups + 1
    sums, whole = np.bincount(shown, rates * sizes), np.bincount(shown, sizes)
    return np.where(groups < 0, rates, (sums / np.maximum(1, whole))[shown]).astype(np.float32)


def _numbers(names: Sequence[tuple[int, ...]]) -> Places:
    known: dict[tuple[int, ...], int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.intp)


def _part_groups(view: ClassifiedPage, sizes: Floats) -> Places:
    """For each block the largest group of like siblings that one of its elements belongs to, or -1."""
    layout = view.layout
    words, blocks = _below(layout, view.origins, sizes)
    groups, keys = siblings_alike(layout, (words > 0).tolist())
    whole = np.bincount(groups, words, len(keys))
    parts = np.bincount(groups, minlength=len(keys))
    fits = (parts >= _LEAST_PARTS) & (np.bincount(groups, blocks, len(keys)) >= _LEAST_BLOCKS * parts)
    found = [-1] * len(layout.elements)
    for place, up in enumerate(layout.parent.tolist()):
        group, above = int(groups[place]), found[up] if place else -1
        is_larger = above < 0 or whole[group] > _LARGER * whole[above]
        found[place] = group if place and fits[group] and is_larger else above
    return np.array([found[origin] for origin in view.origins.tolist()], dtype=np.intp)


def _below(layout: PageLayout, origins: Places, sizes: Floats) -> tuple[Floats, Floats]:
    """The words and the number of the blocks in each element."""
    words, blocks = np.zeros(len(layout.elements)), np.zeros(len(layout.elements))
    np.add.at(words, origins, sizes)
    np.add.at(blocks, origins, 1)
    parent = layout.parent.tolist()
    word_list, block_list = words.tolist(), blocks.tolist()
    for place in range(len(parent) - 1, 0, -1):
        word_list[parent[place]] += word_list[place]
        block_list[parent[place]] += block_list[place]
    return np.array(word_list, dtype=np.float32), np.array(block_list, dtype=np.float32)
