"""The spider of a whole node: every kind of command in one engine."""

from typing import ClassVar

from research_crawler.spiders.base import CommandSpider
from research_crawler.spiders.page import PageSpider
from research_crawler.spiders.search import SearchSpider
from research_crawler.spiders.vendor import VendorSpider


class NodeSpider(SearchSpider, VendorSpider):
    """Used by `research run`, `up` and `crawl`; `scrapy crawl search|page|vendor` runs one kind."""

    name = "node"
    queues: ClassVar[tuple[str, ...]] = ("search", "page", "vendor")


def spider_named(name: str) -> type[CommandSpider]:
    """The spider of this name; `research search` and `research page` lease nothing but their own kind."""
    return {spider.name: spider for spider in (NodeSpider, SearchSpider, PageSpider, VendorSpider)}[name]
