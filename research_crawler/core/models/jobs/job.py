"""Jobs: one research question, its inputs, and the record of what was done for it."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen, Wire
from research_crawler.core.models.evidence.quality import Assessed
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import AskedQuestion, ResearchType
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.models.jobs.planning_state import PlanningState, StoredSource
from research_crawler.core.models.jobs.records import (
    ScoredResult,
    SearchRecord,
    Strategy,
    TimelineEntry,
    VisitRecord,
)
from research_crawler.core.models.messages.events import ByRole, Usage
from research_crawler.core.models.offers.phase2 import Phase2
from research_crawler.core.models.people.interventions import BlockerPolicy
from research_crawler.core.models.people.reviews import ReviewMode, ReviewRecord
from research_crawler.core.models.watches.watch import WatchProgress, WatchRun

State = Literal[
    "pending",
    "planning",
    "executing",
    "synthesizing",
    "waiting_for_human",
    "completed",
    "failed",
    "cancelled",
]
STATE_WORDS: Final[Mapping[str, str]] = {
    "planning": "choosing what to look for",
    "executing": "searching and reading",
    "synthesizing": "writing the report",
    "waiting_for_human": "waiting for you",
}
"""State → what people are told, where its own name says too little; programs get the names."""
Status = Literal["pending", "running", "completed", "failed", "cancelled"]
Outcome = Literal["answered", "partly", "insufficient", "nothing_worked"]
"""What came of a job that is over.

answered: all that was asked; partly: some of it, or excerpts that perhaps answer it; insufficient: the evidence does
not carry an answer; nothing_worked: no search and no page could be had, or the job failed.
"""
FINAL_STATES: frozenset[str] = frozenset({"completed", "failed", "cancelled"})


def status_of(state: str) -> Status:
    """The status with five values, for MCP and scripts."""
    if state in FINAL_STATES or state == "pending":
        return state  # type: ignore[return-value]  # narrowed by the test
    return "running"


def state_words(state: str) -> str:
    """A state, status or outcome as people are told it."""
    return STATE_WORDS.get(state, state.replace("_", " "))


class JobInputs(AskedQuestion, Wire):
    """The inputs of a job: what its caller asked, and what was derived from that and from the settings."""

    goal: str
    intent: Intent = "informational"
    intent_given: bool = False
    type: ResearchType = "general"
    type_given: bool = False
    strategy: Strategy | None = None
    """The caller's choice; None: it depends on the intent and on earlier findings."""
    vendors: int = 3
    """Number of vendors that must answer in phase 2."""
    review: ReviewMode = "never"
    """When a person is asked before the job is completed."""
    blocker_policy: BlockerPolicy = "skip"
    """Whether a person is asked where a host shows a wall instead of a page."""
    subject: str = ""
    """What the columns are about, in the words of a row's fields; empty: the goal's names."""
    batch: bool = False
    batch_id: str = ""
    """The batch that the job is a row of."""
    retries_unreachable: bool = Field(False, alias="insists")
    """A person asked for a run of a watch: hosts that could not be reached are tried once more."""
    watch: WatchRun | None = None
    """Set if the job is a run of a watch, which fetches pages and does no research."""
    save_to_file: str = ""
    """Name below the folder for reports under which the caller wants the report; checked before the job starts."""
    about_job: str = ""
    """A finished job to which this is a follow-up question: its findings are known, and its pages are read again."""
    files: list[StoredSource] = Field(default_factory=list)
    """The caller's own files, which are in the archive and are read before any search."""


class Progress(Frozen):
    """The progress of a job, as `research status` shows it."""

    current_step: int = 0
    total_steps: int = 1
    current_action: str = ""
    fraction: float = 0.0


class Job(Wire):
    """The complete record of a job. Each field is a field of its Redis hash; a commit writes the changed
    ones."""

    id: str
    state: State = "pending"
    version: int = 0
    inputs: JobInputs
    limits: Limits = Limits()
    strategy: Strategy = "phase1_only"
    strategy_reason: str = ""
    plan: PlanningState = PlanningState()
    outline: Outline = Outline()
    """The sub-questions of the report and what answers them; empty until the first evidence comes."""
    assessed: Assessed = Assessed()
    """The attempts with their scores, and the analysis of the findings after the last round."""
    searches: list[SearchRecord] = Field(default_factory=list)
    results: list[ScoredResult] = Field(default_factory=list)
    """Best first, trimmed so that the field stays under 32 kB."""
    visits: list[VisitRecord] = Field(default_factory=list)
    phase2: Phase2 | None = None
    """None until phase 2 begins."""
    timeline: list[TimelineEntry] = Field(default_factory=list)
    progress: Progress = Progress()
    usage: Usage = Usage()
    by_role: ByRole = Field(default_factory=dict)
    """The tokens of `usage` by role."""
    downloads: int = 0
    pages_fetched: int = 0
    brain: str = "extractive"
    """The brain with which the job was started."""
    model: str = ""
    """The models with which it was started (`Config.model_tag`)."""
    folder: str = ""
    created_at: str = ""
    completed_at: str = ""
    error: str = ""
    outcome: Outcome | None = None
    """What its report makes of it; None: none was written. What came of a job that is over: `planner.job.outcome`."""
    warnings: list[str] = Field(default_factory=list)
    report: str = ""
    """The text of report.md when it is written (complete in the archive; in Redis only its first 30 kB)."""
    owner: str = ""
    """The batch that it is a row of: rows of a batch take turns together, any other job by itself."""
    watch: WatchProgress = WatchProgress()
    """The progress of a run of a watch."""
    review: ReviewRecord = ReviewRecord()
    """What a person is asked, and has answered."""

    @property
    def added_question(self) -> str:
        """What `extend` added last to an earlier job's outline; empty: nothing."""
        return self.inputs.outline.rpartition("\n- ")[2].partition("\n")[0] if self.inputs.about_job else ""

    @property
    def topic(self) -> str:
        """What it asks: its goal, and what tells it from the job that it extends."""
        return " + ".join(filter(None, (self.inputs.goal, self.added_question)))

    @property
    def takes_turn_as(self) -> str:
        """Whose turn in the queues of a process it takes: its batch's, or its own."""
        return self.owner or self.id


class ClaimedJob(Wire):
    """A job as `take` returns it to a worker, with clock, seed and events of this version."""

    job: Job
    token: str
    takes: int
    now_ms: int
    """The time of this version. It is the same if another worker takes the version over."""
    seed: int
    events: list[str]
    """Raw JSON, in order. The worker validates it; an event of a newer version ends the take."""
