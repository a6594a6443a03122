"""Reports and jobs as a terminal or a script wants them."""

import sys
from typing import TYPE_CHECKING, Any

from research_crawler.cli.exit_codes import FAILED
from research_crawler.cli.session import say, tell
from research_crawler.core.models.jobs import Job, status_of
from research_crawler.core.models.reports import Report

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime

INSUFFICIENT = 3
MOST_COLUMNS = 100
"""Longer lines of running text are hard to read."""


async def show_result(runtime: "Runtime", job_id: str, *, as_json: bool) -> int:
    """Print what came of a job that is over, and answer its exit code."""
    from research_crawler.services.jobs import find_job, report_of, state_document_of

    job, report = await find_job(runtime, job_id), await report_of(runtime, job_id)
    if report is None:
        tell(_why(job))
        return FAILED
    if as_json:
        say(report.model_dump_json(indent=2, exclude={"v", "exit_code"}))
    elif report.report_markdown:
        print_markdown(report.report_markdown)
    else:
        print_markdown(await state_document_of(runtime, job))
    if report.state != "completed":
        tell(_why(job))
    elif not as_json:
        _print_account(report)
    return report.exit_code


def print_markdown(text: str) -> None:
    """Laid out on a terminal, as it is elsewhere."""
    if not sys.stdout.isatty():
        say(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(highlight=False)
    console.width = min(console.width, MOST_COLUMNS)
    console.print(Markdown(printable(text), hyperlinks=False))


def printable(text: str) -> str:
    """A text of the web without what would steer a terminal."""
    return "".join(character for character in text if character.isprintable() or character == "\n")


def _why(job: Job) -> str:
    what = {
        "failed": f"job {job.id} failed",
        "cancelled": f"job {job.id} was cancelled; what it had found is above",
    }
    return what.get(job.state, f"job {job.id} is {job.state}") + (f": {job.error}" if job.error else "")


def _print_account(report: Report) -> None:
    """What the job used and where its documents are."""
    metrics = report.metrics
    if sys.stdout.isatty():
        say("")
    used = [f"{metrics.searches} searches", f"{metrics.pages_visited} pages", f"{metrics.seconds:.1f} s"]
    if metrics.model_calls:
        used += [
            f"{metrics.model_calls} model calls",
            f"{metrics.prompt_tokens + metrics.completion_tokens} tokens",
        ]
    tell(f"job {report.job}: {', '.join(used)}")
    if report.folder:
        tell(f"its documents are in {report.folder}")
    if report.exit_code == INSUFFICIENT:
        tell("finished, but the evidence is insufficient (exit code 3); the report says what is missing")


def status_line(job: Job) -> str:
    """A job in one line."""
    goal = printable(" ".join(job.inputs.goal.split()))
    return f"{job.id}  {status_of(job.state):9}  {job.progress.fraction:4.0%}  {job.created_at[:16]}  {goal[:80]}"


def status_of_job(job: Job) -> dict[str, Any]:
    """A job as `status --json` and `list --json` print it: the keys of `get_research_status`, and more."""
    progress = job.progress
    return {
        "task_id": job.id,
        "status": status_of(job.state),
        "state": job.state,
        "topic": job.inputs.goal,
        "progress": {
            "current_step": progress.current_step,
            "total_steps": progress.total_steps,
            "current_action": progress.current_action,
            "fraction": progress.fraction,
        },
        "partial_results": [visit.summary for visit in job.visits if visit.summary],
        "searches": job.plan.searches_used,
        "visits": job.plan.visits_used,
        "findings": job.plan.findings,
        "folder": job.folder or None,
        "error": job.error or None,
        "created_at": job.created_at,
        "completed_at": job.completed_at or None,
    }
