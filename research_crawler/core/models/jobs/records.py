"""What a job's plan records of each step: searches, their results, visits, rounds."""

from typing import Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.messages.events import Priority, ProviderReport, ResultType
from research_crawler.core.models.reasons import StepOutcome
from research_crawler.core.models.why import NO_REASON, Why

Origin = Literal["", "file", "memory"]
"""Why a page is read from the archive: it is a file of the caller, or an earlier job read it; "": neither."""

TimelineAction = Literal[
    "intent",
    "memory",
    "search",
    "visit",
    "section",
    "beside",
    "wait",
    "asks",
    "judged",
    "brain",
    "stuck",
    "resumed",
    "warning",
    "forced",
    "done",
    "report",
    "failed",
    "review",
    "lookup",
    "vendor",
    "vendors_done",
]
"""What a line of the timeline tells. intent: how the goal was read; memory: findings of earlier jobs; beside: pages
read in the round of another line; wait: for pages that were asked for already; asks: a person is asked about a wall;
judged: scores of the evidence; brain: labels; report: its certainty; lookup, vendor, vendors_done: of phase 2."""
Strategy = Literal["phase1_only", "phase1_and_phase2", "phase2_only"]


class ScoredResult(Frozen):
    """A search result with the scorer's labels."""

    url: str
    title: str = ""
    snippet: str = ""
    score: float = 0.0
    type: ResultType = "other"
    priority: Priority = "maybe"
    published: str = ""
    providers: list[str] = Field(default_factory=list)
    search: int = 0
    """Number of the search that found it; 0: it is a link of a visited page."""
    rank: int = 0
    fused: float = 0.0
    """Rank and rank-fusion score of the search, for the scorer."""
    scored: bool = True
    """False until the scorer has labelled it; until then its score is a guess from its rank."""


class SearchRecord(Frozen):
    """A search of the job."""

    n: int
    command: str
    query: str
    round: int
    results: int = 0
    outcome: StepOutcome = Field("", alias="what")
    """Empty while it runs."""
    reason: Why = NO_REASON
    providers: list[ProviderReport] = Field(default_factory=list)
    web_calls: int = 0


class VisitRecord(Frozen):
    """A visit of the job. It is counted when it is dispatched, and no longer when it ends without a page."""

    n: int
    command: str
    url: str
    round: int
    outcome: StepOutcome = Field("", alias="what")
    reason: Why = NO_REASON
    wait_s: float = 0.0
    final_url: str = ""
    canonical_url: str = ""
    """The address that the page calls its canonical one."""
    title: str = ""
    published: str = ""
    fetched_at: str = ""
    sha: str = ""
    from_store: bool = False
    relevance: float = 0.0
    confidence: float = 0.0
    summary: str = ""
    answers_all: bool = False
    """Whether its reader found in it, and in what it read beside it, all that is asked."""
    leads_to: str = ""
    """The search that its reader asks for, as in an `Extraction`."""
    findings: int = 0
    by: str = ""
    kind: str = ""
    """Kind of the page (PageKind)."""
    section: str = ""
    """The heading of the section that was read, if the page was stored already."""
    origin: Origin = ""
    left_out: list[str] = Field(default_factory=list)
    """The headings of sections that the brain was not shown; they can be read without fetching the page again."""
    counted: bool = True
    """False if it gave no page, which leaves room for another one."""
    left_to_person: bool = False
    """The job went on without it because a person was asked to open its host."""
    settled_in: int = 0
    """The round that was open, or the last one, when its outcome came."""


class TimelineEntry(Frozen):
    """A line of the job's timeline."""

    at_ms: int
    iteration: int
    action: TimelineAction
    text: str
    by: str = ""


class RoundStart(Frozen):
    """What a job had used when a review opened its present round: each round has searches and visits of its own."""

    iterations: int = 0
    searches_used: int = 0
    visits_used: int = 0
    searches: int = 0
    """Number of the last search, whether it counts or not."""
    visits: int = 0
    round: int = 0
    """Number of the last round of searches or visits."""
    vendors_ms: int = 0
    """Work for vendors in earlier rounds."""
