"""Finds the elements of a page whose text no reader sees, by their attributes and their own styles.

A page can show one price and hide another one from its readers. Style sheets are not read, so what only they hide
counts as seen: on shops that no rule was written from, reading the page's own sheets lost as much as it gained.
"""

from collections.abc import Iterator

from lxml import etree, html

from research_crawler.extraction.html.tree import (
    HIDDEN_PAGE_CHARS,
    HIDDEN_PAGE_SHARE,
    NEVER_HIDDEN,
    hides_by_style,
)
from research_crawler.extraction.products.visible.attribute_words import ElementNames

_UNSEEN_TAGS = ("template", "noscript", "datalist")
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")


def concealed_elements(root: html.HtmlElement, names: ElementNames) -> frozenset[html.HtmlElement]:
    """All elements whose own text is hidden.

    A hidden element that holds most of the page's text counts as seen: pages hide it until their scripts have run.

    Args:
        root: the tree of the page.
        names: its elements by their names.
    """
    found: set[html.HtmlElement] = set()
    for element in _hidden(root, names):
        if element.tag not in NEVER_HIDDEN and element not in found and not _is_the_page(element, root):
            found.update(element.iter(etree.Element))
    return frozenset(found)


def _hidden(root: html.HtmlElement, names: ElementNames) -> Iterator[html.HtmlElement]:
    for element in names.hidden:
        if element.get("hidden") != "until-found":
            yield element
    yield from (element for element, style in names.styled if hides_by_style(style))
    yield from names.popovers
    yield from root.iter(*_UNSEEN_TAGS)
    yield from (dialog for dialog in root.iter("dialog") if dialog.get("open") is None)


def shown_texts(element: html.HtmlElement, concealed: frozenset[html.HtmlElement]) -> Iterator[str]:
    """The texts in an element, in order, without those of hidden elements."""
    if not concealed:
        yield from element.itertext()
        return
    if element.text and element not in concealed:
        yield element.text
    for child in element:
        yield from shown_texts(child, concealed)
        if child.tail and element not in concealed:
            yield child.tail


def _is_the_page(element: html.HtmlElement, root: html.HtmlElement) -> bool:
    """Whether an element holds most of the page's text, so that scripts will show it."""
    if element.tag in (*_UNSEEN_TAGS, "dialog", "nav", "footer", "script", "style"):
        return False
    length = _text_length(element) if len(element) else 0
    if length < HIDDEN_PAGE_CHARS:
        return False
    return length > HIDDEN_PAGE_SHARE * _text_length(root)


def _text_length(element: html.HtmlElement) -> float:
    scripts = sum(len(one.text or "") for one in element.iter("script", "style"))
    return float(_TEXT_LENGTH(element)) - scripts
