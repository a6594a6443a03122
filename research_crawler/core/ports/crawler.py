"""Protocols of the services that Scrapy's components use on a crawler node.

The classes are in `frontier`, `extraction`, `adapters` and `pipelines`, which core cannot import.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from research_crawler.core.models.why import NO_REASON, Refusal, Why

if TYPE_CHECKING:
    from research_crawler.core.errors import GiveBackReason
    from research_crawler.core.leases import Download, Hold, PermitReply, Task
    from research_crawler.core.models.commands import Command, Lease, Purpose, Target
    from research_crawler.core.models.events import Event, SearchResult
    from research_crawler.core.models.findings import Extraction, Finding
    from research_crawler.core.models.health import Health
    from research_crawler.core.models.interventions import Intervention
    from research_crawler.core.models.pages import PageText, ParsedPage, Passage, StoredPage
    from research_crawler.core.models.products import Product, WantedProducts
    from research_crawler.core.models.saved_sessions import StorageState
    from research_crawler.core.models.searches import Pace
    from research_crawler.core.ports.models import Call

StepAnswer = TypeVar("StepAnswer")
InletKind = Literal["list", "set", "zset"]
"""The type of a Redis key that other programs push to."""


class WakeUps(Protocol):
    """A subscription that wakes one waiter. Iterating over it yields once per wake-up."""

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
    """The frontier as a node uses it; `frontier.store.Frontier` documents each method."""

    @property
    def due_in_ms(self) -> int | None:
        """Set by `lease`: ms until there may be a command for its spiders; None if nothing is queued."""
        ...

    async def push(self, commands: Sequence[Command]) -> list[int]:
        """Queue commands that are not queued yet."""
        ...

    async def lease(self, node: str, free: int, spiders: Sequence[str]) -> list[Lease]:
        """Lease at most `free` commands whose hosts are free."""
        ...

    async def permit(
        self, id: str, token: str, target: Target, hop: int, *, aside: bool = False
    ) -> PermitReply:
        """Ask for a permit for the next download of a lease."""
        ...

    async def fetched(  # noqa: PLR0913  # one download, reported in one step
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
        """End a permit and report the download; False if the lease is lost."""
        ...

    async def stored(self, id: str, token: str, sha: str, final: Target, *, read_at_ms: int = 0) -> bool:
        """Report that the page is in the archive; False if the lease is lost."""
        ...

    async def settle(
        self,
        event: Event,
        token: str,
        *,
        further: Sequence[Event] = (),
        commands: Sequence[Command] = (),
    ) -> bool:
        """End a command with its event and the output of a project's spider; False if the lease is lost."""
        ...

    async def publish(self, event: Event) -> None:
        """Send an event to the outbox that does not come from a command."""
        ...

    async def give_back(
        self,
        id: str,
        token: str,
        why: GiveBackReason,
        *,
        target: Target | None = None,
        hop: int = 0,
        progress: str = "",
    ) -> bool:
        """Put a command back into its queue; False if the lease is lost."""
        ...

    async def set_paces(self, paces: Mapping[str, Pace]) -> dict[str, float]:
        """Set the paces of providers by slot; returns the seconds for which each slot is closed."""
        ...

    async def reroute(self, slot: str) -> int:
        """Let the searches that wait for a provider choose another one."""
        ...

    async def beat(
        self, node: str, held: Mapping[str, str], worked_ms: Mapping[str, int] | None = None
    ) -> list[str]:
        """Report that a node is alive, and what it holds and has worked. Returns the ids that it has lost."""
        ...

    async def reap(self) -> int:
        """Take back the leases of dead nodes, and return their number."""
        ...

    async def leave(self, node: str) -> int:
        """Sign a node off, and return how many of its leases went back."""
        ...

    async def robots_get(self, origin: str) -> str | None:
        """The stored robots.txt rules for scheme, host and port."""
        ...

    async def robots_set(self, origin: str, text: str, ttl_s: float) -> None:
        """Store robots.txt rules for all nodes."""
        ...

    async def cookies_get(self, id: str) -> str | None:
        """The cookies that were set by redirects of a command."""
        ...

    async def cookies_set(self, id: str, text: str) -> None:
        """Store a command's cookies until the command continues."""
        ...

    async def inlet_read(self, inlet: str, kind: InletKind, count: int) -> list[bytes]:
        """The next entries of a Redis key that other programs push to; they stay in the key."""
        ...

    async def inlet_take(
        self, inlet: str, kind: InletKind, entry: bytes, commands: Sequence[Command] = ()
    ) -> bool:
        """Remove an entry from such a key and queue its commands; False if the entry is gone."""
        ...

    async def flush(self, spider: str, *, everything: bool = False) -> int:
        """Forget a project spider's requests; return how many commands were dropped, or -1 if nothing was done."""
        ...

    def subscribe_wake(self, spiders: Sequence[str]) -> AbstractAsyncContextManager[WakeUps]:
        """A subscription that wakes when a command may be leased."""
        ...

    def subscribe_withdrawn(self) -> AbstractAsyncContextManager[WakeUps]:
        """A subscription to withdrawn leases; `take_texts` returns their ids."""
        ...


