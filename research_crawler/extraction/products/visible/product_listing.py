"""Finds the rows of a search or category page: repeated elements with a price and a link to a product.

Where a search has too few results to repeat anything, a row is a price beside a link with the wanted name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from lxml import html

from research_crawler.core.web.urls import host_of, joined_url, site_of
from research_crawler.extraction.products.structured.mentions import MAX_PRODUCT_NAME
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate
from research_crawler.extraction.products.visible.price_places import shape_of
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.name_comparison import text_on_one_line, words_of
from research_crawler.extraction.products.vocabulary.offer_words import SPONSORED

MIN_ROWS = 3
"""Fewest repeated elements that make a listing."""
_MAX_ROWS = 200
"""Most rows of a listing."""
MAX_CLIMB = 14
"""The most elements from a price up to the box of its row."""
_LINK_WEIGHT, _HEADING_WEIGHT = 6, 30
"""Points for each further link to an address; for a name in a heading, and off for another host."""
_NO_SCORE = -99.0
"""The score where there is no candidate."""
_STANDS_OUT, _LEAD, _ROW_SCORE = 2.5, 1.2, -1.2
"""A page is a product page if a price outside the rows has at least the score _STANDS_OUT and the lead _LEAD.
Rows whose best price scores less than _ROW_SCORE hold no products. On 123 saved pages of products, listings
and collections these limits separate all but two; any lead from 0.6 to 3 and any row score from -1.7 to -0.8
gives the same result."""
SURELY_NAMED = 0.8
"""Structured data with a price and at least this likeness to the page's names is about the page's product."""
_AS_GOOD = 1.5
"""Of a row's prices whose scores are within this of the best, the first is the one to pay. The others are
comparisons."""
_MIN_NAME = 3
"""Shortest name of a row."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5")
NOT_THE_PRICE = ElementMark.OLD | ElementMark.STRUCK | ElementMark.UNIT | ElementMark.SHIPPING
_SPONSORED_NAME = re.compile(r"sponsor|\bad-?(?:holder|label|badge|item|slot)|promoted|werbung|advert", re.I)
_MAX_BADGE = 30
"""Longest badge that may mark an advertisement."""
_MOST = 0.6
"""An element that contains a larger share of the rows is the list itself."""
_REDIRECT_KEYS = ("url", "u", "dest", "destination", "target", "redirect", "to", "link")
_NUMERIC = re.compile(r"[\W\d_]*")


@dataclass(slots=True)
class Row:
    """A row of a list: one product with its link and prices."""

    element: html.HtmlElement
    name: str
    url: str
    candidate: PriceCandidate | None
    list_price: PriceCandidate | None
    is_sponsored: bool


def read_rows(page: ProductPage, candidates: list[PriceCandidate]) -> list[Row]:
    """The rows of the page's largest list of products, in order; [] if there is no list."""
    boxes = _boxes(candidates)
    if page.heading is not None:  # what holds the heading is the page's own product, or all of the page
        for around in page.heading.iterancestors():
            boxes.pop(around, None)
    if len(boxes) < MIN_ROWS:
        return []
    advertised = _in_advertised_blocks(list(boxes))
    rows = [
        row
        for box, inside in boxes.items()
        if (row := read_row(page, box, inside, advertised=box in advertised))
    ]
    seen: set[str] = set()
    unique = []
    for row in rows[:_MAX_ROWS]:
        if row.url not in seen:
            seen.add(row.url)
            unique.append(row)
    return unique if len(unique) >= MIN_ROWS else []


def is_list_page(rows: list[Row], candidates: list[PriceCandidate], *, likeness: float | None) -> bool:
    """Whether the page is about its rows. If it is not, they are other products on a product's page.

    Args:
        rows: the result of `read_rows`.
        candidates: all prices of the page, with their scores.
        likeness: how similar the name of a product with a price in structured data is to the page's own
            names; None if there is no such product.
    """
    boxes = {row.element for row in rows}
    inside: list[float] = []
    outside: list[float] = []
    for candidate in candidates:
        around = (candidate.element, *candidate.element.iterancestors())
        scores = inside if any(element in boxes for element in around) else outside
        scores.append(candidate.score)
    best_in, best_out = max(inside, default=_NO_SCORE), max(outside, default=_NO_SCORE)
    if likeness is not None:
        return best_in > best_out + 1 and likeness < SURELY_NAMED
    stands_out = best_out >= _STANDS_OUT and best_out > best_in + _LEAD
    priced = sum(row.candidate is not None for row in rows)
    return best_in >= _ROW_SCORE and priced * 2 >= len(rows) and not stands_out


