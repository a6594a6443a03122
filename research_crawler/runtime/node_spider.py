"""The spider that runs every kind of command in one engine.

`scrapy list` does not show it, because only the `research` command uses it.
"""

from typing import ClassVar

from research_crawler.spiders.command_spider import CommandSpider
from research_crawler.spiders.page_spider import PageSpider
from research_crawler.spiders.search_spider import SearchSpider
from research_crawler.spiders.vendor_spider import VendorSpider


class NodeSpider(SearchSpider, VendorSpider):
    """The spider of `research run`, `up` and `crawl`. `scrapy crawl page` runs one kind of command."""

    name = "node"
    queues: ClassVar[tuple[str, ...]] = ("search", "page", "vendor")


def spider_named(name: str) -> type[CommandSpider]:
    """The spider with this name. `research search` and `research page` lease only their own kind."""
    return {spider.name: spider for spider in (NodeSpider, SearchSpider, PageSpider, VendorSpider)}[name]
