"""The command `research forget`, which deletes a job, a page, a host, or everything before a day."""

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.hints import error_text
from research_crawler.cli.options.option_values import Day
from research_crawler.cli.session import echo, echo_err, fail, run_session, settings
from research_crawler.core.errors import UnknownJob, UsageError
from research_crawler.core.text.counting import count

if TYPE_CHECKING:
    from research_crawler.core.models.archive.keeping import Selection
    from research_crawler.services.forgetting import Forgotten


@click.command()
@click.argument("job", required=False, default="")
@click.option("--url", default="", metavar="URL", help="Delete this page, even if jobs cite it.")
@click.option("--host", default="", metavar="HOST",
              help="Delete all pages of this host and its subdomains, even if jobs cite them.")  # fmt: skip
@click.option("--before", type=Day(), metavar="DAY",
              help="Delete jobs that ended before this day (UTC, YYYY-MM-DD), and older pages "
              "that no later job cites.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def forget(job: str, *, url: str, host: str, before: datetime | None, as_json: bool) -> None:
    """Delete JOB with its pages, findings and vectors, or what --url, --host or --before selects.

    With JOB and --before, pages that another job cites stay. With --url and --host, they are deleted too; the
    reports that cite them keep the citation and mark it.

    Cancel a job before you delete it. The command may be repeated.
    """
    from research_crawler.services.forgetting import selection_of

    config = settings()
    try:
        selection = selection_of(
            job=job, url=url, host=host, before=before.strftime("%Y-%m-%d") if before else ""
        )
    except UsageError as error:
        fail(error_text(error), code=BAD_USAGE)

    async def work() -> int:
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.forgetting import forget as forget_all
        from research_crawler.services.jobs.job_lookup import job_named

        async with connected(config) as runtime:
            meant = selection_of(job=await job_named(runtime.container, job)) if job else selection
            forgotten = await forget_all(runtime, meant)
        if job and forgotten.is_empty:
            raise UnknownJob(job)
        if as_json:
            echo(json.dumps(_as_json(forgotten), indent=2))
        else:
            _print(meant, forgotten)
        return 0

    run_session(config, work)


def _as_json(forgotten: "Forgotten") -> dict[str, Any]:
    removal = forgotten.removal
    return {
        "jobs": forgotten.jobs,
        "pages": removal.pages,
        "raw_pages": removal.raw_pages,
        "findings": removal.findings,
        "observations": removal.observations,
        "citing_jobs": removal.citing,
        "left_folders": forgotten.left_folders,
        "notes": forgotten.notes,
    }


def _print(selection: "Selection", forgotten: "Forgotten") -> None:
    removal = forgotten.removal
    name = _name_of(selection)
    for note in forgotten.notes:
        echo_err(note)
    if forgotten.is_empty:
        echo(f"nothing is stored of {name}")
        return
    counts = [count(len(forgotten.jobs), "job")] if selection.before else []
    counts += [count(removal.pages, "page"), count(removal.findings, "finding")]
    counts += [count(removal.observations, "observed price")] if removal.observations else []
    echo(f"deleted {name}: {', '.join(counts)}")
    if removal.citing:
        echo_err(f"these jobs still cite deleted pages, and their reports say so: {' '.join(removal.citing)}")
    for folder in forgotten.left_folders:
        echo_err(f"the documents in {folder} (--out) are not deleted; delete them yourself")


def _name_of(selection: "Selection") -> str:
    if selection.jobs:
        return f"job {selection.jobs[0]}"
    if selection.before:
        return f"jobs and pages from before {selection.before}"
    return selection.url or f"host {selection.host}"
