"""The command `research replay`, which runs a finished job again on its recorded events."""

import difflib
import json
from typing import TYPE_CHECKING

import click

from research_crawler.cli.options.model_option import model_option, with_model
from research_crawler.cli.session import echo, echo_err, echo_json, run_session, settings
from research_crawler.cli.views.printed_reports import print_markdown

if TYPE_CHECKING:
    from research_crawler.services.replay.replay import Replay


@click.command()
@click.argument("job")
@model_option
@click.option(
    "--diff", is_flag=True, help="Print how report.md differs from the recorded one, instead of the report."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def replay(job: str, *, model: str, diff: bool, as_json: bool) -> None:
    """Run JOB again on what it fetched, without the network, and print the report.

    Use it to see what another model, a changed prompt or a new version makes of the same pages. Nothing is stored. A
    page that JOB did not ask for fails as not recorded; another search looks through what the searches of JOB found.
    """
    config = with_model(settings(), model)

    async def work() -> int:
        from research_crawler.runtime.model_endpoint import check_endpoint
        from research_crawler.services.replay.replay import replay_job

        replayed = await replay_job(await check_endpoint(config), job)
        if as_json:
            echo_json(_as_json(replayed))
        else:
            _print(replayed, diff=diff)
        return replayed.report.exit_code

    run_session(config, work)


def _as_json(replayed: "Replay") -> str:
    return json.dumps(
        {
            "job": replayed.report.job,
            "same": replayed.is_same,
            "not_recorded": replayed.not_recorded,
            "report": replayed.report.model_dump(mode="json"),
        },
        indent=2,
        ensure_ascii=False,
    )


def _print(replayed: "Replay", *, diff: bool) -> None:
    old, new = replayed.recorded.report_markdown, replayed.report.report_markdown
    if diff:
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "recorded", "replayed", lineterm="")
        echo("\n".join(lines))
    else:
        print_markdown(new)
    echo_err("the report is the same" if replayed.is_same else "the report differs from the recorded one")
    for asked in replayed.not_recorded:
        echo_err(f"not recorded: {asked}")
