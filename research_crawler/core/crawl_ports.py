"""What a crawler node works with, as the components of Scrapy see it: the parts that core cannot name.

The classes behind these Protocols stand in `frontier`, `extraction`, `adapters` and `pipelines`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from research_crawler.core.errors import GiveBackReason
from research_crawler.core.leases import Download, Hold, PermitReply, Task
from research_crawler.core.model_ports import Call
from research_crawler.core.models.commands import Command, Lease, Purpose, Target
from research_crawler.core.models.events import Event, SearchResult
from research_crawler.core.models.health import Health
from research_crawler.core.models.pages import PageText, StoredPage
from research_crawler.core.models.products import Product, WantedProducts
from research_crawler.core.models.why import NO_REASON, Refusal, Why

Given = TypeVar("Given")


class WakeUps(Protocol):
    """A subscription that wakes one waiter; each step of its iteration is a wake-up."""

    def __aiter__(self) -> AsyncIterator[None]: ...

    async def wait(self, timeout_s: float) -> bool:
        """True when woken, False after the timeout."""
        ...

    def wake(self) -> None:
        """Wake the waiter, as a message would."""
        ...

    def take_texts(self) -> list[str]:
        """Messages since the last call."""
        ...


class CrawlFrontier(Protocol):
    """The frontier as a node needs it; `frontier.store.Frontier` says what each method does."""

    @property
    def due_in_ms(self) -> int | None:
        """After `lease`: ms until its spiders may get a command again; None: nothing is queued."""
        ...

    async def push(self, commands: Sequence[Command]) -> list[int]:
        """Queue commands that are not there yet."""
        ...

    async def lease(self, node: str, free: int, spiders: Sequence[str]) -> list[Lease]:
        """At most `free` commands whose hosts are free."""
        ...

    async def permit(
        self, id: str, token: str, target: Target, hop: int, *, aside: bool = False
    ) -> PermitReply:
        """Ask for a lease's next download."""
        ...

    async def fetched(  # noqa: PLR0913  # one download, told in one step
        self,
        id: str,
        token: str,
        target: Target,
        hop: int,
        outcome: Download,
        *,
        delay_ms: int | None = None,
        jitter: float = 1.0,
        robots_gap_ms: int | None = None,
        block_ms: int = 0,
        crawl_delay_ms: int | None = None,
        to: Target | None = None,
        reason: Why | Refusal = NO_REASON,
    ) -> bool:
        """End a permit; False when the lease is lost."""
        ...

    async def stored(self, id: str, token: str, sha: str, final: Target, *, read_at_ms: int = 0) -> bool:
        """The page is in the archive; False when the lease is lost."""
        ...

    async def settle(self, event: Event, token: str) -> bool:
        """End a command with its event; False when the lease is lost."""
        ...

    async def give_back(
        self, id: str, token: str, why: GiveBackReason, *, target: Target | None = None, hop: int = 0
    ) -> bool:
        """Put a command back; False when the lease is lost."""
        ...

    async def beat(self, node: str, held: Mapping[str, str]) -> list[str]:
        """Keep a node alive; `held` is {id: token}. Answers ids that it lost."""
        ...

    async def reap(self) -> int:
        """Take back what dead nodes hold; how many."""
        ...

    async def leave(self, node: str) -> int:
        """End a node in order; how many leases went back."""
        ...

    async def robots_get(self, origin: str) -> str | None:
        """Robots rules kept for scheme, host and port."""
        ...

    async def robots_set(self, origin: str, text: str, ttl_s: float) -> None:
        """Keep robots rules for all nodes."""
        ...

    async def cookies_get(self, id: str) -> str | None:
        """The cookies that a command's redirects have set."""
        ...

    async def cookies_set(self, id: str, text: str) -> None:
        """Keep a command's cookies until it goes on."""
        ...

    async def inlet_read(self, inlet: str, count: int) -> list[str]:
        """The next entries of a list that others push to."""
        ...

    async def inlet_remove(self, inlet: str, entry: str) -> None:
        """Take an entry out of such a list."""
        ...

    def subscribe_wake(self, spiders: Sequence[str]) -> AbstractAsyncContextManager[WakeUps]:
        """Be woken when a command may be leased."""
        ...

    def subscribe_withdrawn(self) -> AbstractAsyncContextManager[WakeUps]:
        """Be told of withdrawn leases; `take_texts` has the ids."""
        ...


