"""Third rung, first step: reads the visible texts of a page in order, each with the marks of its markup."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree, html

from research_crawler.extraction.products.visible.concealment import shown_texts
from research_crawler.extraction.products.visible.page import ProductPage
from research_crawler.extraction.products.vocabulary.marks import ElementMark, marks_of_name
from research_crawler.extraction.products.vocabulary.offer_words import BUY, BUY_NAME, NOTIFY, RELATED
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability
from research_crawler.extraction.products.vocabulary.words import text_of

_MAX_ELEMENTS = 40_000
_SKIPPED = frozenset([
    "script", "style", "template", "noscript", "svg", "iframe", "object", "canvas", "video", "audio",
    "head", "title", "meta", "link", "br", "hr", "img", "source", "select", "option", "textarea",
    "path",
])  # fmt: skip
_MAX_TEXT = 160
_MAX_RELATED, _MAX_WRAPPED = 70, 5
"""The most characters of a heading above other products, and the most elements that wrap nothing but this
heading."""
_MAX_SAME, _MAX_BUY_LINKS = 3, 2
_MAX_BUTTON_TEXT, _MAX_BUTTON_PARTS = 40, 6
_NAMING = frozenset(
    ["class", "id", "itemprop", "data-testid", "data-test", "data-qa", "data-hook", "data-automation"]
)
_ASIDE = frozenset(["nav", "footer", "aside"])
_PRESSABLE = frozenset(["button", "a", "input"])
_ROLE_PRESSABLE = frozenset(["span", "div"])
_NEVER_READ = frozenset(["nav", "footer"])
"""Nothing inside these elements is read."""
_BUTTON_NAMES = ("id", "name", "class", "data-testid", "data-test", "data-action")
_INPUT_LABELS = ("value", "aria-label", "alt", "title")
_DISABLED = frozenset(
    [
        "disabled",
        "is-disabled",
        "btn-disabled",
        "btn--disabled",
        "button-disabled",
        "button--disabled",
        "disabled-button",
    ]
)
_STRIKING = frozenset(["del", "s", "strike"])
_LINE_THROUGH = re.compile(r"line-through", re.I)


_INHERITED = ElementMark.SIDE | ElementMark.STRUCK | ElementMark.LINK | ElementMark.PRODUCT
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
"""Marks that are inherited from the two nearest ancestors only, because a whole page may be named "offer"."""
_Inherited = dict[html.HtmlElement | None, tuple[int, int, int]]
"""For each element, the marks that its children inherit: from all ancestors, from its own name, from its
parent's name."""


@dataclass(slots=True, eq=False)
class Spot:
    """An element with its own text, and the marks of its markup."""

    element: html.HtmlElement
    order: int
    """The position of the element among all elements of the page."""
    text: str
    marks: int


@dataclass(slots=True, eq=False)
class ProductLayout:
    """The texts of a page in order, with the positions of the product's heading and of buy buttons."""

    spots: list[Spot]
    heading: int
    """The position of the heading that names the product; -1 if there is none."""
    buy_buttons: list[int]
    """The positions of the enabled buy buttons."""
    disabled_buy_buttons: list[int] = field(default_factory=list)
    notices: list[int] = field(default_factory=list)
    """The positions of buttons that offer to tell the buyer when the product is back."""
    concealed: frozenset[html.HtmlElement] = frozenset()
    """The elements whose text is hidden from readers."""
    buy_links: dict[str, int] = field(default_factory=dict)
    """Links within the shop that have the text of a buy button: the first position of each URL."""
    elements: int = 0

    def to_heading(self, order: int) -> int:
        """The number of elements from the heading (without one, from the top); negative before it."""
        return order - max(self.heading, 0)

    def to_buy(self, order: int) -> int:
        """The number of elements to the nearest buy button; the size of the page if there is none."""
        return min((abs(order - buy) for buy in self.buy_buttons), default=self.elements)


def read_layout(page: ProductPage) -> ProductLayout:
    """Read the layout of a page in one walk over its body."""
    marks: _Inherited = {}
    around_heading = _around_heading(page)
    layout = ProductLayout([], -1, [], concealed=page.concealed)
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
        if element in page.concealed:
            own |= ElementMark.HIDDEN
        if element is top or (page.heading is not None and element in around_heading):
            own &= ~ElementMark.SIDE
        if element is page.heading:
            layout.heading = order
        far, one_up, two_up = above
        far = (far & _INHERITED) | own
        if element.tag not in _NEVER_READ and not (own & ElementMark.AWAY and element not in around_heading):
            marks[element] = far, own & _NEAR, one_up
        every = far | one_up | two_up
        if element.tag in _PRESSABLE or (element.tag in _ROLE_PRESSABLE and element.get("role") == "button"):
            _add_button(element, order, every, layout, page)
        if text := _text(element, page.concealed):
            layout.spots.append(Spot(element, order, text, every))
            _mark_related(element, text, marks, layout)
    layout.elements = order + 1
    _add_buy_links(layout)
    return layout


