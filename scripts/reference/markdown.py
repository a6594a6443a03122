"""Small pieces of Markdown that all reference pages use."""

import re
from collections.abc import Iterable, Sequence

CODE_OR_PIPE = re.compile(r"(``? ?[^`]*``?)|\|")
CODE_OR_ANGLE = re.compile(r"(`[^`]*`)|<")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, with a blank line after it."""
    lines = [head, ["---"] * len(head), *rows]
    return [*(f"| {' | '.join(_cell(text) for text in line)} |" for line in lines), ""]


def code(text: object) -> str:
    """Text as code, also where it has backticks; "" stays empty."""
    words = str(text)
    if not words:
        return ""
    return f"`` {words} ``" if "`" in words else f"`{words}`"


def plain(text: str) -> str:
    """Text of a docstring or a help line: what looks like a tag (`<job>`) is shown as it is."""
    return CODE_OR_ANGLE.sub(lambda found: found[1] or "&lt;", text)


def _cell(text: str) -> str:
    """Text in one line; a bar inside code does not end the cell, one outside would."""
    return CODE_OR_PIPE.sub(lambda found: found[1] or "\\|", " ".join(text.split()))
