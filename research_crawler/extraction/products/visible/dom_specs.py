"""Visible text: reads the visible tables of specifications."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from lxml import html

from research_crawler.extraction.products.price.reader import read_price
from research_crawler.extraction.products.visible.layout import ProductLayout
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.name_comparison import text_on_one_line

_MAX_SPECS: Final = 40
"""Most specs of a page."""
_LEAST_PAIRS = 2
"""A table with fewer pairs is none of specs."""
_MAX_LABEL, _MAX_VALUE = 60, 140
"""Longest name and longest value of a spec."""
_MAX_BLOCKS = 60
"""Most tables and lists of a page that are read."""
_OTHER_CONTENT = re.compile(
    r"review|rating|comment|question|cookie|consent|cart|basket|nav|menu|footer|ship|deliver|size-?guide",
    re.I,
)
_MENUS = ("navigation", "menu", "menubar")
Pair = tuple[str, str]


def read_specs(page: ProductPage, layout: ProductLayout) -> dict[str, str]:
    """The specifications of the page's product, by label, from tables, definition lists and lists of pairs.

    Lists of other products (their labels are links, their values prices), ratings, delivery and menus are
    left out.
    """
    aside = {
        text_element.element for text_element in layout.text_elements if text_element.marks & ElementMark.SIDE
    }
    found: dict[str, str] = {}
    for block in _blocks(page):
        if _is_other_content(block) or any(element in aside for element in block.iter()):
            continue
        pairs = [pair for pair in _pairs(block) if _is_spec(page, *pair)]
        if len(pairs) < _LEAST_PAIRS:
            continue
        for label, value in pairs:
            if len(found) < _MAX_SPECS:
                found.setdefault(label.strip(" :?*"), value)
    return found


def _blocks(page: ProductPage) -> Iterator[html.HtmlElement]:
    yield from islice(page.root.iter("table", "dl", "ul"), _MAX_BLOCKS)


def _pairs(block: html.HtmlElement) -> Iterator[Pair]:
    if block.tag == "dl":
        yield from _of_definitions(block)
        return
    rows = block.iter("tr") if block.tag == "table" else block.iterchildren("li")
    for row in rows:
        cells = [cell for cell in row if isinstance(cell.tag, str)]
        if len(cells) == 2 and not _leads_elsewhere(cells[0]):
            yield text_on_one_line(cells[0]), text_on_one_line(cells[1]).lstrip(" :")


def _of_definitions(block: html.HtmlElement) -> Iterator[Pair]:
    label = ""
    for element in block.iter("dt", "dd"):
        if element.tag == "dt":
            label = "" if _leads_elsewhere(element) else text_on_one_line(element)
        elif label:
            yield label, text_on_one_line(element)
            label = ""


def _is_spec(page: ProductPage, label: str, value: str) -> bool:
    if not (1 < len(label) <= _MAX_LABEL and 0 < len(value) <= _MAX_VALUE):
        return False
    if label == value or len(label) > 4 * len(value) + 20:
        return False
    price = read_price(value, page.numerals) if len(value) < 24 and any(map(str.isdigit, value)) else None
    return price is None or not price.mark


def _leads_elsewhere(cell: html.HtmlElement) -> bool:
    return any((link.get("href") or "#")[0] != "#" for link in cell.iter("a"))


def _is_other_content(block: html.HtmlElement) -> bool:
    """Whether the block, or an element around it, is named as something other than the product's data."""
    if any(one.tag == "nav" or one.get("role") in _MENUS for one in (block, *block.iterancestors())):
        return True
    for _, element in zip(range(4), (block, *block.iterancestors()), strict=False):
        if element.tag in ("nav", "footer", "header", "form"):
            return True
        if _OTHER_CONTENT.search(f"{element.get('class') or ''} {element.get('id') or ''}"):
            return True
    return False
