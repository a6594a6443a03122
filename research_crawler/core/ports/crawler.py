"""Protocols of the services that Scrapy's components use on a crawler node.

The classes are in `frontier`, `extraction`, `adapters` and `pipelines`, which core cannot import.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from research_crawler.core.models.why import Why
from research_crawler.core.ports.frontier import CrawlFrontier

if TYPE_CHECKING:
    from research_crawler.core.errors import GiveBackReason
    from research_crawler.core.models.evidence.findings import Extraction, Finding
    from research_crawler.core.models.messages.commands import FetchCommand, JobContext, Lease
    from research_crawler.core.models.messages.events import SearchResult
    from research_crawler.core.models.messages.health import Health
    from research_crawler.core.models.offers.products import Product, WantedProducts
    from research_crawler.core.models.people.interventions import Intervention
    from research_crawler.core.models.web.pages import PageText, ParsedPage, Passage, StoredPage
    from research_crawler.core.models.web.saved_sessions import StorageState
    from research_crawler.core.models.web.target import Target
    from research_crawler.core.ports.models import Brain, Call
    from research_crawler.core.tasks.leases import HeldPermit, Task

StepAnswer = TypeVar("StepAnswer")


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
    def heartbeat_overdue(self) -> bool:
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
        redirects: int = 0,
        progress: str = "",
    ) -> None:
        """Return the command and its permits to the frontier."""
        ...

    async def return_unused(self, task: Task, permit: HeldPermit) -> bool:
        """Return a permit without a download; False if the lease is lost."""
        ...

    async def drop_holds(self, task: Task) -> None:
        """Return every permit that the task holds or has asked for."""
        ...


class AskedPeople(Protocol):
    """Asks a person to open a host's wall (`frontier.people.PersonQueue`)."""

    async def ask(
        self, command: FetchCommand, token: str, wall: Why, intervention: Intervention, picture: bytes = b""
    ) -> str:
        """Put a leased command aside until a person has answered; the intervention's id, or "" if the lease is lost."""
        ...


class KeptSessions(Protocol):
    """The sessions that persons have opened (`adapters.host_sessions.HostSessions`)."""

    def get(self, host: str) -> StorageState | None:
        """The session of a host; None if there is none."""
        ...


class PageProcessor(Protocol):
    """A function of a module that processes a page where it is read, so that its text goes to a parse process once."""

    def __call__(self, markdown: str, title: str, passages: Sequence[Passage], instructions: str, /) -> str:
        """What it makes of a page and of what it is told, as JSON."""
        ...


class PageParser(Protocol):
    """Reads pages in a pool of processes (`extraction.parse_pool.ParsePool`).

    Every method raises PageUnreadable if the page cannot be read.
    """

    async def read(self, body: bytes, *, url: str, headers: Mapping[str, str], status: int = 200) -> PageText:
        """The text and metadata of a page. Raises PageBlocked for a CAPTCHA, login or consent wall."""
        ...

    async def look_and_read(
        self,
        body: bytes,
        *,
        url: str,
        headers: Mapping[str, str],
        status: int = 200,
        processor: PageProcessor | None = None,
        instructions: str = "",
    ) -> ParsedPage:
        """The same, with the reason if there is no text, whether a browser should render the page, and what a
        processor makes of it."""
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

    async def split(
        self, markdown: str, *, url: str, count_tokens: Callable[[Sequence[str]], Sequence[int]]
    ) -> list[Passage]:
        """The passages of a stored page, in order."""
        ...

    async def with_texts(
        self,
        passages: Sequence[Passage],
        markdown: str,
        *,
        count_tokens: Callable[[Sequence[str]], Sequence[int]],
    ) -> list[Passage]:
        """The passages that `look_and_read` found in a page, with their texts and tokens."""
        ...

    async def run(
        self, work: Callable[..., str], *arguments: str, url: str, seconds: float | None = None
    ) -> str:
        """What a function of a module makes of texts of a page, in one of the processes and under its limits."""
        ...

    async def process(self, processor: PageProcessor, page: PageText, instructions: str, *, url: str) -> str:
        """What a processor makes of a stored page."""
        ...

    async def verify(
        self, extraction: Extraction, stored: StoredPage, command: str, *, goal: str = ""
    ) -> tuple[list[Finding], int]:
        """The findings whose quotes are in the page, and how many were refused because theirs are not."""
        ...


class ProductGapModel(Protocol):
    """Fills the open fields of a page's products with a model (`pipelines.product_gaps.ProductModel`)."""

    async def settle(
        self, products: list[Product], page: StoredPage, job_context: JobContext | None, call: Call
    ) -> list[Product]:
        """The products, with the values that the model found on the page in their open fields."""
        ...


@dataclass(frozen=True, kw_only=True)
class PageReaders:
    """What reads the pages of a job: its brain, and what belongs to it."""

    brain: Brain
    page_tokens: int = 4_000
    """Most tokens of one page that are shown to the brain."""
    reads_sections: bool = False
    """Whether long pages are shown in whole sections."""
    page_processor: PageProcessor | None = None
    """Makes what the brain needs of every page, in the process that reads it; None: it needs nothing."""
    product_model: ProductGapModel | None = None
    """None: no model is asked, so missing fields of products stay empty."""


ReadersFor: TypeAlias = Callable[[str], Awaitable[PageReaders]]
"""Gives the readers of a job by the models that it was started with (`Config.model_tag`)."""


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
