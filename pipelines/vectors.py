"""Makes a vector for every finding; the event carries it to the index."""

from pipelines.base import ItemPipeline, ItemReading
from research_crawler.core.models.findings import Finding
from research_crawler.core.vectors import pack_vector
from research_crawler.text.normal_quote import normal_quote
from research_crawler.text.pieces.excerpt_markdown import excerpt_text


class VectorsPipeline(ItemPipeline):
    """Embeds each finding's claim together with its quote."""

    async def process(self, reading: ItemReading) -> None:
        """Fill `vectors` with one vector per finding."""
        item = reading.outcome
        if item.findings:
            vectors = await self.services.embedder.embed([_text_of(finding) for finding in item.findings])
            item.vectors = [pack_vector(vector) for vector in vectors]


def _text_of(finding: Finding) -> str:
    """The claim and the quote; one of them alone if it has the words of the other."""
    if normal_quote(finding.claim) == normal_quote(excerpt_text(finding.quote)):
        return finding.claim
    return finding.quote if finding.claim in finding.quote else f"{finding.claim}\n{finding.quote}"
