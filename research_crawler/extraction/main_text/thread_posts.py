"""Threads: every post that is read says who wrote it and when, where the page says so."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from research_crawler.extraction.main_text.block_features import ClassifiedPage
from research_crawler.extraction.main_text.block_words import OWN
from research_crawler.extraction.main_text.page_layout import BITS, siblings_alike

_LEAST_SHARE = 0.5
"""Of the words of a page that are read: so much lies in the posts of its thread."""
_LEAST_POST_WORDS = 5
_NAME_WORDS, _DATE_WORDS = 5, 10
_AUTHOR = 1 << BITS.index("author")
_TIME = 1 << BITS.index("time") | 1 << BITS.index("<time>")
_NO_NAME = [OWN.index(name) for name in ("share", "more", "skip", "account", "legal", "pager")]
_DATE = OWN.index("date")


def complete_posts(view: ClassifiedPage, chosen: Iterable[int]) -> list[int]:
    """The chosen blocks with the author and date of each post that has chosen text."""
    taken = set(chosen)
    posts = _posts(view, taken)
    for blocks in posts:
        if sum(_words(view, place) for place in blocks if place in taken) < _LEAST_POST_WORDS:
            continue
        for fits in (_is_author, _is_date):
            found = [place for place in blocks if fits(view, place)]
            if found and not any(place in taken for place in found):
                taken.add(found[0])
    return sorted(taken)


def _posts(view: ClassifiedPage, taken: set[int]) -> list[list[int]]:
    """The blocks of each post: of the repeated element that holds most of what is read."""
    layout = view.layout
    ways = [_way(view, place) for place in range(len(view.blocks))]
    filled = np.zeros(len(layout.elements), dtype=bool)
    for way in ways:
        filled[way] = True
    groups, _ = siblings_alike(layout, filled.tolist())
    words: Counter[int] = Counter()
    members: dict[int, set[int]] = {}
    for place in taken:
        for element in ways[place]:
            words[int(groups[element])] += _words(view, place)
            members.setdefault(int(groups[element]), set()).add(element)
    whole = sum(_words(view, place) for place in taken)
    fit = [
        group for group, found in members.items() if len(found) > 1 and words[group] >= _LEAST_SHARE * whole
    ]
    if not fit:
        return []
    best = max(fit, key=lambda group: (words[group], len(members[group])))
    posts: dict[int, list[int]] = {}
    for place, way in enumerate(ways):
        inner = next((element for element in way if groups[element] == best), None)
        if inner is not None:
            posts.setdefault(inner, []).append(place)
    return list(posts.values())


def _way(view: ClassifiedPage, place: int) -> list[int]:
    """The elements from a block's own up to the root."""
    element, found = int(view.origins[place]), []
    while element:
        found.append(element)
        element = int(view.layout.parent[element])
    return found


def _words(view: ClassifiedPage, place: int) -> int:
    return int(view.rows[place, 1])


def _is_author(view: ClassifiedPage, place: int) -> bool:
    row = view.rows[place]
    text = view.blocks[place].text
    return bool(
        row[1] <= _NAME_WORDS
        and view.layout.near[int(view.origins[place])] & _AUTHOR
        and not row[_DATE]
        and not row[_NO_NAME].any()
        and any(map(str.isalpha, text))
    )


def _is_date(view: ClassifiedPage, place: int) -> bool:
    row = view.rows[place]
    return bool(row[1] <= _DATE_WORDS and (row[_DATE] or view.layout.near[int(view.origins[place])] & _TIME))
