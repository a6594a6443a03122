"""What brains are shown before they decide, label or read, and what they answer."""

from typing import Any, Final, Literal

from pydantic import Field, model_validator

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.brain_answer import BrainAnswer
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import Analysis, Assessed, Evaluation, QualityThresholds
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import Depth, ResearchType
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.models.jobs.records import ScoredResult, SearchRecord, VisitRecord
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.messages.events import Priority, ResultType, SearchResult, Spent
from research_crawler.core.models.web.pages import Passage

BY_CODE: Final = "planner"
"""Who decides where no brain is needed: a first search, a recovery from a loop, a plan that a person has accepted."""
Action = Literal["search", "visit", "read_section", "ask_human", "done"]


class SectionChoice(Frozen):
    """A section of a page that was read in part."""

    sha: str
    heading: str


MOST_QUERY_CHARS: Final = 300
"""Longest query of a decision; a longer one is cut."""


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


class LabelRequest(Frozen):
    """Search results to label."""

    goal: str
    today: str = ""
    task: str = ""
    topic: str = ""
    intent: Intent = "informational"
    asks_offer: bool = False
    """Whether the question asks what something costs, or a column for a fact of an offer."""
    query: str = ""
    results: list[SearchResult] = Field(default_factory=list)
    context_document: str = ""


class Candidate(Frozen):
    """A page that the planner may visit: a result or a link, with the current wait of its host."""

    result: ScoredResult
    wait_s: float = 0.0
    is_asked_for: bool = False
    """It was asked for as soon as it was found, and is being read."""


class PlannerView(Frozen):
    """Everything that a brain reads before it decides."""

    goal: str
    context: str = ""
    task: str = ""
    intent: Intent = "informational"
    asks_offer: bool = False
    """Whether the question asks what something costs, or a column for a fact of an offer."""
    prior_turn_context: str = ""
    topic: str = ""
    language: str = "en"
    candidates: list[Candidate] = Field(default_factory=list)
    """Results that have not been visited, best first; those of `to_label` follow in the engines' order."""
    to_label: LabelRequest | None = None
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
    """Empty, or the strategy of recovery that is being tried."""
    given_urls: list[str] = Field(default_factory=list)
    unread_sections: list[SectionChoice] = Field(default_factory=list)
    """Sections of long pages that were not shown when the page was read."""
    outline: Outline = Outline()
    """The sub-questions so far; empty before the first decision."""
    answered_before: frozenset[str] = frozenset()
    """Ids of the leaves whose answer is that of the job to which this one adds questions: it stays."""
    assessed: Assessed = Assessed()
    """The attempts so far, and the analysis after the last round."""
    quality: QualityThresholds = QualityThresholds()
    remaining_attempts: int = 0
    """Rounds of searches that are left."""
    type: ResearchType = "general"
    depth: Depth = "standard"
    stack: str = ""
    context_document: str = ""
    year: int = 0
    today: str = ""
    """The date of the decision, as ISO text."""
    spent: Spent = Spent()
    """The ceiling that is nearest to its end: that of the job, of its batch, or of the day."""
    may_classify_goal: bool = False
    """Before the first step of a job whose caller gave neither intent nor type: a brain may say what the goal asks."""


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
    picked: str = ""
    """What the `PageProcessor` of the brain made of the page; it needs no passages then."""
    tokens_shown: int = 0
    job_context: JobContext
    nosnippet: bool = False
    is_section: bool = False
    """Whether the passages are those of one section, which was asked for by its heading."""


class Answered(BrainAnswer):
    """A brain's decision, labels, or both."""

    decision: Decision | None = None
    outline: Outline | None = None
    """With a decision: the outline that it goes by; None: the brain has not looked at it."""
    evaluation: Evaluation | None = None
    """With a decision: how good the evidence was before it; None: the brain has not judged it."""
    analysis: Analysis | None = None
    labels: list[ResultLabel] = Field(default_factory=list)
    """Of new results, best first."""
    intent: Intent | None = None
    type: ResearchType | None = None
    """With the first decision of a job: what its goal asks; None: the brain does not say."""
