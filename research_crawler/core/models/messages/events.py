"""Events, which are delivered to a job's mailbox: outcomes of commands, due timers, answers of a person."""

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from research_crawler.core.models.base import Frozen, Wire, read_wire
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.people.reviews import ReviewAnswer
from research_crawler.core.models.reasons import CeilingOwner, OutcomeKind
from research_crawler.core.models.web.pages import Link
from research_crawler.core.models.why import NO_REASON, Why

ResultType = Literal["forum", "review", "vendor", "news", "official", "other"]
Priority = Literal["must_visit", "should_visit", "maybe", "skip"]

MAX_EVENT_BYTES: Final = 65_536
"""Bytes of an event on the wire: the frontier takes no longer one, and pipelines cut theirs to it."""


class SearchResult(Frozen):
    """One result of one provider, or several fused into one."""

    url: str
    title: str = ""
    snippet: str = ""
    published: str = ""
    """ISO date, if the provider has one."""
    providers: list[str] = Field(default_factory=list)
    rank: int = 0
    """Position in the fused list, from 1."""
    fused: float = 0.0
    """Reciprocal-rank-fusion score."""
    image: str = ""
    """In an image search: URL of the image on the page `url`."""


class ProviderReport(Frozen):
    """How one provider did in one search."""

    provider: str
    ok: bool
    results: int = 0
    status: int | None = None
    reason: Why = NO_REASON
    url: str = ""
    seconds: float = 0.0
    ignored: list[str] = Field(default_factory=list)
    """Options that the provider does not support (date_restrict, language …)."""
    usd: float = 0.0
    """Cost of its calls at the configured price."""


class PageReading(Frozen):
    """The outcome of a visit, for the job's record. The page itself stays in the archive."""

    url: str
    final_url: str
    canonical_url: str = ""
    """The address that the page calls its canonical one. Nothing was fetched from it, unless it is `final_url`."""
    sha: str = ""
    title: str = ""
    published: str = ""
    language: str = ""
    kind: str = "other"
    fetched_at: str = ""
    status: int = 200
    from_store: bool = False
    """The page was already stored, so it was not downloaded."""
    tokens: int = 0
    tokens_shown: int = 0
    relevance: float = 0.0
    confidence: float = 0.0
    summary: str = ""
    answers_all: bool = False
    """Whether its reader found in it, and in what it read beside it, all that is asked."""
    leads_to: str = ""
    """The search that its reader asks for, as in an `Extraction`."""
    by: str = ""
    note: str = ""
    ceiling: CeilingOwner | None = None
    refused_quotes: int = 0
    links: list[Link] = Field(default_factory=list)
    """Up to 300 links, which later visits may use."""
    left_out: list[str] = Field(default_factory=list)
    """The headings of sections that the brain was not shown, those that fit the goal best first."""


class RoleTokens(Wire):
    """The tokens of the calls of one role."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompts', those that the provider had read before."""
    completion_tokens: int = 0

    def __add__(self, other: "RoleTokens") -> "RoleTokens":
        return RoleTokens(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


ByRole = dict[str, RoleTokens]


def summed(one: ByRole, other: ByRole) -> ByRole:
    """The tokens of each role of both."""
    return {role: one.get(role, RoleTokens()) + other.get(role, RoleTokens()) for role in {**one, **other}}


class Usage(Frozen):
    """The model calls behind an event or a commit."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    failed_answers: int = 0
    by_role: ByRole = Field(default_factory=dict, exclude=True)
    """Tokens by role, of calls in this process: jobs and events have them in a field of their own, because older
    planners refuse a usage with a field that they do not know."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            model_calls=self.model_calls + other.model_calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            usd=self.usd + other.usd,
            failed_answers=self.failed_answers + other.failed_answers,
            by_role=summed(self.by_role, other.by_role),
        )


class Spent(Frozen):
    """How much of a ceiling of tokens or money is used."""

    share: float = 0.0
    """0 to 1; 0 without a ceiling."""
    of: CeilingOwner = "job"


class _OfJob(Wire):
    """Something that happened to a job."""

    TAGS = ("uid", "kind")

    uid: str
    job: str = ""


class JobStarted(_OfJob):
    """The job was submitted."""

    kind: Literal["start"] = "start"


class JobResumed(_OfJob):
    """An interrupted job goes on; the time since its last step does not count."""

    kind: Literal["resume"] = "resume"


class RoundDue(_OfJob):
    """The timer of a round is due."""

    kind: Literal["round"] = "round"
    no: int
    """The round's number."""


class DeadlineDue(_OfJob):
    """The timer of a phase is due."""

    kind: Literal["deadline"] = "deadline"
    no: int
    """The number of the deadline, which may be moved."""


class NextStepDue(_OfJob):
    """The timer of a step that follows at once, or after a pause, is due."""

    kind: Literal["go"] = "go"
    no: int


class PersonAnswered(_OfJob):
    """A person has answered a question of the job."""

    kind: Literal["answer"] = "answer"
    no: int = 0
    """The number of the question."""
    answer: ReviewAnswer


class CommandDone(_OfJob):
    """A command ended: how (`outcome`), why if it is not ok (`reason`), and what it brought."""

    kind: Literal["done"] = "done"
    command: str
    round: int = 0
    outcome: OutcomeKind = Field("ok", alias="what")
    reason: Why = NO_REASON
    """If `outcome` is not ok: robots, robots_unreachable, guard, host_list, too_slow, too_large, timeout, http
    404 …"""
    wait_s: float = 0.0
    query: str = ""
    results: list[SearchResult] = Field(default_factory=list)
    providers: list[ProviderReport] = Field(default_factory=list)
    page: PageReading | None = None
    findings: list[Finding] = Field(default_factory=list)
    products: list[Product] = Field(default_factory=list)
    """Products on a vendor's page, the page's main product or the best match first."""
    usage: Usage = Usage()
    by_role: ByRole = Field(default_factory=dict)
    """The tokens of `usage` by role."""
    downloads: int = 0
    """Requests sent to the network, including redirects, robots.txt and provider calls."""
    pages_fetched: int = 0
    seconds: float = 0.0
    """Work for the command under all its leases, without waits for permits of hosts and models."""


Event = Annotated[
    JobStarted | JobResumed | RoundDue | DeadlineDue | NextStepDue | PersonAnswered | CommandDone,
    Field(discriminator="kind"),
]
_EVENTS: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))


def read_event(text: str | bytes) -> Event:
    """Parse an event read from a mailbox.

    Raises:
        NewerWire: another process wrote a newer version; give it back.
        BadMessage: it does not validate.
    """
    return read_wire("Event", text, _EVENTS.validate_json)
