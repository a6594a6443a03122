"""The other fields chosen among the rungs' readings: article number, availability, brand, GTIN, condition."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from research_crawler.core.models.products import Availability, Condition, Rung
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.visible.dom_facts import DomFacts, Labelled
from research_crawler.extraction.products.visible.layout import ProductLayout, Spot
from research_crawler.extraction.products.visible.page import ProductPage
from research_crawler.extraction.products.vocabulary.identifiers import (
    codes_in_url,
    is_code,
    named_codes,
    plain,
)
from research_crawler.extraction.products.vocabulary.marks import ElementMark
from research_crawler.extraction.products.vocabulary.offer_words import read_condition

_MIN_URL_DIGITS = 5
"""Shorter numbers in addresses are sizes, years and categories."""
_BELOW, _SHOWN, _MAX_SHOWN = 40, 0.6, 40
"""Elements below the heading in which a code without a known label is looked for, what it weighs, its characters."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A field's value with where it was read and how sure it is."""

    value: str
    rung: Rung
    path: str = ""
    confidence: float = 0.0
    rivals: tuple[str, ...] = ()
    """Other values that something on the page speaks for."""


class Option(NamedTuple):
    """A value that a field may have."""

    value: str
    rung: Rung
    path: str
    confidence: float


_NOTHING = Chosen("", "inferred")


def choose_sku(page: ProductPage, main: list[Mention], facts: DomFacts, layout: ProductLayout) -> Chosen:
    """The article number a reader sees, else the one of structured data, state or the address.

    Where several sources state the same number they add up; a lone one counts by its kind. What is labelled for
    readers weighs more than what is meant for machines, which often is an internal number.
    """
    scores: dict[str, list[tuple[float, Chosen]]] = {}

    def add(value: str, weight: float, rung: Rung, path: str) -> None:
        if plain(value):
            scores.setdefault(plain(value), []).append((weight, Chosen(value, rung, path)))

    labelled = _nearest_labels(facts.skus)
    for one in labelled:
        unsure = len({plain(other.value) for other in labelled}) > 2
        add(one.value, one.weight * (0.45 if " " in one.value or unsure else 1.3), "dom", _path(one))
    for mention in main:
        for offer in mention.every_offer():
            weight = 0.7 if mention.rung in STRUCTURED else 0.35
            add(offer.sku, weight * (0.5 if " " in offer.sku else 1.0), mention.rung, f"{offer.path}.sku")
            if mention.rung in STRUCTURED and offer.sku:
                break
    named = named_codes(page.url)
    for place, code in enumerate(dict.fromkeys([*named, *codes_in_url(page.url)])):
        digits = "".join(re.findall(r"\d+", code))
        if len(digits) >= _MIN_URL_DIGITS and len(code) <= len(digits) + 4:
            add(code, (0.6 if code in named else 0.5) - 0.03 * min(place, 4), "url", page.url)
    if shown := _shown_code(page, layout):
        add(_code_of(shown), _SHOWN, "dom", _path_of(shown.element))
    return _most(scores, layout)


def _shown_code(page: ProductPage, layout: ProductLayout) -> Spot | None:
    """A code that stands just below the heading, and in the page's address, too."""
    address = plain(unquote(page.url))
    for spot in layout.spots:
        if 0 < layout.to_heading(spot.order) <= _BELOW and not spot.marks & ElementMark.LINK:
            code = _code_of(spot)
            if is_code(code) and len(code) >= _MIN_URL_DIGITS and plain(code) in address:
                return spot
    return None


def _code_of(spot: Spot) -> str:
    return spot.text.rpartition(":")[2].strip(" #()") if len(spot.text) <= _MAX_SHOWN else ""


def _nearest_labels(found: list[Labelled]) -> list[Labelled]:
    """Labels of article numbers; where several stand there, "model" and the like give way."""
    strict = [
        one for one in found if not re.match(r"\W*(?:model|part|style|lot|prod\w* name)", one.label, re.I)
    ]
    return sorted(strict or found, key=lambda one: -one.weight)[:8]


