"""Visible text: reads the visible prices of a page, with the features that tell which one is the product's."""

import re
from dataclasses import dataclass, field
from math import log1p

from lxml import html

from research_crawler.extraction.products.price.currencies import SIGNS, is_money_word_of_one_country, is_name
from research_crawler.extraction.products.price.reader import Numerals, Price, clean_text, read_price
from research_crawler.extraction.products.visible.concealment import shown_texts
from research_crawler.extraction.products.visible.layout import ProductLayout, TextElement
from research_crawler.extraction.products.visible.price_places import (
    shape_of,
    words_before,
)
from research_crawler.extraction.products.visible.price_words import (
    FROM_AFTER,
    FROM_WORDS,
    UNIT_WORDS,
)
from research_crawler.extraction.products.vocabulary.marks import ElementMark

_MARK_CHARS = 3
"""A text with so many characters more than its price is nothing but that."""
Concealed = frozenset[html.HtmlElement]
_DIGIT = re.compile(r"\d")
_SYMBOL = re.compile(
    rf"[{re.escape(''.join(sorted(SIGNS)))}元円원]|z[łl]\b|K[čc]\b|\bkr\b|\bRs\b|руб|lei\b|Ft\b|CHF|EUR|USD"
)
_SHORT = 24
"""Longer texts without a currency sign are not tried as prices."""
_BARE_NUMBER = re.compile(r"[\d.,'’\s]{1,16}[-–]{0,2}")
_CENTS = re.compile(r"[.,]?\d\d")
_TWO_DIGITS, _ENDS_IN_CENTS = re.compile(r"\d\d(?!\d)"), re.compile(r"[.,]\d\d$")
_MAX_BARE_TEXT, _MAX_NAMED_TEXT, _MAX_PARTS = 16, 32, 8
"""Longest text of a price without a name, of one in an element that is named after it, and most elements within
it."""
_CLIMB = 3
"""So many elements above a price say what it is."""
_MAX_PRICE_TEXT, _MAX_MARK = 48, 6
"""Longest text of a price in several elements, and longest mark of a currency."""
_MAX_CANDIDATES = 400
"""Most prices of a page that are weighed."""
_LONGEST_FROM = 32
"""The most characters around a price that a word such as "from" may mark."""
FEATURES = (
    "mark", "price_name", "now_name", "old", "side", "link", "alone",
    "after_heading", "heading_distance", "buy_distance", "unit", "zero", "repeats", "first", "crowd", "itemprop",
)  # fmt: skip
"""The names of `PriceCandidate.features`, in order. (Words on the line of a price: no more right prices on shops
held back; without data 3 of 52 fewer, on further shops 1 of 50 fewer, and without data 3 of 50 fewer.)"""


@dataclass(slots=True, eq=False)
class PriceCandidate:
    """A visible price, which may be the product's."""

    price: Price
    text_element: TextElement
    element: html.HtmlElement
    features: list[float] = field(default_factory=list)
    score: float = 0.0
    is_from: bool = False
    """Whether a word such as "from" says that it is the lowest of several."""


def read_candidates(layout: ProductLayout, numerals: Numerals) -> list[PriceCandidate]:
    """The prices in the page's visible texts, with their features. Their scores are not set yet."""
    found: list[PriceCandidate] = []
    taken: set[html.HtmlElement] = set()
    for text_element in layout.text_elements:
        if (
            text_element.marks & ElementMark.HIDDEN
            or not _DIGIT.search(text_element.text)
            or not _may_be_price(text_element)
        ):
            continue
        candidate = _candidate(text_element, numerals, layout.concealed)
        if candidate is not None and candidate.element not in taken:
            taken.add(candidate.element)
            if not _is_added(candidate, layout.concealed):
                found.append(candidate)
        if len(found) >= _MAX_CANDIDATES:
            break
    _add_features(found, layout)
    return found


def _stands_alone(candidate: PriceCandidate) -> bool:
    return len(candidate.text_element.text) <= len(candidate.price.text) + _MARK_CHARS


def _may_be_price(text_element: TextElement) -> bool:
    return (
        bool(text_element.marks & ElementMark.PRICE)
        or len(text_element.text) <= _SHORT
        or _SYMBOL.search(text_element.text) is not None
    )


def _candidate(text_element: TextElement, numerals: Numerals, concealed: Concealed) -> PriceCandidate | None:
    """The price in a text. If the text is only digits, elements around it provide mark and cents."""
    is_split = len(text_element.element) and len(text_element.text) <= _MAX_PRICE_TEXT
    text = element_price_text(text_element.element, concealed) if is_split else text_element.text
    if not _BARE_NUMBER.fullmatch(text):
        price = read_price(text, numerals)
        if price is not None and _is_marked(price, text, numerals):
            return _with_cents(PriceCandidate(price, text_element, text_element.element), numerals, concealed)
    elif candidate := _climbed(text_element, numerals, concealed) or _marked_before(
        text_element, text, numerals, concealed
    ):
        return candidate
    if text_element.marks & ElementMark.PRICE and len(text_element.text) <= _MAX_NAMED_TEXT:
        price = read_price(text_element.text, numerals)
        if price and (len(text_element.text) <= _MAX_BARE_TEXT or is_name(price.mark)):
            return PriceCandidate(price, text_element, text_element.element)
    return None


