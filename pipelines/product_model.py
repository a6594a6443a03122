"""The role `product_extractor`: a model reads the fields that the markup of a product's page leaves open.

It asks as the planner's brains do, with their client: budget, permits, kept answers and repair are one for all roles.
"""

from typing import Self

from pipelines.product_gaps import fill_gaps, open_fields
from planner.brains.model.client import ModelClient, RoleRequest
from planner.brains.model.model_brain_settings import ModelSettings
from prompts.answers import ProductAnswer
from prompts.fences import fence_of, fenced_lines, marks
from prompts.loader import Entries, first_tokens, load
from prompts.repair import Repair, repaired_here
from prompts.schemas import product_schema
from research_crawler.core.brain_errors import BrainFailed, BudgetExhausted
from research_crawler.core.config import Config
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.offers.products import FieldGap, Product
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.models import Budget, Call, ChatModel
from research_crawler.core.tasks.offload import offload_call

log = get_log(__name__)

PRODUCT_PAGE_TOKENS = 4_000
"""Most tokens of a product's page that the model is shown: name, price and stock stand near the top."""


class ProductModel:
    """Asks the model once per product page; if the model cannot answer, the gaps stay open."""

    def __init__(
        self,
        chat: ChatModel,
        budget: Budget | None,
        settings: ModelSettings,
        *,
        repair: Repair = repaired_here,
    ) -> None:
        self._client, self._settings = ModelClient(chat, budget, settings, repair=repair), settings

    @classmethod
    def from_config(
        cls, config: Config, chat: ChatModel, budget: Budget | None, *, repair: Repair = repaired_here
    ) -> Self:
        """Build the role from the process's settings."""
        return cls(chat, budget, ModelSettings.from_config(config), repair=repair)

    async def settle(
        self, products: list[Product], page: StoredPage, job_context: JobContext | None, call: Call
    ) -> list[Product]:
        """The products of a page, its own first, with their open fields filled by the model."""
        gaps = open_fields(products)
        if not gaps:
            return products
        question = RoleRequest(
            "product_extractor",
            load("product_extractor"),
            self._documents(products, gaps, page, job_context, fence_of(call.job)),
            product_schema(self._settings.bounds, gaps),
        )
        try:
            answer = await self._client.ask(question, ProductAnswer, call)
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

    def _documents(
        self,
        products: list[Product],
        gaps: dict[str, FieldGap],
        page: StoredPage,
        job_context: JobContext | None,
        fence: str,
    ) -> dict[str, str | Entries]:
        known = products[0] if products else None
        lines = [f"{name}: {value}" for name, value in _known_fields(known) if name not in gaps and value]
        lines += [
            f"{gap.field}, one of: {', '.join(gap.candidates[:6])}" for gap in gaps.values() if gap.candidates
        ]
        wanted = [f"- {gap.field}: {_reason_of(gap)}" for gap in gaps.values()]
        text = first_tokens(page.page.markdown, min(PRODUCT_PAGE_TOKENS, self._settings.page_tokens))
        return {
            "goal": job_context.goal if job_context else "",
            "url": fenced_lines(fence, [page.final_url]),
            "known": fenced_lines(fence, lines),
            "open_fields": "\n".join(wanted),
            "page_content": fenced_lines(fence, [text]),
            "fence": marks(fence),
        }


def _known_fields(product: Product | None) -> list[tuple[str, str]]:
    if product is None:
        return []
    return [("name", product.name), ("price", product.price), ("availability", product.availability)]


def _reason_of(gap: FieldGap) -> str:
    return "the page gives several values" if gap.candidates else "not found by markup"
