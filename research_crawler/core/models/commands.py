"""Commands, by which the planner requests searches and pages, and the addresses of pages in the frontier."""

from typing import Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.why import Refusal

Intent = Literal["informational", "commerce"]
CommandKind = Literal["search", "visit", "section", "vendor", "request"]
Vertical = Literal["web", "news", "images"]

DAY_S = 86_400
NO_SLOT = "_"


class Target(Frozen):
    """The address of one page in the frontier."""

    url: str
    """Canonical absolute URL."""
    slot: str
    """Host name in IDNA, lower case, without `www.`; `_` if no host is involved."""
    h: str
    """Hash of the canonical URL and the forced render mode: the key of the page in Redis."""


class Purpose(Wire):
    """What an extractor needs to know about the job. Every command carries it."""

    goal: str
    task: str = ""
    context: str = ""
    intent: Intent = "informational"
    language: str = "en"
    topic: str = ""
    questions: list[str] = Field(default_factory=list)
    """The open sub-questions of an outline that the goal alone does not give."""
    beside: int = 1
    """How many pages were asked for in the same step: a model may read them in one call."""

    @property
    def words(self) -> str:
        """All that is asked in one text, by whose words passages are ranked."""
        return " ".join(filter(None, (self.goal, self.task, self.topic)))


class SearchSpec(Wire):
    """One query for the search providers."""

    query: str
    providers: list[str] = Field(default_factory=list)
    """Providers to prefer; empty: the configured order."""
    vertical: Vertical = "web"
    max_results: int = 10
    language: str = "en"
    date_restrict: str = ""
    """Days as `d7`, weeks as `w2`, months as `m6`, years as `y1` (Google's form); empty: any date."""
    safe_search: Literal["off", "moderate", "strict"] = "moderate"


class VendorSpec(Wire):
    """What to read from a vendor's page. The page itself is the command's URL."""

    host: str
    """The vendor, without `www.`: "amazon.com"."""
    query: str = ""
    page: Literal["search", "product"] = "search"
    """A page of results, or the page of one product."""
    region: str = ""
    """ISO 3166 country of the buyer; "" if it is not known."""
    currency: str = ""
    """ISO 4217 currency of prices without a currency sign."""
    max_products: int = 20
    sitemap: bool = False
    """The URL is the host's robots.txt or a sitemap. The pages in it that fit the query are returned as
    results."""


class SectionSpec(Wire):
    """A part of a stored page that has not been shown to the brain yet."""

    sha: str
    """The stored page; nothing is fetched."""
    heading: str
    """The path of headings above it, or the end of that path, joined by ` > `; "": the whole page."""


class Command(Wire):
    """One search, page visit, section of a page or vendor look-up that the planner requests. Its id is `job:n`."""

    id: str
    job: str
    round: int = 0
    kind: CommandKind = "visit"
    spider: str = Field("page", pattern=r"^(search|page|vendor|own\.[\w.-]{1,80})$")
    """The queue it waits in; `own.<name>` is that of a project's spider. Commands with `render` get a queue apart."""
    url: str = ""
    slot: str = NO_SLOT
    h: str = ""
    asked: str = ""
    """The URL that was requested first; `url` changes with redirects."""
    asked_h: str = ""
    max_age_s: int = DAY_S
    """How old a stored page may be; 0 neither reads nor writes stored pages."""
    render: bool = False
    plain: bool = False
    """Never render, even if only a browser would show the text. It is used with max_age_s 0."""
    priority: int = 5
    """0 is served first, 9 last."""
    attempt: int = 0
    hop: int = 0
    spent_ms: int = 0
    """Work for the command under earlier leases."""
    max_wait_ms: int = 0
    """A visit that cannot start within this time is settled at once as `busy`; 0: no limit."""
    search: SearchSpec | None = None
    progress: str = ""
    """Of a search: JSON of what it has so far (`SearchProgress`), which scripts leave alone; "" before its first
    provider."""
    vendor: VendorSpec | None = None
    section: SectionSpec | None = None
    purpose: Purpose | None = None
    patient: bool = False
    """Wait even for a host that asks for more than 30 s between pages; watches do so."""
    insists: bool = False
    """A person asks for this page: a host that could not be reached a moment ago is tried once more."""
    batch: bool = False
    """It is part of a batch, so its model calls wait behind those of interactive jobs."""
    batch_id: str = ""
    """The batch that its job is a row of."""
    ask: bool = False
    """At a wall that a person can open, a person is asked."""
    person: str = ""
    """The intervention that it waits for."""
    wall: str = ""
    """The wall that it met, once a person was asked: the text of a reason."""
    asks: int = 0
    """How often a person was asked for it."""
    request: str = ""
    """Of kind `request`: the request of a project's spider as JSON (`frontier.requests`), which scripts leave alone."""
    fingerprint: str = ""
    """A project's spider makes a request with this fingerprint once; empty: as often as it asks for it."""

    @property
    def takes_turn_as(self) -> str:
        """Whose turn in the queues of a process it takes: its batch's, or its job's."""
        return self.batch_id or self.job

    @property
    def target(self) -> Target:
        """Where the command is now, after redirects."""
        return Target(url=self.url, slot=self.slot, h=self.h)


class PageEntry(Wire):
    """The value of `page:<h>` in Redis: a stored page, a refusal, or a move to another URL."""

    kind: Literal["page", "refused", "moved"]
    sha: str = ""
    """Hash of the stored sanitized text (kind page)."""
    to: Target | None = None
    reason: Refusal = Refusal()
    """Of a refusal: how a command that meets it ends, and why."""
    at: int = 0
    """Time of the last byte, in ms."""
    keep_ms: int = 0


class Lease(Wire):
    """A command that a node has leased, with what came along with the lease."""

    command: Command
    token: str
    permit: bool = False
    """The lease includes a permit for the command's host."""
    page: PageEntry | None = None
    """A stored page or refusal that is fresh enough, so that nothing needs to be fetched."""
    granted_ms: int = 0
    """Node clock when the node sent the call that granted the lease."""
