"""Third rung, first step: the visible texts of a page in order, each with what its markup says of it."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree, html

from research_crawler.extraction.products.visible.page import ProductPage
from research_crawler.extraction.products.vocabulary.marks import ElementMark, marks_of_name
from research_crawler.extraction.products.vocabulary.offer_words import BUY, RELATED
from research_crawler.extraction.products.vocabulary.words import text_of

_MAX_ELEMENTS = 40_000
_SKIPPED = frozenset([
    "script", "style", "template", "noscript", "svg", "iframe", "object", "canvas", "video", "audio",
    "head", "title", "meta", "link", "br", "hr", "img", "source", "select", "option", "textarea",
    "path",
])  # fmt: skip
_MAX_TEXT = 160
_MAX_RELATED, _MAX_WRAPPED = 70, 5
"""Characters of a heading over other products, and elements that may lie around nothing but it."""
_MAX_SAME, _MAX_BUYING_LINKS = 3, 2
_MAX_BUTTON_TEXT, _MAX_BUTTON_PARTS = 40, 6
_NAMING = frozenset(
    ["class", "id", "itemprop", "data-testid", "data-test", "data-qa", "data-hook", "data-automation"]
)
_ASIDE = frozenset(["nav", "footer", "aside"])
_PRESSED = frozenset(["button", "a", "input"])
_MADE_PRESSED = frozenset(["span", "div"])
_UNREAD = frozenset(["nav", "footer"])
"""Nothing in them is looked at."""
_SAID = ("value", "aria-label", "alt", "title")
_STRIKING = frozenset(["del", "s", "strike"])
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_LINE_THROUGH = re.compile(r"line-through", re.I)


_INHERITED = (
    ElementMark.SIDE | ElementMark.HIDDEN | ElementMark.STRUCK | ElementMark.LINK | ElementMark.PRODUCT
)
_NEAR = (
    ElementMark.PRICE
    | ElementMark.OLD
    | ElementMark.NOW
    | ElementMark.EXTRA
    | ElementMark.STOCK
    | ElementMark.CODE
    | ElementMark.UNIT
    | ElementMark.MEMBER
    | ElementMark.SHIPPING
)
"""Inherited from the two next ancestors only: a whole page may be called "offer"."""
_Inherited = dict[html.HtmlElement | None, tuple[int, int, int]]
"""Of each element what its children inherit: of all marks, and of those of its own and its parent's name."""


@dataclass(slots=True, eq=False)
class Spot:
    """An element with text of its own."""

    element: html.HtmlElement
    order: int
    """Its place among the page's elements."""
    text: str
    marks: int


@dataclass(slots=True, eq=False)
class ProductLayout:
    """The page's texts in order and the places that anchor a product."""

    spots: list[Spot]
    heading: int
    """Order of the heading that names the product, -1 where there is none."""
    buys: list[int]
    """Orders of what can be pressed to buy."""
    disabled_buys: list[int] = field(default_factory=list)
    buying_links: dict[str, int] = field(default_factory=dict)
    """Links to another page of the shop that say that they buy, by address, with their first order."""
    elements: int = 0

    def to_heading(self, order: int) -> int:
        """Elements from the heading to a place, negative before it; from the top where there is no heading."""
        return order - max(self.heading, 0)

    def to_buy(self, order: int) -> int:
        """Elements to the nearest button that buys; the page's size where there is none."""
        return min((abs(order - buy) for buy in self.buys), default=self.elements)


def read_layout(page: ProductPage) -> ProductLayout:
    """Walk the body once."""
    marks: _Inherited = {}
    around_heading = _around_heading(page)
    layout = ProductLayout([], -1, [])
    body = page.root.find("body")
    top = page.root if body is None else body
    marks[top.getparent()] = ElementMark.NONE, ElementMark.NONE, ElementMark.NONE
    order = -1
    for element in top.iter(etree.Element):
        above = marks.get(element.getparent())
        if above is None or element.tag in _SKIPPED:
            continue
        order += 1
        if order >= _MAX_ELEMENTS:
            break
        own = _own_marks(element, page)
        if element is top:
            own &= ~(ElementMark.SIDE | ElementMark.HIDDEN)
        elif page.heading is not None and element in around_heading:
            own &= ~ElementMark.SIDE
        if element is page.heading:
            layout.heading = order
        far, one_up, two_up = above
        far = (far & _INHERITED) | own
        if element.tag not in _UNREAD and not (own & ElementMark.AWAY and element not in around_heading):
            marks[element] = far, own & _NEAR, one_up
        every = far | one_up | two_up
        if element.tag in _PRESSED or (element.tag in _MADE_PRESSED and element.get("role") == "button"):
            _note_button(element, order, every, layout, page)
        if text := _text(element):
            layout.spots.append(Spot(element, order, text, every))
            _note_related(element, text, marks, layout)
    layout.elements = order + 1
    _add_buying_links(layout)
    return layout