def _boxes(candidates: list[PriceCandidate]) -> dict[html.HtmlElement, list[PriceCandidate]]:
    """The box (outermost element) of each row of the largest list, with the prices in it.

    The prices of a list have the same tags and classes up to two levels above them. A row's box is the
    largest element around one of these prices that contains no other.
    """
    groups: dict[tuple[object, ...], list[PriceCandidate]] = defaultdict(list)
    for candidate in candidates:
        if not candidate.text_element.marks & NOT_THE_PRICE:
            groups[shape_of(candidate.element)].append(candidate)
    best: dict[html.HtmlElement, list[PriceCandidate]] = {}
    for group in groups.values():
        if len(group) >= MIN_ROWS:
            boxes = _around(group)
            if len(boxes) > len(best):
                best = boxes
    if not best:
        return {}
    row_boxes = _with_similar_siblings(best)
    return {box: [one for one in candidates if is_inside(one.element, box)] for box in row_boxes}


def _around(group: list[PriceCandidate]) -> dict[html.HtmlElement, list[PriceCandidate]]:
    holders: Counter[html.HtmlElement] = Counter()
    for candidate in group:
        holders.update([candidate.element, *candidate.element.iterancestors()])
    boxes: dict[html.HtmlElement, list[PriceCandidate]] = {}
    for candidate in group:
        box = candidate.element
        for _, above in zip(range(MAX_CLIMB), candidate.element.iterancestors(), strict=False):
            if holders[above] > 1:
                break
            box = above
        if box.find(".//a") is not None or box.tag == "a":
            boxes[box] = [candidate]
    return boxes


def _with_similar_siblings(boxes: dict[html.HtmlElement, list[PriceCandidate]]) -> list[html.HtmlElement]:
    """The boxes and their siblings with the same tag and class, in document order."""
    shapes = Counter((box.tag, box.get("class")) for box in boxes)
    parents = dict.fromkeys(box.getparent() for box in boxes)
    found: dict[html.HtmlElement, None] = {}
    for parent in parents:
        if parent is None:
            continue
        for child in parent:
            if child in boxes or shapes[child.tag, child.get("class")] >= MIN_ROWS:
                found[child] = None
    return list(found)


def is_inside(element: html.HtmlElement, box: html.HtmlElement) -> bool:
    """Whether an element is the box or inside it."""
    return element is box or any(ancestor is box for ancestor in element.iterancestors())


def read_row(
    page: ProductPage, box: html.HtmlElement, inside: list[PriceCandidate], *, advertised: bool
) -> Row | None:
    """Read the row in a box: name and URL of its product, and the price to pay among those inside."""
    name, url = _named_link(page, box)
    if not name or not url:
        return None
    prices = [
        candidate
        for candidate in inside
        if not candidate.text_element.marks & NOT_THE_PRICE and candidate.price.amount > 0
    ]
    struck = [
        candidate
        for candidate in inside
        if candidate.text_element.marks & (ElementMark.OLD | ElementMark.STRUCK)
    ]
    best = max((candidate.score for candidate in prices), default=0.0)
    price = next((candidate for candidate in prices if candidate.score >= best - _AS_GOOD), None)
    old = next(
        (candidate for candidate in struck if price and candidate.price.amount > price.price.amount), None
    )
    return Row(box, name, url, price, old, advertised or _is_sponsored(box))


def _named_link(page: ProductPage, box: html.HtmlElement) -> tuple[str, str]:
    """The best name in a row and its URL. Most links of a row, and its heading, lead to the product."""
    links: dict[str, list[html.HtmlElement]] = defaultdict(list)
    for link in [box] if box.tag == "a" else list(box.iter("a"))[:60]:
        if url := product_link_target(page, link.get("href") or ""):
            links[url.partition("#")[0].partition("?")[0]].append(link)
    best: tuple[float, str, str] = (-99.0, "", "")
    for same in links.values():
        scored = [(_score_name(name, link), name, link) for link in same if (name := name_of(link))]
        if not scored:
            continue
        score, name, link = max(scored, key=lambda one: one[0])
        url = product_link_target(page, link.get("href") or "")
        total = (
            score
            + _LINK_WEIGHT * min(len(same) - 1, 3)
            - (0 if host_of(url) == host_of(page.url) else _HEADING_WEIGHT)
        )
        if score > 0 and total > best[0]:
            best = (total, name, url)
    return best[1], best[2]


def _score_name(name: str, link: html.HtmlElement) -> float:
    if len(name) < _MIN_NAME or _NUMERIC.fullmatch(name):
        return 0.0
    in_heading = (
        any(one.tag in _HEADINGS for one in link.iterancestors())
        or next(link.iter(*_HEADINGS), None) is not None
    )
    return min(len(words_of(name)), 25) + (_HEADING_WEIGHT if in_heading else 0)