def _around_heading(page: ProductPage) -> set[html.HtmlElement]:
    """The elements around the heading, or around copies of it for screens of another size."""
    if page.heading is None:
        return set(page.elements)
    text = text_of(page.heading)
    copies = [
        heading
        for heading in page.root.iter(page.heading.tag)
        if heading is page.heading or text_of(heading) == text
    ]
    return {above for heading in copies[:_MAX_SAME] for above in heading.iterancestors()}


def _mark_related(element: html.HtmlElement, text: str, marks: _Inherited, layout: ProductLayout) -> None:
    """Mark the part of the page after a heading such as "You may also like" as SIDE."""
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
            marks |= ElementMark.STRUCK if _LINE_THROUGH.search(value) else ElementMark.NONE
        elif "strike" in name and value != "false":
            marks |= ElementMark.STRUCK
        elif name == "href" and tag == "a" and page.leads_elsewhere(value):
            marks |= ElementMark.LINK
    if tag in _ASIDE or (tag == "header" and next(element.iter("h1"), None) is None):
        marks |= ElementMark.SIDE
    elif tag in _STRIKING:
        marks |= ElementMark.STRUCK
    return marks


def _text(element: html.HtmlElement, concealed: frozenset[html.HtmlElement]) -> str:
    """The complete text of a short element that has its own text; for a longer one, only its own text."""
    own = (element.text or "").strip()
    if not len(element):
        if own:
            return " ".join(own[:_MAX_TEXT].split())
        return _button_value(element) if element.tag == "input" else ""
    if not own and not _has_tails(element):
        return ""
    parts: list[str] = []
    length = 0
    for part in element.itertext() if element in concealed else shown_texts(element, concealed):
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


def _add_buy_links(layout: ProductLayout) -> None:
    """Count links to the cart as buy buttons, unless a list of products has one for each product."""
    if not layout.buy_buttons and len(layout.buy_links) <= _MAX_BUY_LINKS:
        layout.buy_buttons.extend(layout.buy_links.values())


def _add_button(
    element: html.HtmlElement, order: int, marks: int, layout: ProductLayout, page: ProductPage
) -> None:
    if marks & ElementMark.HIDDEN or len(element) > _MAX_BUTTON_PARTS:
        return
    label = _label(element)
    if label and len(label) <= _MAX_BUTTON_TEXT and NOTIFY.search(label) and not marks & ElementMark.SIDE:
        layout.notices.append(order)
    elif (
        label
        and len(label) <= _MAX_BUTTON_TEXT
        and (_buys(label) or (layout.heading >= 0 and _is_named_to_buy(element, label)))
    ):
        if _is_disabled(element):
            layout.disabled_buy_buttons.append(order)
        elif not marks & (ElementMark.SIDE | ElementMark.LINK) or element.tag == "button":
            layout.buy_buttons.append(order)
        elif not marks & ElementMark.SIDE and page.is_same_site(href := element.get("href") or ""):
            layout.buy_links.setdefault(href, order)


def _is_disabled(element: html.HtmlElement) -> bool:
    """Whether a button cannot be pressed. A link has no attribute `disabled` (HTML, 4.10.18.5)."""
    if element.tag in ("button", "input") and element.get("disabled") is not None:
        return True
    names = (element.get("class") or "").split()
    return element.get("aria-disabled") == "true" or not _DISABLED.isdisjoint(names)


def _is_named_to_buy(element: html.HtmlElement, label: str) -> bool:
    """Whether a button has a name for buying, and a label that does not say that there is none."""
    if element.tag == "a" or not any(BUY_NAME.search(element.get(name) or "") for name in _BUTTON_NAMES):
        return False
    return any(map(str.isalpha, label)) and words_of_availability(label) != "out_of_stock"


@lru_cache(maxsize=10_000)
def _buys(label: str) -> bool:
    return BUY.search(label) is not None


def _label(element: html.HtmlElement) -> str:
    """The text on a button; if it is an image, its alternative text."""
    if element.tag == "input":
        return next((label for name in _INPUT_LABELS if (label := element.get(name))), "")
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
