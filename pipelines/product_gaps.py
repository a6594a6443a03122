"""What a product's page leaves open, and what of a model's answer may fill it: only what stands on the page. Pure."""

from decimal import Decimal
from typing import Final

from prompts.answers import ProductAnswer
from research_crawler.core.models.changes import ProductChanges
from research_crawler.core.models.pages import StoredPage
from research_crawler.core.models.products import IS_IN_STOCK, FieldGap, Product, Provenance
from research_crawler.core.urls import host_of
from research_crawler.extraction.evidence.quote_view import QuoteView
from research_crawler.extraction.products.price.reader import parse_price
from research_crawler.extraction.products.vocabulary.offer_words import words_of_availability

_FIELDS: Final = ("name", "price", "availability")
"""What a buyer cannot do without: other gaps are not worth a model's call."""
CONFIDENCE: Final = 0.6
"""Of a model's reading, above the page's country for a currency and below what data for machines says."""


def open_fields(products: list[Product]) -> dict[str, FieldGap]:
    """The fields of the page's own product that are missing or contradictory; all where none was read."""
    if not products:
        return {field: FieldGap(field=field, reason="missing") for field in _FIELDS}
    return {gap.field: gap for gap in products[0].gaps if gap.field in _FIELDS}


def filled(
    products: list[Product], answer: ProductAnswer, page: StoredPage
) -> tuple[list[Product], list[str]]:
    """The products with what the answer settles, and the fields whose value was refused.

    A value holds only where it stands on the page, letter for letter; a price also only as one of the candidates
    where the page has several; availability only where the words quoted say the same.
    """
    wanted, text = open_fields(products), QuoteView(page.page.markdown).text
    product = products[0] if products else Product(name="", url=page.final_url)
    said = {name: str(getattr(answer, name)).strip() for name in ("name", "price")}
    changes: ProductChanges = {}
    refused: list[str] = []
    for field, gap in wanted.items():
        value = answer.availability_quote.strip() if field == "availability" else said[field]
        if not value:
            continue
        settled = _settled(field, value, gap, answer, page) if _stands_in(value, text) else {}
        changes.update(settled)
        refused += [] if settled else [field]
    product = _changed(product, changes)
    return ([product, *products[1:]] if product.name else products), refused


def _settled(
    field: str, value: str, gap: FieldGap, answer: ProductAnswer, page: StoredPage
) -> ProductChanges:
    if field == "name":
        return {"name": value}
    if field == "availability":
        agrees = words_of_availability(value) == answer.availability != "unknown"
        in_stock = IS_IN_STOCK.get(answer.availability)
        known: ProductChanges = {"availability": answer.availability, "in_stock": in_stock}
        return known if agrees else {}
    tld = host_of(page.final_url).rpartition(".")[2]
    price = parse_price(value, language=page.page.language, tld=tld)
    if price is None or price.amount <= 0:
        return {}
    if gap.candidates and price.amount not in map(Decimal, gap.candidates):
        return {}
    stated: ProductChanges = {"price": price.text, "price_numeric": price.amount}
    return {**stated, "currency": price.currency} if price.currency else stated


def _changed(product: Product, changes: ProductChanges) -> Product:
    if not changes:
        return product
    by_model = {
        field: Provenance(rung="model", confidence=CONFIDENCE)
        for field in ("name", "price", "currency", "availability")
        if field in changes
    }
    left = [gap for gap in product.gaps if gap.field not in changes]
    return product.changed(**changes).changed(provenance=product.provenance | by_model, gaps=left)


def _stands_in(value: str, text: str) -> bool:
    """Whether a page has a value, not as part of a longer word or number."""
    wanted = " ".join(QuoteView(value).text.split())
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        before, after = text[max(0, start - 2) : start][::-1], text[end : end + 2]
        if not _continues(wanted[0], before) and not _continues(wanted[-1], after):
            return True
        start = text.find(wanted, start + 1)
    return False


def _continues(edge: str, outer: str) -> bool:
    """Whether a word or number goes on beyond its edge: in a letter or digit, or in a digit behind a point."""
    if edge.isalnum() and outer[:1].isalnum():
        return True
    return edge.isdigit() and outer[:1] in (".", ",", "'") and outer[1:].isdigit()
