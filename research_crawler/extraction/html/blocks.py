"""Reads the text blocks of an element tree.

The same reader works for trafilatura's body tree and for plain HTML, because they differ only in element
names. `markdown.py` writes the blocks, `tables.py` says which tables hold data and keeps their columns.
"""

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from lxml import etree

from research_crawler.extraction.html.code import is_code_control, is_code_element, read_code
from research_crawler.extraction.html.tables import CELLS, ROWS, DataTable, RepeatLimit, holds_data

HEADINGS: Final = {f"h{n}": n for n in range(1, 7)}
LISTS: Final = {"ul", "ol", "menu", "dl", "list"}
ITEMS: Final = {"li", "item"}
QUOTES: Final = {"blockquote", "quote"}
BREAKS: Final = {"br", "lb"}
ANCHORS: Final = {"a", "ref"}
SEPARABLE: Final = {"a", "ref", "span", "label", "time", "small", "strong", "bdi", "data", "output"}
"""Inline elements that pages also use for separate texts. (`em`, `b` and `i` may end inside a word.)"""
LITERAL: Final = {"code", "kbd", "samp", "tt", "math"}
"""Elements whose text must not get extra spaces."""
PLAIN: Final = {
    "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "div", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend", "main", "nav",
    "p", "section", "summary", "tbody", "tfoot", "thead", "ab",
}  # fmt: skip
CODE: Final = {"pre", "listing", "xmp"}
"""Elements that keep their line breaks. A `code` element outside them is part of a line, however long it is."""
BLOCKS: Final = {*HEADINGS, "head", "table", *CODE, *PLAIN, *LISTS, *ITEMS, *ROWS, *CELLS, *QUOTES}


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
    table: etree._Element | None = field(default=None, compare=False, repr=False)
    """The data table that the block is a row or the caption of."""

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
    begun: list[etree._Element] = field(default_factory=list)
    """The block elements around the text that have been read into."""
    lists: list[_List] = field(default_factory=list)
    tables: list[DataTable | None] = field(default_factory=list)
    """The tables around the text, None for those that only arrange the page."""
    repeats: RepeatLimit = field(default_factory=RepeatLimit)
    heading: int = 0
    quotes: int = 0
    code: int = 0
    anchors: int = 0
    link_chars: int = 0
    item_open: bool = False
    literal: int = 0
    plain: bool = False
    """Whether the text since the last block has words outside of elements for code."""
    raised_at: int = 0
    """The place in `pieces` where a `sup` element begins."""
    ended: int = 0
    """How many inline elements have just ended, with no text after them yet."""

    @property
    def table(self) -> DataTable | None:
        return self.tables[-1] if self.tables else None

    @property
    def in_row(self) -> bool:
        return self.table is not None and self.table.in_row

    def close(self, origin: etree._Element) -> None:
        if not self.pieces:
            return
        text = "".join(self.pieces)
        self.pieces.clear()
        code_only, self.plain = not self.plain, False
        if not text or text.isspace():
            return
        text = text.strip("\n").rstrip() if self.code and not self.in_row else _tidy(text)
        if self.table is not None and self.table.in_row:
            self.table.add(text)
        elif not (self.blocks and self.blocks[-1].kind == "code" and is_code_control(text)):
            self.blocks.append(self._block(text, origin, code_only=code_only))
            self.link_chars = 0

    def add_code(self, element: etree._Element) -> None:
        """Add the block of an element that holds code alone, in the place of the label of its buttons."""
        self.close(element if element.getparent() is None else element.getparent())
        text = read_code(element)
        if text.strip():
            if self.blocks and is_code_control(self.blocks[-1].text):
                self.blocks.pop()
            links = sum(len("".join(link.itertext())) for link in element.iter("a"))
            table = self.table.element if self.table is not None else None
            self.blocks.append(
                Block("code", text, origin=element, link_chars=min(links, len(text)), table=table)
            )

    def take(self, text: str) -> None:
        self.pieces.append(text if self.code and not self.in_row else text.replace("\n", " "))
        if not (self.plain or self.literal or text.isspace()):
            self.plain = True
        if self.anchors:
            self.link_chars += len(text.strip())

    def separate(self, text: str) -> None:
        """Add a space between an inline element's text and the element that ended directly before it.

        Pages write brand and model, or name and number, as adjacent elements that only a style sheet
        separates.
        """
        if self.ended and self.pieces and not (self.code or self.literal):
            last = self.pieces[-1]
            nested = self.ended > 1
            if _is_boundary(last[-1:], text[0], nested) and len(last) > 1 and len(text) > 1:
                self.pieces.append(" ")
        self.ended = 0

    def write_raised(self, element: etree._Element) -> None:
        """Write the number of a `sup` element that ends here apart from the text before it."""
        text = "".join(self.pieces[self.raised_at :])
        before = "".join(self.pieces[max(0, self.raised_at - 4) : self.raised_at])
        self.pieces[self.raised_at :] = [raised(element, text, before)] if text else []

    def _block(self, text: str, origin: etree._Element, *, code_only: bool) -> Block:
        kind, level, number = self._kind()
        if code_only and kind == "paragraph" and "\n" in text and origin.tag != "dt":
            kind = "code"  # lines of code that the page divides with br elements
        if kind == "heading":
            text = text.replace("\n", " ")
        table = self.table.element if self.table is not None else None
        links = min(self.link_chars, len(text))
        return Block(kind, text, level, number, origin=origin, link_chars=links, table=table)

    def _kind(self) -> tuple[Kind, int, int]:
        """The kind, the level and the number of the block that ends here."""
        if self.code:
            return "code", 0, 0
        if self.heading:
            return "heading", self.heading, 0
        if self.item_open and self.lists:
            self.item_open = False
            number = self.lists[-1].count if self.lists[-1].ordered else 0
            return "item", len(self.lists) - 1, number
        return "quote" if self.quotes else "paragraph", 0, 0

    def enter(self, element: etree._Element, tag: str) -> bool:
        """Begin an element; False if what is in it is no text, or has been read."""
        self.anchors += tag in ANCHORS
        if not tag or is_silent(element, tag):
            return False
        if (tag in CODE or tag == "table") and not self.in_row and is_code_element(element, tag):
            self.add_code(element)
            return False
        if tag in BLOCKS:
            self.start(element, tag)
            self.begun.append(element)
        if tag in BREAKS:
            self.pieces.append("\n")
        self.literal += tag in LITERAL
        if tag == "sup":
            self.raised_at = len(self.pieces)
        if text := element.text:
            self.separate(text)
            self.take(text)
        return True

    def leave(self, element: etree._Element, tag: str) -> None:
        """End an element."""
        self.anchors -= tag in ANCHORS
        self.literal -= tag in LITERAL
        if tag == "sup" and not self.code:
            self.write_raised(element)
        if self.begun and self.begun[-1] is element:
            self.begun.pop()
            self.end(element, tag)

    def take_tail(self, element: etree._Element, tag: str) -> None:
        """Take the text after an element."""
        tail = element.tail
        self.ended = self.ended + 1 if tag in SEPARABLE and not tail else 0
        if tail:
            self.take(tail)

    def start(self, element: etree._Element, tag: str) -> None:
        self.close(element if element.getparent() is None else element.getparent())
        if tag in LISTS:
            self.lists.append(_List(tag == "ol" or element.get("rend") == "ol"))
        elif tag in ITEMS and self.lists:
            self.lists[-1].count += 1
            self.item_open = True
        elif tag == "table":
            self.tables.append(DataTable(element, self.repeats) if holds_data(element) else None)
        elif self.table is not None and tag in ROWS:
            self.table.start_row()
        elif self.table is not None and tag in CELLS:
            self.table.start_cell(element)
        else:
            self._mode(element, tag, 1)

    def end(self, element: etree._Element, tag: str) -> None:
        self.close(element)
        if tag in LISTS and self.lists:
            self.lists.pop()
        elif tag in ITEMS:
            self.item_open = False
        elif tag == "table" and self.tables:
            self.tables.pop()
        elif self.table is not None and tag in CELLS:
            self.table.end_cell(element)
        elif self.table is not None and tag in ROWS:
            self._close_row(self.table, element)
        else:
            self._mode(element, tag, -1)

    def _mode(self, element: etree._Element, tag: str, step: int) -> None:
        if tag in HEADINGS or tag == "head":
            rend = (element.get("rend") or "h2") if tag == "head" else tag
            self.heading = HEADINGS.get(rend, 2) if step > 0 else 0
        elif tag in QUOTES:
            self.quotes += step
        elif tag in CODE:
            self.code += step

    def _close_row(self, table: DataTable, origin: etree._Element) -> None:
        cells = table.end_row()
        links = min(self.link_chars, sum(map(len, cells)))
        self.link_chars = 0
        if any(cells):
            kind: Kind = "row" if len(cells) > 1 else "paragraph"
            text = "" if kind == "row" else cells[0]
            if kind == "paragraph":
                cells = ()
            block = Block(kind, text, cells=cells, origin=origin, link_chars=links, table=table.element)
            self.blocks.append(block)


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
        if event == "end":
            reader.leave(element, tag)
            if element is not root:
                reader.take_tail(element, tag)
        elif not reader.enter(element, tag):
            walker.skip_subtree()
    reader.close(root)
    return reader.blocks


