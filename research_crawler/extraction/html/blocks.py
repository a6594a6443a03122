"""Reads the text blocks of an element tree, and writes blocks as Markdown and as plain text.

The same reader works for trafilatura's body tree and for plain HTML, because they differ only in element
names. The Markdown has no emphasis, inline code or link targets, and nothing is escaped: a slice of it has
the same words as the page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree

_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_LISTS = {"ul", "ol", "menu", "dl", "list"}
_ITEMS = {"li", "item"}
_ROWS = {"tr", "row"}
_CELLS = {"td", "th", "cell"}
_QUOTES = {"blockquote", "quote"}
_BREAKS = {"br", "lb"}
_ANCHORS = {"a", "ref"}
_SEPARABLE = {"a", "ref", "span", "label", "time", "small", "strong", "bdi", "data", "output"}
"""Inline elements that pages also use for separate texts. (`em`, `b` and `i` may end inside a word.)"""
_LITERAL = {"code", "kbd", "samp", "tt", "math"}
"""Elements whose text must not get extra spaces."""
_PLAIN = {
    "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "div", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend", "main", "nav",
    "p", "section", "summary", "tbody", "tfoot", "thead", "ab",
}  # fmt: skip
_BLOCKS = {*_HEADINGS, "head", "table", "pre", *_PLAIN, *_LISTS, *_ITEMS, *_ROWS, *_CELLS, *_QUOTES}
_SILENT = {
    "script", "style", "template", "noscript", "svg", "iframe", "object", "embed", "canvas", "video", "audio",
    "select", "button", "input", "textarea", "datalist", "title", "meta", "link", "graphic", "map",
    "frameset",
}  # fmt: skip
_LAYOUT = {"table", *_HEADINGS, "head", "pre", "form", *_QUOTES}
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")

Kind = Literal["paragraph", "heading", "item", "row", "code", "quote"]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of text.

    `level` is that of a heading, or the depth of a list item (from 0). `number` is the position of an item in
    an ordered list (from 1), 0 in other lists.
    """

    kind: Kind
    text: str
    level: int = 0
    number: int = 0
    cells: tuple[str, ...] = ()
    origin: etree._Element | None = field(default=None, compare=False, repr=False)
    """The element that contains the block; None for blocks that were not read from a tree."""
    link_chars: int = field(default=0, compare=False)
    """How many of its characters are link text."""

    @property
    def chars(self) -> int:
        """The length of the text, without Markdown marks."""
        return len(self.text) + sum(map(len, self.cells))


@dataclass(slots=True)
class _List:
    ordered: bool
    count: int = 0


@dataclass(slots=True)
class _BlockReader:
    """Collects inline text, and makes a block of it where a block element begins or ends."""

    blocks: list[Block] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    heading: int = 0
    quotes: int = 0
    code: int = 0
    anchors: int = 0
    link_chars: int = 0
    item_open: bool = False
    literal: int = 0
    ended: int = 0
    """How many inline elements have just ended, with no text after them yet."""

    def close(self, origin: etree._Element) -> None:
        text = "".join(self.pieces)
        self.pieces.clear()
        if not text or text.isspace():
            return
        text = text.strip("\n").rstrip() if self.code else _tidy(text)
        if not text.strip():
            return
        if self.rows and not self.code:
            self.rows[-1][-1:] = [f"{self.rows[-1][-1]} {text}".strip()] if self.rows[-1] else [text]
        else:
            self.blocks.append(self._block(text, origin))
            self.link_chars = 0

    def take(self, text: str | None) -> None:
        if text:
            self.pieces.append(text if self.code else text.replace("\n", " "))
            if self.anchors:
                self.link_chars += len(text.strip())

    def separate(self, text: str | None) -> None:
        """Add a space between an inline element's text and the element that ended directly before it.

        Pages write brand and model, or name and number, as adjacent elements that only a style sheet
        separates.
        """
        if self.ended and text and self.pieces and not (self.code or self.literal):
            last = self.pieces[-1]
            nested = self.ended > 1
            if _is_boundary(last[-1:], text[0], nested) and len(last) > 1 and len(text) > 1:
                self.pieces.append(" ")
        if text:
            self.ended = 0

    def _block(self, text: str, origin: etree._Element) -> Block:
        links = min(self.link_chars, len(text))
        if self.code:
            return Block("code", text, origin=origin, link_chars=links)
        if self.heading:
            line = text.replace("\n", " ")
            return Block("heading", line, level=self.heading, origin=origin, link_chars=links)
        if self.item_open and self.lists:
            self.item_open = False
            number = self.lists[-1].count if self.lists[-1].ordered else 0
            level = len(self.lists) - 1
            return Block("item", text, level=level, number=number, origin=origin, link_chars=links)
        return Block("quote" if self.quotes else "paragraph", text, origin=origin, link_chars=links)

    def start(self, element: etree._Element, tag: str) -> None:
        self.close(element if element.getparent() is None else element.getparent())
        if tag in _LISTS:
            self.lists.append(_List(tag == "ol" or element.get("rend") == "ol"))
        elif tag in _ITEMS and self.lists:
            self.lists[-1].count += 1
            self.item_open = True
        elif tag in _ROWS and _holds_data(element):
            self.rows.append([])
        elif tag in _CELLS and self.rows:
            self.rows[-1].append("")
        else:
            self._mode(element, tag, 1)

    def end(self, element: etree._Element, tag: str) -> None:
        self.close(element)
        if tag in _LISTS and self.lists:
            self.lists.pop()
        elif tag in _ITEMS:
            self.item_open = False
        elif tag in _ROWS and self.rows and _holds_data(element):
            self._close_row(element)
        else:
            self._mode(element, tag, -1)

    def _mode(self, element: etree._Element, tag: str, step: int) -> None:
        if tag in _HEADINGS or tag == "head":
            rend = (element.get("rend") or "h2") if tag == "head" else tag
            self.heading = _HEADINGS.get(rend, 2) if step > 0 else 0
        elif tag in _QUOTES:
            self.quotes += step
        elif tag in ("pre", "code"):
            self.code += step

    def _close_row(self, origin: etree._Element) -> None:
        cells = tuple(cell.replace("\n", " ") for cell in self.rows.pop())
        links = min(self.link_chars, sum(map(len, cells)))
        self.link_chars = 0
        if sum(map(bool, cells)) > 1:
            self.blocks.append(Block("row", "", cells=cells, origin=origin, link_chars=links))
        elif any(cells):
            self.blocks.append(Block("paragraph", "".join(cells), origin=origin, link_chars=links))


