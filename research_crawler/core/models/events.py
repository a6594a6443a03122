"""Events: what came of a command, a timer or a person; delivered to a job's mailbox."""

from typing import TYPE_CHECKING, Final, Literal, Self, Unpack

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire, replaced
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.pages import Link
from research_crawler.core.models.products import Product
from research_crawler.core.models.why import NO_REASON, Why

if TYPE_CHECKING:
    from research_crawler.core.models.changes import EventChanges

ResultType = Literal["forum", "review", "vendor", "news", "official", "other"]
Priority = Literal["must_visit", "should_visit", "maybe", "skip"]
OutcomeKind = Literal["ok", "refused", "failed", "busy", "blocked"]


MAX_EVENT_BYTES: Final = 65_536
"""Bytes of an event on the wire: the frontier takes no longer one, and pipelines cut theirs to it."""


class SearchResult(Frozen):
    """One result of one provider, or several fused into one."""

    url: str
    title: str = ""
    snippet: str = ""
    published: str = ""
    """ISO date where the provider gives one."""
    providers: list[str] = Field(default_factory=list)
    rank: int = 0
    """1-based place in the fused list."""
    fused: float = 0.0
    """Reciprocal-rank-fusion score."""
    image: str = ""
    """Image search: address of the image that the page `url` shows."""

    def changed(self, *, url: str, providers: list[str]) -> Self:
        """A copy with the given values."""
        return replaced(self, url=url, providers=providers)


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
    """Options the provider lacks (date_restrict, language …)."""
    usd: float = 0.0
    """What its calls cost by the configured price."""


class PageReading(Frozen):
    """What a visit gave, for the job's record: the page itself stays in the archive."""

    url: str
    final_url: str
    sha: str = ""
    title: str = ""
    published: str = ""
    language: str = ""
    kind: str = "other"
    fetched_at: str = ""
    status: int = 200
    from_store: bool = False
    """The page was stored already: the network was not asked."""
    tokens: int = 0
    tokens_shown: int = 0
    relevance: float = 0.0
    confidence: float = 0.0
    summary: str = ""
    by: str = ""
    note: str = ""
    refused_quotes: int = 0
    links: list[Link] = Field(default_factory=list)
    """Up to 300, permitted as targets of later visits."""

    def changed(self, *, links: list[Link]) -> Self:
        """A copy with the given values."""
        return replaced(self, links=links)


class Usage(Frozen):
    """Model work behind an event or a commit."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    failed_answers: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            model_calls=self.model_calls + other.model_calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            usd=self.usd + other.usd,
            failed_answers=self.failed_answers + other.failed_answers,
        )


class Event(Wire):
    """Something that happened to a job.

    kind start: submitted. done: a command's outcome (`what`, `reason` and its payload). round, deadline, go:
    a timer of number `no`. answer: a person's answer to question `no`. resume: an interrupted job goes on; the
    time since its last step does not count.
    """

    uid: str
    kind: Literal["start", "done", "round", "deadline", "go", "answer", "resume"]
    job: str = ""
    no: int = 0
    command: str = ""
    round: int = 0
    what: OutcomeKind = "ok"
    reason: Why = NO_REASON
    """For what ≠ ok: robots, robots_unreachable, guard, host_list, too_slow, too_large, timeout, http 404 …"""
    wait_s: float = 0.0
    query: str = ""
    results: list[SearchResult] = Field(default_factory=list)
    providers: list[ProviderReport] = Field(default_factory=list)
    page: PageReading | None = None
    findings: list[Finding] = Field(default_factory=list)
    products: list[Product] = Field(default_factory=list)
    """What a vendor's page offers, the page's main product or the best match first."""
    vectors: list[str] = Field(default_factory=list)
    """One per finding: base64 of little-endian float16, 384 numbers."""
    usage: Usage = Usage()
    downloads: int = 0
    """Requests the network was asked for on the way (redirects, robots.txt and provider calls included)."""
    pages_fetched: int = 0
    seconds: float = 0.0

    def changed(self, **changes: "Unpack[EventChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)
