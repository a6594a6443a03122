"""Put text from the web between marks that nobody can guess, so that a model can tell it from its instructions."""

import secrets
from collections.abc import Sequence

from prompts.loader import NOTHING, Entries


def new_fence() -> str:
    """A random mark, new for every call, so that text from the web cannot contain it."""
    return secrets.token_hex(6)


def marks(fence: str) -> str:
    """The marks as a prompt names them."""
    return f"<<{fence} and {fence}>>"


def fenced(fence: str, document: Entries, *, head: str = "") -> Entries:
    """The entries between the marks, with `head` above them; marks and head are never left out.

    A text that has the mark all the same loses it, so that nothing between the marks can end them.
    """
    items = [_without(fence, item) for item in document.items] or [NOTHING]
    worth = document.worth or [1.0]
    before = f"<<{fence}\n{_without(fence, head)}".rstrip()
    return Entries(items=items, worth=worth, before=before, after=f"{fence}>>")


def fenced_lines(fence: str, lines: Sequence[str]) -> Entries:
    """Lines between the marks, all of which stay."""
    return fenced(fence, Entries(items=list(lines), worth=[1.0] * len(lines)))


def _without(fence: str, text: str) -> str:
    while fence in text:
        text = text.replace(fence, "")
    return text
