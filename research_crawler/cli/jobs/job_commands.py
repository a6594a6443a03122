"""The commands for jobs in the queue: submit, status, result, cancel, list."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import FAILED
from research_crawler.cli.hints import start_hint
from research_crawler.cli.options.job_options import asked, job_options
from research_crawler.cli.options.option_values import WholeNumber
from research_crawler.cli.options.plain import plain_option
from research_crawler.cli.session import echo, echo_err, run_connected, settings
from research_crawler.cli.views.printed_reports import (
    batch_line,
    print_markdown,
    show_result,
    status_document,
    status_line,
    status_of_job,
)
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, state_words

if TYPE_CHECKING:
    from research_crawler.core.models.jobs.status import JobStatus
    from research_crawler.runtime.runtime import Runtime

LAST_STEPS = 10
"""Steps of a job that `status` prints by default."""


@click.command()
@click.argument("goal", required=False)
@job_options
@click.option(
    "--idempotency-key",
    "key",
    default="",
    metavar="KEY",
    help="Your own key of this question: submitted again with it, it is the same job.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the new job as `status --json` does.")
def submit(goal: str | None, *, key: str, as_json: bool, **options: Any) -> None:
    """Put GOAL into the queue and print the job's id.

    `research up`, or `research crawl` with `research plan`, work on the queue.
    """
    config = settings()
    request = asked(config, goal or "", options)

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs.job_lifecycle import missing_process
        from research_crawler.services.submission.submit import submit_job

        job = await submit_job(runtime, request, key=key)
        echo(json.dumps(status_of_job(job), indent=2) if as_json else job.id)
        if missing := await missing_process(runtime):
            echo_err(start_hint(missing))
        return 0

    run_connected(config, work)


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--state", "document", is_flag=True, help="Print the current research_state.md of the job.")
@click.option(
    "--steps", type=click.IntRange(0), default=LAST_STEPS, show_default=True, help="Last steps shown."
)
def status(job: str, *, as_json: bool, document: bool, steps: int) -> None:
    """Show the progress of JOB, what it waits for, and its last steps."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.index_state import backlog_note
        from research_crawler.services.jobs.job_lifecycle import missing_process
        from research_crawler.services.jobs.job_lookup import find_job, job_named, state_document_of
        from research_crawler.services.jobs.job_status import current_status_of

        found = await find_job(runtime, await job_named(runtime.container, job))
        if document:
            print_markdown(await state_document_of(runtime, found))
        elif as_json:
            echo(json.dumps(status_document(await current_status_of(runtime, found), found), indent=2))
        else:
            _print_status(found, await current_status_of(runtime, found), steps)
        needs_work = found.state not in (*FINAL_STATES, "waiting_for_human")  # a person needs no process
        if needs_work and (missing := await missing_process(runtime)):
            echo_err(start_hint(missing))
        # While a job is worked on, its vectors are made behind it: that they wait is no news.
        if not needs_work and (note := await backlog_note(runtime)):
            echo_err(f"{note}; `research doctor` says why")
        return 0

    run_connected(settings(), work)


def _print_status(job: Job, now: "JobStatus", last_steps: int) -> None:
    from research_crawler.cli.views.steps import timeline_line

    progress, age_s = now.progress, now.last_action_age_seconds
    echo(status_line(job, waits=bool(now.waits_for)))
    echo(f"  {job.inputs.intent} research, type {job.inputs.type}")
    if job.state not in FINAL_STATES:
        since = f", for {age_s:.0f} s" if age_s is not None else ""
        steps = f"{progress.current_step}/{progress.total_steps}"
        echo(f"  {state_words(job.state)}: {progress.current_action} ({steps}{since})")
    if now.needs_input:
        echo(f"  {now.needs_input.question}")
    for line in now.waits_for:
        echo(f"  {line}")
    for entry in job.timeline[max(0, len(job.timeline) - last_steps) :]:
        echo(f"  {timeline_line(entry).text}")
    for line in now.tokens:
        echo(f"  {line}")
    if job.error:
        echo(f"  error: {job.error}")


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@plain_option
def result(job: str, *, as_json: bool, plain: bool) -> None:
    """Print the report of JOB, once it is over."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs.job_lookup import find_job, job_named

        found = await find_job(runtime, await job_named(runtime.container, job))
        if found.state not in FINAL_STATES:
            how = f"`research status {found.id}` shows its progress"
            echo_err(f"job {found.id} is not over ({state_words(found.state)}); {how}")
            return FAILED
        return await show_result(runtime, found.id, as_json=as_json, plain=plain)

    run_connected(settings(), work)


@click.command()
@click.argument("job")
def cancel(job: str) -> None:
    """Stop JOB. `research result JOB` shows what it has found so far."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs.job_lifecycle import cancel_job
        from research_crawler.services.jobs.job_lookup import find_job, job_named

        named = await job_named(runtime.container, job)
        if await cancel_job(runtime, named):
            echo(f"{named} cancelled")
        else:
            echo_err(f"job {named} is over already: {state_words((await find_job(runtime, named)).state)}")
        return 0

    run_connected(settings(), work)


LISTED_STATES = (
    "running", "pending", "planning", "executing", "synthesizing", "waiting_for_human", "completed", "failed",
    "cancelled", "answered", "partly", "insufficient", "nothing_worked",
)  # fmt: skip
"""States, statuses and outcomes of jobs; help is printed without the models that name them."""


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--limit", default=50, type=WholeNumber(1), help="Most jobs to list. Default: 50.")
@click.option("--all", "with_rows", is_flag=True, help="List each row of a batch too, as JSON does.")
@click.option(
    "--state",
    type=click.Choice(LISTED_STATES),
    help="Only jobs in this state, or with this outcome.",
)
@click.argument("words", nargs=-1)
def list_jobs(*, as_json: bool, limit: int, with_rows: bool, state: str | None, words: Sequence[str]) -> None:
    """List jobs, newest first, a batch as one line: all, or those with WORDS in their question."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.batches.batch_control import all_batches
        from research_crawler.services.jobs.listed_jobs import job_entries, newest_jobs
        from research_crawler.services.jobs.waiting import waits_of_all

        is_narrowed = bool(words or state)
        if (as_json or with_rows) and not is_narrowed:
            entries = [[job] for job in await newest_jobs(runtime, limit)]
        else:
            entries, _ = await job_entries(runtime, limit, words=" ".join(words), state=state or "")
        if as_json or with_rows:
            entries = [[job] for entry in entries for job in entry][:limit]
        jobs = [entry[0] for entry in entries]
        if as_json:
            echo(json.dumps([status_of_job(job) for job in jobs], indent=2))
            return 0
        is_folded = any(job.inputs.batch_id for job in jobs) and not with_rows
        batches = {entry.batch.id: entry for entry in await all_batches(runtime)} if is_folded else {}
        for job, waits in zip(jobs, await waits_of_all(runtime, jobs), strict=True):
            batch = batches.get(job.inputs.batch_id)
            echo(batch_line(batch, job) if batch else status_line(job, waits=bool(waits)))
        if not jobs:
            echo_err(
                "no job is like that" if is_narrowed else 'no jobs yet; start one with: research run "…"'
            )
        return 0

    run_connected(settings(), work)
