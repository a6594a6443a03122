"""Visible text, first step: reads the visible texts of a page in order, each with the marks of its markup."""

from dataclasses import dataclass, field

from lxml import etree, html

from research_crawler.extraction.products.visible.buttons import ButtonKind, kind_of_button
from research_crawler.extraction.products.visible.concealment import shown_texts
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.name_comparison import text_on_one_line

_MAX_ELEMENTS = 40_000
"""Most elements of a page that are read."""
_SKIPPED = frozenset([
    "script", "style", "template", "noscript", "svg", "iframe", "object", "canvas", "video", "audio",
    "head", "title", "meta", "link", "br", "hr", "img", "source", "select", "option", "textarea",
    "path",
])  # fmt: skip
_MAX_TEXT = 160
"""Longest text of an element."""
_MAX_SAME, _MAX_BUY_LINKS = 3, 2
"""Most copies of the heading whose surroundings are compared, and most links for buying that stand for a button."""
_ASIDE = frozenset(["nav", "footer", "aside"])
_PRESSABLE = frozenset(["button", "a", "input"])
_ROLE_PRESSABLE = frozenset(["span", "div"])
_NEVER_READ = frozenset(["nav", "footer"])
"""Nothing inside these elements is read."""
_STRIKING = frozenset(["del", "s", "strike"])


_INHERITED = ElementMark.SIDE | ElementMark.STRUCK | ElementMark.LINK
_NEAR = (
    ElementMark.PRICE
    | ElementMark.OLD
    | ElementMark.NOW
    | ElementMark.UNIT
    | ElementMark.MEMBER
    | ElementMark.SHIPPING
)
"""Marks that are inherited from the two nearest ancestors only, because a whole page may be named "offer"."""
_Inherited = dict[html.HtmlElement | None, tuple[int, int, int]]
"""For each element, the marks that its children inherit: from all ancestors, from its own name, from its
parent's name."""


@dataclass(slots=True, eq=False)
class TextElement:
    """An element with its own text, and the marks of its markup."""

    element: html.HtmlElement
    order: int
    """The position of the element among all elements of the page."""
    text: str
    marks: int


@dataclass(slots=True, eq=False)
class ProductLayout:
    """The texts of a page in order, with the positions of the product's heading and of buy buttons."""

    text_elements: list[TextElement]
    heading: int
    """The position of the heading that names the product; -1 if there is none."""
    buy_buttons: list[int]
    """The positions of the enabled buy buttons."""
    disabled_buy_buttons: list[int] = field(default_factory=list)
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
    heading, concealed = page.heading, page.concealed
    for element in top.iter(etree.Element):
        above = marks.get(element.getparent())
        if above is None or element.tag in _SKIPPED:
            continue
        order += 1
        if order >= _MAX_ELEMENTS:
            break
        own = _own_marks(element, page)
        if element in concealed:
            own |= ElementMark.HIDDEN
        if own & ElementMark.SIDE and (element is top or (heading is not None and element in around_heading)):
            own &= ~ElementMark.SIDE
        if element is heading:
            layout.heading = order
        far, one_up, two_up = above
        far = (far & _INHERITED) | own
        if element.tag not in _NEVER_READ:
            marks[element] = far, own & _NEAR, one_up
        every = far | one_up | two_up
        if element.tag in _PRESSABLE or (element.tag in _ROLE_PRESSABLE and _is_pressed(element, own)):
            kind = kind_of_button(element, every, page, is_below_heading=layout.heading >= 0)
            _add_button(kind, element, order, layout)
        if text := _text(element, concealed):
            layout.text_elements.append(TextElement(element, order, text, every))
    layout.elements = order + 1
    _add_buy_links(layout)
    return layout


def _around_heading(page: ProductPage) -> set[html.HtmlElement]:
    """The elements around the heading, or around copies of it for screens of another size."""
    if page.heading is None:
        return set(page.elements)
    text = text_on_one_line(page.heading)
    copies = [
        heading
        for heading in page.root.iter(page.heading.tag)
        if heading is page.heading or text_on_one_line(heading) == text
    ]
    return {above for heading in copies[:_MAX_SAME] for above in heading.iterancestors()}


def _own_marks(element: html.HtmlElement, page: ProductPage) -> int:
    marks, tag = page.names_of_elements.marks.get(element, ElementMark.NONE), element.tag
    if tag == "a" and page.leads_elsewhere(element.get("href") or ""):
        marks |= ElementMark.LINK
    elif tag in _ASIDE or (tag == "header" and next(element.iter("h1"), None) is None):
        marks |= ElementMark.SIDE
    elif tag in _STRIKING:
        marks |= ElementMark.STRUCK
    return marks


def _is_pressed(element: html.HtmlElement, own: int) -> bool:
    """Whether an element is a button by its role, or by a name for buying and scripts, and holds no other button."""
    if element.get("role") == "button":
        return True
    return bool(own & ElementMark.BUYING) and next(element.iter(*_PRESSABLE, "form"), None) is None


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


def _add_button(kind: ButtonKind, element: html.HtmlElement, order: int, layout: ProductLayout) -> None:
    if kind == "buy":
        layout.buy_buttons.append(order)
    elif kind == "disabled":
        layout.disabled_buy_buttons.append(order)
    elif kind == "link":
        layout.buy_links.setdefault(element.get("href") or "", order)
