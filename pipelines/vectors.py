"""A vector for every finding, carried by the event to the index."""

from typing import Self

from scrapy.crawler import Crawler

from research_crawler.core import services
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.items import CommandItem
from research_crawler.core.vectors import pack_vector


class VectorsPipeline:
    """Embeds claims with their quotes."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    async def process_item(self, item: CommandItem) -> CommandItem:
        """Fill `vectors`, one per finding."""
        if item.findings:
            texts = [_said(finding) for finding in item.findings]
            vectors = await services.of(self.crawler).embedder.embed(texts)
            item.vectors = [pack_vector(vector) for vector in vectors]
        return item


def _said(finding: Finding) -> str:
    """The claim in its own words and in the page's, once where they are the same."""
    return finding.quote if finding.claim in finding.quote else f"{finding.claim}\n{finding.quote}"
