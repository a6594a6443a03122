"""The services that the components of a crawler get from their process.

Scrapy builds middlewares, extensions, handlers and pipelines itself and passes them only the crawler. The
process that starts the crawler provides the services here first; the components get them by `of` and
`fetching_of`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.core.ports.archives import Archive
from research_crawler.core.ports.crawler import (
    AskedPeople,
    BrowserLaunch,
    CrawlNode,
    HealthBook,
    KeptSessions,
    PageParser,
    ReadersFor,
)
from research_crawler.core.ports.frontier import CrawlFrontier
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.addresses import AddressGuard


@dataclass(frozen=True, kw_only=True)
class FetchServices:
    """The services that a download needs. They exist as soon as the settings are read."""

    config: Config
    guard: AddressGuard
    """Every fetch needs it."""
    browser: BrowserLaunch | None = None
    """None: this process has no browser and renders no pages."""
    sessions: KeptSessions | None = None
    """What persons have opened; only commands whose job asks persons use it."""


@dataclass(frozen=True, kw_only=True)
class CrawlServices(FetchServices):
    """The services of a crawler node, all connected."""

    archive: Archive
    embedder: Embedder
    readers_for: ReadersFor
    frontier: CrawlFrontier
    node: CrawlNode
    """The leases of this process."""
    parse_pool: PageParser
    provider_health: HealthBook
    """Shared by all nodes."""
    renders_elsewhere: Callable[[], Awaitable[bool]]
    """Whether another node has a browser."""
    people: AskedPeople | None = None
    """Whoever opens walls; None: they are left out."""


Opening = Callable[[], Awaitable[CrawlServices]]
"""Connects the services of a crawler that was started without them."""

_services: WeakKeyDictionary[object, FetchServices] = WeakKeyDictionary()
_openings: WeakKeyDictionary[object, Opening] = WeakKeyDictionary()


def provide(crawler: object, services: FetchServices, *, opening: Opening | None = None) -> None:
    """Provide the services for the components of a crawler. Replaces an earlier set.

    Args:
        crawler: the crawler, which Scrapy passes to each of its components.
        services: all services, or only those of downloads if the rest is connected later.
        opening: connects the rest when the scheduler opens (`scrapy crawl`).
    """
    _services[crawler] = services
    if opening is not None:
        _openings[crawler] = opening


def opening_of(crawler: object) -> Opening | None:
    """The function that connects the services; None if they are connected already."""
    return None if isinstance(_services.get(crawler), CrawlServices) else _openings.get(crawler)


def of(crawler: object) -> CrawlServices:
    """The services of a running crawler.

    Raises:
        NotStarted: none were provided, or they are not connected yet.
    """
    services = fetching_of(crawler)
    if not isinstance(services, CrawlServices):
        raise NotStarted(
            "the services of this crawler are not connected yet; wait until its scheduler is open"
        )
    return services


def fetching_of(crawler: object) -> FetchServices:
    """The services that downloads of this crawler need. Components may ask for them when they are built.

    Raises:
        NotStarted: none were provided. Without an address guard nothing may be fetched.
    """
    try:
        return _services[crawler]
    except KeyError:
        raise NotStarted("this crawler has no services; start it through research_crawler.app") from None
