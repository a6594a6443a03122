"""Chooses the fields other than the price among all readings: article number, availability, brand, GTIN, …"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from research_crawler.core.models.offers.products import Condition, ExtractionSource
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.visible.dom_facts import DomFacts, Labelled
from research_crawler.extraction.products.visible.layout import ProductLayout, TextElement
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.identifiers import (
    codes_in_url,
    comparable_code,
    is_product_number,
    named_codes,
)
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.offer_words import read_condition

_NAMED_WEIGHT = 0.6
"""The weight of a code in a parameter of the URL that is named after a product."""
_MIN_URL_DIGITS = 5
"""Shorter numbers in URLs are sizes, years and categories."""
_MOST_LABELS = 8
"""Most labelled values that are compared for a field."""
_BELOW, _SHOWN_WEIGHT, _MAX_SHOWN = 40, 0.6, 40
"""A code without a known label: the most elements between the heading and the code, its weight, its most
characters."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen value of a field, with its source and its confidence."""

    value: str
    source: ExtractionSource
    path: str = ""
    confidence: float = 0.0
    rivals: tuple[str, ...] = ()
    """Other values that some source states."""


class Option(NamedTuple):
    """A value that a field may have."""

    value: str
    source: ExtractionSource
    path: str
    confidence: float


NO_CHOICE = Chosen("", "inferred")


def choose_sku(page: ProductPage, main: list[Mention], facts: DomFacts, layout: ProductLayout) -> Chosen:
    """Choose the article number: a visible one, else that of structured data, state or the URL.

    If several sources state the same number, their weights add up. A visible, labelled number weighs more
    than one in structured data, which is often an internal number.
    """
    scores: dict[str, list[tuple[float, Chosen]]] = {}

    def add(value: str, weight: float, source: ExtractionSource, path: str) -> None:
        if comparable_code(value):
            scores.setdefault(comparable_code(value), []).append((weight, Chosen(value, source, path)))

    labelled = _nearest_labels(facts.skus)
    for label in labelled:
        unsure = len({comparable_code(other.value) for other in labelled}) > 2
        weight = label.weight * (0.45 if " " in label.value or unsure else 1.3)
        add(label.value, weight, "dom", _path(label))
    for mention in main:
        weight = 0.7 if mention.source in STRUCTURED else 0.35
        add(mention.sku, weight * (0.5 if " " in mention.sku else 1.0), mention.source, f"{mention.path}.sku")
    for code in named_codes(page.url)[:1]:
        add(code, _NAMED_WEIGHT, "url", page.url)
    for position, code in enumerate(codes_in_url(page.url)):
        digits = "".join(re.findall(r"\d+", code))
        if len(digits) >= _MIN_URL_DIGITS and len(code) <= len(digits) + 4:
            add(code, 0.5 - 0.03 * min(position, 4), "url", page.url)
    if shown := _shown_code(page, layout):
        add(_code_of(shown), _SHOWN_WEIGHT, "dom", _path_of(shown.element))
    return _best_code(scores, layout)


def _shown_code(page: ProductPage, layout: ProductLayout) -> TextElement | None:
    """A code that is shown directly below the heading and is also in the page's URL."""
    address = comparable_code(unquote(page.url))
    for text_element in layout.text_elements:
        if 0 < layout.to_heading(text_element.order) <= _BELOW and not text_element.marks & ElementMark.LINK:
            code = _code_of(text_element)
            if is_product_number(code) and len(code) >= _MIN_URL_DIGITS and comparable_code(code) in address:
                return text_element
    return None


def _code_of(text_element: TextElement) -> str:
    return text_element.text.rpartition(":")[2].strip(" #()") if len(text_element.text) <= _MAX_SHOWN else ""


def _nearest_labels(found: list[Labelled]) -> list[Labelled]:
    """The labelled article numbers by weight."""
    return sorted(found, key=lambda one: -one.weight)[:_MOST_LABELS]


def _best_code(scores: dict[str, list[tuple[float, Chosen]]], layout: ProductLayout) -> Chosen:
    if not scores:
        return NO_CHOICE
    totals = {key: _total(found) for key, found in scores.items()}
    best = max(totals, key=lambda key: totals[key])
    chosen = max(scores[best], key=lambda pair: pair[0])[1]
    rivals = tuple(
        scores[key][0][1].value for key in sorted(totals, key=lambda key: -totals[key]) if key != best
    )[:4]
    return Chosen(
        _as_shown(chosen.value, layout), chosen.source, chosen.path, min(totals[best], 0.99), rivals
    )


def _total(found: list[tuple[float, Chosen]]) -> float:
    """The sum over sources of the strongest reading of each."""
    by_source: dict[str, float] = {}
    for weight, reading in found:
        by_source[reading.source] = max(by_source.get(reading.source, 0.0), weight)
    return sum(by_source.values())


def _as_shown(code: str, layout: ProductLayout) -> str:
    """The number as the page shows it: "904.230.19" rather than "90423019"."""
    bare = comparable_code(code)
    for text_element in layout.text_elements:
        if (
            len(text_element.text) <= len(code) + 6
            and text_element.text != code
            and comparable_code(text_element.text) == bare
            and not text_element.marks & ElementMark.SIDE
        ):
            return text_element.text.strip(" #:()")
    return code


def choose_text(options: Iterable[Option]) -> Chosen:
    """Choose the first option with a value. Its confidence is higher if another source has the same value."""
    found = [option for option in options if option.value]
    if not found:
        return NO_CHOICE
    first = found[0]
    agreeing = {
        option.source for option in found[1:] if comparable_code(option.value) == comparable_code(first.value)
    }
    others = [
        option.value for option in found[1:] if comparable_code(option.value) != comparable_code(first.value)
    ]
    confidence = min(0.99, first.confidence + 0.1 * len(agreeing - {first.source}))
    return Chosen(first.value, first.source, first.path, confidence, tuple(dict.fromkeys(others))[:3])


def choose_condition(main: list[Mention], title: str, facts: DomFacts) -> tuple[Condition, Chosen]:
    """Choose the condition: the stated one, else a visible labelled one, else one that the title names.

    If data says "new" and the page shows another condition, the page wins: shops do not write "used" by
    mistake.
    """
    stated = next(
        ((offer, one) for one in main for offer in one.every_offer() if offer.condition != "unknown"), None
    )
    stated_condition = stated[0].condition if stated else "unknown"
    labelled = max(facts.conditions, key=lambda one: one.weight, default=None)
    shown = read_condition(labelled.value) if labelled else "unknown"
    if labelled and shown != "unknown" and stated_condition in ("new", "unknown"):
        rivals = (stated_condition,) if stated_condition not in ("unknown", shown) else ()
        return shown, Chosen(shown, "dom", f"label {labelled.label}", 0.7, rivals)
    if stated:
        return stated_condition, Chosen(stated_condition, stated[1].source, stated[0].path, 0.9)
    named = read_condition(title)
    if named in ("used", "refurbished", "open_box"):
        return named, Chosen(named, "dom", "title", 0.6)
    return "unknown", NO_CHOICE


def _path(label: Labelled) -> str:
    return _path_of(label.element)


def _path_of(element: object) -> str:
    tree = element.getroottree()  # type: ignore[attr-defined]
    return str(tree.getpath(element))
