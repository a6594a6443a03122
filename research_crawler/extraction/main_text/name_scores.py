"""How main the text is that lies in elements of a name: what words of class names say on most sites.

`weights/names.json` has for each word that at least four sites of the training pages use how much more of
the text in such elements is main
text than of their pages' whole: near (the element and the two above it) and far (all others above it).
"""

import json
from collections.abc import Mapping
from functools import cache

import numpy as np

from research_crawler.extraction.main_text.boosted_trees import read_weights
from research_crawler.extraction.main_text.page_layout import Floats, PageLayout, Places, name_words

Scores = Mapping[str, float]
"""Of each word."""
_Sum = tuple[float, float, float, float]
_NONE: _Sum = (0.0, 0.0, 0.0, 0.0)
COLUMNS = [f"{zone}_name_{what}" for zone in ("near", "far") for what in ("best", "worst", "sum", "count")]


@cache
def name_scores() -> tuple[Scores, Scores]:
    """The scores of words near and far."""
    stored = json.loads(read_weights("names"))
    return stored["near"], stored["far"]


def name_rows(layout: PageLayout, origins: Places, near: Scores, far: Scores) -> Floats:
    """A row of COLUMNS for each block."""
    own_near = _of_elements(layout, near)
    own_far = _of_elements(layout, far)
    parent = layout.parent.tolist()
    above: list[_Sum] = []
    for place, up in enumerate(parent):
        above.append(_joined(above[up], own_far[place]) if place else own_far[place])
    rows = []
    for one in origins.tolist():
        two = parent[one]
        three = parent[two]
        near_sum = _joined(_joined(own_near[one], own_near[two]), own_near[three])
        rows.append((*near_sum, *(above[parent[three]] if three else _NONE)))
    return np.array(rows, dtype=np.float32).reshape(len(origins), len(COLUMNS))


def _of_elements(layout: PageLayout, scores: Scores) -> list[_Sum]:
    known: dict[str, _Sum] = {"": _NONE}
    found = []
    for names in layout.named:
        if names not in known:
            values = [scores[word] for word in name_words(names) if word in scores]
            known[names] = (max(values), min(values), sum(values), len(values)) if values else _NONE
        found.append(known[names])
    return found


def _joined(one: _Sum, other: _Sum) -> _Sum:
    if not other[3]:
        return one
    if not one[3]:
        return other
    return max(one[0], other[0]), min(one[1], other[1]), one[2] + other[2], one[3] + other[3]
