"""Exporters for `scrapy crawl page -O FILE`: one record for each command that the node ends.

Scrapy's exporters write the items of projects' spiders as they are. Our own spiders' items carry leases, raw bytes and
vectors, so of these the record that a reader wants is written.
"""

from typing import Any

from scrapy.exporters import (
    CsvItemExporter,
    JsonItemExporter,
    JsonLinesItemExporter,
    XmlItemExporter,
)

from research_crawler.core.models.messages.items import CommandItem


def record_of(item: CommandItem) -> dict[str, Any]:
    """What came of a command, in values that every format can hold."""
    page = item.page
    return {
        "url": item.command.first_url,
        "what": item.outcome,
        "reason": item.reason.text,
        "final_url": page.final_url if page else "",
        "status": page.status if page else None,
        "fetched_at": page.fetched_at if page else "",
        "title": page.page.title if page else "",
        "language": page.page.language if page else "",
        "published": page.page.published if page else "",
        "kind": page.page.kind if page else "",
        "text": page.page.text if page else "",
        "query": item.query,
        "results": [result.model_dump(mode="json") for result in item.results],
        "findings": [finding.model_dump(mode="json") for finding in item.findings],
        "products": [product.model_dump(mode="json") for product in item.products],
    }


def _record(item: Any) -> Any:
    return record_of(item) if isinstance(item, CommandItem) else item


class JsonRecords(JsonItemExporter):
    """JSON: one list."""

    def export_item(self, item: Any) -> None:
        """Write an item; of a command, its record."""
        super().export_item(_record(item))


class JsonLinesRecords(JsonLinesItemExporter):
    """JSON lines."""

    def export_item(self, item: Any) -> None:
        """Write an item; of a command, its record."""
        super().export_item(_record(item))


class CsvRecords(CsvItemExporter):
    """CSV."""

    def export_item(self, item: Any) -> None:
        """Write an item; of a command, its record."""
        super().export_item(_record(item))


class XmlRecords(XmlItemExporter):
    """XML."""

    def export_item(self, item: Any) -> None:
        """Write an item; of a command, its record."""
        super().export_item(_record(item))
