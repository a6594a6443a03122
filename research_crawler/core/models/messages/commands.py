"""Commands, by which the planner requests searches and pages."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag, TypeAdapter

from research_crawler.core.models.base import Wire, read_wire
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.web.target import NO_SLOT, Target
from research_crawler.core.models.why import Refusal

Vertical = Literal["web", "news", "images"]

STORED_PAGE_MAX_AGE_S = 86_400
"""How old a stored page may be that is taken instead of a fetch. For so long the frontier remembers where it is stored,
so a command may ask for a newer one, and never gets an older one."""


class JobContext(Wire):
    """What an extractor needs to know about the job, for which a page is read. Every command carries it."""

    goal: str
    task: str = ""
    context: str = ""
    intent: Intent = "informational"
    language: str = "en"
    topic: str = ""
    sub_questions: list[str] = Field(default_factory=list, alias="questions")
    """The open sub-questions of an outline that the goal alone does not give."""
    pages_asked_together: int = Field(1, alias="beside")
    """How many pages were asked for in the same step: a model may read them in one call."""
    known: list[str] = Field(default_factory=list)
    """What pages that were read before have said, so that the reader of the next one knows when all is answered."""
    query: str = ""
    """What was searched for when the page was found, and beside its visit; "" if nothing was."""
    model: str = ""
    """The models of the job (`Config.model_tag`)."""

    @property
    def words(self) -> str:
        """All that is asked in one text, by whose words passages are ranked."""
        return " ".join(filter(None, (self.goal, self.task, self.topic)))

    @property
    def words_and_queries(self) -> str:
        """The same with the sub-questions and the queries, which say in a page's own terms what a goal describes.

        By these, what a model is shown of the pages of six questions on manuals holds 97 of 118 quotes that answer
        them, and 86 by the goal and the one query that found the page, in as many characters.
        """
        return " ".join(filter(None, (self.words, *self.sub_questions, self.query)))


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


class _AnyCommand(Wire):
    """What every command has, whatever it asks for. Its id is `job:n`."""

    TAGS = ("id", "kind", "spider")

    id: str
    job: str
    round: int = 0
    slot: str = NO_SLOT
    """The host, or the search provider, in whose queue it waits."""
    priority: int = 5
    """0 is served first, 9 last."""
    attempt: int = 0
    redirects: int = Field(0, alias="hop")
    """How many were followed so far."""
    spent_ms: int = 0
    """Work for the command under earlier leases."""
    job_context: JobContext | None = Field(None, alias="purpose")
    batch: bool = False
    """It is part of a batch, so its model calls wait behind those of interactive jobs."""
    batch_id: str = ""
    """The batch that its job is a row of."""

    @property
    def query(self) -> str:
        """What a search searches for; "" of another command."""
        return ""

    @property
    def first_url(self) -> str:
        """The page that was requested first, before redirects; "" of a search."""
        return ""

    @property
    def takes_turn_as(self) -> str:
        """Whose turn in the queues of a process it takes: its batch's, or its job's."""
        return self.batch_id or self.job


class SearchCommand(_AnyCommand):
    """One search of the web."""

    kind: Literal["search"] = "search"
    spider: Literal["search"] = "search"
    search: SearchSpec
    progress: str = ""
    """JSON of what it has so far (`SearchProgress`), which scripts leave alone; "" before its first provider."""

    @property
    def query(self) -> str:
        """What it searches for."""
        return self.search.query

    @property
    def target(self) -> Target:
        """Where it waits: a search has no page of its own."""
        return Target(url="", slot=self.slot, page_key="")


class PageCommand(_AnyCommand):
    """What every command has that is about a page."""

    url: str
    page_key: str = Field("", alias="h")
    requested_url: str = Field("", alias="asked")
    """The URL that was requested first; `url` changes with redirects."""
    requested_page_key: str = Field("", alias="asked_h")

    @property
    def first_url(self) -> str:
        """The page that was requested first, before redirects."""
        return self.requested_url or self.url

    @property
    def target(self) -> Target:
        """Where the command is now, after redirects."""
        return Target(url=self.url, slot=self.slot, page_key=self.page_key)


class SectionCommand(PageCommand):
    """A part of a stored page, for the brain; nothing is fetched."""

    kind: Literal["section"] = "section"
    spider: Literal["page"] = "page"
    section: SectionSpec


class FetchCommand(PageCommand):
    """What every command has whose page is fetched. With `render` it waits in a queue apart."""

    slot: str
    page_key: str = Field(alias="h")
    max_age_s: int = STORED_PAGE_MAX_AGE_S
    """How old a stored page may be, at most `STORED_PAGE_MAX_AGE_S`; 0 neither reads nor writes stored pages."""
    render: bool = False
    no_render: bool = Field(False, alias="plain")
    """Never render, even if only a browser would show the text. It is used with max_age_s 0."""
    max_wait_ms: int = 0
    """A visit that cannot start within this time is settled at once as `busy`; 0: no limit."""
    accepts_long_delay: bool = Field(False, alias="patient")
    """Wait even for a host that asks for more than 30 s between pages; watches do so."""
    retries_unreachable: bool = Field(False, alias="insists")
    """A person asks for this page: a host that could not be reached a moment ago is tried once more."""
    asks_person: bool = Field(False, alias="ask")
    """At a wall that a person can open, a person is asked."""
    intervention: str = Field("", alias="person")
    """The intervention that it waits for."""
    wall: str = ""
    """The wall that it met, once a person was asked: a reason as it is stored."""
    times_asked: int = Field(0, alias="asks")
    """How often a person was asked for it."""


class VisitCommand(FetchCommand):
    """One page that is read for the job's question."""

    kind: Literal["visit"] = "visit"
    spider: Literal["page"] = "page"


