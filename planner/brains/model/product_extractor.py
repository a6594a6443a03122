"""The role `product_extractor`: asks a model for the fields that the markup of a product's page leaves open.

It asks as the planner's brains do, with their client: budget, permits, kept answers and repair are one for all roles.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Self

from planner.brains.model.client import ModelClient, RoleRequest
from planner.brains.model.model_brain_settings import ModelSettings
from prompts.answers import ProductAnswer
from prompts.fences import fence_of, fenced_lines, marks
from prompts.loader import Entries, first_tokens, load
from prompts.repair import Repair, repaired_here
from prompts.schemas import product_schema
from research_crawler.core.config import Config
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.offers.products import FieldGap, GapField, Product
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.models import Budget, Call, ChatModel

PRODUCT_PAGE_TOKENS: Final = 4_000
"""Most tokens of a product's page that the model is shown: name, price and stock stand near the top."""


class ProductExtractor:
    """Asks the model once per product page."""

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

    async def fields_of(
        self,
        products: Sequence[Product],
        gaps: Mapping[GapField, FieldGap],
        page: StoredPage,
        job_context: JobContext | None,
        call: Call,
    ) -> ProductAnswer:
        """What the model reads on the page for the open fields.

        Args:
            products: what the page's markup says, its own product first.
            gaps: the open fields by their names.
            page: the page.
            job_context: the job that wants it.
            call: whose budget and time it takes.

        Raises:
            BrainFailed: the model gives no answer that fits.
            BudgetExhausted: the job's ceiling is reached.
        """
        question = RoleRequest(
            "product_extractor",
            load("product_extractor"),
            self._documents(products, gaps, page, job_context, fence_of(call.job)),
            product_schema(self._settings.bounds, gaps),
        )
        return await self._client.ask(question, ProductAnswer, call)

    def _documents(
        self,
        products: Sequence[Product],
        gaps: Mapping[GapField, FieldGap],
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
