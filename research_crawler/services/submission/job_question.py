"""What a caller may ask of a new job: the typed request of every interface, and the body of `POST /jobs`."""

from datetime import date
from pathlib import Path

from pydantic import ConfigDict, Field, field_validator

from planner.job.strategy import strategy_named
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import CallerInput
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import Depth, ExtraPart, JobInputs, ResearchType
from research_crawler.core.models.people.interventions import BlockerPolicy
from research_crawler.core.models.people.reviews import ReviewMode
from research_crawler.core.models.watches.notices import MAX_PLACES
from research_crawler.core.settings.depth import MOST_ATTEMPTS, MOST_SEARCHES, MOST_VISITS
from research_crawler.core.web.urls import ascii_host
from research_crawler.services.submission.new_jobs import JobRequest

_DAY = r"^(?:\d{4}-\d{2}-\d{2})?$"


class JobQuestion(CallerInput):
    """A question with all that its caller may say about it. What is left out comes from the settings."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    goal: str = ""
    """What to research; may be empty with `from_job`."""
    context: str = ""
    """What is known already, or the session so far."""
    task: str = ""
    """The specific task, if it differs from the goal."""
    intent: Intent | None = None
    """Learn about the topic, or find an offer; null: from the words of the goal."""
    prior_turn_context: str = ""
    """The conversation before the question; it shapes the wording of queries."""
    topic: str = ""
    """Subject area, e.g. "Person (Ada Lovelace)"."""
    depth: Depth = "standard"
    """How much to search and read."""
    type: ResearchType | None = None
    """What kind of research it is; null: from the words of the goal."""
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
    vendors: int | None = Field(None, ge=1, le=10)
    """How many vendors should answer with offers; null: PHASE2_VENDORS."""
    strategy: str | None = None
    """phase1_only, phase1_and_phase2 (also phase1_then_phase2) or phase2_only; null: from the goal."""
    region: str = ""
    """Country of the buyer, e.g. DE; empty: from the goal."""
    currency: str = ""
    """Currency in which prices are compared, e.g. EUR; empty: from the goal and the region."""
    from_job: str = ""
    """A finished job for whose recommendations vendors are asked."""
    notify: list[str] = Field(default_factory=list, max_length=MAX_PLACES)
    """Where the end of the job and its questions are told: https webhooks and apprise URLs."""
    review: ReviewMode | None = None
    """When a person is asked before the job is completed; null: RESEARCH_REVIEW."""
    on_blocker: BlockerPolicy | None = None
    """What is done at a CAPTCHA, a login or a consent wall: skip, or ask a person; null: RESEARCH_BLOCKER_POLICY."""
    approve_plan: bool = False
    """Show outline and queries, and wait for a person's answer, before the first fetch."""
    max_searches: int | None = Field(None, ge=0, le=MOST_SEARCHES)
    """Most searches in phase 1; null: by the settings and the depth."""
    max_visits: int | None = Field(None, ge=0, le=MOST_VISITS)
    """Most pages visited in phase 1; null: by the settings and the depth."""
    timeout_seconds: float | None = Field(None, ge=1)
    """Limit of the work in phase 1; null: by the settings and the depth."""
    max_attempts: int | None = Field(None, ge=1, le=MOST_ATTEMPTS)
    """Most rounds of searches; null: by the settings and the depth."""
    max_tokens: int | None = Field(None, ge=1)
    """Most model tokens of the job; null: no limit."""
    max_usd: float | None = Field(None, gt=0)
    """Most money for models, in US dollars; null: no limit."""

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


def request_from(
    config: Config, question: JobQuestion, *, folder: Path | None = None, files: tuple[Path, ...] = ()
) -> JobRequest:
    """The checked request for a job.

    It blocks: it opens the caller's files and loads what reads outlines, columns and notification URLs, which takes up
    to a second the first time. On an event loop, call it in a thread.

    Args:
        config: the settings.
        question: what the caller asks.
        folder: where the job's documents go; None: a folder in the data folder.
        files: the caller's own files, which are read before any search.

    Raises:
        UsageError: the goal is empty, a URL or a host is malformed, or the country, currency or strategy is unknown.
        OutlineError: the outline cannot be read.
    """
    if not question.goal.strip() and not question.from_job:
        raise UsageError('the goal is empty; say what to research, e.g. "how do heat pumps work"')
    request = JobRequest(
        inputs=_inputs_of(config, question),
        folder=folder,
        max_searches=question.max_searches,
        max_visits=question.max_visits,
        timeout_s=question.timeout_seconds,
        max_tokens=question.max_tokens,
        max_usd=question.max_usd,
        max_attempts=question.max_attempts,
        files=files,
    )
    request.check(config)
    if question.notify:
        from research_crawler.adapters.notifications import check_place  # here, because it loads slowly

        for place in question.notify:
            check_place(place, config)
    return request


def columns_from(text: str) -> list[ColumnSpec]:
    """The columns that a caller writes as lines, "price: money, What does it cost?", or as a JSON Schema.

    Raises:
        SchemaError: a column has an unknown type, or the text is neither.
    """
    if not text.strip():
        return []
    from planner.columns.column_input import given_columns  # here, because few jobs have columns

    return given_columns(text)


def _host_named(name: str) -> str:
    """The host name that a caller writes, as URLs have it; `.org` stands for all of its hosts."""
    if host := ascii_host(name.strip().strip(".")):
        return host
    raise UsageError(f"{name!r} is not a host name such as docs.example.org")


def _intent_of(question: JobQuestion) -> Intent | None:
    """The intent that the caller gives: by name, or by saying how many vendors should answer."""
    if question.intent is None and question.vendors is not None and not question.strategy:
        return "commerce"
    return question.intent


def _inputs_of(config: Config, question: JobQuestion) -> JobInputs:
    return JobInputs(
        goal=question.goal,
        context=question.context,
        task=question.task,
        intent=_intent_of(question) or "informational",
        intent_given=_intent_of(question) is not None,
        prior_turn_context=question.prior_turn_context,
        topic=question.topic,
        depth=question.depth,
        type=question.type or "general",
        type_given=question.type is not None,
        stack=question.stack,
        parts=question.parts,
        require_evidence=question.require_evidence,
        max_words=question.max_words,
        language=question.language,
        include_hosts=list(map(_host_named, question.include_hosts)),
        exclude_hosts=list(map(_host_named, question.exclude_hosts)),
        outline=question.outline,
        urls=question.urls,
        columns=question.columns,
        memory=question.memory,
        since=question.since,
        until=question.until,
        vendors=question.vendors or config.phase2_vendors,
        strategy=strategy_named(question.strategy) if question.strategy else None,
        region=question.region,
        currency=question.currency,
        from_job=question.from_job,
        notify=list(dict.fromkeys(question.notify)),
        review=question.review or config.review,
        blocker_policy=question.on_blocker or config.blocker_policy,
        approve_plan=question.approve_plan,
    )
