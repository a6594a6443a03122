"""Rows of a listing to products, together with what structured data says of them."""

import html as entities
from urllib.parse import urljoin

from research_crawler.core.models.products import IS_IN_STOCK, Condition, PriceReading, Product, Provenance
from research_crawler.core.urls import dedupe_key
from research_crawler.extraction.products.price.currencies import currency_of
from research_crawler.extraction.products.structured.mentions import Mention
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate
from research_crawler.extraction.products.visible.listing import Row
from research_crawler.extraction.products.visible.page import ProductPage
from research_crawler.extraction.products.vocabulary.offer_words import (
    CONDITION_LABEL,
    read_condition,
    words_of_availability,
)
from research_crawler.extraction.products.vocabulary.words import overlap, text_of, words_of

_SAME_NAME = 0.8
_MAX_ROW_TEXT = 600
_MAX_CONDITION = 24


def rows_to_products(page: ProductPage, rows: list[Row], mentions: list[Mention]) -> list[Product]:
    """The rows in the page's order; article numbers and brands come from mentions of the same name."""
    named = [(words_of(one.name), one) for one in mentions if one.name]
    addressed = {dedupe_key(urljoin(page.url, one.url)): one for one in reversed(mentions) if one.url}
    return [
        _product(page, row, addressed.get(dedupe_key(row.url)) or _mention_of(row, named)) for row in rows
    ]


def _product(page: ProductPage, row: Row, mention: Mention | None) -> Product:
    price = _reading(page, row.candidate)
    availability = words_of_availability(text_of(row.element)[:_MAX_ROW_TEXT])
    said = list(mention.every_offer()) if mention else []
    if availability == "unknown":
        availability = next((one.availability for one in said if one.availability != "unknown"), "unknown")
    named = _condition_of(row)
    stated = next((one.condition for one in said if one.condition != "unknown"), "unknown")
    path = str(row.element.getroottree().getpath(row.element))
    provenance = {
        "name": Provenance(rung="dom", path=path, confidence=0.8),
        "url": Provenance(rung="dom", path=path, confidence=0.9),
    }
    if price and row.candidate:
        provenance["price"] = Provenance(rung="dom", path=path, confidence=0.8)
        if price.currency:
            said_so = bool(row.candidate.price.currency)
            provenance["currency"] = Provenance(
                rung="dom" if said_so else "inferred", path=path if said_so else "country", confidence=0.6
            )
    return Product(
        name=entities.unescape(row.name),
        price=price.text if price else "",
        price_numeric=price.amount if price else None,
        currency=price.currency if price else "",
        vendor=page.host,
        url=row.url,
        in_stock=IS_IN_STOCK.get(availability),
        availability=availability,
        sku=mention.sku if mention else "",
        brand=mention.brand if mention else "",
        gtin=mention.gtin if mention else "",
        condition=named if named not in ("new", "unknown") else stated,
        list_price=_reading(page, row.list_price),
        sponsored=row.is_sponsored,
        confidence=0.8 if price else 0.4,
        provenance=provenance,
    )


def _condition_of(row: Row) -> Condition:
    """As its text labels it, else by words of its name that say that it is not new."""
    text = text_of(row.element)[:_MAX_ROW_TEXT]
    label = CONDITION_LABEL.search(text)
    labelled = read_condition(text[label.end() :].strip()[:_MAX_CONDITION]) if label else "unknown"
    return labelled if labelled != "unknown" else read_condition(row.name)


def _mention_of(row: Row, named: list[tuple[frozenset[str], Mention]]) -> Mention | None:
    words = words_of(row.name)
    alike = [(overlap(words, other), place) for place, (other, _) in enumerate(named)]
    best, place = max(alike, default=(0.0, 0))
    return named[place][1] if best >= _SAME_NAME else None


def _reading(page: ProductPage, candidate: PriceCandidate | None) -> PriceReading | None:
    if candidate is None:
        return None
    price = candidate.price
    return PriceReading(
        text=price.text, amount=price.amount, currency=price.currency or currency_of(page.numerals.territory)
    )