class VendorCommand(FetchCommand):
    """A vendor's page: of results, of one product, or a sitemap."""

    kind: Literal["vendor"] = "vendor"
    spider: Literal["vendor"] = "vendor"
    vendor: VendorSpec


class ProjectRequest(FetchCommand):
    """A request of a project's own spider."""

    kind: Literal["request"] = "request"
    spider: str = Field(pattern=r"^own\.[\w.-]{1,80}$")
    """The queue of its spider: `own.<name>`."""
    request: str
    """The request as JSON (`frontier.requests`), which scripts leave alone."""
    fingerprint: str = ""
    """The spider makes a request with this fingerprint once; empty: as often as it asks for it."""


def _kind_of(command: object) -> str:
    """The kind of a command; the former release left it out for a visit."""
    if isinstance(command, Mapping):
        return str(command.get("kind", "visit"))
    return str(getattr(command, "kind", ""))


Command = Annotated[
    Annotated[SearchCommand, Tag("search")]
    | Annotated[VisitCommand, Tag("visit")]
    | Annotated[SectionCommand, Tag("section")]
    | Annotated[VendorCommand, Tag("vendor")]
    | Annotated[ProjectRequest, Tag("request")],
    Discriminator(_kind_of),
]
"""What the planner, or a project's spider, requests."""
_COMMANDS: TypeAdapter[Command] = TypeAdapter(Command, config=ConfigDict(defer_build=True))


def is_rendered(command: Command) -> bool:
    """Whether a browser loads the command's page."""
    return isinstance(command, FetchCommand) and command.render


def may_ask(command: Command) -> bool:
    """Whether a person is asked at a wall, and sessions that persons have opened are used."""
    return isinstance(command, FetchCommand) and command.asks_person


def read_command(text: str | bytes) -> Command:
    """Parse a command read from the frontier.

    Raises:
        NewerWire: another process wrote a newer version; give it back.
        BadMessage: it does not validate.
    """
    return read_wire("Command", text, _COMMANDS.validate_json)


class PageEntry(Wire):
    """The value of `page:<page_key>` in Redis: a stored page, a refusal, or a move to another URL."""

    kind: Literal["page", "refused", "moved"]
    sha: str = ""
    """Hash of the stored sanitized text (kind page)."""
    to: Target | None = None
    reason: Refusal = Refusal()
    """Of a refusal: how a command that meets it ends, and why."""
    at: int = 0
    """Time of the last byte, in ms."""
    keep_ms: int = 0
    """How old it may become for any command; a command may ask for a newer one."""


class Lease(Wire):
    """A command that a node has leased, with what came along with the lease."""

    command: Command
    token: str
    permit: bool = False
    """The lease includes a permit for the command's host."""
    page: PageEntry | None = None
    """A stored page or refusal that is fresh enough, so that nothing needs to be fetched."""
