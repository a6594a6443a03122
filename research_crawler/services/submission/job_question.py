"""Makes the checked request for a job of what a caller asks, and tells before whether shops will be asked."""

from pathlib import Path
from typing import Literal

from planner.goal.intent import detect_intent
from planner.goal.product_kind import leaves_shops_unasked
from planner.job.strategy import strategy_named
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import AskedQuestion, JobQuestion
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.records import Strategy
from research_crawler.core.web.urls import ascii_host
from research_crawler.services.submission.new_jobs import JobRequest

ShopsAsked = Literal["yes", "no", "unsaid"]
"""no: it is a question for something cheap, and is answered from pages; unsaid: it is about nothing to buy."""


def request_from(
    config: Config,
    question: JobQuestion,
    *,
    folder: Path | None = None,
    files: tuple[Path, ...] = (),
    about_job: str = "",
    save_to_file: str = "",
) -> JobRequest:
    """The checked request for a job. Every job of every interface is made by it.

    It blocks: it opens the caller's files and loads what reads outlines, columns and notification URLs, which takes up
    to a second the first time. On an event loop, call it in a thread.

    Args:
        config: the settings.
        question: what the caller asks.
        folder: where the job's documents go; None: a folder in the data folder.
        files: the caller's own files, which are read before any search.
        about_job: the finished job to which this is a follow-up question; empty: none.
        save_to_file: the name under which the report is also saved, which `save_name` has checked.

    Raises:
        UsageError: the goal is empty, a URL or a host is malformed, or the country, currency or strategy is unknown.
        OutlineError: the outline cannot be read.
        SchemaError: a column cannot be asked for.
    """
    if not question.goal.strip() and not question.from_job:
        raise UsageError('the goal is empty; say what to research, e.g. "how do heat pumps work"')
    inputs = _inputs_of(config, question).changed(about_job=about_job, save_to_file=save_to_file)
    request = JobRequest(inputs=inputs, limits=question.limits, folder=folder, files=files)
    request.check(config)
    if question.notify:
        from research_crawler.adapters.notifications import check_destination  # here, because it loads slowly

        for destination in question.notify:
            check_destination(destination, config)
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


def shops_asked(goal: str) -> ShopsAsked:
    """Whether shops will be asked for a goal whose intent the caller does not give.

    Interfaces may not ask the planner themselves.
    """
    intent = detect_intent(goal)
    if intent == "commerce":
        return "yes"
    return "no" if leaves_shops_unasked(goal, intent) else "unsaid"


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
    intent = _intent_of(question)
    derived = JobInputs(
        goal=question.goal,
        intent=intent or "informational",
        intent_given=intent is not None,
        type=question.type or "general",
        type_given=question.type is not None,
        strategy=_strategy_of(config, question),
        vendors=question.vendors or config.phase2_vendors,
        review=question.review or config.review,
        blocker_policy=question.on_blocker or config.blocker_policy,
    )
    return with_values_of(derived, question, AskedQuestion.model_fields).changed(
        include_hosts=list(map(_host_named, question.include_hosts)),
        exclude_hosts=list(map(_host_named, question.exclude_hosts)),
        notify=list(dict.fromkeys(question.notify)),
    )


def _strategy_of(config: Config, question: JobQuestion) -> Strategy | None:
    """The strategy that the caller names; without the web no vendor can be asked."""
    if config.is_offline:
        return "phase1_only"
    return strategy_named(question.strategy) if question.strategy else None