_SILENT = {
    "script", "style", "template", "noscript", "svg", "iframe", "object", "embed", "canvas", "video", "audio",
    "select", "button", "input", "textarea", "datalist", "title", "meta", "link", "graphic", "map",
    "frameset",
}  # fmt: skip
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")


def is_silent(element: etree._Element, tag: str) -> bool:
    """Whether an element's content is no text of the page."""
    if tag in _SILENT:
        return tag != "button" or not _has_page_text(element)
    return tag == "a" and _marks_a_place(element)


def _marks_a_place(link: etree._Element) -> bool:
    """Whether a link is the sign behind a heading (¶, #, §) that gives the address of its section."""
    if not (link.get("href") or "").startswith("#"):
        return False
    return len(link) == 0 and not any(map(str.isalnum, link.text or ""))


def _has_page_text(button: etree._Element) -> bool:
    """Whether a button's label is text of the page, such as a question that opens its answer.

    A button that was never closed contains the rest of the page, so its content is text too.
    """
    parent = button.getparent()
    return (
        button.get("aria-expanded") is not None
        or (parent is not None and parent.tag in _HEADINGS and _is_alone(button))
        or next(button.iter("p", *_HEADINGS), None) is not None
    )


def _is_alone(button: etree._Element) -> bool:
    """Whether a heading has no text beside its button: otherwise the button only copies or opens something."""
    return bool(_TEXT_LENGTH(button) >= _TEXT_LENGTH(button.getparent()))


