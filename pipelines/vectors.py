"""A vector for every finding, carried by the event to the index."""

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.core.models.findings import Finding
from research_crawler.core.vectors import pack_vector


class VectorsPipeline(ItemPipeline):
    """Embeds claims with their quotes."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `vectors`, one per finding."""
        item = reading.outcome
        if item.findings:
            vectors = await self.services.embedder.embed([_said(finding) for finding in item.findings])
            item.vectors = [pack_vector(vector) for vector in vectors]


def _said(finding: Finding) -> str:
    """The claim in its own words and in the page's, once where they are the same."""
    return finding.quote if finding.claim in finding.quote else f"{finding.claim}\n{finding.quote}"