def _climbed(text_element: TextElement, numerals: Numerals, concealed: Concealed) -> PriceCandidate | None:
    """The price in the smallest element around a number that also contains a mark."""
    element = text_element.element
    for _ in range(_CLIMB):
        element = element.getparent()
        if element is None or len(element) > _MAX_PARTS:
            return None
        text = element_price_text(element, concealed)
        if len(text) > _MAX_PRICE_TEXT:
            return None
        price = read_price(text, numerals)
        if price is not None and _is_marked(price, text, numerals):
            return PriceCandidate(price, text_element, element)
    return None


def _marked_before(
    text_element: TextElement, text: str, numerals: Numerals, concealed: Concealed
) -> PriceCandidate | None:
    """The price of a number whose mark is the only text of the previous element."""
    before = text_element.element.getprevious()
    mark = element_price_text(before, concealed) if before is not None and isinstance(before.tag, str) else ""
    if not mark or len(mark) > _MAX_MARK or _DIGIT.search(mark):
        return None
    price = read_price(f"{mark} {text}", numerals)
    return (
        PriceCandidate(price, text_element, text_element.element)
        if price and _is_marked(price, mark, numerals)
        else None
    )


def _with_cents(candidate: PriceCandidate, numerals: Numerals, concealed: Concealed) -> PriceCandidate:
    """Add cents from a separate element after the price: "$12" and a raised "99"."""
    following = candidate.element.getnext()
    if (
        following is None
        or candidate.price.amount % 1
        or not _CENTS.fullmatch((following.text or "").strip())
    ):
        return candidate
    parent = candidate.element.getparent()
    text = element_price_text(parent, concealed)
    price = read_price(text, numerals) if len(text) <= _MAX_PRICE_TEXT else None
    same = price is not None and int(price.amount) == int(candidate.price.amount)
    return PriceCandidate(price, candidate.text_element, parent) if price and same else candidate


def _is_marked(price: Price, text: str, numerals: Numerals) -> bool:
    if not price.mark or is_name(price.mark):
        return False
    return not is_money_word_of_one_country(price.mark, numerals.territory) and price.mark in clean_text(text)


def element_price_text(element: html.HtmlElement, concealed: Concealed = frozenset()) -> str:
    """An element's text. If a price is split over several elements, a point is added before its cents."""
    text = ""
    for part in shown_texts(element, concealed):
        piece = " ".join(part.split())
        if not piece:
            continue
        if not text:
            text = piece
        elif text[-1].isdigit() and _TWO_DIGITS.match(piece) and not _ENDS_IN_CENTS.search(text):
            text += f".{piece}"
        elif (text[-1].isdigit() and piece[0] in ".,") or (text[-1] in ".," and piece[0].isdigit()):
            text += piece
        else:
            text += f" {piece}"
        if len(text) > 200:
            break
    return text


def _add_features(found: list[PriceCandidate], layout: ProductLayout) -> None:
    amounts: dict[object, int] = {}
    for candidate in found:
        amounts[candidate.price.amount] = amounts.get(candidate.price.amount, 0) + 1
    shapes: dict[tuple[object, ...], int] = {}
    keys = [
        (*shape_of(candidate.element), candidate.text_element.marks & ElementMark.SIDE) for candidate in found
    ]
    for key in keys:
        shapes[key] = shapes.get(key, 0) + 1
    seen_after = False
    for candidate, key in zip(found, keys, strict=True):
        marks, distance = candidate.text_element.marks, layout.to_heading(candidate.text_element.order)
        candidate.is_from = _is_from(candidate)
        is_first = (
            not seen_after
            and distance >= 0
            and not marks & (ElementMark.SIDE | ElementMark.LINK | ElementMark.OLD | ElementMark.STRUCK)
        )
        seen_after = seen_after or is_first
        candidate.features = [
            float(bool(candidate.price.mark and candidate.price.mark in candidate.price.text)),
            float(bool(marks & ElementMark.PRICE)),
            float(bool(marks & ElementMark.NOW)),
            float(bool(marks & (ElementMark.OLD | ElementMark.STRUCK))),
            float(bool(marks & ElementMark.SIDE)),
            float(bool(marks & ElementMark.LINK)),
            float(_stands_alone(candidate)),
            float(distance >= 0 and layout.heading >= 0),
            log1p(abs(distance)) / 8,
            log1p(layout.to_buy(candidate.text_element.order)) / 8,
            float(bool(UNIT_WORDS.search(candidate.text_element.text) or marks & ElementMark.UNIT)),
            float(candidate.price.amount == 0),
            min(amounts[candidate.price.amount], 4) / 4,
            float(is_first),
            min(shapes[key] - 1, 5) / 5,
            float(
                "price"
                in (
                    candidate.element.get("itemprop") or candidate.text_element.element.get("itemprop") or ""
                ).lower()
            ),
        ]


def _is_added(candidate: PriceCandidate, concealed: Concealed) -> bool:
    """Whether an amount is added to a price: `+$29`. Elsewhere on the line a plus is the button for one more."""
    before = element_price_text(candidate.element, concealed).partition(candidate.price.text)[0]
    return before.rstrip().endswith("+")


def _is_from(candidate: PriceCandidate) -> bool:
    """Whether a price is the lowest of several: short texts only, because "from $5 to $9" is about anything."""
    own, found, behind = candidate.text_element.text.partition(candidate.price.text)
    if not found or len(own) + len(behind) > _LONGEST_FROM:
        return False
    before = f"{words_before(candidate.element)} {own}".rstrip()
    return bool(FROM_WORDS.search(before) or FROM_AFTER.match(behind))
