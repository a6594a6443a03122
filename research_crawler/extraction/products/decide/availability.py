"""Chooses the availability of a page's product among data, visible texts and buy buttons."""

from collections.abc import Iterator
from typing import Final

from research_crawler.core.models.offers.products import Availability
from research_crawler.extraction.products.decide.choices import NO_CHOICE, Chosen
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.visible.dom_facts import DomFacts
from research_crawler.extraction.products.visible.layout import ProductLayout, TextElement

_BEST_FIRST: Final[tuple[Availability, ...]] = (
    "in_stock",
    "limited",
    "preorder",
    "backorder",
    "out_of_stock",
)
_BEFORE, _AFTER, _BESIDE_PRICE = 20, 250, 120
"""The most elements from a sign to the heading, before and after it, or to the price, for it to be the product's."""


def choose_availability(
    main: list[Mention],
    facts: DomFacts,
    layout: ProductLayout,
    *,
    priced: bool,
    price_order: int | None = None,
) -> tuple[Availability, Chosen]:
    """Choose the availability: structured data first, then visible texts, then the buy button.

    A page with a price and no contrary sign counts as in stock. A disabled button whose label still says to buy is
    none: it waits for a choice of size, or for the page's scripts.

    Args:
        main: what data says of the page's product.
        facts: what visible texts say of it.
        layout: where its texts and buttons are.
        priced: whether the page has a price.
        price_order: where that price is, if it is visible.
    """

    def is_close(order: int) -> bool:
        if price_order is not None and abs(order - price_order) <= _BESIDE_PRICE:
            return True
        return layout.heading >= 0 and -_BEFORE <= layout.to_heading(order) <= _AFTER

    bad = [text_element for said, text_element in facts.stock if said == "out_of_stock"]
    good = next(((said, text_element) for said, text_element in facts.stock if said != "out_of_stock"), None)
    is_denied = any(is_close(text_element.order) for text_element in bad)
    if (stated := _stated(main)) is not None:
        offer, availability = stated
        if availability == "out_of_stock" and not is_denied and layout.buy_buttons:
            return "in_stock", Chosen("in_stock", "dom", "button", 0.7, (availability,))
        return _refined(offer, availability, good if good and is_close(good[1].order) else None, bad, layout)
    if bad and not (layout.buy_buttons and priced):
        return "out_of_stock", Chosen("out_of_stock", "dom", _path_of(bad[0]), 0.75)
    if good is not None:
        return good[0], Chosen(good[0], "dom", _path_of(good[1]), 0.8)
    if layout.buy_buttons:
        return "in_stock", Chosen("in_stock", "dom", "button", 0.75)
    if not priced:
        return "unknown", NO_CHOICE
    rivals = ("out_of_stock",) if layout.disabled_buy_buttons else ()
    return "in_stock", Chosen("in_stock", "inferred", "price", 0.5, rivals)


def _stated(main: list[Mention]) -> tuple[Mention, Availability] | None:
    """The availability that structured data, meta elements or state give. One offer to be bought is enough."""
    sources_of: tuple[frozenset[str] | set[str], ...] = (STRUCTURED, {"open_graph"}, {"state"})
    return next((best for sources in sources_of if (best := _best(main, sources))), None)


def _best(main: list[Mention], sources: frozenset[str] | set[str]) -> tuple[Mention, Availability] | None:
    stated = (
        (offer, offer.availability)
        for mention in main
        if mention.source in sources
        for offer in _offers_of(mention)
        if offer.availability != "unknown"
    )
    return min(stated, key=lambda one: _BEST_FIRST.index(one[1]), default=None)


def _refined(
    offer: Mention,
    stated: Availability,
    shown: tuple[Availability, TextElement] | None,
    bad: list[TextElement],
    layout: ProductLayout,
) -> tuple[Availability, Chosen]:
    """The stated availability, less sure if the page disagrees."""
    is_doubted = (stated == "out_of_stock" and (bool(layout.buy_buttons) or shown is not None)) or (
        stated == "in_stock" and (bool(bad) or (bool(layout.disabled_buy_buttons) and not layout.buy_buttons))
    )
    rivals = ("out_of_stock" if stated == "in_stock" else "in_stock",) if is_doubted else ()
    confidence = 0.7 if is_doubted else 0.95
    return stated, Chosen(stated, offer.source, f"{offer.path}.availability", confidence, rivals)


def _offers_of(mention: Mention) -> Iterator[Mention]:
    """A mention, its offers, and those of its variants."""
    yield from mention.every_offer()
    for variant in mention.variants:
        yield from variant.every_offer()


def _path_of(text_element: TextElement) -> str:
    return str(text_element.element.getroottree().getpath(text_element.element))
