"""Scrapy's settings, made from this project's settings; `scrapy crawl page` reads them too."""

import functools
from typing import Any

from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.web.user_agent import user_agent_of

FEED_EXPORTERS = {
    name: f"research_crawler.extensions.feed_exporters.{kind}"
    for name, kind in {
        "json": "JsonRecords",
        "jsonlines": "JsonLinesRecords",
        "jsonl": "JsonLinesRecords",
        "jl": "JsonLinesRecords",
        "csv": "CsvRecords",
        "xml": "XmlRecords",
    }.items()
} | {"marshal": None, "pickle": None}
"""Formats of `scrapy crawl page -O FILE`, without those that run code when they are read."""
HANDLER = "research_crawler.handlers.composed.ComposedDownloadHandler"
MIDDLEWARES = "research_crawler.middlewares"


def scrapy_settings(config: Config) -> dict[str, Any]:
    """The Scrapy settings of a crawler node.

    Some parts of Scrapy are switched off. This project handles redirects, retries, meta refresh and
    robots.txt itself, because each hop needs the address guard, the host's rules and a permit. Scrapy's
    cookies would be shared by all jobs. The telnet console and remote control open a port.
    """
    return {
        "BOT_NAME": "research-crawler",
        "SPIDER_MODULES": ["research_crawler.spiders"],
        "USER_AGENT": user_agent_of(config),
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "SCHEDULER": "research_crawler.frontier.scheduler.FrontierScheduler",
        "SCHEDULER_QUEUE_CLASS": "research_crawler.frontier.queue.LocalBuffer",
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "DOWNLOAD_HANDLERS": {
            "http": HANDLER,
            "https": HANDLER,
            "ftp": None,
            "file": None,
            "s3": None,
            "data": None,
        },
        "DOWNLOADER_MIDDLEWARES": {
            f"{MIDDLEWARES}.follow.FollowMiddleware": 50,
            f"{MIDDLEWARES}.command_cookies.CookiesMiddleware": 60,
            f"{MIDDLEWARES}.stored_page.StoredPageMiddleware": 80,
            f"{MIDDLEWARES}.address_guard.AddressGuardMiddleware": 100,
            f"{MIDDLEWARES}.robots.RobotsMiddleware": 200,
            f"{MIDDLEWARES}.politeness.PolitenessMiddleware": 900,
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
            "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": None,
            "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
            "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
            "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
            "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
            "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
            "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
            "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
        },
        "SPIDER_MIDDLEWARES": {
            "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
            "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
            "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
            "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
            "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
        },
        "EXTENSIONS": {
            "research_crawler.extensions.throttle.ThrottleFeedback": 0,
            "research_crawler.extensions.lease_keeper.LeaseKeeper": 10,
            "research_crawler.extensions.prefetch.Prefetcher": 20,
            "scrapy.extensions.corestats.CoreStats": None,
            "scrapy.extensions.logcount.LogCount": None,
            "scrapy.extensions.logstats.LogStats": None,
            "scrapy.extensions.memusage.MemoryUsage": None,
            "scrapy.extensions.telnet.TelnetConsole": None,
            "scrapy.extensions.spiderstate.SpiderState": None,
            "scrapy.extensions.throttle.AutoThrottle": None,
        },
        "ITEM_PIPELINES": {
            "pipelines.extract.ExtractPipeline": 400,
            "pipelines.verify_quotes.VerifyQuotesPipeline": 500,
            "pipelines.products.ProductsPipeline": 550,
            "pipelines.notify.NotifyPipeline": 900,
        },
        "FEED_EXPORTERS": FEED_EXPORTERS,
        "CONCURRENT_REQUESTS": config.node_leases,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1000,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": config.download_timeout_seconds,
        "DOWNLOAD_MAXSIZE": config.download_max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 10**9,
        "CONCURRENT_ITEMS": 1,
        "HTTPERROR_ALLOW_ALL": True,
        "COOKIES_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "METAREFRESH_ENABLED": False,
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "HTTPPROXY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "REFERER_ENABLED": False,
        "LOG_LEVEL": config.log_level,
        "LOG_FORMATTER": "research_crawler.runtime.scrapy_log.QuietLogFormatter",
        "STATS_DUMP": False,
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Language": "en",
        },
    }


_FOR_PROJECTS = (
    "USER_AGENT",
    "TWISTED_REACTOR",
    "SCHEDULER",
    "SCHEDULER_QUEUE_CLASS",
    "DOWNLOAD_HANDLERS",
    "CONCURRENT_REQUESTS",
    "CONCURRENT_REQUESTS_PER_DOMAIN",
    "DOWNLOAD_DELAY",
    "DOWNLOAD_TIMEOUT",
    "DOWNLOAD_MAXSIZE",
    "SCRAPER_SLOT_MAX_ACTIVE_SIZE",
    "COOKIES_ENABLED",
    "REDIRECT_ENABLED",
    "METAREFRESH_ENABLED",
    "RETRY_ENABLED",
    "ROBOTSTXT_OBEY",
    "HTTPPROXY_ENABLED",
    "TELNETCONSOLE_ENABLED",
    "REMOTE_CONTROL_ENABLED",
)
"""Settings that also apply to a project's own spiders, so that every request passes guard, robots.txt and permit."""
_STAYS_IN_PROJECTS = frozenset(
    f"scrapy.downloadermiddlewares.{name}"
    for name in ("httpauth.HttpAuthMiddleware", "offsite.OffsiteMiddleware", "stats.DownloaderStats")
)
"""Scrapy's middlewares that our own spiders do not use but a project's spider may rely on."""


def project_settings(config: Config) -> dict[str, Any]:
    """The settings that the add-on adds to another Scrapy project; its components join the project's own."""
    known = scrapy_settings(config)
    middlewares = known["DOWNLOADER_MIDDLEWARES"].items()
    extensions = known["EXTENSIONS"].items()
    return {name: known[name] for name in _FOR_PROJECTS} | {
        "DOWNLOADER_MIDDLEWARES": {name: at for name, at in middlewares if name not in _STAYS_IN_PROJECTS},
        "SPIDER_MIDDLEWARES": {f"{MIDDLEWARES}.callback_output.CallbackOutputMiddleware": 0},
        "EXTENSIONS": {name: at for name, at in extensions if at is not None}
        | {
            "research_crawler.extensions.callback_settlement.CallbackSettlement": 15,
            "scrapy.extensions.throttle.AutoThrottle": None,
            "scrapy.extensions.telnet.TelnetConsole": None,
        },
        "ITEM_PIPELINES": known["ITEM_PIPELINES"],
    }


@functools.cache
def _for_scrapy() -> dict[str, Any]:
    """The settings for the `scrapy` command, for which the add-on provides the services."""
    return scrapy_settings(load_system_config()) | {
        "ADDONS": {"research_crawler.runtime.addon.ResearchAddon": 0}
    }


def __getattr__(name: str) -> Any:
    """Compute the settings when `scrapy` first reads one as an attribute of this module."""
    settings = _for_scrapy() if name.isupper() else {}
    if name not in settings:
        raise AttributeError(name)
    return settings[name]


def __dir__() -> list[str]:
    return sorted(_for_scrapy())