def _around_heading(page: ProductPage) -> set[html.HtmlElement]:
    """What lies around the heading, or around another that says the same on a screen of another size."""
    if page.heading is None:
        return set(page.elements)
    text = text_of(page.heading)
    same = [one for one in page.root.iter(page.heading.tag) if one is page.heading or text_of(one) == text]
    return {above for one in same[:_MAX_SAME] for above in one.iterancestors()}


def _note_related(element: html.HtmlElement, text: str, marks: _Inherited, layout: ProductLayout) -> None:
    """Mark what comes after a heading such as "You may also like" in the part of the page that it heads."""
    if layout.heading < 0 or len(text) > _MAX_RELATED or not RELATED.match(text):
        return
    part = element
    for _ in range(_MAX_WRAPPED):
        parent = part.getparent()
        if parent is None or parent.tag in ("body", "html"):
            return
        if parent in marks:
            far, one_up, two_up = marks[parent]
            marks[parent] = far | ElementMark.SIDE, one_up, two_up
        if len(parent) > 1:
            return
        part = parent


def _own_marks(element: html.HtmlElement, page: ProductPage) -> int:
    marks, tag = ElementMark.NONE, element.tag
    for name, value in element.items():
        if name in _NAMING:
            for word in value.split():
                marks |= marks_of_name(word)
        elif name == "style":
            marks |= _marks_of_style(value)
        elif "strike" in name and value != "false":
            marks |= ElementMark.STRUCK
        elif name == "hidden":
            marks |= ElementMark.HIDDEN
        elif name == "href" and tag == "a" and page.leads_elsewhere(value):
            marks |= ElementMark.LINK
    if tag in _ASIDE or (tag == "header" and next(element.iter("h1"), None) is None):
        marks |= ElementMark.SIDE
    elif tag in _STRIKING:
        marks |= ElementMark.STRUCK
    return marks


def _marks_of_style(style: str) -> int:
    marks = ElementMark.HIDDEN if _HIDDEN_STYLE.search(style) else ElementMark.NONE
    return marks | ElementMark.STRUCK if _LINE_THROUGH.search(style) else marks


def _text(element: html.HtmlElement) -> str:
    """The whole text of a small element with text of its own, else what stands directly in it."""
    own = (element.text or "").strip()
    if not len(element):
        if own:
            return " ".join(own[:_MAX_TEXT].split())
        return _button_value(element) if element.tag == "input" else ""
    if not own and not _has_tails(element):
        return ""
    parts: list[str] = []
    length = 0
    for part in element.itertext():
        if stripped := part.strip():
            parts.append(stripped)
            length += len(stripped)
            if length > _MAX_TEXT:
                return " ".join(f"{own} {' '.join(map(_tail_of, element))}".split())[:_MAX_TEXT]
    return " ".join(" ".join(parts).split())


def _has_tails(element: html.HtmlElement) -> bool:
    for child in element:
        tail = child.tail
        if tail and not tail.isspace():
            return True
    return False


def _tail_of(element: html.HtmlElement) -> str:
    return element.tail or ""


def _button_value(element: html.HtmlElement) -> str:
    return (element.get("value") or "") if element.get("type") in ("submit", "button") else ""


def _add_buying_links(layout: ProductLayout) -> None:
    """Count links that lead to the cart as buttons where no list of products has one for each of them."""
    if not layout.buys and len(layout.buying_links) <= _MAX_BUYING_LINKS:
        layout.buys.extend(layout.buying_links.values())


def _note_button(
    element: html.HtmlElement, order: int, marks: int, layout: ProductLayout, page: ProductPage
) -> None:
    if marks & ElementMark.HIDDEN or len(element) > _MAX_BUTTON_PARTS:
        return
    label = _label(element)
    if label and len(label) <= _MAX_BUTTON_TEXT and _buys(label):
        disabled = element.get("disabled") is not None or element.get("aria-disabled") == "true"
        if disabled or "disabled" in (element.get("class") or "").split():
            layout.disabled_buys.append(order)
        elif not marks & (ElementMark.SIDE | ElementMark.LINK) or element.tag == "button":
            layout.buys.append(order)
        elif not marks & ElementMark.SIDE and page.is_same_site(href := element.get("href") or ""):
            layout.buying_links.setdefault(href, order)


@lru_cache(maxsize=10_000)
def _buys(label: str) -> bool:
    return BUY.search(label) is not None


def _label(element: html.HtmlElement) -> str:
    """What is written on it; of a picture of a button, what stands there in its stead."""
    if element.tag == "input":
        return next((said for name in _SAID if (said := element.get(name))), "")
    if written := _written(element):
        return written
    image = next(element.iter("img"), None)
    return (image.get("alt") or "") if image is not None else ""


def _written(element: html.HtmlElement) -> str:
    parts: list[str] = []
    for part in element.itertext():
        parts.append(part)
        if len(parts) > 12:
            return ""
    return " ".join(" ".join(parts).split())
