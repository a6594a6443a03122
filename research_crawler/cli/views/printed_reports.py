"""Prints reports and jobs, for a terminal or for a script."""

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from research_crawler.cli.exit_codes import FAILED
from research_crawler.cli.session import echo, echo_err, echo_json
from research_crawler.core.batch_template import without_braces
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, state_words, status_of
from research_crawler.core.models.reports.report import EVIDENCE_INSUFFICIENT
from research_crawler.core.text.counting import count
from research_crawler.core.text.plain_text import clean

if TYPE_CHECKING:
    from rich.console import RenderableType

    from research_crawler.core.models.jobs.batches import BatchEntry
    from research_crawler.core.models.jobs.columns import ColumnValue
    from research_crawler.core.models.jobs.status import JobStatus
    from research_crawler.core.models.reports.report import Report
    from research_crawler.runtime.runtime import Runtime

HOW_TO_GET_AN_ANSWER: Final = (
    "this is a digest of excerpts, made without a model; for a written answer: `research run --model auto` takes a "
    "model on this machine (Ollama, llama.cpp, LM Studio or vLLM), or set MIND_MODEL and OPENAI_BASE_URL or "
    "OPENAI_API_KEY"
)
"""Told below an answer that was made without a model."""
HOW_TO_ASK_SHOPS: Final = (
    "no shop was asked, because this is a question; with `--intent commerce`, shops are asked too"
)
_SHORTFALLS = {
    "insufficient": "finished, but the evidence is insufficient (exit code 3); the report says what is missing",
    "nothing_worked": "nothing worked: no page could be read (exit code 3); the report says why",
}
WAITS = "waiting"
"""What lists show of a job that is not over and on which nobody works now."""
_MOST_OF_TOPIC = 80
"""Most characters of a question in a list of jobs."""
MOST_COLUMNS = 100
"""Reports are not printed wider than this, because longer lines are hard to read."""


async def show_result(runtime: "Runtime", job_id: str, *, as_json: bool, plain: bool = False) -> int:
    """Print the report of a job that is over, and return its exit code.

    Args:
        runtime: a connected process.
        job_id: the job.
        as_json: print one JSON document instead.
        plain: print the report as its Markdown on a terminal too.
    """
    from research_crawler.services.jobs.job_lookup import find_job, report_of, state_document_of

    job, report = await find_job(runtime, job_id), await report_of(runtime, job_id)
    if report is None:
        echo_err(_end_of(job))
        return FAILED
    if as_json:
        from research_crawler.services.jobs.job_results import INTERNAL_FIELDS, result_of_report

        echo_json(result_of_report(report).model_dump_json(indent=2, exclude=set(INTERNAL_FIELDS)))
    elif report.report_markdown:
        _print_report(report, language=job.inputs.language, plain=plain)
    else:
        print_markdown(await state_document_of(runtime, job), plain=plain)
    if report.values and not as_json:
        print_markdown(values_table(report.values), plain=plain)
    if report.state != "completed":
        echo_err(_end_of(job))
    elif not as_json:
        _print_usage(report)
        await _print_unasked_shops(runtime, job)
    return report.exit_code


def values_table(values: "Sequence[ColumnValue]") -> str:
    """The values of a job's columns as a table of Markdown."""
    from research_crawler.core.models.jobs.columns import value_text
    from research_crawler.text.writing.markdown import address, escape_cell

    lines = ["", "| value | | confidence | source |", "|---|---|---|---|"]
    for value in values:
        has_value = value.value is not None
        found = (
            escape_cell(value_text(value)) if has_value else f"– ({escape_cell(value.note or value.reason)})"
        )
        sure = f"{value.confidence:.0%}" if has_value else ""
        lines.append(
            f"| {escape_cell(value.name)} | {found} | {sure} | {address(value.url) if has_value else ''} |"
        )
    return "\n".join(lines)


def print_markdown(text: str, *, plain: bool = False) -> None:
    """Print Markdown, formatted on a terminal and unchanged elsewhere."""
    if plain or not sys.stdout.isatty():
        echo(text)
        return
    from research_crawler.cli.views.report_view import markdown_view

    _print_view(markdown_view(text))


def _print_report(report: "Report", *, language: str, plain: bool) -> None:
    """Print a report, with its sources as footnotes on a terminal and as its Markdown elsewhere."""
    if plain or not sys.stdout.isatty():
        echo(report.report_markdown)
        return
    from research_crawler.cli.views.report_view import terminal_report

    _print_view(terminal_report(report, language=language))


def _print_view(view: "RenderableType") -> None:
    from research_crawler.cli.views.report_view import THEME
    from research_crawler.cli.views.terminal import SafeConsole

    console = SafeConsole(highlight=False)
    with console.use_theme(THEME):
        console.print(view, width=min(console.width, MOST_COLUMNS))


