"""Reads the headings of stored Markdown, for the passages of a page and for the planner."""

import re

_OPENING = re.compile(r"\s{0,3}(#{1,6})\s")


def heading_of(line: str) -> tuple[int, str] | None:
    """The level and the text of a heading ("## Text ##"); None for any other line."""
    opening = _OPENING.match(line)
    text = line[opening.end() :].strip() if opening else ""
    if opening is None or "\n" in text:
        return None
    return len(opening[1]), text.rstrip("#").rstrip()
