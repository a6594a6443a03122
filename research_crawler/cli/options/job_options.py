"""The options that describe a job, for `run` and `submit`."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.options.option_values import Day, Number, WholeNumber
from research_crawler.cli.session import fail
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.text.text_file import text_of_file

if TYPE_CHECKING:
    from research_crawler.core.config import Config
    from research_crawler.core.models.jobs.caller_question import ExtraPart, JobQuestion
    from research_crawler.core.models.jobs.columns import ColumnSpec
    from research_crawler.core.models.jobs.records import Strategy
    from research_crawler.services.submission.new_jobs import JobRequest


def _name_of(option: Callable[..., Any]) -> str:
    """The name under which a command gets the value of an option."""

    @option
    def probe() -> None:
        """Takes the option, to read its name."""

    return str(probe.__click_params__[0].name)


# Options of the command line that are fields of the question which every interface takes.


def asked_option(
    flag: str, field: str = "", *, metavar: str | None = None, type_: click.ParamType[Any] | None = None
) -> Callable[..., Any]:
    """An option with the type, the range, the default and the description of a field of `JobQuestion`.

    Args:
        flag: how it is written, `--max-visits`.
        field: the name of the field; empty: that of the flag.
        metavar: what stands for the value in the help.
        type_: reads the value where a text is not enough.
    """
    field = field or flag.removeprefix("--").replace("-", "_")
    declared = _declared()[field]
    value = next((one for one in declared.get("anyOf", ()) if one["type"] != "null"), declared)
    about = " ".join(declared["description"].split())
    if value["type"] == "boolean":
        return click.option(flag, field, is_flag=True, help=about)
    default = None if type_ else declared.get("default")
    kind = type_ or _type_of(value)
    return click.option(flag, field, type=kind, default=default, metavar=metavar, help=about)


@cache
def _declared() -> dict[str, dict[str, Any]]:
    fields: dict[str, dict[str, Any]] = JobQuestion.model_json_schema()["properties"]
    return fields


def _type_of(value: Mapping[str, Any]) -> click.ParamType[Any]:
    if "enum" in value:
        return click.Choice(value["enum"])
    least, above = value.get("minimum"), value.get("exclusiveMinimum")
    match value["type"]:
        case "integer":
            return WholeNumber(least, value.get("maximum"))
        case "number":
            return Number(least if above is None else above, value.get("maximum"), min_open=above is not None)
    return click.STRING


_OPTIONS = [
    asked_option("--intent"),
    asked_option("--context"),
    asked_option("--task"),
    asked_option("--topic"),
    asked_option("--prior-turn-context"),
    click.option("--phase1-only", is_flag=True, help="Learn about the topic, and ask no vendors."),
    asked_option("--vendors"),
    asked_option("--from", "from_job", metavar="JOB"),
    asked_option("--strategy", metavar="NAME"),
    asked_option("--region", metavar="CC"),
    asked_option("--currency", metavar="CUR"),
    asked_option("--depth"),
    asked_option("--type"),
    click.option("--with", "parts", default="", metavar="PARTS",
                 help="What the report has besides, separated by commas: trends, sentiment, factcheck."),
    asked_option("--stack"),
    asked_option("--require-evidence"),
    asked_option("--max-words"),
    asked_option("--max-searches"),
    asked_option("--max-attempts"),
    asked_option("--max-visits"),
    asked_option("--timeout", "timeout_seconds", metavar="SECONDS"),
    asked_option("--max-tokens"),
    asked_option("--max-usd"),
    click.option("--url", "urls", multiple=True, metavar="URL", help="A page to read first; may be repeated."),
    click.option("--file", "files", multiple=True, metavar="PATH",
                 type=click.Path(exists=True, dir_okay=False, path_type=Path),
                 help="A file of your own to read before any search (Markdown, text, HTML, PDF, DOCX); may be "
                 "repeated. Reports name it without its folder."),
    asked_option("--since", type_=Day(), metavar="DAY"),
    asked_option("--until", type_=Day(), metavar="DAY"),
    click.option("--no-memory", is_flag=True,
                 help="Use no findings of earlier jobs. Default: those of the last RESEARCH_MEMORY_MAX_AGE_DAYS days."),
    click.option("--include-host", "include_hosts", multiple=True, metavar="HOST",
                 help="Visit only this host; may be repeated."),
    click.option("--exclude-host", "exclude_hosts", multiple=True, metavar="HOST",
                 help="Never visit this host; may be repeated."),
    asked_option("--lang", "language", metavar="CODE"),
    click.option("--outline", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
                 help="Outline of the report: a Markdown file with headings (sections) and bullets (their questions), "
                      "which are kept in this order. Default: made from the goal, and rewritten as evidence comes."),
    click.option("--review", is_flag=True,
                 help="Ask a person before the job is completed: accept the answer, reject it, or add something. "
                 "Default: RESEARCH_REVIEW (never)."),
    asked_option("--on-blocker"),
    asked_option("--approve-plan"),
    click.option("--schema", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
                 help="Typed values to find, each with its quote: JSON Schema, or lines `name: type, question`."),
    click.option("--notify", multiple=True, metavar="URL",
                 help="Tell the end of the job or batch, and a job's questions, to this https webhook (signed with "
                 "RESEARCH_WEBHOOK_SECRET) or apprise URL; may be repeated."),
    click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
                 help="Folder for the job's documents. Default: a folder in the data folder."),
]  # fmt: skip


_NOT_OF_ROWS = ("from_job", "outline", "schema", "review", "approve_plan")
ROW_OPTIONS = [option for option in _OPTIONS if _name_of(option) not in _NOT_OF_ROWS]
"""The options of a job that each row of a batch may have."""


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a job to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def asked(
    config: "Config", goal: str, options: dict[str, Any], *, about_job: str = "", outline: str = ""
) -> "JobRequest":
    """The request for a job; a malformed one ends the command with exit code 2."""
    from research_crawler.cli.hints import error_text
    from research_crawler.core.errors import UsageError

    try:
        return request_of(config, goal, options, about_job=about_job, outline=outline)
    except UsageError as error:
        fail(error_text(error), code=BAD_USAGE)


def check_out(folder: Path) -> None:
    """End the command with exit code 2 if no document can be written to the folder of --out."""
    from research_crawler.adapters.job_folder import check_writable
    from research_crawler.core.errors import UsageError

    try:
        check_writable(folder.absolute())
    except UsageError as error:
        fail(str(error), code=BAD_USAGE)


def request_of(
    config: "Config", goal: str, options: dict[str, Any], *, about_job: str = "", outline: str = ""
) -> "JobRequest":
    """Turn GOAL and the options into a request, checked before anything is started.

    `about_job` is the finished job that the request is about, and `outline` what takes the place of --outline.

    Raises:
        UsageError: the goal is empty, a URL is malformed, the country, currency or strategy is unknown, or
            the folder cannot be written.
    """
    from research_crawler.services.submission.job_question import request_from

    question = question_of_options(goal, options)
    request = request_from(
        config,
        question.changed(outline=outline) if outline else question,
        folder=options["out"],
        files=tuple(options.get("files", ())),
        about_job=about_job,
    )
    if options["out"]:
        check_out(options["out"])
    return request


def question_of_options(goal: str, options: dict[str, Any]) -> "JobQuestion":
    """Turn the options into the question that every interface asks.

    Raises:
        UsageError: two options exclude each other, or one has a value that no interface takes.
        OutlineError: the outline cannot be read.
    """
    from pydantic import ValidationError

    from research_crawler.core.errors import UsageError
    from research_crawler.core.models.base import first_fault
    from research_crawler.core.models.jobs.caller_question import JobQuestion

    given = {name: options[name] for name in JobQuestion.model_fields if name in options}
    read = {
        "outline": _outline_of(options.get("outline")),
        "columns": _columns_of(options["schema"]),
        "parts": _parts_of(options["parts"]),
        "strategy": _strategy_of(options),
        "review": "always" if options.get("review") else None,
        "memory": not options["no_memory"],
        "since": _day(options["since"]),
        "until": _day(options["until"]),
    }
    try:
        return JobQuestion.model_validate({**given, **read, "goal": goal})
    except ValidationError as error:
        name, _, fault = first_fault(error).partition(":")
        raise UsageError(f"--{name.partition('.')[0].replace('_', '-')}:{fault}") from error


def _columns_of(path: Path | None) -> "list[ColumnSpec]":
    """The columns in the file of --schema or --columns; none without one.

    Raises:
        SchemaError: the file cannot be read, or a column has an unknown type.
    """
    if path is None:
        return []
    from planner.columns.column_input import MAX_SCHEMA_BYTES, given_columns
    from research_crawler.core.errors import SchemaError

    def complaint(why: str, line: int) -> SchemaError:
        return SchemaError(why, line=line)

    return given_columns(text_of_file(path, most_bytes=MAX_SCHEMA_BYTES, complain=complaint))


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d") if moment else ""


def _parts_of(text: str) -> "list[ExtraPart]":
    """The parts of --with, each once.

    Raises:
        UsageError: one of them does not exist.
    """
    from typing import get_args

    from research_crawler.core.errors import UsageError
    from research_crawler.core.models.jobs.caller_question import ExtraPart

    names = [name.strip().lower() for name in text.replace(",", " ").split()]
    known = get_args(ExtraPart)
    if unknown := next((name for name in names if name not in known), None):
        raise UsageError(f"--with: there is no part {unknown!r}; choose from {', '.join(known)}")
    return [part for part in known if part in names]


def _outline_of(path: Path | None) -> str:
    """The text of the file of --outline; "" without one.

    Raises:
        OutlineError: the file has no text in UTF-8.
    """
    from planner.outline.given_outline import MAX_OUTLINE_BYTES
    from research_crawler.core.errors import OutlineError

    if path is None:
        return ""
    text = text_of_file(path, most_bytes=MAX_OUTLINE_BYTES, complain=OutlineError)
    if not text.strip():
        raise OutlineError("the file is empty")
    return text


def _strategy_of(options: dict[str, Any]) -> "Strategy | None":
    """The strategy that --strategy or --phase1-only names; None if neither is given."""
    from planner.job.strategy import strategy_named
    from research_crawler.core.errors import UsageError

    named = strategy_named(options["strategy"]) if options["strategy"] else None
    if options["phase1_only"] and named not in (None, "phase1_only"):
        raise UsageError(
            f"--phase1-only and --strategy {options['strategy']} exclude each other; give one of them"
        )
    return "phase1_only" if options["phase1_only"] else named