def _most(scores: dict[str, list[tuple[float, Chosen]]], layout: ProductLayout) -> Chosen:
    if not scores:
        return _NOTHING
    totals = {key: _total(found) for key, found in scores.items()}
    best = max(totals, key=lambda key: totals[key])
    chosen = max(scores[best], key=lambda pair: pair[0])[1]
    rivals = tuple(
        scores[key][0][1].value for key in sorted(totals, key=lambda key: -totals[key]) if key != best
    )[:4]
    return Chosen(_as_seen(chosen.value, layout), chosen.rung, chosen.path, min(totals[best], 0.99), rivals)


def _total(found: list[tuple[float, Chosen]]) -> float:
    """The strongest reading of each rung, added up."""
    by_rung: dict[str, float] = {}
    for weight, one in found:
        by_rung[one.rung] = max(by_rung.get(one.rung, 0.0), weight)
    return sum(by_rung.values())


def _as_seen(code: str, layout: ProductLayout) -> str:
    """The number as the page shows it: "904.230.19" rather than "90423019"."""
    bare = plain(code)
    for spot in layout.spots:
        if (
            len(spot.text) <= len(code) + 6
            and spot.text != code
            and plain(spot.text) == bare
            and not spot.marks & ElementMark.SIDE
        ):
            return spot.text.strip(" #:()")
    return code


def choose_availability(
    main: list[Mention], facts: DomFacts, layout: ProductLayout, *, priced: bool
) -> tuple[Availability, Chosen]:
    """Whether it can be had: structured data first, then what the page shows, then the button that buys.

    A buy button near the heading that is on or off, or words in the place for them where there is no such button,
    outweigh structured data that says otherwise: that is often the same for every page of a shop, or of yesterday.
    A page with a price and no sign against it is an offer.
    """
    bad = next((spot for said, spot in facts.stock if said == "out_of_stock"), None)
    good = next(((said, spot) for said, spot in facts.stock if said != "out_of_stock"), None)
    if stated := _stated(main):
        return _outweighed(stated[1], bad, good, layout) or _believed(*stated, bad, good, layout)
    if _cannot_be_bought(layout) and (good is None or bad is not None):
        return "out_of_stock", Chosen("out_of_stock", "dom", "button", 0.75)
    if bad is not None and not (layout.buys and priced):
        return "out_of_stock", Chosen("out_of_stock", "dom", _path_of(bad.element), 0.75)
    if good is not None:
        return good[0], Chosen(good[0], "dom", _path_of(good[1].element), 0.8)
    if layout.buys:
        return "in_stock", Chosen("in_stock", "dom", "button", 0.75)
    return ("in_stock", Chosen("in_stock", "inferred", "price", 0.5)) if priced else ("unknown", _NOTHING)


def _outweighed(
    said: Availability, bad: Spot | None, good: tuple[Availability, Spot] | None, layout: ProductLayout
) -> tuple[Availability, Chosen] | None:
    """What the page shows too clearly for its data to be right.

    A button that is off beside words that all is well only waits: for a size, or for the page's scripts.
    """
    if said == "in_stock":
        if _cannot_be_bought(layout) and (good is None or bad is not None):
            return "out_of_stock", Chosen("out_of_stock", "dom", "button", 0.7, (said,))
        if bad is not None and not layout.buys and _is_of_stock(bad, layout):
            return "out_of_stock", Chosen("out_of_stock", "dom", _path_of(bad.element), 0.7, (said,))
    if said == "out_of_stock" and bad is None and _can_be_bought(layout):
        return "in_stock", Chosen("in_stock", "dom", "button", 0.7, (said,))
    return None