class CrawlNode(Protocol):
    """The leases of this process; `frontier.node.Node` documents each method."""

    name: str
    capacity: int
    last_beat_s: float
    """Time before the last answered heartbeat; 0: there was none yet."""
    draining: bool
    on_free: Callable[[], None]
    """Called when the node can take another lease, and after an answered heartbeat."""
    nothing_queued_since_s: float | None
    """Monotonic time since which the node has no work and finds nothing to lease; None if there is work."""
    pushes: int
    """How often this node has queued something."""

    @property
    def frontier(self) -> CrawlFrontier:
        """The frontier that grants the leases."""
        ...

    @property
    def tasks(self) -> Mapping[str, Task]:
        """The tasks that the node works on, by token."""
        ...

    @property
    def free(self) -> int:
        """Number of leases that the node can still take."""
        ...

    @property
    def mute(self) -> bool:
        """Whether the last heartbeat is too long ago, so that nothing may be dispatched."""
        ...

    def note_push(self) -> None:
        """Note that this node has queued something."""
        ...

    def note_look(self, pushes: int, *, found: bool) -> None:
        """Note a look at the queues that began after `pushes` pushes; `found`: there was something to lease."""
        ...

    def accept(self, lease: Lease, sent_s: float) -> Task:
        """Start a task for a lease."""
        ...

    def release(self, task: Task) -> None:
        """Drop a task whose command was settled, given back or lost."""
        ...

    @property
    def idle(self) -> asyncio.Event:
        """An event that is set while the node has no task."""
        ...

    async def cancel(self, task: Task) -> None:
        """End all work for a task whose lease is lost, and return its permits."""
        ...

    async def give_back(
        self,
        task: Task,
        why: GiveBackReason,
        *,
        target: Target | None = None,
        hop: int = 0,
        progress: str = "",
    ) -> None:
        """Return the command and its permits to the frontier."""
        ...

    async def return_unused(self, task: Task, hold: Hold) -> bool:
        """Return a permit without a download; False if the lease is lost."""
        ...

    async def drop_holds(self, task: Task) -> None:
        """Return every permit that the task holds or has asked for."""
        ...


class AskedPeople(Protocol):
    """Asks a person to open a host's wall (`frontier.people.PersonQueue`)."""

    async def ask(
        self, command: Command, token: str, wall: Why, intervention: Intervention, picture: bytes = b""
    ) -> str:
        """Put a leased command aside until a person has answered; the intervention's id, or "" if the lease is lost."""
        ...


class KeptSessions(Protocol):
    """The sessions that persons have opened (`adapters.host_sessions.HostSessions`)."""

    def get(self, host: str) -> StorageState | None:
        """The session of a host; None if there is none."""
        ...


class PageParser(Protocol):
    """Reads pages in a pool of processes (`extraction.parse_pool.ParsePool`).

    Every method raises PageUnreadable if the page cannot be read.
    """

    async def read(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int = 200) -> PageText:
        """The text and metadata of a page. Raises PageBlocked for a CAPTCHA, login or consent wall."""
        ...

    async def look_and_read(
        self, body: bytes, *, url: str, headers: Mapping[str, str], status: int = 200
    ) -> ParsedPage:
        """The same, with the reason if there is no text, and whether a browser should render the page."""
        ...

    async def find_blocker(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int) -> Why:
        """The wall that was served instead of the page; an empty reason if there is none. The page is not read."""
        ...

    async def read_products(
        self, body: bytes, *, url: str, headers: Mapping[str, str], wanted: WantedProducts
    ) -> list[Product]:
        """The products on the page."""
        ...

    async def read_sitemap(self, body: bytes, *, url: str, query: str) -> list[SearchResult]:
        """The URLs in a robots.txt or a sitemap that fit the query."""
        ...

    async def split(self, markdown: str, *, url: str, count_tokens: Callable[[str], int]) -> list[Passage]:
        """The passages of a stored page, in order."""
        ...

    async def run(self, work: Callable[..., str], *arguments: str, url: str) -> str:
        """What a function of a module makes of texts of a page, in one of the processes and under its limits."""
        ...

    async def verify(
        self, extraction: Extraction, stored: StoredPage, command: str, *, goal: str = ""
    ) -> tuple[list[Finding], int]:
        """The findings whose quotes are in the page, and how many were refused because theirs are not."""
        ...


class ProductGapModel(Protocol):
    """Fills the open fields of a page's products with a model (`pipelines.product_model.ProductModel`)."""

    async def settle(
        self, products: list[Product], page: StoredPage, purpose: Purpose | None, call: Call
    ) -> list[Product]:
        """The products, with the values that the model found on the page in their open fields."""
        ...


class BrowserLaunch(Protocol):
    """The browser to launch (`adapters.browser.BrowserProgram`)."""

    @property
    def options(self) -> Mapping[str, object]:
        """Arguments of Playwright's `BrowserType.launch`, without the proxy."""
        ...


class HealthBook(Protocol):
    """Stores the health of search providers. `change` is atomic over all nodes."""

    async def read(self, accounts: Sequence[str]) -> list[Health]:
        """The records of these accounts; a new record for an account without one."""
        ...

    async def change(
        self, account: str, step: Callable[[Health, int], tuple[Health, StepAnswer]]
    ) -> StepAnswer:
        """Call `step(record, now_ms)`, store the record that it returns, and return its second value."""
        ...

    async def now_ms(self) -> int:
        """Time on the book's clock, which `change` passes to `step`."""
        ...
