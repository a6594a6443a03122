"""The Scrapy add-on that gives `scrapy crawl` the same parts as `research crawl`, in this project and in others."""

import warnings
from typing import Any, Final, Self
from urllib.parse import quote, urlencode

from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy_redis.connection import get_redis_from_settings

from research_crawler.configuration import load_system_config
from research_crawler.core import crawler_services
from research_crawler.core.config import SettingOptions
from research_crawler.core.errors import NotStarted
from research_crawler.core.log import get_log
from research_crawler.runtime.container import Container
from research_crawler.runtime.one_page import OnePage
from research_crawler.settings import project_settings
from research_crawler.spiders.command_spider import CommandSpider

log = get_log(__name__)
_MUST_HOLD: Final = "cmdline"
"""The priority of what the add-on sets in a project: no setting of the project or the spider switches it off."""
_NAMES: Final = ("REDIS_URL", "REDIS_HOST", "REDIS_PORT", "REDIS_DB", "REDIS_PARAMS")
_TLS: Final = ("ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname")
"""Connection parameters that go into the URL's query; timeouts and retries are those of our own client."""


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


def _options_of(settings: BaseSettings, *, is_of_project: bool) -> SettingOptions:
    """What Scrapy's settings say about ours: the Redis, and how much a project does at once."""
    most = settings.getint("CONCURRENT_REQUESTS") or None
    return {"redis_url": redis_url_of(settings), "node_leases": most if is_of_project else None}


def redis_url_of(settings: BaseSettings) -> str | None:
    """The URL of the server that scrapy-redis would connect to; None if the project names none.

    scrapy-redis builds its client from the settings, and the URL is made from the client's connection parameters. So
    every setting that the library reads has its usual effect.
    """
    if not any(settings.get(name) for name in _NAMES):
        return None
    with warnings.catch_warnings():  # scrapy-redis' defaults have an option that redis-py has deprecated
        warnings.simplefilter("ignore", DeprecationWarning)
        pool = get_redis_from_settings(settings).connection_pool
    return _url(pool.connection_class, pool.connection_kwargs)


def _url(kind: type[Connection], known: dict[str, Any]) -> str:
    login = (
        f"{quote(known.get('username') or '')}:{quote(known['password'])}@" if known.get("password") else ""
    )
    database = int(known.get("db") or 0)
    if issubclass(kind, UnixDomainSocketConnection):
        return f"unix://{login}{known['path']}?db={database}"
    is_tls = issubclass(kind, SSLConnection)
    query = {name: str(known[name]) for name in _TLS if is_tls and known.get(name) is not None}
    address = f"{known.get('host', 'localhost')}:{known.get('port', 6379)}/{database}"
    return f"{'rediss' if is_tls else 'redis'}://{login}{address}{'?' + urlencode(query) if query else ''}"
