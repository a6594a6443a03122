"""Jobs in the queue: submit, status, result, cancel, list."""

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.job_options import checked_inputs, job_of, job_options
from research_crawler.cli.session import fail, run_session, say, settings, tell
from research_crawler.cli.show import show_result, status_line, status_of_job
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs import FINAL_STATES, Job

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime

LAST_STEPS = 10


@click.command()
@click.argument("goal", required=False)
@job_options
@click.option("--json", "as_json", is_flag=True, help="Print {task_id, status, topic} as JSON.")
def submit(goal: str | None, *, as_json: bool, **given: Any) -> None:
    """Put GOAL into the queue and print the job's id."""
    config = settings()
    try:
        inputs = checked_inputs(config, goal or "", given)
    except UsageError as error:
        fail(str(error), code=BAD_USAGE)

    async def work(runtime: "Runtime") -> int:
        from research_crawler.app import inputs_from
        from research_crawler.services.jobs import what_is_missing

        job = job_of(config, await inputs_from(runtime, inputs), given)
        await runtime.container.jobs.submit(job)
        topic = job.inputs.goal
        say(json.dumps({"task_id": job.id, "status": "started", "topic": topic}) if as_json else job.id)
        if missing := await what_is_missing(runtime):
            tell(missing)
        return 0

    _as_client(config, work)


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@click.option("--state", "document", is_flag=True, help="Print research_state.md, as it is now.")
def status(job: str, *, as_json: bool, document: bool) -> None:
    """Show how far JOB is."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs import find_job, state_document_of, what_is_missing

        found = await find_job(runtime, job)
        if document:
            say(await state_document_of(runtime, found))
        elif as_json:
            say(json.dumps(status_of_job(found), indent=2))
        else:
            _print_status(found)
        if found.state not in FINAL_STATES and (missing := await what_is_missing(runtime)):
            tell(missing)
        return 0

    _as_client(settings(), work)


def _print_status(job: Job) -> None:
    from research_crawler.cli.steps import line_of

    progress = job.progress
    say(status_line(job))
    if job.state not in FINAL_STATES:
        say(f"  {job.state}: {progress.current_action} ({progress.current_step}/{progress.total_steps})")
    for entry in job.timeline[-LAST_STEPS:]:
        say(f"  {line_of(entry).text}")
    if job.error:
        say(f"  error: {job.error}")


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def result(job: str, *, as_json: bool) -> None:
    """Print the report of JOB."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs import find_job

        found = await find_job(runtime, job)
        if found.state not in FINAL_STATES:
            tell(f"job {job} is {found.state}; `research status {job}` shows how far")
            return FAILED
        return await show_result(runtime, job, as_json=as_json)

    _as_client(settings(), work)


@click.command()
@click.argument("job")
def cancel(job: str) -> None:
    """Stop JOB; what it found so far stays readable."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs import cancel_job, find_job

        if await cancel_job(runtime, job):
            say(f"{job} cancelled")
        else:
            tell(f"job {job} is {(await find_job(runtime, job)).state} already")
        return 0

    _as_client(settings(), work)


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@click.option("--limit", default=50, type=click.IntRange(1), help="Most jobs to show. Default: 50.")
def list_jobs(*, as_json: bool, limit: int) -> None:
    """List jobs, newest first."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs import all_jobs

        jobs = await all_jobs(runtime, limit)
        if as_json:
            say(json.dumps([status_of_job(job) for job in jobs], indent=2))
            return 0
        for job in jobs:
            say(status_line(job))
        if not jobs:
            tell('no jobs yet; start one with: research run "…"')
        return 0

    _as_client(settings(), work)


def _as_client(config: Config, work: Callable[["Runtime"], Awaitable[int]]) -> NoReturn:
    """Run a command that only looks, or changes something and leaves."""

    async def connected() -> int:
        from research_crawler.runtime.runtime import running

        async with running(config, crawl=False, plan=False) as runtime:
            return await work(runtime)

    run_session(config, connected)
