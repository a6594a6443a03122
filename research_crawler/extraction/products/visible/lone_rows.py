"""Reads search results that are too few to form a list: prices beside links with a matching name."""

from collections.abc import Callable

from lxml import html

from research_crawler.extraction.products.visible.dom_prices import PriceCandidate
from research_crawler.extraction.products.visible.product_listing import (
    MAX_CLIMB,
    NOT_THE_PRICE,
    Row,
    is_inside,
    name_of,
    read_row,
    target_of,
)
from research_crawler.extraction.products.visible.product_page import ProductPage


def read_lone_rows(
    page: ProductPage, candidates: list[PriceCandidate], is_wanted: Callable[[str], bool]
) -> list[Row]:
    """The rows made of a price and the nearest link whose name is wanted."""
    around = _around_links(page, is_wanted)
    rows: dict[str, Row] = {}
    payable = [candidate for candidate in candidates if _is_payable(candidate)] if around else []
    for candidate in payable:
        box = _box_in(around, candidate)
        if box is None or any(_is_another(other, candidate, box) for other in payable):
            continue
        inside = [other for other in candidates if is_inside(other.element, box)]
        row = read_row(page, box, inside, advertised=False)
        if row and is_wanted(row.name) and not page.is_own_url(row.url):
            rows.setdefault(row.url, row)
    return list(rows.values())


def _is_payable(candidate: PriceCandidate) -> bool:
    """Whether a price may be the price of a row: it is no old price, shipping or instalment."""
    return not candidate.text_element.marks & NOT_THE_PRICE and candidate.price.amount > 0


def _is_another(other: PriceCandidate, candidate: PriceCandidate, box: html.HtmlElement) -> bool:
    """Whether a box contains another price to pay. Then it is more than one row."""
    return other.price.amount != candidate.price.amount and is_inside(other.element, box)


def _around_links(page: ProductPage, is_wanted: Callable[[str], bool]) -> set[html.HtmlElement]:
    """The links whose name is wanted and the elements around them, as far up as a row may reach."""
    around: set[html.HtmlElement] = set()
    for link in page.elements:
        if link.tag == "a" and is_wanted(name_of(link)) and target_of(page, link.get("href") or ""):
            around.add(link)
            around.update(above for _, above in zip(range(MAX_CLIMB), link.iterancestors(), strict=False))
    return around


def _box_in(around: set[html.HtmlElement], candidate: PriceCandidate) -> html.HtmlElement | None:
    """The smallest of these elements that is around a price; None if there is none."""
    for _, box in zip(
        range(MAX_CLIMB), (candidate.element, *candidate.element.iterancestors()), strict=False
    ):
        if box.tag in ("body", "html", "nav", "header", "footer"):
            return None
        if box in around:
            return box
    return None