def _is_boundary(last: str, first: str, nested: bool) -> bool:
    """Whether a new word may begin between the last and first character of two adjacent elements.

    Editors sometimes split a word into two elements, between two lower-case letters; that is no boundary. If
    the element that ended contains other elements (`nested`), it was not such a split.
    """
    return last.isalnum() and first.isalnum() and (nested or not (last.islower() and first.islower()))


def _tidy(text: str) -> str:
    return _LINES.sub("\n", _SPACES.sub(" ", text)).strip()


def read_blocks(root: etree._Element) -> list[Block]:
    """The blocks of an element tree, in document order. Time is linear in the size of the tree."""
    reader = _BlockReader()
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = element.tag if isinstance(element.tag, str) else ""
        block = tag in _BLOCKS or (tag == "code" and "\n" in (element.text or "").strip() and not reader.code)
        if event == "start":
            if not tag or (tag in _SILENT and not (tag == "button" and _has_page_text(element))):
                walker.skip_subtree()
                continue
            if block:
                reader.start(element, tag)
            if tag in _BREAKS:
                reader.pieces.append("\n")
            reader.anchors += tag in _ANCHORS
            reader.literal += tag in _LITERAL
            reader.separate(element.text)
            reader.take(element.text)
        else:
            reader.anchors -= tag in _ANCHORS
            reader.literal -= tag in _LITERAL
            if block:
                reader.end(element, tag)
            if element is not root:
                reader.ended = reader.ended + 1 if tag in _SEPARABLE and not element.tail else 0
                reader.take(element.tail)
    reader.close(root)
    return reader.blocks


def _has_page_text(button: etree._Element) -> bool:
    """Whether a button's label is text of the page, such as a question that opens its answer.

    A button that was never closed contains the rest of the page, so its content is text too.
    """
    parent = button.getparent()
    return (
        button.get("aria-expanded") is not None
        or (parent is not None and parent.tag in _HEADINGS)
        or next(button.iter("p", *_HEADINGS), None) is not None
    )


def _holds_data(row: etree._Element) -> bool:
    """Whether a table row holds data. Some pages use tables for layout; their cells hold whole sections."""
    cells = [child for child in row if child.tag in _CELLS]
    return len(cells) > 1 and not any(next(cell.iter(*_LAYOUT), None) is not None for cell in cells)


def to_markdown(blocks: Sequence[Block]) -> str:
    """Write headings, lists, tables, quotes and code as Markdown, and everything else as plain paragraphs."""
    return _join(blocks, list(_marked(blocks)))


def to_text(blocks: Sequence[Block]) -> str:
    """Write the blocks without any marks; tabs separate the cells of a table."""
    return _join(
        blocks, [("\t".join(block.cells) if block.kind == "row" else block.text) for block in blocks]
    )


def _marked(blocks: Sequence[Block]) -> Iterator[str]:
    previous: Kind | None = None
    for block in blocks:
        yield _mark(block, first_row=block.kind == "row" and previous != "row")
        previous = block.kind


def _mark(block: Block, *, first_row: bool) -> str:
    text = block.text
    match block.kind:
        case "heading":
            return f"{'#' * block.level} {text}"
        case "item":
            return f"{'  ' * block.level}{f'{block.number}.' if block.number else '-'} {text}"
        case "quote":
            return "> " + text.replace("\n", "\n> ")
        case "code":
            return f"```\n{text}\n```"
        case "row":
            line = f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in block.cells)} |"
            return f"{line}\n|{' --- |' * len(block.cells)}" if first_row else line
    return text


def _join(blocks: Sequence[Block], texts: Sequence[str]) -> str:
    pieces: list[str] = []
    for place, text in enumerate(texts):
        if place:
            kind, before = blocks[place].kind, blocks[place - 1].kind
            pieces.append("\n" if kind == before and kind in ("item", "row") else "\n\n")
        pieces.append(text)
    return "".join(pieces)
