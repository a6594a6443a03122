"""What a caller asks: the parts of a question that a job keeps as they were given, and the limits that it may set."""

from datetime import date
from typing import Final, Literal

from pydantic import ConfigDict, Field, field_validator

from research_crawler.core.models.base import Changeable
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job_limits import (
    MOST_ATTEMPTS,
    MOST_SEARCHES,
    MOST_SECONDS,
    MOST_VISITS,
    Ceilings,
    Limits,
)
from research_crawler.core.models.people.interventions import BlockerPolicy
from research_crawler.core.models.people.reviews import ReviewMode
from research_crawler.core.models.watches.notices import MAX_DESTINATIONS

Depth = Literal["quick", "standard", "deep"]
ResearchType = Literal["general", "news", "technical"]
ExtraPart = Literal["trends", "sentiment", "factcheck"]

_DAY: Final = r"^(?:\d{4}-\d{2}-\d{2})?$"


class TurnQuestion(Changeable):
    """What a caller asks in a turn of a conversation."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    goal: str = ""
    """What to research; may be empty with `from_job`."""
    context: str = ""
    """What is known already, or the session so far."""
    task: str = ""
    """The specific task, if it differs from the goal."""
    prior_turn_context: str = ""
    """The conversation before the question; it shapes the wording of queries."""
    topic: str = ""
    """Subject area, e.g. 'Person (Ada Lovelace)'."""


class AskedQuestion(TurnQuestion):
    """What a caller says about a question, as a job keeps it."""

    depth: Depth = "standard"
    """How much to search and read: quick (2 searches, 8 pages, 120 s of work), standard (5, 15, 300 s) or deep (10, 40,
    900 s). Default: standard."""
    stack: str = ""
    """Technology that the question is about, e.g. 'Python GUI': pages on others are left out. Default: from the goal
    and its context."""
    parts: list[ExtraPart] = Field(default_factory=list)
    """Further parts of the report: trends, sentiment, factcheck."""
    require_evidence: bool = False
    """Ask for help where no search comes near the question; a command then ends with exit code 3."""
    max_words: int | None = Field(None, strict=True, ge=50, le=5_000)
    """Length of the report in words, at most; shorter where the evidence carries less. Default: by the depth and by how
    many questions the goal has."""
    language: str = "en"
    """Language of queries and of the report. Default: en; a goal in another language gets its report in that one."""
    include_hosts: list[str] = Field(default_factory=list)
    """Visit only these hosts; empty: any."""
    exclude_hosts: list[str] = Field(default_factory=list)
    """Never visit these hosts."""
    outline: str = ""
    """Outline of the report in Markdown; empty: made from the goal."""
    urls: list[str] = Field(default_factory=list)
    """Pages to read first."""
    memory: bool = True
    """Whether findings of earlier jobs are used."""
    since: str = Field("", pattern=_DAY)
    """Use no page that is dated before this day (YYYY-MM-DD); pages without a date are used."""
    until: str = Field("", pattern=_DAY)
    """Use no page that is dated after this day (YYYY-MM-DD); pages without a date are used."""
    columns: list[ColumnSpec] = Field(default_factory=list)
    """Typed values to find, each with its quote."""
    region: str = ""
    """Country of the buyer, e.g. DE. Default: from the goal."""
    currency: str = ""
    """Currency in which prices are compared, e.g. EUR. Default: from the goal and the region."""
    from_job: str = ""
    """Ask vendors for what this finished job recommends. The goal is then optional."""
    notify: list[str] = Field(default_factory=list, max_length=MAX_DESTINATIONS)
    """Where the end of the job and its questions are told: https webhooks and apprise URLs. No answer shows them."""
    approve_plan: bool = False
    """Show outline and queries to a person, and wait for the answer, before anything is fetched."""

    @field_validator("since", "until")
    @classmethod
    def _day(cls, text: str) -> str:
        """Refuse a day that no calendar has, such as 2024-02-30, which the pattern of the field lets pass."""
        if text:
            try:
                date.fromisoformat(text)
            except ValueError:
                raise ValueError(f"{text} is not a day; write it as 2024-05-17") from None
        return text


class JobQuestion(Ceilings, AskedQuestion):
    """A question with all that its caller may say about it. What is left out comes from the settings.

    Every interface takes it: the options of the command line and the body of `POST /jobs` are made of its fields.
    """

    max_searches: int | None = Field(None, strict=True, ge=0, le=MOST_SEARCHES)
    """Most searches in phase 1. Default: PHASE1_MAX_SEARCHES, else by the depth."""
    max_visits: int | None = Field(None, strict=True, ge=0, le=MOST_VISITS)
    """Most pages visited in phase 1. Default: PHASE1_MAX_VISITS, else by the depth."""
    timeout_seconds: float | None = Field(None, strict=True, ge=1, le=MOST_SECONDS)
    """Limit of the work in phase 1, and in phase 2 unless PHASE2_TIMEOUT_SECONDS is set; waiting does not count.
    Default: PHASE1_TIMEOUT_SECONDS, else by the depth."""
    max_attempts: int | None = Field(None, strict=True, ge=1, le=MOST_ATTEMPTS)
    """Most rounds of searches; each further sub-question allows one more. Default: RESEARCH_MAX_ATTEMPTS, else by the
    depth (2, 3, 5)."""
    intent: Intent | None = None
    """Learn about the topic, or find an offer. Default: from the words of the goal."""
    type: ResearchType | None = None
    """news: what happened in the last 7 days, with a timeline; technical: official documentation first, with concepts
    and documentation links. Default: from the words of the goal."""
    vendors: int | None = Field(None, strict=True, ge=1, le=10)
    """How many vendors should answer with offers. Default: PHASE2_VENDORS (3)."""
    strategy: str | None = None
    """phase1_only, phase1_and_phase2 (also phase1_then_phase2) or phase2_only. Default: from the goal."""
    review: ReviewMode | None = None
    """When a person is asked before the job is completed. Default: RESEARCH_REVIEW (never)."""
    on_blocker: BlockerPolicy | None = None
    """At a CAPTCHA, a login or a consent wall: leave the page out, or ask a person to open it (`research
    interventions`). Default: RESEARCH_BLOCKER_POLICY (skip)."""

    @property
    def limits(self) -> Limits:
        """The limits that the caller sets, which have the names of fields here; no others are set."""
        return Limits.model_validate(self.model_dump(include=set(Limits.model_fields), exclude_none=True))
