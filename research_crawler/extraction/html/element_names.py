"""The names of elements by what they do to text: those of HTML, and those of trafilatura's body tree."""

from typing import Final

from research_crawler.extraction.html.tables import CELLS, ROWS

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
