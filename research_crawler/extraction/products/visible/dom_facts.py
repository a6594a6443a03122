"""Visible text: reads visible facts besides the price: article number, brand, GTIN, availability, condition."""

import re
from dataclasses import dataclass, field

from lxml import html

from research_crawler.core.models.offers.products import Availability
from research_crawler.extraction.products.visible.layout import ProductLayout, TextElement
from research_crawler.extraction.products.vocabulary.identifiers import clean_code, valid_gtin
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.offer_words import (
    BRAND_LABEL,
    CONDITION_LABEL,
    GTIN_LABEL,
    MPN_LABEL,
    SKU_LABEL,
    read_condition,
)
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability

_MAX_LABEL = 60
"""Longest text that may be a label with its value."""
_MAX_LINE = 120
"""A longer line gives no fact."""
_MAX_CONDITION = 30
"""Longest text of a condition."""
_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9./_+-]*(?: [A-Z0-9][A-Z0-9./_+-]*){0,3}")
_LETTERS = re.compile(r"[A-Z]{3,12}")
"""A code without digits. It counts only if nothing else follows its label and a colon."""
_MAX_NOTICE = 60
"""The most characters of a text that only says whether there is stock; longer ones are descriptions."""
_BESIDE = 6
"""The most elements from a label to its value in an element of its own."""
_REACH, _BEFORE = 900, 60
"""The most elements between the heading (for the price: a third) and a text that is about the product."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value with its label in the page."""

    value: str
    label: str
    element: html.HtmlElement
    order: int
    weight: float
    """How likely the label is about the page's product, 0 to 1."""


@dataclass(slots=True)
class DomFacts:
    """The facts about its product that a page's visible texts state."""

    skus: list[Labelled] = field(default_factory=list)
    mpns: list[Labelled] = field(default_factory=list)
    brands: list[Labelled] = field(default_factory=list)
    gtins: list[Labelled] = field(default_factory=list)
    conditions: list[Labelled] = field(default_factory=list)
    stock: list[tuple[Availability, TextElement]] = field(default_factory=list)


def read_labelled_facts(layout: ProductLayout, price_order: int | None) -> DomFacts:
    """Read the labelled values of the page, and the availability texts near the heading and the price."""
    facts = DomFacts()
    for index, text_element in enumerate(layout.text_elements):
        if text_element.marks & ElementMark.SIDE:
            continue
        _read_label(text_element, layout, index, facts)
        _read_condition(text_element, layout, index, facts)
        if (
            _is_near(text_element, layout, price_order)
            and (availability := _stock_of(text_element)) != "unknown"
        ):
            facts.stock.append((availability, text_element))
    return facts


def _read_label(text_element: TextElement, layout: ProductLayout, index: int, facts: DomFacts) -> None:
    text = text_element.text
    if len(text) > _MAX_LINE:
        return
    for pattern, into in ((GTIN_LABEL, facts.gtins), (SKU_LABEL, facts.skus), (MPN_LABEL, facts.mpns)):
        if match := pattern.match(text):
            value = _value_after(text[match.end() :], layout, index)
            if value and into is facts.gtins:
                value = valid_gtin(value)
            if value:
                into.append(_labelled(value, match[0], text_element, layout))
                return
    if len(text) <= _MAX_LABEL and (match := BRAND_LABEL.match(text)):
        value = text[match.end() :].strip() or _next_text(layout, index)
        if value and len(value) <= _MAX_LABEL and ":" not in value and not _is_label(value):
            facts.brands.append(_labelled(value, match[0], text_element, layout))


def _is_label(text: str) -> bool:
    """Whether a text is only the label of another field, as in the head of a table."""
    return any(label.fullmatch(text) for label in (GTIN_LABEL, SKU_LABEL, MPN_LABEL, BRAND_LABEL))


def _read_condition(text_element: TextElement, layout: ProductLayout, index: int, facts: DomFacts) -> None:
    """Read the value after "Condition:" near the heading; of a long explanation, only the beginning."""
    match = CONDITION_LABEL.match(text_element.text) if len(text_element.text) <= _MAX_LABEL else None
    if match is None or abs(layout.to_heading(text_element.order)) > _REACH:
        return
    value = (text_element.text[match.end() :].strip(" :") or _next_text(layout, index))[:_MAX_CONDITION]
    if read_condition(value) != "unknown":
        facts.conditions.append(_labelled(value, match[0], text_element, layout))


def _value_after(rest: str, layout: ProductLayout, index: int) -> str:
    rest = rest.strip(" :#№.\u200e\u200f-–\t")
    if not rest:
        rest = _next_text(layout, index).strip(" :#")
        if len(rest) > _MAX_LABEL:
            return ""
    match = _VALUE.match(rest)
    if not match or (len(rest) - match.end() > 30):
        return ""
    value = match[0]
    while " " in value and not re.fullmatch(r"[A-Z0-9 ./_+-]+", value):
        value = value.rpartition(" ")[0]
    code = clean_code(value)
    is_code = any(map(str.isdigit, code)) or (
        ":" in layout.text_elements[index].text and _LETTERS.fullmatch(rest)
    )
    return code if len(code) >= 3 and is_code and not _is_label(code) else ""


def _next_text(layout: ProductLayout, index: int) -> str:
    """The text after a label: on its line, in the next cell, or in the next element."""
    label = layout.text_elements[index]
    if tail := " ".join((label.element.tail or "").split()).strip(" :"):
        return tail
    for later in layout.text_elements[index + 1 : index + 3]:
        if later.element in label.element or later.text == label.text:
            continue
        return later.text if later.order - label.order <= _BESIDE else ""
    return ""


def _labelled(value: str, label: str, text_element: TextElement, layout: ProductLayout) -> Labelled:
    weight = 1 / (1 + abs(layout.to_heading(text_element.order)) / 2_000)
    return Labelled(value, label.strip(), text_element.element, text_element.order, weight)


def _is_near(text_element: TextElement, layout: ProductLayout, price_order: int | None) -> bool:
    if text_element.marks & (ElementMark.SIDE | ElementMark.HIDDEN):
        return False
    if price_order is not None and abs(text_element.order - price_order) <= _REACH / 3:
        return True
    return layout.heading >= 0 and -_BEFORE <= layout.to_heading(text_element.order) <= _REACH


def _stock_of(text_element: TextElement) -> Availability:
    """The availability that a short text states."""
    if len(text_element.text) > _MAX_NOTICE or text_element.marks & ElementMark.LINK:
        return "unknown"
    return words_of_availability(text_element.text)
