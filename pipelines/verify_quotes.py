"""Refuses proposed findings whose quote the page does not contain verbatim."""

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.core.errors import PageUnreadable


class VerifyQuotesPipeline(ItemPipeline):
    """Turns proposals into findings with offsets; refuses and counts proposals whose quote is not in the page."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `findings`."""
        item = reading.outcome
        if item.page is not None and item.extraction is not None:
            goal = item.command.job_context.goal if item.command.job_context else ""
            work = self.services.parse_pool.verify(item.extraction, item.page, item.command.id, goal=goal)
            try:
                item.findings, item.refused_quotes = await reading.run(work)
            except PageUnreadable as error:
                item.outcome, item.reason = "failed", error.reason
