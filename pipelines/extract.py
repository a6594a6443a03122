"""Proposes findings from a stored page: the brain reads all of it, or the parts that fit the goal best."""

import asyncio
from dataclasses import dataclass, field

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.evidence.findings import Extraction
from research_crawler.core.models.jobs.decisions import PageView
from research_crawler.core.models.messages.commands import JobContext, SectionCommand, VendorCommand
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.web.pages import Passage, StoredPage
from research_crawler.core.ports.crawler import PageReaders
from research_crawler.core.ports.models import Call
from research_crawler.text.markdown_blocks.page_sections import (
    MOST_LEFT_OUT,
    headings_left_out,
    joined_passages,
    section_scores,
    sections,
    under,
)
from research_crawler.text.measures.ranking import choose_passages, rank_passages, scores_by

_MODEL_TIME_S = 240.0
"""Longest time that the brain may take for one page, all its calls together; the lease leaves less if the page came
late."""
_DENSE_TOP = 64
"""Most passages of a long page that are embedded before a model reads it; 64 of 110 words take about a second, which is
little beside the model's answer."""


@dataclass(frozen=True)
class Shown:
    """What a brain is shown of a page."""

    passages: list[Passage]
    left_out: list[str] = field(default_factory=list)
    """The headings of its sections that are not shown, those that fit the goal best first."""


class ExtractPipeline(ItemPipeline):
    """Chooses passages within the token limit and asks the brain for findings in them."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `extraction`; skip vendors' pages, and items without a page or a job."""
        item = reading.outcome
        job_context = item.command.job_context
        if item.page is None or item.outcome != "ok" or job_context is None:
            return
        if isinstance(item.command, VendorCommand):
            return
        try:
            found = await reading.run(self._extract(item, job_context, reading.call(_MODEL_TIME_S)))
            item.extraction = found
            item.left_out = [*found.left_out, *item.left_out][:MOST_LEFT_OUT]
        except PageUnreadable as error:
            item.outcome, item.reason = "failed", error.reason

    async def _extract(self, item: CommandItem, job_context: JobContext, call: Call) -> Extraction:
        readers = await self.services.readers_for(job_context.model)
        view = await self._view(item, job_context, readers)
        item.tokens_shown = view.tokens_shown
        try:
            return await readers.brain.extract(view, call)
        finally:
            item.usage = item.usage + call.usage

    async def _view(self, item: CommandItem, job_context: JobContext, readers: PageReaders) -> PageView:
        page = item.page
        assert page
        section = item.command.section if isinstance(item.command, SectionCommand) else None
        if readers.page_processor and section is None:
            item.passages = []
            return await self._processed(page, job_context, readers, item.processed)
        shown = await self._passages(item, page, job_context, readers)
        item.passages = []  # frees the memory: the item may wait long for its settlement
        item.left_out = shown.left_out
        return PageView(
            url=page.final_url,
            title=page.page.title,
            published=page.page.published,
            kind=page.page.kind,
            markdown=page.page.markdown,
            passages=shown.passages,
            tokens_shown=sum(passage.tokens for passage in shown.passages),
            job_context=job_context,
            nosnippet=page.page.nosnippet,
            is_section=section is not None and bool(section.heading),
        )

    async def _processed(
        self, page: StoredPage, job_context: JobContext, readers: PageReaders, processed: str
    ) -> PageView:
        """The view of a page for a brain that has pages processed where they are read; a stored one is processed."""
        if not processed and readers.page_processor and not page.page.nosnippet:
            processed = await self.services.parse_pool.process(
                readers.page_processor, page.page, job_context.model_dump_json(), url=page.final_url
            )
        return PageView(
            url=page.final_url,
            title=page.page.title,
            published=page.page.published,
            kind=page.page.kind,
            markdown=page.page.markdown,
            picked=processed,
            tokens_shown=min(page.tokens, readers.page_tokens),
            job_context=job_context,
            nosnippet=page.page.nosnippet,
        )

    async def _passages(
        self, item: CommandItem, page: StoredPage, job_context: JobContext, readers: PageReaders
    ) -> Shown:
        """All passages if they fit the token limit, otherwise those that fit the goal best.

        Of a section that the planner chose, only what stands under its heading.

        A model reads whole sections, because a passage alone says little to it. The extractive brain, which judges
        excerpt by excerpt, reads passages from everywhere, chosen by their words: it embeds what it chooses from them.
        """
        services, limit = self.services, readers.page_tokens
        section = item.command.section if isinstance(item.command, SectionCommand) else None
        passages = item.passages or await services.parse_pool.split(
            page.page.markdown, url=page.final_url, count_tokens=services.embedder.count_tokens_many
        )
        if section is not None and section.heading:
            passages = under(section.heading, passages)
        if sum(passage.tokens for passage in passages) <= limit:
            return Shown(passages)
        text = page.page.markdown
        asked = job_context.words_and_queries if readers.reads_sections else job_context.words
        scores = await scores_by(services.parse_pool, text, passages, asked, url=page.final_url)
        if not readers.reads_sections:
            return Shown(choose_passages(passages, scores, limit))
        ranks = await rank_passages(asked, passages, scores, services.embedder, dense_top=_DENSE_TOP)
        return await asyncio.to_thread(_in_sections, text, passages, ranks, limit)


def _in_sections(markdown: str, passages: list[Passage], ranks: list[float], limit: int) -> Shown:
    """The passages of the best sections that fit the limit, and the headings of the others."""
    found = sections(markdown, passages)
    wholes = [joined_passages(markdown, [passages[i] for i in indexes]) for indexes in found]
    chosen = choose_passages(wholes, section_scores(found, ranks), limit)
    starts = {section.start for section in chosen}
    shown = [
        i for indexes, whole in zip(found, wholes, strict=True) if whole.start in starts for i in indexes
    ]
    return Shown([passages[i] for i in shown], headings_left_out(passages, shown, ranks))
