"""What components built by Scrapy itself get from the composition root: one `Services` per crawler."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from research_crawler.core.addresses import AddressGuard
from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.core.model_ports import Brain, Embedder
from research_crawler.core.ports import Archive

ABSENT: Any = None
"""A part that this process does not run; whoever needs it says so at start (`app`)."""


@dataclass
class Services:
    """The running parts behind one crawler."""

    config: Config = ABSENT
    guard: AddressGuard = ABSENT
    archive: Archive = ABSENT
    embedder: Embedder = ABSENT
    brain: Brain = ABSENT
    product_model: Any = ABSENT
    """`pipelines.product_model.ProductModel`: settles what a product's page leaves open; None without an endpoint."""
    frontier: Any = ABSENT
    """`frontier.store.Frontier`; core cannot name it."""
    node: Any = ABSENT
    """`frontier.node.Node`: the leases of this process."""
    pages: Any = ABSENT
    """`middlewares.stored_page.StoredPages`."""
    parse_pool: Any = ABSENT
    """`extraction.parse_pool.ParsePool`."""
    providers: list[Any] = field(default_factory=list)
    """`engines.base.Provider`s that are switched on, in order."""
    provider_health: Any = ABSENT
    """`engines.health.HealthBook` shared by all nodes."""
    typist: Any = ABSENT
    """`engines.typed.Typist`: types a query into a search engine's page; None without a browser."""
    browser: Any = ABSENT
    """`adapters.browser.BrowserProgram`: how to launch the browser; None where there is none."""
    renders_elsewhere: Callable[[], Awaitable[bool]] | None = None
    """Whether another node has a browser."""
    open: Callable[[], Awaitable[None]] | None = None
    """Connects the parts, where nobody did before the crawler was started (`scrapy crawl`)."""
    throttle: Any = ABSENT
    """`extensions.throttle.ThrottleFeedback`, which enters itself."""


_services: WeakKeyDictionary[object, Services] = WeakKeyDictionary()


def provide(crawler: object, services: Services) -> None:
    """Make `services` what the components of `crawler` find; replaces an earlier set."""
    _services[crawler] = services


def of(crawler: object) -> Services:
    """The services of a crawler.

    Raises:
        NotStarted: nobody provided any.
    """
    try:
        return _services[crawler]
    except KeyError:
        raise NotStarted("this crawler has no services; start it through research_crawler.app") from None


def guard_of(crawler: object) -> AddressGuard:
    """The address guard of a crawler: there is no fetching without one.

    Raises:
        NotStarted: nobody provided one.
    """
    guard = of(crawler).guard
    if guard is None:
        raise NotStarted("this crawler has no address guard; nothing may be fetched without it")
    return guard
