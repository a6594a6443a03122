"""Completes the page of a manual: its title, the name and the synopsis of what it documents, its code and tables.

The first lines of a manual are short, and the models take them for a header; a short example looks like a button.
"""

from collections.abc import Sequence

from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.blocks.block_words import OWN

_REACH = 60
"""The title stands at most this many blocks, tables of contents included, above the first chosen block."""
_MOST_ADDED = 12
_TITLE_SHARE, _LINKS, _LABEL_WORDS = 0.6, 0.5, 4
_AROUND = frozenset({"nav", "header", "footer", "aside", "form"})


def with_code_and_tables(view: ClassifiedPage, chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and all code and all data tables, but no tables of links, between the first and the last."""
    if not chosen:
        return []
    span = range(min(chosen), max(chosen) + 1)
    return sorted({*chosen, *(index for index in span if _is_code_or_data(view, index))})


def _is_code_or_data(view: ClassifiedPage, index: int) -> bool:
    block = view.blocks[index]
    return block.kind == "code" or (block.table is not None and not _is_link(view, index))


def with_opening(view: ClassifiedPage, chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and what stands between the page's title and the first of them, but no links."""
    if not chosen:
        return []
    first = min(chosen)
    if view.blocks[first].kind == "heading" and _says_title(view, first):
        return list(chosen)
    title = _title_above(view, first)
    if title is None:
        return list(chosen)
    between = [index for index in range(title + 1, first) if _is_text(view, index)]
    return sorted({title, *(between if len(between) <= _MOST_ADDED else ()), *chosen})


def _title_above(view: ClassifiedPage, first: int) -> int | None:
    """The nearest h1 above a block, or else the furthest other heading that says what the page's title says."""
    found = None
    for index in range(first - 1, max(-1, first - 1 - _REACH), -1):
        block = view.blocks[index]
        if block.kind == "heading" and not _is_around(view, index):
            if block.level == 1:
                return index
            if _says_title(view, index):
                found = index
    return found


def _says_title(view: ClassifiedPage, index: int) -> bool:
    return bool(view.rows[index, OWN.index("title_share")] >= _TITLE_SHARE)


def _is_text(view: ClassifiedPage, index: int) -> bool:
    """Whether a block is no link and no label above links, such as "Table of Contents"."""
    if _is_link(view, index) or _is_around(view, index):
        return False
    is_label = view.rows[index, OWN.index("words")] <= _LABEL_WORDS and view.blocks[index].kind != "heading"
    return not (is_label and _is_link(view, index + 1))


def _is_link(view: ClassifiedPage, index: int) -> bool:
    return view.blocks[index].link_chars > _LINKS * view.blocks[index].chars


def _is_around(view: ClassifiedPage, index: int) -> bool:
    origin = view.blocks[index].origin
    return origin is not None and any(node.tag in _AROUND for node in (origin, *origin.iterancestors()))
