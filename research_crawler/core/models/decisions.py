"""The inputs and answers of brains: decisions, scores, drafts."""

from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from pydantic import Field, model_validator

from research_crawler.core.models.base import Frozen, replaced
from research_crawler.core.models.cited_parts import Verdict
from research_crawler.core.models.commands import Intent, Purpose
from research_crawler.core.models.events import Priority, ResultType, SearchResult
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Depth, ResearchType
from research_crawler.core.models.outline import Outline
from research_crawler.core.models.pages import Passage
from research_crawler.core.models.phase2 import OfferView
from research_crawler.core.models.quality import Analysis, Assessed, Evaluation, QualityThresholds
from research_crawler.core.models.records import ScoredResult, SearchRecord, VisitRecord
from research_crawler.core.models.reports import PriceRange

if TYPE_CHECKING:
    from research_crawler.core.models.changes import DecisionChanges, PlannerViewChanges
    from research_crawler.core.models.report_changes import RecommendationDraftChanges, ReportDraftChanges

Action = Literal["search", "visit", "read_section", "ask_human", "done"]


class SectionChoice(Frozen):
    """A section of a page that was read in part."""

    sha: str
    heading: str


class Decision(Frozen):
    """One decision of the planner. `query`/`url` and `queries`/`urls` are both accepted."""

    action: Action
    queries: list[str] = Field(default_factory=list)
    urls: list[str] = Field(default_factory=list)
    sections: list[SectionChoice] = Field(default_factory=list)
    """With `read_section`."""
    providers: list[str] = Field(default_factory=list)
    reason: str = ""
    missing: list[str] = Field(default_factory=list)
    """With `done`: what is still missing, if the requirements for enough evidence are not met."""
    question: str = ""
    """With `ask_human`: what a person is asked."""
    expected_domains: list[str] = Field(default_factory=list)
    """With `search`: the sites on which its answers are expected."""

    def changed(self, **changes: "Unpack[DecisionChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)

    @model_validator(mode="before")
    @classmethod
    def _one_or_many(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = dict(data)
        for one, many in (("query", "queries"), ("url", "urls")):
            single, several = data.pop(one, None), data.get(many) or []
            if isinstance(several, str):
                several = [several]
            if single and single not in several:
                several = [single, *several]
            data[many] = several
        return data


class ScoreRequest(Frozen):
    """Search results to label."""

    goal: str
    today: str = ""
    task: str = ""
    topic: str = ""
    intent: Intent = "informational"
    query: str = ""
    results: list[SearchResult] = Field(default_factory=list)
    state_document: str = ""
    context_document: str = ""


class Candidate(Frozen):
    """A page that the planner may visit: a result or a link, with the current wait of its host."""

    result: ScoredResult
    wait_s: float = 0.0
    is_asked_for: bool = False
    """It was asked for as soon as it was found, and is being read."""

    def changed(self, *, result: ScoredResult) -> Self:
        """A copy with the given values."""
        return replaced(self, result=result)


class PlannerView(Frozen):
    """Everything that a brain reads before it decides."""

    goal: str
    context: str = ""
    task: str = ""
    intent: Intent = "informational"
    prior_turn_context: str = ""
    topic: str = ""
    language: str = "en"
    candidates: list[Candidate] = Field(default_factory=list)
    """Results that have not been visited, best first; those of `labelling` follow in the engines' order."""
    labelling: ScoreRequest | None = None
    """New results, which are labelled in the same step as the decision; None: there are none."""
    searches: list[SearchRecord] = Field(default_factory=list)
    visited: list[VisitRecord] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list)
    past_actions: list[str] = Field(default_factory=list)
    iteration: int = 1
    max_iterations: int = 10
    remaining_searches: int = 0
    remaining_visits: int = 0
    elapsed_time: float = 0.0
    """Seconds of work so far, without waiting."""
    max_time: float = 0.0
    longest_wait: float = 0.0
    """Seconds that the job may still wait for hosts; 0: no limit."""
    allowed: list[Action] = Field(default=["search", "visit", "done"])
    """Actions that are possible now."""
    barren_rounds: int = 0
    rounds_before: int = 0
    """Rounds up to this one were made before a person reviewed the job, and were not enough."""
    stuck: str = ""
    """Empty, or the way out of a loop that is being tried."""
    given_urls: list[str] = Field(default_factory=list)
    unread_sections: list[SectionChoice] = Field(default_factory=list)
    """Sections of long pages that were not shown when the page was read."""
    outline: Outline = Outline()
    """The sub-questions so far; empty before the first decision."""
    assessed: Assessed = Assessed()
    """The attempts so far, and the analysis after the last round."""
    quality: QualityThresholds = QualityThresholds()
    remaining_attempts: int = 0
    """Rounds of searches that are left."""
    type: ResearchType = "general"
    stack: str = ""
    state_document: str = ""
    context_document: str = ""
    year: int = 0
    today: str = ""
    """The date of the decision, as ISO text."""
    spent_share: float = 0.0
    """How much of the job's ceiling of tokens or money is used, 0 to 1; 0 without a ceiling."""

    def changed(self, **changes: "Unpack[PlannerViewChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)


class ResultLabel(Frozen):
    """The scorer's labels of one result."""

    url: str
    score: float = Field(ge=0, le=1)
    type: ResultType = "other"
    priority: Priority = "maybe"


class PageView(Frozen):
    """A page, or a section of it, as an extractor reads it: the best passages for the goal, in page order."""

    url: str
    title: str = ""
    published: str = ""
    kind: str = "other"
    markdown: str
    """The complete stored text; quotes are verified against it."""
    passages: list[Passage] = Field(default_factory=list)
    outline: list[str] = Field(default_factory=list)
    """The headings of a page that is not shown whole, each with whether its text is shown."""
    tokens_shown: int = 0
    purpose: Purpose
    nosnippet: bool = False


class ReportView(Frozen):
    """The material of a report. Evidence ids are positions in `findings`: `E1`, `E2` …"""

    goal: str
    today: str = ""
    """The date of the writing, as ISO text."""
    task: str = ""
    intent: Intent = "informational"
    language: str = "en"
    findings: list[Finding] = Field(default_factory=list)
    searches: list[SearchRecord] = Field(default_factory=list)
    visited: list[VisitRecord] = Field(default_factory=list)
    pages_read: int = 0
    """Pages that the job has read; its record may have dropped the oldest of them from `visited`."""
    done_reason: str = ""
    missing: list[str] = Field(default_factory=list)
    depth: Depth = "standard"
    outline: Outline = Outline()
    max_words: int | None = None
    """Length of the report that the caller asked for; None: by depth and number of sub-questions."""
    state_document: str = ""


class Sentence(Frozen):
    """A sentence of the answer with its evidence: 0-based indexes into `ReportView.findings`."""

    text: str
    evidence: list[int] = Field(default_factory=list)
    similar: list[int] = Field(default_factory=list)
    """Findings of other hosts with a similar statement; nothing has checked that they support the sentence."""
    heading: str = ""
    """The section that it stands under; sentences in a row with one heading share it."""
    label: str = ""
    """What stands above it, below `heading`: the page and section that an excerpt is from."""
    speaker: str = ""
    """Who says it, if it is told as somebody's own words: a host."""
    is_excerpt: bool = False
    """Its evidence is shown as the page has it, with its lists and code; `text` is the same on one line."""
    verdict: Verdict | None = None
    """What its quotes say about it; None: nobody has compared them."""

    def changed(self, *, text: str, verdict: Verdict | None) -> Self:
        """A copy with the given values."""
        return replaced(self, text=text, verdict=verdict)


class DraftCell(Frozen):
    """A cell of a table with its evidence; one without evidence is shown empty."""

    text: str = ""
    evidence: list[int] = Field(default_factory=list)


class DraftRow(Frozen):
    """A row of a table: what it is about, and one cell for each column but the first."""

    label: str
    cells: list[DraftCell] = Field(default_factory=list)

    def changed(self, *, cells: list[DraftCell]) -> Self:
        """A copy with the given values."""
        return replaced(self, cells=cells)


class DraftTable(Frozen):
    """Things that are compared. The first column has the labels of the rows."""

    columns: list[str]
    rows: list[DraftRow] = Field(default_factory=list)

    def changed(self, *, rows: list[DraftRow]) -> Self:
        """A copy with the given values."""
        return replaced(self, rows=rows)


class DraftSection(Frozen):
    """A section below the answer, from its own evidence."""

    id: str
    title: str
    questions: list[str] = Field(default_factory=list)
    """The sub-questions that it answers."""
    sentences: list[Sentence] = Field(default_factory=list)
    table: DraftTable | None = None

    def changed(self, *, sentences: list[Sentence], table: DraftTable | None) -> Self:
        """A copy with the given values."""
        return replaced(self, sentences=sentences, table=table)


class Contradiction(Frozen):
    """Two statements of sources that cannot both be true, each with its own evidence."""

    about: str
    one: Sentence
    other: Sentence
    is_replaced: bool = False
    """What `one` says is newer and has replaced what `other` says."""

    def changed(self, *, one: Sentence, other: Sentence) -> Self:
        """A copy with the given values."""
        return replaced(self, one=one, other=other)


class ReportDraft(Frozen):
    """The text that a brain writes. Code renders citations and sources."""

    by: str
    answer: list[Sentence] = Field(default_factory=list)
    sections: list[DraftSection] = Field(default_factory=list)
    """In the order in which they are shown, which is that of their importance."""
    contradictions: list[Contradiction] = Field(default_factory=list)
    unknown: list[str] = Field(default_factory=list)
    """What the findings do not say."""
    follow_ups: list[str] = Field(default_factory=list)
    """Questions that the answer leads to."""
    not_found: str = ""
    """If the findings do not answer the question: the titles of the nearest pages. Then there is no answer."""
    certainty: str = ""
    """One sentence on how certain the answer is, and what is missing."""
    lists: dict[str, list[Sentence]] = Field(default_factory=dict)
    """By the key of LISTED_PARTS."""
    journey: str = ""
    note: str = ""

    def changed(self, **changes: "Unpack[ReportDraftChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)


class RecommendationView(Frozen):
    """The material of a recommendation. Offers are `P1`, `P2` …; evidence ids are positions in `findings`."""

    goal: str
    today: str = ""
    task: str = ""
    language: str = "en"
    priorities: list[str] = Field(default_factory=list)
    """The goal's words for what matters most: "cheapest", "best"."""
    offers: list[OfferView] = Field(default_factory=list)
    """Best first, by the ranking without a model."""
    findings: list[Finding] = Field(default_factory=list)
    price_range: PriceRange = PriceRange()
    """The price range that phase 1 found for such a product."""
    range_named_by: str = "Pages name"
    currency: str = ""
    generic: str = ""
    """The goal's words for the kind of product."""


class AlternativePick(Frozen):
    """Another offer, by its position, and the reason for it."""

    product: int
    why: str = ""


class RecommendationDraft(Frozen):
    """The offer that a brain recommends, with reasons. Code renders names, prices, URLs and citations."""

    by: str
    product: int | None = None
    """Position in `RecommendationView.offers`; None: no offer."""
    reasons: list[Sentence] = Field(default_factory=list)
    cautions: list[Sentence] = Field(default_factory=list)
    alternatives: list[AlternativePick] = Field(default_factory=list)
    note: str = ""

    def changed(self, **changes: "Unpack[RecommendationDraftChanges]") -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)


class Answered(Frozen):
    """A brain's decision, labels, or both, with the name of the brain."""

    by: str
    decision: Decision | None = None
    outline: Outline | None = None
    """With a decision: the outline that it goes by; None: the brain has not looked at it."""
    evaluation: Evaluation | None = None
    """With a decision: how good the evidence was before it; None: the brain has not judged it."""
    analysis: Analysis | None = None
    labels: list[ResultLabel] = Field(default_factory=list)
    """Of new results, best first."""
    note: str = ""

    def changed(self, *, note: str) -> Self:
        """A copy with the given values."""
        return replaced(self, note=note)
