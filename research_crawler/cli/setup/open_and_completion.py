"""The commands around the terminal: `research open`, which shows a report in the browser, and `research completion`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class

from research_crawler.adapters.served_address import served_address
from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.session import echo, echo_err, fail, run_session, settings, write

if TYPE_CHECKING:
    from research_crawler.core.models.jobs.job import Job
    from research_crawler.runtime.runtime import Runtime

SERVER_ANSWERS_WITHIN_S = 2.0
"""How long `open` waits for a server that may have the page."""
COMPLETE_VARIABLE = "_RESEARCH_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


@click.command("open")
@click.argument("job", required=False, default="")
@click.option("--print", "only_print", is_flag=True, help="Only print the address of the page.")
def open_report(job: str, *, only_print: bool) -> None:
    """Show JOB, or the newest one, in the browser: its page in the dashboard, or its report as one file.

    Where `research serve` runs on the data folder, this is the page of JOB, also while it is worked on. Elsewhere it is
    the report of a finished job, where a citation shows its quotes.
    """
    config = settings()

    async def work() -> int:
        import asyncio
        import webbrowser

        from research_crawler.runtime.runtime import connected
        from research_crawler.services.jobs.job_lookup import find_job, job_named

        async with connected(config) as runtime:
            name = await job_named(runtime.container, job) if job else await _newest(runtime)
            found = await find_job(runtime, name)
            served = await _answering(served_address(config.home))
            address = f"{served}/ui/jobs/{found.id}" if served else await _report_file(runtime, found)
        if only_print or not await asyncio.to_thread(webbrowser.open, address):
            echo(address)
            if not only_print:
                echo_err("there is no browser here that can be opened; the page is at this address")
        return 0

    run_session(config, work)


async def _newest(runtime: "Runtime") -> str:
    """The id of the newest job that is no row of a batch.

    Raises:
        UsageError: there is none.
    """
    from research_crawler.core.errors import UsageError
    from research_crawler.services.jobs.listed_jobs import own_questions

    found = await own_questions(runtime, 1)
    if not found:
        raise UsageError("there is no job yet; ask one by `research run`")
    return found[0].task_id


async def _answering(url: str) -> str:
    """The address of the server, if it answers; "" if there is none, or it was killed."""
    import httpx

    if not url:
        return ""
    try:
        async with httpx.AsyncClient(timeout=SERVER_ANSWERS_WITHIN_S, trust_env=False) as client:
            return url if (await client.get(f"{url}/health")).is_success else ""
    except (httpx.HTTPError, httpx.InvalidURL):
        return ""


async def _report_file(runtime: "Runtime", job: "Job") -> str:
    """The address of the report, which is written as a page of its own."""
    from research_crawler.core.errors import JobNotOver
    from research_crawler.core.models.jobs.job import FINAL_STATES
    from research_crawler.services.exports.formats import export_formats
    from research_crawler.services.exports.saving import SaveName, save_report

    if job.state not in FINAL_STATES:
        echo_err("`research serve` shows jobs in the browser while they are worked on")
        raise JobNotOver(job.id)
    path = await save_report(runtime, job.id, SaveName(Path("report.html"), export_formats()["html"]))
    return path.as_uri()


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def completion(shell: str | None) -> None:
    """Print what completes commands and options in SHELL (bash, zsh or fish; default: yours).

    \b
    eval "$(research completion bash)"              in ~/.bashrc
    eval "$(research completion zsh)"               in ~/.zshrc
    research completion fish | source               in ~/.config/fish/config.fish
    """
    name = shell or Path(os.environ.get("SHELL", "")).name
    kind = get_completion_class(name) if name in SHELLS else None
    if kind is None:
        fail(f"name your shell: research completion {'|'.join(SHELLS)}", code=BAD_USAGE)
    root = click.get_current_context().find_root().command
    write(kind(root, {}, "research", COMPLETE_VARIABLE).source())
