"""Commands: what the planner wants from the web, and how the frontier addresses a page."""

from typing import TYPE_CHECKING, Literal, Self, Unpack

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire, replaced
from research_crawler.core.models.why import Refusal

if TYPE_CHECKING:
    from research_crawler.core.models.changes import CommandChanges

Intent = Literal["informational", "commerce"]
CommandKind = Literal["search", "visit", "vendor"]
Vertical = Literal["web", "news", "images"]

DAY_S = 86_400
NO_SLOT = "_"


class Target(Frozen):
    """The address of one page in the frontier."""

    url: str
    """Canonical absolute URL."""
    slot: str
    """Host name in IDNA, lower case, without `www.`; `_` where no host is involved."""
    h: str
    """Hash of the canonical URL and the forced render mode: the key of the page in Redis."""

    def changed(self, *, slot: str) -> Self:
        """A copy with the given values."""
        return replaced(self, slot=slot)


class Purpose(Wire):
    """Why a page is read: what an extractor needs to know of the job. Carried by every command."""

    goal: str
    task: str = ""
    context: str = ""
    intent: Intent = "informational"
    language: str = "en"
    topic: str = ""


class SearchSpec(Wire):
    """One query to all providers that are switched on."""

    query: str
    providers: list[str] = Field(default_factory=list)
    """Providers to prefer; empty: the configured order."""
    vertical: Vertical = "web"
    max_results: int = 10
    language: str = "en"
    date_restrict: str = ""
    """Days as `d7`, weeks `w2`, months `m6`, years `y1` (Google's form); empty: any date."""
    safe_search: Literal["off", "moderate", "strict"] = "moderate"


class VendorSpec(Wire):
    """What is wanted of a vendor's page; the page itself is the command's URL."""

    host: str
    """The vendor, without `www.`: "amazon.com"."""
    query: str = ""
    page: Literal["search", "product"] = "search"
    """A page of results, or the page of one product."""
    region: str = ""
    """ISO 3166 country of the buyer, "" where nobody said."""
    currency: str = ""
    """ISO 4217 currency that prices without a sign of their own are in."""
    max_products: int = 20
    sitemap: bool = False
    """The URL is the host's robots.txt, or a sitemap: what it names of pages that fit the query comes as results."""


class Command(Wire):
    """One thing the planner wants from the web, identified `job:n`."""

    id: str
    job: str
    round: int = 0
    kind: CommandKind = "visit"
    spider: Literal["search", "page", "vendor"] = "page"
    """The queue it waits in; `render` is derived from `render` by the frontier."""
    url: str = ""
    slot: str = NO_SLOT
    h: str = ""
    asked: str = ""
    """The first URL; `url` changes with redirects."""
    asked_h: str = ""
    max_age_s: int = DAY_S
    """How old a stored page may be; 0 neither reads nor writes stored pages."""
    render: bool = False
    plain: bool = False
    """Read as it comes, also where only a browser would show its text; goes with max_age_s 0."""
    priority: int = 5
    """0 is served first, 9 last."""
    attempt: int = 0
    hop: int = 0
    max_wait_ms: int = 0
    """A visit whose host cannot start within this time settles at once as `busy`; 0: no such limit."""
    search: SearchSpec | None = None
    vendor: VendorSpec | None = None
    purpose: Purpose | None = None
    patient: bool = False
    """Has time: a host that asks for more than 30 s between pages is waited for (a watch)."""
    batch: bool = False
    """Part of a batch: its model calls wait behind interactive jobs."""

    def changed(self, **changes: "Unpack[CommandChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)

    @property
    def target(self) -> Target:
        """Where the command is now, after redirects."""
        return Target(url=self.url, slot=self.slot, h=self.h)


class PageEntry(Wire):
    """What `page:<h>` says: a stored page, a refusal, or a move to another URL."""

    kind: Literal["page", "refused", "moved"]
    sha: str = ""
    """Hash of the stored sanitized text (kind page)."""
    to: Target | None = None
    reason: Refusal = Refusal()
    """Of a refusal: how a command that meets it ends, and why."""
    at: int = 0
    """Milliseconds: time of the last byte."""
    keep_ms: int = 0


class Lease(Wire):
    """A command handed to a node, with what it may do first."""

    command: Command
    token: str
    permit: bool = False
    """A permit for the command's host came with the lease."""
    page: PageEntry | None = None
    """A page or refusal fresh enough: nothing is to be fetched."""
    granted_ms: int = 0
    """Node clock when the call was sent that granted it."""