class CrawlNode(Protocol):
    """The leases of this process; `frontier.node.Node` says what each method does."""

    name: str
    capacity: int
    last_beat_s: float
    """Clock before the last beat that was answered; 0: never heard of."""
    draining: bool
    on_free: Callable[[], None]
    """Called when a place becomes free, and when the frontier hears of the node."""

    @property
    def frontier(self) -> CrawlFrontier:
        """Where the leases come from."""
        ...

    @property
    def tasks(self) -> Mapping[str, Task]:
        """What the node works on, by token."""
        ...

    @property
    def free(self) -> int:
        """Leases the node can still take."""
        ...

    @property
    def mute(self) -> bool:
        """Too long since the frontier last heard of the node: nothing may be dispatched."""
        ...

    def accept(self, lease: Lease, sent_s: float) -> Task:
        """Take a lease on."""
        ...

    def release(self, task: Task) -> None:
        """The command is settled, given back or lost."""
        ...

    @property
    def idle(self) -> asyncio.Event:
        """Set while the node works on nothing."""
        ...

    async def cancel(self, task: Task) -> None:
        """The lease is lost: end what is done for it and bring back its permits."""
        ...

    async def give_back(
        self, task: Task, why: GiveBackReason, *, target: Target | None = None, hop: int = 0
    ) -> None:
        """Put the command back into the frontier, its permits too."""
        ...

    async def return_unused(self, task: Task, hold: Hold) -> bool:
        """Bring back a permit without a download; False when the lease is lost."""
        ...

    async def drop_holds(self, task: Task) -> None:
        """Bring back every permit that the task holds or has asked for."""
        ...


class PageParser(Protocol):
    """Reads pages in processes of their own (`extraction.parse_pool.ParsePool`).

    Every method raises PageUnreadable where the page cannot be read.
    """

    async def read(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int = 200) -> PageText:
        """The page's text and facts. Raises PageBlocked where a wall came in its place."""
        ...

    async def find_blocker(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int) -> Why:
        """What stands in the place of a page that is not going to be read; no reason where nothing does."""
        ...

    async def read_products(
        self, body: bytes, *, url: str, headers: Mapping[str, str], wanted: WantedProducts
    ) -> list[Product]:
        """What the page sells."""
        ...

    async def read_sitemap(self, body: bytes, *, url: str, query: str) -> list[SearchResult]:
        """What a robots.txt or a sitemap names that fits the query."""
        ...


class ProductGapModel(Protocol):
    """Settles what a product's page leaves open (`pipelines.product_model.ProductModel`)."""

    async def settle(
        self, products: list[Product], page: StoredPage, purpose: Purpose | None, call: Call
    ) -> list[Product]:
        """The products of a page with what the model found on it in their open fields."""
        ...


class BrowserLaunch(Protocol):
    """Which browser there is and how it is launched (`adapters.browser.BrowserProgram`)."""

    @property
    def options(self) -> Mapping[str, object]:
        """What Playwright's `BrowserType.launch` takes, but for the proxy."""
        ...


class HealthBook(Protocol):
    """Where the health of search providers is kept. `change` is atomic over all nodes; its clock is the book's."""

    async def read(self, accounts: Sequence[str]) -> list[Health]:
        """The records of these accounts, new ones where there are none."""
        ...

    async def change(self, account: str, step: Callable[[Health, int], tuple[Health, Given]]) -> Given:
        """Replace a record by what `step(record, now_ms)` makes of it, and answer with the rest of that."""
        ...

    async def now_ms(self) -> int:
        """The book's clock."""
        ...
