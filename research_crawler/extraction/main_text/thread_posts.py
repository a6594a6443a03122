"""Adds the author and date of every post to the chosen blocks of a thread, if the page shows them."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.page_layout import BITS, group_siblings, name_words
from research_crawler.extraction.metadata.membership import (
    counts_posts,
    is_since_label,
    names_since,
    says_since,
)

_LEAST_SHARE = 0.5
"""The posts of a thread hold at least this share of the words that were chosen on the page."""
_LEAST_POST_WORDS = 5
_NAME_WORDS, _DATE_WORDS = 5, 10
_AUTHOR = 1 << BITS.index("author")
_TIME = 1 << BITS.index("time") | 1 << BITS.index("<time>")
_NO_NAME = [OWN.index(name) for name in ("share", "more", "skip", "account", "legal", "pager")]
_DATE = OWN.index("date")
_NAMING = frozenset({"author", "username", "name", "byline", "nick", "nickname", "poster", "creator"})
_BESIDE = frozenset({"avatar", "title", "rank", "badge", "role", "status", "level", "initial"})


def complete_posts(view: ClassifiedPage, chosen: Iterable[int]) -> list[int]:
    """The chosen blocks, and the author and date of each post that has chosen text.

    What says something of the author as a member is left out: since when he belongs to the forum, how much he
    has written there.
    """
    members = _membership(view)
    taken = set(chosen) - members
    posts = _posts(view, taken)
    for blocks in posts:
        if sum(_words(view, index) for index in blocks if index in taken) < _LEAST_POST_WORDS:
            continue
        for fits, is_clear in ((_is_author, _is_name), (_is_date, _is_time)):
            found = [index for index in blocks if fits(view, index) and index not in members]
            found = [index for index in found if is_clear(view, index)] or found
            if found and not any(index in taken for index in found):
                taken.add(found[0])
    return sorted(taken)


def _membership(view: ClassifiedPage) -> set[int]:
    found: set[int] = set()
    for index, block in enumerate(view.blocks):
        if counts_posts(block.text):
            found.add(index)
        named = block.origin is not None and names_since(block.origin.get("class") or "")
        if block.kind != "heading" and (named or says_since(block.text)):
            if is_since_label(block.text):
                following = range(index + 1, min(index + 2, len(view.blocks)))
                found |= {index, *(near for near in following if _is_date(view, near))}
            elif view.rows[index][_DATE]:
                found.add(index)
    return found


def _posts(view: ClassifiedPage, taken: set[int]) -> list[list[int]]:
    """The blocks of each post. The posts are the repeated elements that hold most of the chosen words."""
    layout = view.layout
    paths = [_path(view, index) for index in range(len(view.blocks))]
    filled = np.zeros(len(layout.elements), dtype=bool)
    for path in paths:
        filled[path] = True
    groups, _ = group_siblings(layout, filled.tolist())
    words: Counter[int] = Counter()
    members: dict[int, set[int]] = {}
    for index in taken:
        for element in paths[index]:
            words[int(groups[element])] += _words(view, index)
            members.setdefault(int(groups[element]), set()).add(element)
    chosen_words = sum(_words(view, index) for index in taken)
    fit = [
        group
        for group, found in members.items()
        if len(found) > 1 and words[group] >= _LEAST_SHARE * chosen_words
    ]
    if not fit:
        return []
    best = max(fit, key=lambda group: (words[group], len(members[group])))
    posts: dict[int, list[int]] = {}
    for index, path in enumerate(paths):
        inner = next((element for element in path if groups[element] == best), None)
        if inner is not None:
            posts.setdefault(inner, []).append(index)
    return list(posts.values())


def _path(view: ClassifiedPage, index: int) -> list[int]:
    """The elements from a block's own element up to the root."""
    element, found = int(view.origins[index]), []
    while element:
        found.append(element)
        element = int(view.layout.parent[element])
    return found


def _words(view: ClassifiedPage, index: int) -> int:
    return int(view.rows[index, 1])


def _is_author(view: ClassifiedPage, index: int) -> bool:
    row = view.rows[index]
    text = view.blocks[index].text
    return bool(
        row[1] <= _NAME_WORDS
        and view.layout.near[int(view.origins[index])] & _AUTHOR
        and not row[_DATE]
        and not row[_NO_NAME].any()
        and any(map(str.isalpha, text))
    )


def _is_name(view: ClassifiedPage, index: int) -> bool:
    """Whether the names of the block's element or of the one around it say that it is an author's name.

    A picture's stand-in (the first letter of the name), a rank or a title stands beside it in the same place.
    """
    element = int(view.origins[index])
    near = (view.layout.named[element], view.layout.named[int(view.layout.parent[element])])
    words = [set(name_words(names)) for names in near]
    return (
        len(view.blocks[index].text.strip()) > 1
        and not (words[0] & _BESIDE)
        and any(not found.isdisjoint(_NAMING) for found in words)
    )


def _is_time(view: ClassifiedPage, index: int) -> bool:
    """Whether a `time` element or a name says that it is a time: the date of a post, where a member's has none."""
    origin = view.blocks[index].origin
    return bool(view.layout.near[int(view.origins[index])] & _TIME) or (
        origin is not None and next(origin.iter("time"), None) is not None
    )


def _is_date(view: ClassifiedPage, index: int) -> bool:
    row = view.rows[index]
    return bool(row[1] <= _DATE_WORDS and (row[_DATE] or view.layout.near[int(view.origins[index])] & _TIME))
