"""What the components of a crawler get from the process they run in.

Scrapy builds middlewares, extensions, handlers and pipelines itself and hands them nothing but the crawler. The
process that starts the crawler provides its services here first; `of` and `fetching_of` find them again.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from research_crawler.core.addresses import AddressGuard
from research_crawler.core.config import Config
from research_crawler.core.crawl_ports import (
    BrowserLaunch,
    CrawlFrontier,
    CrawlNode,
    HealthBook,
    PageParser,
    ProductGapModel,
)
from research_crawler.core.errors import NotStarted
from research_crawler.core.model_ports import Brain, Embedder
from research_crawler.core.ports import Archive


@dataclass(frozen=True, kw_only=True)
class FetchServices:
    """What a download needs. It is there as soon as the settings are read, before anything is connected."""

    config: Config
    guard: AddressGuard
    """Without one nothing may be fetched."""
    browser: BrowserLaunch | None = None
    """None: this process has no browser, and renders no page."""


@dataclass(frozen=True, kw_only=True)
class CrawlServices(FetchServices):
    """What a crawler node needs: everything is connected."""

    archive: Archive
    embedder: Embedder
    brain: Brain
    frontier: CrawlFrontier
    node: CrawlNode
    """The leases of this process."""
    parse_pool: PageParser
    provider_health: HealthBook
    """Shared by all nodes."""
    renders_elsewhere: Callable[[], Awaitable[bool]]
    """Whether another node has a browser."""
    product_model: ProductGapModel | None = None
    """None: no model endpoint is configured, and what a product's page leaves open stays open."""


Opening = Callable[[], Awaitable[CrawlServices]]
"""Connects the services of a crawler that was started before anybody connected them."""

_services: WeakKeyDictionary[object, FetchServices] = WeakKeyDictionary()
_openings: WeakKeyDictionary[object, Opening] = WeakKeyDictionary()


def provide(crawler: object, services: FetchServices, *, opening: Opening | None = None) -> None:
    """Make `services` what the components of `crawler` find; replaces an earlier set.

    Args:
        crawler: the crawler, which Scrapy hands to each of its components.
        services: all of them, or what a download needs where the rest is connected later.
        opening: connects the rest when the scheduler opens (`scrapy crawl`).
    """
    _services[crawler] = services
    if opening is not None:
        _openings[crawler] = opening


def opening_of(crawler: object) -> Opening | None:
    """What still has to be awaited before `of` answers; None where everything is connected."""
    return None if isinstance(_services.get(crawler), CrawlServices) else _openings.get(crawler)


def of(crawler: object) -> CrawlServices:
    """The services of a crawler that runs.

    Raises:
        NotStarted: nobody provided any, or they are not connected yet.
    """
    services = fetching_of(crawler)
    if not isinstance(services, CrawlServices):
        raise NotStarted(
            "the services of this crawler are not connected yet; wait until its scheduler is open"
        )
    return services


def fetching_of(crawler: object) -> FetchServices:
    """What a download of this crawler needs; components may ask for it when they are built.

    Raises:
        NotStarted: nobody provided any services, so there is no address guard and nothing may be fetched.
    """
    try:
        return _services[crawler]
    except KeyError:
        raise NotStarted("this crawler has no services; start it through research_crawler.app") from None
