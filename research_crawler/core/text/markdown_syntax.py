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
