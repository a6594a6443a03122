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
    """The text as Markdown code, even if it contains backticks; "" stays empty."""
    words = str(text)
    if not words:
        return ""
    return f"`` {words} ``" if "`" in words else f"`{words}`"


def plain(text: str) -> str:
    """The text of a docstring or a help line; text that looks like a tag (`<job>`) is escaped."""
    return CODE_OR_ANGLE.sub(lambda found: found[1] or "&lt;", text)


def _cell(text: str) -> str:
    """The text on one line; bars outside code are escaped, because they would end the cell."""
    return CODE_OR_PIPE.sub(lambda found: found[1] or "\\|", " ".join(text.split()))
