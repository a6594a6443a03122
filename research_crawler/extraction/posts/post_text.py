"""Reads the values of a post: its text on one line, names, and numbers as pages write them."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from typing import Final

from lxml import etree

from research_crawler.extraction.metadata.page_names import line

MAX_POSTS: Final = 500
_MAX_TEXT: Final = 2_000
"""A post keeps only the beginning of its text. The page's text has all of it."""
_AUTHOR_CHARS = 80
_TAG = re.compile(r"<[^<>]*>")
_AMOUNT = re.compile(r"[-+−]?\d[\d,.  ]*")
_MAX_PIECES = 10_000
"""At most this many pieces of text are read, so that hundreds of nested posts take no longer than posts in a
row."""
_INLINE = ("a", "b", "i", "em", "strong", "code", "span")
_UNSEEN = ("script", "style", "template", "noscript", "svg", "button", "form")


def text_of(value: "etree._Element | str") -> str:
    """The text of an element or of markup, at most _MAX_TEXT characters."""
    if isinstance(value, str):
        return line(unescape(_TAG.sub(" ", value)), _MAX_TEXT)
    if value.tag == "meta":
        return line(value.get("content"), _MAX_TEXT)
    pieces: list[str] = []
    chars = 0
    for piece in islice(_pieces(value), _MAX_PIECES):
        pieces.append(piece)
        chars += len(piece)
        if chars > 4 * _MAX_TEXT:
            break
    return line("".join(pieces), _MAX_TEXT)


def _pieces(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _UNSEEN:
            inline = child.tag in _INLINE
            yield "" if inline else " "
            yield from _pieces(child)
            yield "" if inline else " "
        yield child.tail or ""


def author_of(text: str) -> str:
    """The author's name in a text; "" if the text is too long for a name."""
    name = line(text.removeprefix("@"), _AUTHOR_CHARS + 1)
    return name if len(name) <= _AUTHOR_CHARS and any(map(str.isalnum, name)) else ""


def whole_number(value: object) -> int | None:
    """Read a count as pages write it (12, "1,204", "−3"); None for anything else."""
    found = _AMOUNT.match(str(value).strip())
    digits = re.sub(r"[^\d]", "", found[0]) if found else ""
    if not digits or len(digits) > 9:
        return None
    return -int(digits) if found and found[0][0] in "-−" else int(digits)


def number(value: object) -> float | None:
    """Read a rating such as 4.5, "4,5" or "4.5 out of 5"; None for anything else."""
    found = re.match(r"\d{1,3}(?:[.,]\d{1,3})?", str(value).strip())
    return float(found[0].replace(",", ".")) if found else None
