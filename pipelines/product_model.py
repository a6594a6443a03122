"""Lets a model fill the fields that the markup of a product's page leaves open, as far as the page confirms them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from pipelines.product_gaps import fill_gaps, open_fields
from prompts.answers import ProductAnswer
from research_crawler.core.brain_errors import BrainFailed, BudgetExhausted
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.offers.products import FieldGap, Product
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.models import Call
from research_crawler.core.tasks.offload import offload_call

log = get_log(__name__)


class FieldReader(Protocol):
    """Reads open fields of a product on its page (`planner.brains.model.product_extractor.ProductExtractor`)."""

    async def fields_of(
        self,
        products: Sequence[Product],
        gaps: Mapping[str, FieldGap],
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
