"""The add-on through which `scrapy crawl page` gets the same parts as `research crawl`."""

from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from research_crawler.configuration import load_system_config
from research_crawler.core import services
from research_crawler.core.errors import NotStarted
from research_crawler.runtime.container import Container


class ResearchAddon:
    """Provides a crawler with services where nobody did; they open with the scheduler and close with the spider."""

    def __init__(self, crawler: Crawler) -> None:
        try:
            services.fetching_of(crawler)
        except NotStarted:
            parts = Container(load_system_config(), crawl=True)
            services.provide(crawler, parts.fetching, opening=parts.open_services)
            crawler.signals.connect(parts.close, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        """All settings stand in `research_crawler.settings`."""
