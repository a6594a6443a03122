"""Proposes findings from a stored page: the brain reads the passages that fit the goal best."""

import asyncio

from pipelines.base import ItemPipeline, ItemReading
from planner.text.ranking import rank_passages
from research_crawler.core.models.commands import Purpose
from research_crawler.core.models.decisions import PageView
from research_crawler.core.models.findings import Extraction
from research_crawler.core.models.items import CommandItem
from research_crawler.core.models.pages import Passage
from research_crawler.core.ports.models import Call
from research_crawler.extraction.evidence.passages import choose_passages, split_passages

_MODEL_TIME_S = 240.0
"""Longest time that the brain may take for one page, all its calls together; the lease leaves less if the page came
late."""


class ExtractPipeline(ItemPipeline):
    """Chooses passages within the token limit and asks the brain for findings in them."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `extraction`; skip vendors' pages, and items without a page or a purpose."""
        item = reading.outcome
        purpose = item.command.purpose
        if item.page is None or item.what != "ok" or purpose is None or item.command.kind == "vendor":
            return
        item.extraction = await reading.run(self._extract(item, purpose, reading.call(_MODEL_TIME_S)))

    async def _extract(self, item: CommandItem, purpose: Purpose, call: Call) -> Extraction:
        view = await self._view(item, purpose)
        item.tokens_shown = view.tokens_shown
        try:
            return await self.services.brain.extract(view, call)
        finally:
            item.usage = item.usage + call.usage

    async def _view(self, item: CommandItem, purpose: Purpose) -> PageView:
        page = item.page
        assert page
        passages = await self._passages(page.page.markdown, purpose)
        return PageView(
            url=page.final_url,
            title=page.page.title,
            published=page.page.published,
            kind=page.page.kind,
            markdown=page.page.markdown,
            passages=passages,
            tokens_shown=sum(passage.tokens for passage in passages),
            purpose=purpose,
            nosnippet=page.page.nosnippet,
        )

    async def _passages(self, markdown: str, purpose: Purpose) -> list[Passage]:
        """All passages if they fit the token limit, otherwise those that rank best for the goal."""
        services = self.services
        # In a thread: counting the tokens of a page of a megabyte takes over a second.
        passages = await asyncio.to_thread(split_passages, markdown, services.embedder.count_tokens)
        limit = services.config.sanitize_max_tokens
        if sum(passage.tokens for passage in passages) <= limit:
            return passages
        goal = " ".join(filter(None, (purpose.goal, purpose.task, purpose.topic)))
        ranks = await rank_passages(goal, passages, services.embedder)
        return choose_passages(passages, ranks, limit)
