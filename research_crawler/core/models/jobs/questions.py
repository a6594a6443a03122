"""What a caller asks: the parts of a question that a job keeps as they were given, and the limits that it may set."""

from datetime import date
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, field_validator

from research_crawler.core.models.base import CallerInput, Changeable
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.watches.notices import MAX_PLACES

Depth = Literal["quick", "standard", "deep"]
ExtraPart = Literal["trends", "sentiment", "factcheck"]

MOST_SEARCHES, MOST_VISITS, MOST_SECONDS, MOST_ATTEMPTS = 50, 200, 86_400, 20
"""Bounds of what one job may ask for, at every interface: a slip of the keyboard must not become days of traffic."""
HIGHEST_TOKEN_LIMIT, MOST_USD = 10**15, 10**9
"""Bounds of ceilings: Redis' scripts and JSON readers count tokens and millionths of a dollar exactly to 9 * 10**15."""
Tokens = Annotated[int, Field(ge=1, le=HIGHEST_TOKEN_LIMIT)]
Usd = Annotated[float, Field(gt=0, le=MOST_USD)]
_DAY: Final = r"^(?:\d{4}-\d{2}-\d{2})?$"


class Ceilings(CallerInput):
    """The most that models may use; None: no ceiling."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    max_tokens: Tokens | None = None
    """Most model tokens of the job; null: no limit."""
    max_usd: Usd | None = None
    """Most money for models, in US dollars; null: no limit."""


NO_CEILINGS: Final = Ceilings()


class AskedLimits(Ceilings):
    """The limits that a caller sets for a job. What is None comes from the settings and the depth."""

    max_searches: int | None = Field(None, ge=0, le=MOST_SEARCHES)
    """Most searches in phase 1; null: by the settings and the depth."""
    max_visits: int | None = Field(None, ge=0, le=MOST_VISITS)
    """Most pages visited in phase 1; null: by the settings and the depth."""
    timeout_seconds: float | None = Field(None, ge=1, le=MOST_SECONDS)
    """Limit of the work in phase 1; null: by the settings and the depth."""
    max_attempts: int | None = Field(None, ge=1, le=MOST_ATTEMPTS)
    """Most rounds of searches; null: by the settings and the depth."""


NO_LIMITS: Final = AskedLimits()


class AskedQuestion(Changeable):
    """What a caller says about a question, as a job keeps it."""

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
    """Subject area, e.g. "Person (Ada Lovelace)"."""
    depth: Depth = "standard"
    """How much to search and read."""
    stack: str = ""
    """The technology that the question is about, e.g. "Python GUI"; empty: from goal and context."""
    parts: list[ExtraPart] = Field(default_factory=list)
    """Further parts of the report: trends, sentiment, factcheck."""
    require_evidence: bool = False
    """Ask a person where no attempt finds anything about the question."""
    max_words: int | None = Field(None, ge=50, le=5_000)
    """Length of the report in words, at most; null: by the depth and the number of questions."""
    language: str = "en"
    """Language of queries and of the report."""
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
    until: str = Field("", pattern=_DAY)
    """Days such as 2024-05-17: pages with an older or newer date are not used; pages without a date are."""
    columns: list[ColumnSpec] = Field(default_factory=list)
    """Typed values to find, each with its quote."""
    region: str = ""
    """Country of the buyer, e.g. DE; empty: from the goal."""
    currency: str = ""
    """Currency in which prices are compared, e.g. EUR; empty: from the goal and the region."""
    from_job: str = ""
    """A finished job for whose recommendations vendors are asked."""
    notify: list[str] = Field(default_factory=list, max_length=MAX_PLACES)
    """Where the end of the job and its questions are told: https webhooks and apprise URLs. No answer shows them."""
    approve_plan: bool = False
    """Show outline and queries, and wait for a person's answer, before the first fetch."""

    @field_validator("since", "until")
    @classmethod
    def _day(cls, text: str) -> str:
        """The calendar has it: the form alone lets 2024-02-30 pass, before which and after which no page is dated."""
        if text:
            try:
                date.fromisoformat(text)
            except ValueError:
                raise ValueError(f"{text} is not a day; write it as 2024-05-17") from None
        return text
