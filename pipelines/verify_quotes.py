"""Only what the page says: proposed findings without a verbatim quote end here."""

import asyncio

from research_crawler.core.models.items import CommandItem
from research_crawler.extraction.evidence.evidence import verify


class VerifyQuotesPipeline:
    """Turns proposals into findings with offsets; what is not in the page is refused and counted."""

    async def process_item(self, item: CommandItem) -> CommandItem:
        """Fill `findings`."""
        if item.page is not None and item.extraction is not None:
            goal = item.command.purpose.goal if item.command.purpose else ""
            # In a thread: to find twelve quotes in a page of 170 kB takes 0.1 s, in one of 1.7 MB over a second.
            item.findings, item.refused_quotes = await asyncio.to_thread(
                verify, item.extraction, item.page, item.command.id, goal=goal
            )
        return item
