"""Results too few to be seen as a list: prices beside links that lead to what was searched for."""

from collections.abc import Callable

from lxml import html

from research_crawler.extraction.products.visible.dom_prices import FEATURES, PriceCandidate
from research_crawler.extraction.products.visible.listing import (
    MAX_CLIMB,
    NOT_THE_PRICE,
    Row,
    lies_in,
    name_of,
    read_row,
    target_of,
)
from research_crawler.extraction.products.visible.page import ProductPage


def read_lone_rows(
    page: ProductPage, candidates: list[PriceCandidate], is_wanted: Callable[[str], bool]
) -> list[Row]:
    """Prices each with the nearest link whose name is wanted: rows of a list too short to be seen as one."""
    around = _around_links(page, is_wanted)
    rows: dict[str, Row] = {}
    payable = [one for one in candidates if _is_payable(one)] if around else []
    for one in payable:
        box = _box_in(around, one)
        if box is None or any(_is_another(other, one, box) for other in payable):
            continue
        inside = [other for other in candidates if lies_in(other.element, box)]
        row = read_row(page, box, inside, advertised=False)
        if row and is_wanted(row.name) and not page.is_own_url(row.url):
            rows.setdefault(row.url, row)
    return list(rows.values())


def _is_payable(one: PriceCandidate) -> bool:
    """Whether a price may be what a row costs: no old one, no shipping, no instalment."""
    if one.spot.marks & NOT_THE_PRICE or one.price.amount <= 0:
        return False
    return not one.features[FEATURES.index("words_extra")]


def _is_another(other: PriceCandidate, one: PriceCandidate, box: html.HtmlElement) -> bool:
    """Whether a box holds a second price to pay: then it is more than one row."""
    return other.price.amount != one.price.amount and lies_in(other.element, box)


def _around_links(page: ProductPage, is_wanted: Callable[[str], bool]) -> set[html.HtmlElement]:
    """The elements around the links whose name is wanted, as far up as a row reaches."""
    around: set[html.HtmlElement] = set()
    for link in page.elements:
        if link.tag == "a" and is_wanted(name_of(link)) and target_of(page, link.get("href") or ""):
            around.add(link)
            around.update(above for _, above in zip(range(MAX_CLIMB), link.iterancestors(), strict=False))
    return around


def _box_in(around: set[html.HtmlElement], one: PriceCandidate) -> html.HtmlElement | None:
    """The smallest element around a price that is one of these."""
    for _, box in zip(range(MAX_CLIMB), (one.element, *one.element.iterancestors()), strict=False):
        if box.tag in ("body", "html", "nav", "header", "footer"):
            return None
        if box in around:
            return box
    return None
