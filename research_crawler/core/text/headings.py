"""Reads the headings of stored Markdown, for the passages of a page and for the planner."""

import re
from collections.abc import Iterable

HEADING_CHARS = 300
"""Of a heading: what follows is text that somebody marked as one. Each piece of a page is kept with what it stands
under, and a heading of a whole page would be copied as often as the page has pieces."""
PATH_CHARS = 600
"""Of the headings above a piece of a page together."""
STEP = " > "
"""Stands between the headings of a path."""
_OPENING = re.compile(r"\s{0,3}(#{1,6})\s")


def heading_of(line: str) -> tuple[int, str] | None:
    """The level and the text of a heading ("## Text ##"), at most HEADING_CHARS of it; None for any other line."""
    opening = _OPENING.match(line)
    text = line[opening.end() :].strip() if opening else ""
    if opening is None or "\n" in text:
        return None
    return len(opening[1]), shortened_heading(text.rstrip("#").rstrip())


def shortened_heading(text: str) -> str:
    """A heading, or the name of something, that is cut behind a word if it is longer than HEADING_CHARS."""
    if len(text) <= HEADING_CHARS:
        return text
    return f"{text[:HEADING_CHARS].rsplit(maxsplit=1)[0]}…"


def heading_path(names: Iterable[str]) -> str:
    """The headings above a piece of a page, outermost first (`Guide > Setup`); too long, the innermost."""
    steps = [name.replace(STEP, " › ") for name in names if name]
    while len(steps) > 1 and len(STEP.join(steps)) > PATH_CHARS:
        del steps[0]
    return STEP.join(steps)[:PATH_CHARS]
