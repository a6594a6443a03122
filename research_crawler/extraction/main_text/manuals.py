"""Completes the page of a manual: its code and its tables. A short example looks like a button to the models."""

from collections.abc import Sequence

from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage

_LINKS = 0.5


def with_code_and_tables(view: ClassifiedPage, chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and all code and all data tables, but no tables of links, between the first and the last."""
    if not chosen:
        return []
    span = range(min(chosen), max(chosen) + 1)
    return sorted({*chosen, *(index for index in span if _is_code_or_data(view, index))})


def _is_code_or_data(view: ClassifiedPage, index: int) -> bool:
    block = view.blocks[index]
    return block.kind == "code" or (block.table is not None and not _is_link(view, index))


def _is_link(view: ClassifiedPage, index: int) -> bool:
    return view.blocks[index].link_chars > _LINKS * view.blocks[index].chars