def printable(text: str) -> str:
    """The text of a web page without characters that control a terminal."""
    return clean(text)


def _end_of(job: Job) -> str:
    lines = {
        "failed": f"job {job.id} failed",
        "cancelled": f"job {job.id} was cancelled; what it found before is above",
    }
    return lines.get(job.state, f"job {job.id} is {state_words(job.state)}") + (
        f": {job.error}" if job.error else ""
    )


def _print_usage(report: "Report") -> None:
    """Print what the job used and where its documents are."""
    from planner.goal.product_kind import leaves_shops_unasked
    from research_crawler.adapters.job_folder import UNWRITTEN

    metrics = report.metrics
    if sys.stdout.isatty():
        echo("")
    used = [
        count(metrics.searches, "search"),
        count(metrics.pages_visited, "page"),
        f"{metrics.seconds:.1f} s of work",
    ]
    if metrics.waited_seconds >= 1:
        used.append(f"{metrics.waited_seconds:.1f} s of waiting")
    if metrics.model_calls:
        used += [
            count(metrics.model_calls, "model call"),
            count(metrics.prompt_tokens + metrics.completion_tokens, "token"),
        ]
    echo_err(f"job {report.job}: {', '.join(used)}")
    if unwritten := next((text for text in report.warnings if text.startswith(UNWRITTEN)), ""):
        echo_err(unwritten)
    elif report.folder:
        echo_err(f"its documents are in {report.folder}")
    if report.brain == "extractive":
        echo_err(HOW_TO_GET_AN_ANSWER)
    if leaves_shops_unasked(report.goal, report.intent):
        echo_err(HOW_TO_ASK_SHOPS)
    if report.outcome == "partly":
        echo_err("answered in part: the report says what is not certain or missing")
    if report.exit_code == EVIDENCE_INSUFFICIENT:
        echo_err(_SHORTFALLS.get(report.outcome or "", _SHORTFALLS["insufficient"]))


async def _print_unasked_shops(runtime: "Runtime", job: Job) -> None:
    """Say how the shops are asked that a job has left out."""
    if job.phase2 is None:
        return
    from research_crawler.services.submission.further_shops import unasked_shops, wanted_shops

    if unasked := await unasked_shops(runtime, job):
        command = f"research run --from {job.id} --vendors {wanted_shops(job, unasked)}"
        words = (
            "was not asked; it is asked too" if len(unasked) == 1 else "were not asked; they are asked too"
        )
        echo_err(f"{count(len(unasked), 'known shop')} {words} by `{command}`")


def status_line(job: Job, *, waits: bool = False) -> str:
    """A job in one line; `waits` says that something it needs is not there, and it stands still meanwhile."""
    added = job.added_question and f" + {_one_line(job.added_question)}"[: _MOST_OF_TOPIC // 2]
    goal = _one_line(job.inputs.goal)[: _MOST_OF_TOPIC - len(added)]
    status = WAITS if waits or job.state == "waiting_for_human" else status_of(job.state)
    came = came_of(job)
    shown = state_words(came) if came else f"{status} {job.progress.fraction:4.0%}"
    return f"{job.id}  {shown:14}  {_local_time(job.created_at)}  {goal}{added}"


def batch_line(entry: "BatchEntry", newest: Job) -> str:
    """A batch in one line among jobs, with the time of its newest row."""
    name = _one_line(without_braces(entry.batch.name or entry.batch.template))[:_MOST_OF_TOPIC]
    rows = f"{entry.ended_rows} of {count(entry.batch.rows, 'row')}"
    return f"{entry.batch.id}  {entry.state:14}  {_local_time(newest.created_at)}  batch, {rows}: {name}"


def _local_time(at: str) -> str:
    """A time of a record in the time zone of this machine, which is named."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M %Z")
    except ValueError:
        return at[:16]


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def came_of(job: Job) -> str:
    """The outcome of a completed job, `failed` or `cancelled`; "" while it is not over."""
    if job.state not in FINAL_STATES:
        return ""
    return job.outcome or "completed" if job.state == "completed" else job.state


def status_of_job(job: Job) -> dict[str, Any]:
    """A job as `status --json` and `list --json` print it: the keys of `get_research_status`, and more.

    The id is `job` in every document, and besides `task_id`, as the sources name it.
    """
    from research_crawler.services.jobs.job_status import status_of_record

    return status_document(status_of_record(job), job, with_waits=False)


def status_document(status: "JobStatus", job: Job, *, with_waits: bool = True) -> dict[str, Any]:
    """A status with what only the command line shows beside it: the outline so far and the job's folder."""
    from planner.reports.records.outlines import outline_so_far

    return {
        "job": job.id,
        **status.model_dump(mode="json", exclude=set() if with_waits else {"waits_for"}),
        "outline": [section.model_dump(mode="json") for section in outline_so_far(job.outline)],
        "folder": job.folder or None,
    }