def _believed(
    mention: Mention,
    said: Availability,
    bad: Spot | None,
    good: tuple[Availability, Spot] | None,
    layout: ProductLayout,
) -> tuple[Availability, Chosen]:
    """What data says, made exact by what stands near the heading, doubted where the page shows otherwise."""
    is_doubted = (said == "out_of_stock" and (bool(layout.buys) or good is not None)) or (
        said == "in_stock" and bad is not None
    )
    if (
        said == "in_stock"
        and good
        and good[0] in ("limited", "preorder", "backorder")
        and _is_close(good[1].order, layout)
    ):
        said = good[0]
    rivals = ("out_of_stock" if said == "in_stock" else "in_stock",) if is_doubted else ()
    confidence = 0.7 if is_doubted else 0.95
    return said, Chosen(said, mention.rung, f"{mention.path}.availability", confidence, rivals)


def _cannot_be_bought(layout: ProductLayout) -> bool:
    return bool(layout.disabled_buys) and not layout.buys


def _can_be_bought(layout: ProductLayout) -> bool:
    """Whether a button that buys is on, near the heading, and none is off."""
    return not layout.disabled_buys and any(_is_close(order, layout) for order in layout.buys)


def _is_of_stock(spot: Spot, layout: ProductLayout) -> bool:
    """Whether a text stands where the page says by name that it speaks of availability."""
    return bool(spot.marks & ElementMark.STOCK) and _is_close(spot.order, layout)


def _is_close(order: int, layout: ProductLayout) -> bool:
    return layout.heading >= 0 and -20 <= layout.to_heading(order) <= 250


def _stated(main: list[Mention]) -> tuple[Mention, Availability] | None:
    """What data made for machines says; any offer that can be had makes the product available."""
    for rungs in (STRUCTURED, ("open_graph",), ("state",)):
        said = [(offer, offer.availability) for one in main if one.rung in rungs for offer in one.every_offer()
                if offer.availability != "unknown"]  # fmt: skip
        if said:
            return next((one for one in said if one[1] == "in_stock"), said[0])
    return None


def choose_text(options: Iterable[Option]) -> Chosen:
    """The first option that says something, surer where another rung says the same."""
    found = [one for one in options if one.value]
    if not found:
        return _NOTHING
    first = found[0]
    agreeing = {one.rung for one in found[1:] if plain(one.value) == plain(first.value)} - {first.rung}
    rivals = tuple(dict.fromkeys(one.value for one in found[1:] if plain(one.value) != plain(first.value)))[
        :3
    ]
    return Chosen(
        first.value, first.rung, first.path, min(0.99, first.confidence + 0.1 * len(agreeing)), rivals
    )


def choose_condition(main: list[Mention], title: str, facts: DomFacts) -> tuple[Condition, Chosen]:
    """As stated; else as a reader sees it labelled, or by words of the title that name what is not new.

    Where data says new and the page shows that it is not, the page is believed: nobody writes that by mistake.
    """
    stated = next(
        ((offer, one) for one in main for offer in one.every_offer() if offer.condition != "unknown"), None
    )
    said = stated[0].condition if stated else "unknown"
    labelled = max(facts.conditions, key=lambda one: one.weight, default=None)
    shown = read_condition(labelled.value) if labelled else "unknown"
    if labelled and shown != "unknown" and said in ("new", "unknown"):
        rivals = (said,) if said not in ("unknown", shown) else ()
        return shown, Chosen(shown, "dom", f"label {labelled.label}", 0.7, rivals)
    if stated:
        return said, Chosen(said, stated[1].rung, stated[0].path, 0.9)
    named = read_condition(title)
    if named in ("used", "refurbished", "open_box"):
        return named, Chosen(named, "dom", "title", 0.6)
    return "unknown", _NOTHING


def _path(one: Labelled) -> str:
    return _path_of(one.element)


def _path_of(element: object) -> str:
    tree = element.getroottree()  # type: ignore[attr-defined]
    return str(tree.getpath(element))
