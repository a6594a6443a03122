"""Reports: the JSON document that `research run --json` prints."""

from typing import Any, Final

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.evidence.credibility import Diversity, Synthesis, Theme
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.models.evidence.quality import Analysis, Attempt
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import Depth, ResearchType
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import Outcome, State, Status
from research_crawler.core.models.jobs.outline import LeafState
from research_crawler.core.models.jobs.records import Strategy
from research_crawler.core.models.offers.phase2 import Phase2Result
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.people.reviews import AppendKind
from research_crawler.core.models.reports.cited_parts import (
    Claim,
    Evidence,
    KeyFinding,
    ReportSection,
    Source,
)

EVIDENCE_INSUFFICIENT: Final = 3
"""Exit code of a report that is finished and does not answer what is asked."""


class PriceRange(Frozen):
    """The lowest and the highest price that pages name, in the currency that most of them use."""

    min: float | None = None
    max: float | None = None
    currency: str = ""
    oldest: str = ""
    """ISO date of the oldest page that names one of the two; "" if these pages have no dates."""
    newest: str = ""


class Phase1Finding(Frozen):
    """A finding as phase 2 uses it."""

    kind: FindingKind
    claim: str
    quote: str
    url: str


class Phase1Intelligence(Frozen):
    """The result of phase 1. `research run --from JOB` can start phase 2 from it."""

    success: bool
    """At least one supported finding."""
    goal: str
    intelligence: dict[str, list[str]] = Field(default_factory=dict)
    """Claims by the extractor's field names; the fields of the job's intent are always present."""
    findings: list[Phase1Finding] = Field(default_factory=list)
    vendor_hints: list[str] = Field(default_factory=list)
    search_terms: list[str] = Field(default_factory=list)
    price_range: PriceRange = PriceRange()
    sources: list[str] = Field(default_factory=list)
    """URLs of the pages that were read."""
    research_state_md: str = ""
    searches_used: int = 0
    pages_visited: int = 0
    elapsed_seconds: float = 0.0


class ReportLeaf(Frozen):
    """A sub-question of the outline: `filled` by evidence, `open`, or `unavailable` with the reason."""

    id: str
    question: str
    state: LeafState
    evidence: list[str] = Field(default_factory=list)
    """Ids of `evidence`, best first."""
    query: str = ""
    searches: int = 0
    reason: str = ""


class ReportOutlineSection(Frozen):
    """A section of the outline."""

    id: str
    title: str
    leaves: list[ReportLeaf] = Field(default_factory=list)


class Quality(Frozen):
    """The quality of the evidence; null until it has been evaluated."""

    query: str | None = None
    relevance: float | None = None
    confidence: float | None = None
    coverage: float | None = None
    attempts: int | None = None
    reasons: list[str] = Field(default_factory=list)


class RunRecord(Frozen):
    """The searches and web calls of the job."""

    queries: list[str] = Field(default_factory=list)
    final_query: str | None = None
    web_calls: int = 0


class Metrics(Frozen):
    """What the job used. `pages_visited` counts pages that it read, `pages_fetched` those from the
    network."""

    searches: int = 0
    pages_visited: int = 0
    pages_fetched: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    """Work for the job: fetching, reading, models. What was done at the same time counts once."""
    waited_seconds: float = 0.0
    """Waiting for hosts, providers, crawlers and slots of models."""


class PersonStatement(Frozen):
    """What a person has stated in a review. It is no quote of a page, and nothing has checked it."""

    id: str
    """`P1`, `P2` …: evidence of a person, beside `E1` … of pages."""
    kind: AppendKind
    text: str
    at: str = ""


class ReviewSummary(Frozen):
    """What a person has said in the reviews of a job."""

    rounds: int = 0
    """Rounds of research that reviews have opened."""
    accepted: bool = False
    statements: list[PersonStatement] = Field(default_factory=list)
    rejected_findings: int = 0
    rejected_sources: list[str] = Field(default_factory=list)
    """URLs and hosts."""
    reasons: list[str] = Field(default_factory=list)
    """Why reports were rejected."""


class Report(Wire):
    """The result of a job, for the command line, files and the archive."""

    job: str
    status: Status
    state: State
    outcome: Outcome | None = None
    """What came of the job; null while it is not over."""
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
    """Products of phase 2, the recommended one first."""
    recommendation: str | None = None
    price_assessment: str | None = None
    quality: Quality = Quality()
    values: list[ColumnValue] = Field(default_factory=list)
    """The typed values that the caller asked for, in the order of the columns."""
    attempts: list[Attempt] = Field(default_factory=list)
    """The rounds of searches, each with its scores."""
    analysis: Analysis | None = None
    """What all findings say together, after the last round."""
    warnings: list[str] = Field(default_factory=list)
    phase1: Phase1Intelligence | None = None
    phase2: Phase2Result | None = None
    key_findings: list[KeyFinding] = Field(default_factory=list)
    """The most important first; report.md lists those that are not already sentences of the answer."""
    lists: dict[str, list[KeyFinding]] = Field(default_factory=dict)
    """All lists below the answer by their key, `key_findings` among them."""
    themes: list[Theme] = Field(default_factory=list)
    """What the findings are about, the strongest theme first."""
    synthesis: Synthesis | None = None
    diversity: Diversity = Diversity()
    outline: list[ReportOutlineSection] = Field(default_factory=list)
    """The sub-questions of the job when its research ended."""
    sections: list[ReportSection] = Field(default_factory=list)
    """What stands between the answer and the research journey, in the order of report.md."""
    contradictions: list[dict[str, Any]] = Field(default_factory=list)
    """Each: {about, is_replaced, one: {text, verdict, evidence, similar}, other: the same}; is_replaced: `one` is newer
    and has replaced `other`."""
    not_known: list[str] = Field(default_factory=list)
    """What the evidence does not say."""
    follow_ups: list[str] = Field(default_factory=list)
    """Questions that the answer leads to."""
    words: int = 0
    """Words of answer, lists, sections and contradictions, without citation marks."""
    length_note: str = ""
    """Why the report is shorter than asked for; empty if it is not."""
    check_note: str = ""
    """How many sentences a model wrote that their quotes say, and how many were left out and why (claims.jsonl)."""
    journey: str = ""
    news: dict[str, Any] | None = None
    """By type: {since, until, timeline: [{date, text, evidence}], key_developments: [{text, evidence}]}."""
    technical: dict[str, Any] | None = None
    """By type: {authority_score, concepts: [{term, text, evidence}], documentation: [{title, url, read}],
    related_topics}."""
    parts: dict[str, Any] = Field(default_factory=dict)
    """On request, by name (trends, sentiment, factcheck): {summary, entries: [{kind, text, evidence, time, by}]}, with
    `about` (the subject), for sentiment `hosts` (their numbers of praise and criticism), for factcheck `claims`
    ({claim, verdict, for, against})."""
    review: ReviewSummary | None = None
    """What a person has said in reviews; null if nobody has answered."""
    run: RunRecord = RunRecord()
    metrics: Metrics = Metrics()
    gone_pages: list[str] = Field(default_factory=list)
    """Hashes of cited pages that are no longer stored. Computed when the report is read, and never stored."""
    folder: str | None = None
    error: str = ""
    exit_code: int = 0
    """Exit code of the command line: 0 done, 1 failed, `EVIDENCE_INSUFFICIENT`."""
