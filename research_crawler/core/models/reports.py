"""Reports: everything `research run --json` prints, also where a later feature has not filled it yet."""

from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire, replaced
from research_crawler.core.models.commands import Intent
from research_crawler.core.models.findings import FindingKind
from research_crawler.core.models.jobs import Depth, ResearchType, State, Status, Strategy
from research_crawler.core.models.phase2 import Phase2Result
from research_crawler.core.models.products import Product

if TYPE_CHECKING:
    from research_crawler.core.models.changes import ReportChanges

Verdict = Literal["supported"]


class PriceRange(Frozen):
    """Least and greatest price that pages name, in the currency most of them use."""

    min: float | None = None
    max: float | None = None
    currency: str = ""


class Phase1Finding(Frozen):
    """A finding as phase 2 takes it up."""

    kind: FindingKind
    claim: str
    quote: str
    url: str


class Phase1Intelligence(Frozen):
    """What phase 1 learned (row 1.8); `research run --from JOB` can start phase 2 on it."""

    success: bool
    """At least one supported finding."""
    goal: str
    intelligence: dict[str, list[str]] = Field(default_factory=dict)
    """Claims by the extractor's field names, those of the job's intent always present."""
    findings: list[Phase1Finding] = Field(default_factory=list)
    vendor_hints: list[str] = Field(default_factory=list)
    search_terms: list[str] = Field(default_factory=list)
    price_range: PriceRange = PriceRange()
    sources: list[str] = Field(default_factory=list)
    """URLs of the pages read."""
    research_state_md: str = ""
    searches_used: int = 0
    pages_visited: int = 0
    elapsed_seconds: float = 0.0


class Claim(Frozen):
    """A sentence of the answer. `supported`: it is its evidence's own wording; null: not verified."""

    text: str
    verdict: Verdict | None = None
    evidence: list[str] = Field(default_factory=list)
    """Ids of `evidence`, never empty."""


class KeyFinding(Frozen):
    """An entry of a list in the report. `evidence`: ids of the report's evidence."""

    text: str
    evidence: list[str] = Field(default_factory=list)


class Evidence(Frozen):
    """A quote with its place in a stored page."""

    id: str
    claim: str
    quote: str
    start: int
    end: int
    url: str
    title: str = ""
    page_sha256: str = ""
    fetched_at: str = ""
    page_number: int | None = None
    """Of a PDF, counted from 1: where the quote begins."""


class Source(Frozen):
    """A line of Key Sources; `n` is the number that citations carry."""

    n: int
    title: str
    url: str
    host: str
    published: str = ""
    fetched_at: str = ""
    summary: str = ""
    credibility: float | None = None
    content_hash: str = ""
    page_numbers: list[int] = Field(default_factory=list)
    """Of a PDF: where the quotes stand that are cited."""
    gone: bool = False
    """The page is no longer kept; said when the report is read, never stored."""

    def changed(self, *, gone: bool) -> Self:
        """A copy with the given values."""
        return replaced(self, gone=gone)


class Quality(Frozen):
    """How good the evidence is; null until an evaluator has looked at it."""

    query: str | None = None
    relevance: float | None = None
    confidence: float | None = None
    coverage: float | None = None
    attempts: int | None = None
    reasons: list[str] = Field(default_factory=list)


class RunRecord(Frozen):
    """What was asked of the web."""

    queries: list[str] = Field(default_factory=list)
    final_query: str | None = None
    web_calls: int = 0


class Metrics(Frozen):
    """What the job used. `pages_visited` is what it read, `pages_fetched` what the network was asked."""

    searches: int = 0
    pages_visited: int = 0
    pages_fetched: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0


class Report(Wire):
    """The result of a job: one model for the command line, files and archive."""

    job: str
    status: Status
    state: State
    goal: str
    intent: Intent
    strategy: Strategy
    brain: str
    depth: Depth = "standard"
    type: ResearchType = "general"
    generated_at: str = ""
    report_markdown: str = ""
    claims: list[Claim] = Field(default_factory=list)
    evidence: list[Evidence] = Field(default_factory=list)
    sources: list[Source] = Field(default_factory=list)
    source_count: int = 0
    products: list[Product] = Field(default_factory=list)
    """Phase 2's, the recommended one first."""
    recommendation: str | None = None
    price_assessment: str | None = None
    quality: Quality = Quality()
    warnings: list[str] = Field(default_factory=list)
    phase1: Phase1Intelligence | None = None
    phase2: Phase2Result | None = None
    key_findings: list[KeyFinding] = Field(default_factory=list)
    """The most important first; report.md lists those that are not already sentences of the answer."""
    lists: dict[str, list[KeyFinding]] = Field(default_factory=dict)
    """All lists below the answer by their key, `key_findings` among them."""
    themes: list[dict[str, Any]] = Field(default_factory=list)
    contradictions: list[dict[str, Any]] = Field(default_factory=list)
    journey: str = ""
    news: dict[str, Any] | None = None
    technical: dict[str, Any] | None = None
    run: RunRecord = RunRecord()
    metrics: Metrics = Metrics()
    gone_pages: list[str] = Field(default_factory=list)
    """Hashes of cited pages that are no longer kept; said when the report is read, never stored."""
    folder: str | None = None
    error: str = ""
    exit_code: int = 0
    """What the command line ends with: 0 done, 1 failed, 3 evidence insufficient."""

    def changed(self, **changes: "Unpack[ReportChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)