def name_of(link: html.HtmlElement) -> str:
    """The name that a link gives to its product."""
    heading = next(link.iter(*_HEADINGS), None)
    text = text_on_one_line(heading) if heading is not None else ""
    text = text or (link.get("data-name") or "") or text_on_one_line(link)
    if len(text) > MAX_PRODUCT_NAME or not text:
        text = link.get("title") or link.get("aria-label") or text[:MAX_PRODUCT_NAME]
    image = next(link.iter("img"), None)
    if len(words_of(text)) < 2 and image is not None:
        text = image.get("alt") or text
    return " ".join(text.split())


def product_link_target(page: ProductPage, href: str) -> str:
    """The http(s) URL of a link to a product, with the shop's own redirects resolved; "" for other links."""
    href = href.strip()
    if not href or href.startswith(("#", "javascript:", "mailto:", "tel:")):
        return ""
    url = joined_url(page.url, href)
    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or site_of(url) != site_of(page.url):
        return ""
    for key, value in parse_qsl(parts.query):
        if key.lower() in _REDIRECT_KEYS and (value.startswith("/") or site_of(value) == site_of(page.url)):
            return joined_url(page.url, value)
    return url


def _in_advertised_blocks(boxes: list[html.HtmlElement]) -> set[html.HtmlElement]:
    """The boxes inside blocks, such as carousels between the results, that are labelled as advertising."""
    holders: Counter[html.HtmlElement] = Counter()
    for box in boxes:
        holders.update(box.iterancestors())
    found: set[html.HtmlElement] = set()
    heads: dict[html.HtmlElement, bool] = {}
    for box in boxes:
        for above in box.iterancestors():
            if holders[above] > len(boxes) * _MOST:
                break
            if holders[above] > 1 and heads.setdefault(above, _has_badge(above, boxes)):
                found.add(box)
    return found


def _has_badge(block: html.HtmlElement, boxes: list[html.HtmlElement]) -> bool:
    """Whether a block is labelled as advertising, by a text outside the rows in it."""
    inner = set(boxes)
    stack = [block]
    while stack:
        element = stack.pop()
        if element in inner or not isinstance(element.tag, str):
            continue
        if element.text and len(element.text) <= _MAX_BADGE and SPONSORED.match(element.text):
            return True
        stack.extend(element)
    return False


def _is_sponsored(box: html.HtmlElement) -> bool:
    for element in box.iter():
        if not isinstance(element.tag, str):
            continue
        names = f"{element.get('class') or ''} {element.get('data-component-type') or ''}"
        if "ponsor" in names and _SPONSORED_NAME.search(names):
            return True
        for text in (element.text, element.get("aria-label")):
            if text and len(text) <= _MAX_BADGE and SPONSORED.match(text):
                return True
    return False


def read_lone_rows(
    page: ProductPage, candidates: list[PriceCandidate], is_wanted: Callable[[str], bool]
) -> list[Row]:
    """The rows made of a price and the nearest link whose name is wanted."""
    around = _around_links(page, is_wanted)
    rows: dict[str, Row] = {}
    payable = [candidate for candidate in candidates if _may_be_to_pay(candidate)] if around else []
    for candidate in payable:
        box = _box_of_link(around, candidate)
        if box is None or any(_is_another_price(other, candidate, box) for other in payable):
            continue
        inside = [other for other in candidates if is_inside(other.element, box)]
        row = read_row(page, box, inside, advertised=False)
        if row and is_wanted(row.name) and not page.is_own_url(row.url):
            rows.setdefault(row.url, row)
    return list(rows.values())


def _may_be_to_pay(candidate: PriceCandidate) -> bool:
    """Whether a price may be the price of a row: it is no old price, shipping or instalment."""
    return not candidate.text_element.marks & NOT_THE_PRICE and candidate.price.amount > 0


def _is_another_price(other: PriceCandidate, candidate: PriceCandidate, box: html.HtmlElement) -> bool:
    """Whether a box contains another price to pay. Then it is more than one row."""
    return other.price.amount != candidate.price.amount and is_inside(other.element, box)


def _around_links(page: ProductPage, is_wanted: Callable[[str], bool]) -> set[html.HtmlElement]:
    """The links whose name is wanted and the elements around them, as far up as a row may reach."""
    around: set[html.HtmlElement] = set()
    for link in page.elements:
        if link.tag == "a" and is_wanted(name_of(link)) and product_link_target(page, link.get("href") or ""):
            around.add(link)
            around.update(above for _, above in zip(range(MAX_CLIMB), link.iterancestors(), strict=False))
    return around


def _box_of_link(around: set[html.HtmlElement], candidate: PriceCandidate) -> html.HtmlElement | None:
    """The smallest of these elements that is around a price; None if there is none."""
    for _, box in zip(
        range(MAX_CLIMB), (candidate.element, *candidate.element.iterancestors()), strict=False
    ):
        if box.tag in ("body", "html", "nav", "header", "footer"):
            return None
        if box in around:
            return box
    return None
