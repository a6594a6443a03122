"""The status of a job, as every interface shows it."""

from typing import Final, Literal

from pydantic import Field, SkipValidation

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import ResearchType
from research_crawler.core.models.jobs.job import Outcome, Progress, State, Status

TaskStatus = Status | Literal["started"]
"""What a tool says of a job: `started` in the answer to its submission, later the status."""


NOT_LISTED: Final = frozenset({"results", "timeline", "searches", "assessed", "report"})
"""The fields of a job that a list of jobs leaves out: they are most of its record, and only the job's own page shows
them."""


class NeedsInput(Frozen):
    """What a person is asked, while a job waits for the answer."""

    question: str


class JobStatus(Frozen):
    """Where a job stands: the answer of `get_research_status`, and what the other interfaces show beside it."""

    task_id: str
    """The id of the job."""
    status: Status
    state: State
    outcome: Outcome | None = None
    """What came of the job; null until it is over."""
    topic: str
    intent: Intent = "informational"
    """How the goal was read: whether it wants knowledge or an offer."""
    type: ResearchType = "general"
    progress: Progress
    partial_results: list[str] = Field(default_factory=list)
    """One line for each page that gave something, in the order in which they were read."""
    needs_input: NeedsInput | None = None
    """Set while the job waits for a person; its status is `running` meanwhile."""
    error: str | None = None
    warnings: list[str] = Field(default_factory=list)
    waits_for: list[SkipValidation[str]] = Field(default_factory=list)
    """What the job waits for, one line each; empty if it is over or being worked on."""
    last_action_age_seconds: float | None = None
    """Seconds since the planner's last step, or since the submission if there was none; None if the job is over."""
    searches: int = 0
    visits: int = 0
    findings: int = 0
    seconds: float = 0.0
    """Work so far: fetching, reading, models. What was done at the same time counts once."""
    waited_seconds: float = 0.0
    """Waiting so far for hosts, providers, crawlers and slots of models."""
    tokens: list[str] = Field(default_factory=list)
    """Model tokens by role and what they bought, one line each."""
    created_at: str = ""
    completed_at: str | None = None