_DIGITS = re.compile(r"[-+−–]?\d{1,3}")
_POWER_BASE = re.compile(r"(?:^|[^\w.,$€£¥₹])(?<![$€£¥₹]\s)(?:2|10)$")
_WORD_END = re.compile(r"[^\W\d_]{4}$|[)\]\"”’]$")
_CURRENCY = re.compile(r"\s?[$€£¥₹]|\s?(?:USD|EUR|GBP|kr)\b")
_CONTEXT_CHARS = 16
"""So much text before a raised number decides whether it is an exponent or a note."""


def raised(element: etree._Element, text: str, before: str) -> str:
    """The text of a `sup` element as it is written after `before`: "^32" for a power, "[2]" for a footnote.

    Numbers behind other numbers stay as they are, since many shops raise the cents of a price.
    """
    number, base = text.strip(), before[-_CONTEXT_CHARS:]
    if not _DIGITS.fullmatch(number) or not base or base[-1].isspace():
        return text
    if number.isdigit() and _leads_to_note(element):
        return f"[{number}]"
    if base[-1].isdigit():
        is_price = _CURRENCY.match(element.tail or "") is not None
        is_power = _POWER_BASE.search(base) is not None or not number.isdigit()
        return f"^{number}" if is_power and not is_price else text
    return f"[{number}]" if number.isdigit() and _WORD_END.search(base) else text


def _leads_to_note(element: etree._Element) -> bool:
    parent = element.getparent()
    links = [*element.iter("a"), *([parent] if parent is not None and parent.tag == "a" else [])]
    return any("#" in (link.get("href") or "") for link in links)
