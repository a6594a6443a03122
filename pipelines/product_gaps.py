"""Finds the open fields of a product, and has a model fill them as far as the page confirms its values."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, Protocol, TypedDict

from prompts.answers import ProductAnswer
from research_crawler.core.brain_errors import BrainFailed, BudgetExhausted
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.offers.products import (
    IS_IN_STOCK,
    Availability,
    FieldGap,
    GapField,
    Product,
    Provenance,
)
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.models import Call
from research_crawler.core.tasks.offload import offload_call
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.evidence.quote_view import QuoteView
from research_crawler.extraction.products.price.reader import parse_price
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability

log = get_log(__name__)
_FIELDS: Final[tuple[GapField, ...]] = ("name", "price", "availability")
"""The fields that a buyer needs; gaps in other fields do not justify a model call."""
CONFIDENCE: Final = 0.6
"""Confidence of a value that a model read: above a currency guessed from the page's country, below structured data."""


class _Accepted(TypedDict, total=False):
    """The fields of a product that the page confirms."""

    name: str
    price: str
    price_numeric: Decimal
    currency: str
    availability: Availability
    in_stock: bool | None


class FieldReader(Protocol):
    """Reads open fields of a product on its page (`planner.brains.model.product_extractor.ProductExtractor`)."""

    async def fields_of(
        self,
        products: Sequence[Product],
        gaps: Mapping[GapField, FieldGap],
        page: StoredPage,
        job_context: JobContext | None,
        call: Call,
    ) -> ProductAnswer:
        """What it reads for the open fields; raises BrainFailed or BudgetExhausted."""
        ...


class ProductModel:
    """Asks a model once per product page; if it cannot answer, the gaps stay open."""

    def __init__(self, reader: FieldReader) -> None:
        self._reader = reader

    async def settle(
        self, products: list[Product], page: StoredPage, job_context: JobContext | None, call: Call
    ) -> list[Product]:
        """The products of a page, its own first, with their open fields filled by the model."""
        gaps = open_fields(products)
        if not gaps:
            return products
        try:
            answer = await self._reader.fields_of(products, gaps, page, job_context, call)
        except (BrainFailed, BudgetExhausted) as error:
            log.info(
                "a model could not fill a product's gaps", url=page.final_url, gaps=list(gaps), why=str(error)
            )
            return products
        settled, refused = await offload_call(fill_gaps, products, answer, page)
        if refused:
            log.info(
                "a model's values were refused: the page does not confirm them",
                url=page.final_url,
                refused=refused,
            )
        return settled


def open_fields(products: list[Product]) -> dict[GapField, FieldGap]:
    """The missing or contradictory fields of the page's own product; all fields if no product was read."""
    if not products:
        return {field: FieldGap(field=field, reason="missing") for field in _FIELDS}
    return {gap.field: gap for gap in products[0].gaps if gap.field in _FIELDS}


def fill_gaps(
    products: list[Product], answer: ProductAnswer, page: StoredPage
) -> tuple[list[Product], list[str]]:
    """The products with the accepted values of the answer, and the names of the fields whose value was refused.

    A value is accepted only if the page contains it letter for letter. If the page has several candidate prices, the
    price must be one of them. An availability must agree with the words that the answer quotes.
    """
    wanted, text = open_fields(products), QuoteView(page.page.markdown).text
    product = products[0] if products else Product(name="", url=page.final_url)
    answered = {name: str(getattr(answer, name)).strip() for name in ("name", "price")}
    changes: _Accepted = {}
    refused: list[str] = []
    for field, gap in wanted.items():
        value = answer.availability_quote.strip() if field == "availability" else answered[field]
        if not value:
            continue
        accepted = _accepted(field, value, gap, answer, page) if _contains(text, value) else {}
        changes.update(accepted)
        refused += [] if accepted else [field]
    product = _with_changes(product, changes)
    return ([product, *products[1:]] if product.name else products), refused


def _accepted(field: str, value: str, gap: FieldGap, answer: ProductAnswer, page: StoredPage) -> _Accepted:
    if field == "name":
        return {"name": value}
    if field == "availability":
        agrees = words_of_availability(value) == answer.availability != "unknown"
        in_stock = IS_IN_STOCK.get(answer.availability)
        known: _Accepted = {"availability": answer.availability, "in_stock": in_stock}
        return known if agrees else {}
    tld = host_of(page.final_url).rpartition(".")[2]
    price = parse_price(value, language=page.page.language, tld=tld)
    if price is None or price.amount <= 0:
        return {}
    if gap.candidates and price.amount not in map(Decimal, gap.candidates):
        return {}
    stated: _Accepted = {"price": price.text, "price_numeric": price.amount}
    return {**stated, "currency": price.currency} if price.currency else stated


def _with_changes(product: Product, changes: _Accepted) -> Product:
    if not changes:
        return product
    by_model = {
        field: Provenance(source="model", confidence=CONFIDENCE)
        for field in ("name", "price", "currency", "availability")
        if field in changes
    }
    open_gaps = [gap for gap in product.gaps if gap.field not in changes]
    return product.changed(**changes).changed(provenance=product.provenance | by_model, gaps=open_gaps)


def _contains(text: str, value: str) -> bool:
    """Whether the text contains the value, and not only as part of a longer word or number."""
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
    """Whether a word or number continues beyond its edge: with a letter or digit, or with a digit after a point."""
    if edge.isalnum() and outer[:1].isalnum():
        return True
    return edge.isdigit() and outer[:1] in (".", ",", "'") and outer[1:].isdigit()
