"""`research forget`: delete a job, a page, a host, or everything before a day."""

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.session import fail, run_session, say, settings, tell
from research_crawler.core.errors import UsageError

if TYPE_CHECKING:
    from research_crawler.core.models.keeping import Selection
    from research_crawler.services.forgetting import Forgotten


@click.command()
@click.argument("job", required=False, default="")
@click.option("--url", default="", metavar="U", help="A page, also where jobs cite it.")
@click.option("--host", default="", metavar="H", help="All pages of a host and its subdomains, likewise.")
@click.option("--before", type=click.DateTime(["%Y-%m-%d"]), metavar="D",
              help="Jobs that ended before the day (UTC), and older pages that no later job cites.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def forget(job: str, *, url: str, host: str, before: datetime | None, as_json: bool) -> None:
    """Delete JOB with its pages, findings and vectors; or what --url, --host or --before names.

    Pages that another job cites stay with JOB and --before. With --url and --host they go, and the reports that
    cite them keep the citation, marked. A job that is not over has to be cancelled first. It may be given again.
    """
    from research_crawler.services.forgetting import selection_of

    config = settings()
    try:
        selection = selection_of(
            job=job, url=url, host=host, before=before.strftime("%Y-%m-%d") if before else ""
        )
    except UsageError as error:
        fail(str(error), code=BAD_USAGE)

    async def work() -> int:
        from research_crawler.runtime.runtime import running
        from research_crawler.services.forgetting import forget as forget_all

        async with running(config, crawl=False, plan=False) as runtime:
            forgotten = await forget_all(runtime, selection)
        if as_json:
            say(json.dumps(_as_json(forgotten), indent=2))
        else:
            _print(selection, forgotten)
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
    }


def _print(selection: "Selection", forgotten: "Forgotten") -> None:
    removal = forgotten.removal
    what = _named(selection)
    if forgotten.is_empty:
        say(f"nothing is kept of {what}")
        return
    parts = [_count(len(forgotten.jobs), "job")] if selection.before else []
    parts += [_count(removal.pages, "page"), _count(removal.findings, "finding")]
    parts += [_count(removal.observations, "observed price")] if removal.observations else []
    say(f"forgot {what}: {', '.join(parts)}")
    if removal.commands:
        tell("vectors go with the findings: at once where a process indexes, else when the next one starts")
    if removal.citing:
        tell(f"still cited, and marked as gone, in the reports of {' '.join(removal.citing)}")
    for folder in forgotten.left_folders:
        tell(f"documents in {folder} were written where you wanted them; delete them yourself")


def _named(selection: "Selection") -> str:
    if selection.jobs:
        return f"job {selection.jobs[0]}"
    if selection.before:
        return f"what is from before {selection.before}"
    return selection.url or f"host {selection.host}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
