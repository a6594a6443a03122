"""Draws the rates of similar blocks together: averages them over templates and over repeated parts.

So the same parts of every post, row or section are read. On unseen sites, averaging over templates gains
0.002 over all pages (0.005 on forums and documentation). Averaging over repeated parts gains 0.01 on
documentation and services, but loses as much on shops, lists and forums, where the parts of a card differ; so
its weight depends on the page's kind.
"""

from collections.abc import Sequence

import numpy as np

from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.page_kinds import KINDS
from research_crawler.extraction.main_text.page_layout import Floats, Indices, PageLayout, group_siblings

TEMPLATE_SHARE = 0.6
"""The weight of a template's average. All values from 0.5 to 0.9 give results within 0.0005."""
PART_SHARE = 0.5
"""The weight of a repeated part's average. At 0.65 documentation and services gain 0.003 more, but unwanted
texts are rated higher too."""
_PROSE_KINDS = [KINDS.index(kind) for kind in ("article", "documentation", "service")]
_LEAST_PARTS, _LEAST_BLOCKS = 4, 2
"""Rates are averaged over at least so many repeated elements, each with at least so many blocks."""
_LARGER = 0.9
"""A group with more than this share of the words above it is no part of that, but larger."""


def smooth_rates(view: ClassifiedPage, rates: Floats, kinds: Floats) -> Floats:
    """Draw the rates of blocks towards the mean of similar blocks. `kinds` are the page's rates by kind."""
    sizes = np.maximum(1, view.rows[:, 1])
    of_parts = _mean_of(_part_groups(view, sizes), rates, sizes)
    share = PART_SHARE * float(kinds[_PROSE_KINDS].sum())
    drawn = (1 - share) * rates + share * of_parts
    of_templates = _mean_of(_numbers(view.templates), drawn, sizes)
    return np.asarray((1 - TEMPLATE_SHARE) * drawn + TEMPLATE_SHARE * of_templates, dtype=np.float32)


def _mean_of(groups: Indices, rates: Floats, sizes: Floats) -> Floats:
    """For each block the mean rate of its group, weighted by size; its own rate if it has no group (-1)."""
    shifted = groups + 1
    sums, group_sizes = np.bincount(shifted, rates * sizes), np.bincount(shifted, sizes)
    return np.where(groups < 0, rates, (sums / np.maximum(1, group_sizes))[shifted]).astype(np.float32)


def _numbers(names: Sequence[tuple[int, ...]]) -> Indices:
    known: dict[tuple[int, ...], int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.intp)


def _part_groups(view: ClassifiedPage, sizes: Floats) -> Indices:
    """For each block the largest group of similar siblings that it or an ancestor belongs to, or -1."""
    layout = view.layout
    words, blocks = _below(layout, view.origins, sizes)
    groups, keys = group_siblings(layout, (words > 0).tolist())
    group_words = np.bincount(groups, words, len(keys))
    parts = np.bincount(groups, minlength=len(keys))
    fits = (parts >= _LEAST_PARTS) & (np.bincount(groups, blocks, len(keys)) >= _LEAST_BLOCKS * parts)
    found = [-1] * len(layout.elements)
    for index, up in enumerate(layout.parent.tolist()):
        group, above = int(groups[index]), found[up] if index else -1
        is_larger = above < 0 or group_words[group] > _LARGER * group_words[above]
        found[index] = group if index and fits[group] and is_larger else above
    return np.array([found[origin] for origin in view.origins.tolist()], dtype=np.intp)


def _below(layout: PageLayout, origins: Indices, sizes: Floats) -> tuple[Floats, Floats]:
    """The words and the number of the blocks in each element."""
    words, blocks = np.zeros(len(layout.elements)), np.zeros(len(layout.elements))
    np.add.at(words, origins, sizes)
    np.add.at(blocks, origins, 1)
    parent = layout.parent.tolist()
    word_list, block_list = words.tolist(), blocks.tolist()
    for index in range(len(parent) - 1, 0, -1):
        word_list[parent[index]] += word_list[index]
        block_list[parent[index]] += block_list[index]
    return np.array(word_list, dtype=np.float32), np.array(block_list, dtype=np.float32)
