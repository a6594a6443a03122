"""Makes a vector for every finding; the event carries it to the index."""

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.core.models.findings import Finding
from research_crawler.core.vectors import pack_vector


class VectorsPipeline(ItemPipeline):
    """Embeds each finding's claim together with its quote."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `vectors` with one vector per finding."""
        item = reading.outcome
        if item.findings:
            vectors = await self.services.embedder.embed([_text_of(finding) for finding in item.findings])
            item.vectors = [pack_vector(vector) for vector in vectors]


def _text_of(finding: Finding) -> str:
    """The claim and the quote; the quote alone if it contains the claim."""
    return finding.quote if finding.claim in finding.quote else f"{finding.claim}\n{finding.quote}"
