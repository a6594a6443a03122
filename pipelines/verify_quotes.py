"""Refuses proposed findings whose quote the page does not contain verbatim."""

import asyncio

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.extraction.evidence.evidence import verify


class VerifyQuotesPipeline(ItemPipeline):
    """Turns proposals into findings with offsets; refuses and counts proposals whose quote is not in the page."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `findings`."""
        item = reading.outcome
        if item.page is not None and item.extraction is not None:
            goal = item.command.purpose.goal if item.command.purpose else ""
            # In a thread: to find twelve quotes in a page of 170 kB takes 0.1 s, in one of 1.7 MB over a second.
            item.findings, item.refused_quotes = await asyncio.to_thread(
                verify, item.extraction, item.page, item.command.id, goal=goal
            )
