"""The Scrapy add-on that gives `scrapy crawl` the same parts as `research crawl`, in this project and in others."""

from typing import Any, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from research_crawler.configuration import load_system_config
from research_crawler.core import crawler_services
from research_crawler.core.errors import NotStarted
from research_crawler.core.log import get_log
from research_crawler.frontier.project_redis import redis_url_of
from research_crawler.runtime.container import Container
from research_crawler.runtime.one_page import OnePage
from research_crawler.settings import project_settings
from research_crawler.spiders.command_spider import CommandSpider

log = get_log(__name__)
_MUST_HOLD: Final = "cmdline"
"""The priority of what the add-on sets in a project: no setting of the project or the spider switches it off."""


class ResearchAddon:
    """Provides a crawler with services, unless it has them already.

    They open with the scheduler and close when the engine stops.

    In somebody else's project it also sets what its spiders need to run on our frontier: scheduler, middlewares,
    extensions and pipelines.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.is_of_project = not issubclass(crawler.spidercls, CommandSpider)
        self.config = load_system_config(**_options_of(crawler.settings, is_of_project=self.is_of_project))
        for note in self.config.notes:
            log.warning(note)
        try:
            crawler_services.fetching_of(crawler)
        except NotStarted:
            container = Container(self.config, crawl=True)
            crawler_services.provide(crawler, container.fetching, opening=container.open_services)
            crawler.signals.connect(container.close, signals.engine_stopped)
            if not self.is_of_project:
                self._one_page = OnePage(crawler)  # Scrapy's signals keep no reference

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy builds its components this way."""
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        """All settings are in `research_crawler.settings`; another one gets what it needs."""
        if not self.is_of_project:
            return
        for name, value in project_settings(self.config).items():
            is_more = isinstance(value, dict)
            settings.set(name, settings.getdict(name) | value if is_more else value, _MUST_HOLD)


def _options_of(settings: BaseSettings, *, is_of_project: bool) -> dict[str, Any]:
    """What Scrapy's settings say about ours: the Redis, and how much a project does at once."""
    most = settings.getint("CONCURRENT_REQUESTS") or None
    return {"redis_url": redis_url_of(settings), "node_leases": most if is_of_project else None}
