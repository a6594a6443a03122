"""Turns the rows of a listing into products, together with what structured data states about them."""

import html as entities

from research_crawler.core.models.offers.products import (
    IS_IN_STOCK,
    Condition,
    PriceReading,
    Product,
    Provenance,
)
from research_crawler.core.web.urls import dedupe_key, joined_url
from research_crawler.extraction.products.price.currencies import currency_of
from research_crawler.extraction.products.structured.mentions import Mention
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate
from research_crawler.extraction.products.visible.product_listing import Row
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.name_comparison import (
    overlap,
    text_on_one_line,
    words_of,
)
from research_crawler.extraction.products.vocabulary.offer_words import (
    CONDITION_LABEL,
    read_condition,
)
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability

_SAME_NAME = 0.8
"""So alike are the names of a row and of structured data about the same product."""
_MAX_ROW_TEXT = 600
"""So much of a row's text is read for its availability."""
_MAX_CONDITION = 24
"""Longest text of a condition."""


def rows_to_products(page: ProductPage, rows: list[Row], mentions: list[Mention]) -> list[Product]:
    """The rows as products, in the page's order, with facts from the mention of the same URL or name."""
    by_name = [(words_of(mention.name), mention) for mention in mentions if mention.name]
    by_url = {dedupe_key(joined_url(page.url, one.url)): one for one in reversed(mentions) if one.url}
    return [_product(page, row, by_url.get(dedupe_key(row.url)) or _mention_of(row, by_name)) for row in rows]


def _product(page: ProductPage, row: Row, mention: Mention | None) -> Product:
    price = _reading(page, row.candidate)
    availability = words_of_availability(text_on_one_line(row.element)[:_MAX_ROW_TEXT])
    offers = list(mention.every_offer()) if mention else []
    if availability == "unknown":
        availability = next((o.availability for o in offers if o.availability != "unknown"), "unknown")
    shown_condition = _condition_of(row)
    stated_condition = next((o.condition for o in offers if o.condition != "unknown"), "unknown")
    path = str(row.element.getroottree().getpath(row.element))
    provenance = {
        "name": Provenance(source="dom", path=path, confidence=0.8),
        "url": Provenance(source="dom", path=path, confidence=0.9),
    }
    if price and row.candidate:
        provenance["price"] = Provenance(source="dom", path=path, confidence=0.8)
        if price.currency:
            is_shown = bool(row.candidate.price.currency)
            provenance["currency"] = Provenance(
                source="dom" if is_shown else "inferred", path=path if is_shown else "country", confidence=0.6
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
        condition=shown_condition if shown_condition not in ("new", "unknown") else stated_condition,
        list_price=_reading(page, row.list_price),
        sponsored=row.is_sponsored,
        confidence=0.8 if price else 0.4,
        provenance=provenance,
    )


def _condition_of(row: Row) -> Condition:
    """The condition that the row's text labels, else one that its name contains."""
    text = text_on_one_line(row.element)[:_MAX_ROW_TEXT]
    label = CONDITION_LABEL.search(text)
    labelled = read_condition(text[label.end() :].strip()[:_MAX_CONDITION]) if label else "unknown"
    return labelled if labelled != "unknown" else read_condition(row.name)


def _mention_of(row: Row, by_name: list[tuple[frozenset[str], Mention]]) -> Mention | None:
    words = words_of(row.name)
    overlaps = [(overlap(words, other), index) for index, (other, _) in enumerate(by_name)]
    best, index = max(overlaps, default=(0.0, 0))
    return by_name[index][1] if best >= _SAME_NAME else None


def _reading(page: ProductPage, candidate: PriceCandidate | None) -> PriceReading | None:
    if candidate is None:
        return None
    price = candidate.price
    return PriceReading(
        text=price.text, amount=price.amount, currency=price.currency or currency_of(page.numerals.territory)
    )
