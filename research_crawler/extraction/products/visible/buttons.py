"""Visible text: tells whether a button or link of a shop's page buys."""

from functools import lru_cache
from typing import Final, Literal

from lxml import html

from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.offer_words import BUY, BUY_NAME
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability

ButtonKind = Literal["", "buy", "disabled", "link"]
"""What a button does: nothing that matters, buy, buy but it is disabled, lead to the cart."""
_MAX_TEXT, _MAX_PARTS = 40, 6
"""Longest label of a button, and most elements within it."""
_NAMES: Final = ("id", "name", "class", "data-testid", "data-test", "data-action")
_INPUT_LABELS: Final = ("value", "aria-label", "alt", "title")
_PRODUCT_NAMES: Final = (
    "data-name",
    "data-product-name",
    "data-title",
    "data-product-title",
    "data-item-name",
)
"""Attributes in which shops tell their scripts what a button puts into the cart."""
_ITS_OWN = 0.8
"""The least likeness of such a name to the page's own names for the button to be the page's product's."""


def kind_of_button(
    element: html.HtmlElement, marks: int, page: ProductPage, *, is_below_heading: bool
) -> ButtonKind:
    """What a button or link does for the page's product.

    Args:
        element: the button or link.
        marks: what the markup around it says.
        page: its page.
        is_below_heading: whether the product's heading stands before it.
    """
    if marks & ElementMark.HIDDEN or len(element) > _MAX_PARTS:
        return ""
    label = _label(element)
    if len(label) > _MAX_TEXT:
        label = " ".join((element.text or "").split())  # What stands in it besides is a hint.
    if not label or len(label) > _MAX_TEXT:
        return ""
    if not (_buys(label) or (is_below_heading and _is_named_to_buy(element, label))):
        return ""
    if _is_disabled(element):
        return "disabled"
    if not marks & (ElementMark.SIDE | ElementMark.LINK) or element.tag == "button":
        return "buy"
    if _names_product(element, page):
        return "buy"
    return "" if marks & ElementMark.SIDE or not page.is_same_site(element.get("href") or "") else "link"


def _names_product(element: html.HtmlElement, page: ProductPage) -> bool:
    """Whether a button tells scripts that it is the page's product's, whatever the part around it is called."""
    stated = (element.get(name) for name in _PRODUCT_NAMES)
    return any(page.resembles(name) >= _ITS_OWN for name in stated if name)


def _is_disabled(element: html.HtmlElement) -> bool:
    """Whether a button cannot be pressed. A link has no attribute `disabled` (HTML, 4.10.18.5)."""
    if element.tag in ("button", "input") and element.get("disabled") is not None:
        return True
    return bool(element.get("aria-disabled") == "true")


def _is_named_to_buy(element: html.HtmlElement, label: str) -> bool:
    """Whether a button has a name for buying, and a label that does not say that there is none."""
    if element.tag == "a" or not any(BUY_NAME.search(element.get(name) or "") for name in _NAMES):
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
    if not len(element):
        return " ".join((element.text or "").split())
    parts: list[str] = []
    for part in element.itertext():
        parts.append(part)
        if len(parts) > 12:
            return ""
    return " ".join(" ".join(parts).split())
