"""The marks of Markdown at the beginning of a line, as pages and callers write them: one place for all readers."""

import re
from typing import Final

ITEM_MARK: Final = r"(?:[-*+•]|\d{1,3}[.)])"
"""Opens an item of a list."""
BLOCK_MARK: Final = re.compile(rf"\s*(?:\||{ITEM_MARK}\s|>|#{{1,6}}\s|`{{3}}|~{{3}})")
"""Opens a line that is no prose: a row, an item, a quotation, a heading, a listing."""
LISTED: Final = re.compile(
    rf"^(?P<indent>[^\S\n]*+){ITEM_MARK}[^\S\n]++(?:\[[ xX]\][^\S\n]++)?(?P<text>[^\n]*)$", re.M
)
"""An item of a list, without its mark and the box of a task."""
_FENCE: Final = re.compile(r"\s*+(?P<marks>`{3,}+(?![^\n]*`)|~{3,}+)(?P<rest>[^\n]*)")
BAR: Final = re.compile(r"(?<!\\)\|")
"""Parts the cells of a row; one behind a backslash is a sign of its cell."""


def open_fence(line: str, fence: str = "") -> str:
    """The fence of the listing that is open behind a line; empty outside of listings (CommonMark 4.5).

    Args:
        line: the line.
        fence: the one that is open before it.
    """
    if not (found := _FENCE.match(line)):
        return fence
    if not fence:
        return found["marks"]
    return "" if found["marks"].startswith(fence) and not found["rest"].strip() else fence


def is_in_listing(markdown: str, end: int) -> bool:
    """Whether the line that begins at, or has, a place of a text stands between the fences of a listing."""
    fence = ""
    for line in markdown[:end].splitlines():
        fence = open_fence(line, fence)
    return bool(fence)


def row_cells(row: str) -> list[str]:
    """The cells of a row of a table as they are written: a bar behind a backslash is a sign of its cell."""
    return BAR.split(row.strip().removeprefix("|").removesuffix("|"))
