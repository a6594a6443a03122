"""Scores of the words in class names and ids: how likely text in elements with such a name is main text.

`weights/names.json` has a score for each word that at least four sites of the training pages use. The score
says how much larger the share of main text is in elements with this word than on their pages as a whole.
There are two scores: near (the word is in the name of the block's element or of the two above it) and far (of
any element further up).
"""

import json
from collections.abc import Mapping
from functools import cache

import numpy as np

from research_crawler.extraction.main_text.boosted_trees import read_weights
from research_crawler.extraction.main_text.page_layout import Floats, Indices, PageLayout, class_words

Scores = Mapping[str, float]
"""The score of each word."""
_Sum = tuple[float, float, float, float]
_NONE: _Sum = (0.0, 0.0, 0.0, 0.0)
"""What stands for an element above which none has a name: best, worst, sum and count."""
COLUMNS = [f"{zone}_name_{what}" for zone in ("near", "far") for what in ("best", "worst", "sum", "count")]


@cache
def name_scores() -> tuple[Scores, Scores]:
    """The near and the far scores of words."""
    stored = json.loads(read_weights("names"))
    return stored["near"], stored["far"]


def name_rows(layout: PageLayout, origins: Indices, near: Scores, far: Scores) -> Floats:
    """For each block a row with the columns COLUMNS."""
    known = {name: (_sum_of(name, near), _sum_of(name, far)) for name in set(layout.named)}
    own_near = [known[name][0] for name in layout.named]
    own_far = [known[name][1] for name in layout.named]
    parent = layout.parent.tolist()
    above: list[_Sum] = []
    for index, up in enumerate(parent):
        above.append(_joined(above[up], own_far[index]) if index else own_far[index])
    rows = []
    for element in origins.tolist():
        first = parent[element]
        second = parent[first]
        near_sum = _joined(_joined(own_near[element], own_near[first]), own_near[second])
        rows.append((*near_sum, *(above[parent[second]] if second else _NONE)))
    return np.array(rows, dtype=np.float32).reshape(len(origins), len(COLUMNS))


def _sum_of(names: str, scores: Scores) -> _Sum:
    values = [scores[word] for word in class_words(names) if word in scores] if names else []
    return (max(values), min(values), sum(values), len(values)) if values else _NONE


def _joined(a: _Sum, b: _Sum) -> _Sum:
    if not b[3]:
        return a
    if not a[3]:
        return b
    return max(a[0], b[0]), min(a[1], b[1]), a[2] + b[2], a[3] + b[3]
