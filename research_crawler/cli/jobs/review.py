"""The command `research review`: shows a job that waits for a person, and takes the answer."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.options.answer_options import request_of_options
from research_crawler.cli.session import echo, echo_json, fail, run_session, settings
from research_crawler.core.models.people.reviews import AppendKind

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime
    from research_crawler.services.reviews.review_requests import ReviewRequest
    from research_crawler.services.reviews.views import ReviewView


@click.command()
@click.argument("job")
@click.option("--accept", is_flag=True, help="Accept the answer, the plan, or what was found so far.")
@click.option(
    "--reject",
    metavar="TEXT",
    help="Reject the answer and say what is wrong or missing; a new round looks for it. "
    "Beside --reject-finding or --reject-source: the reason.",
)
@click.option(
    "--reject-finding", "findings", multiple=True, metavar="ID", help="Reject a finding; may be repeated."
)
@click.option(
    "--reject-source", "source", metavar="URL", help="Reject a page, a host, or a number of Key Sources."
)
@click.option("--append", metavar="TEXT", help="Add something; a new round takes it into account.")
@click.option(
    "--as",
    "append_as",
    type=click.Choice(["fact", "opinion", "constraint", "url"]),
    help="What --append adds: needed, unless it is a URL or answers the planner's question.",
)
@click.option(
    "--outline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Accept the plan with this outline instead of its own (Markdown, as for `run --outline`).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def review(
    job: str,
    *,
    accept: bool,
    reject: str | None,
    findings: tuple[str, ...],
    source: str | None,
    append: str | None,
    append_as: AppendKind | None,
    outline: Path | None,
    as_json: bool,
) -> None:
    """Show JOB for review, or answer it.

    Without an answer the command shows the answer, the research journey and the key sources of JOB. After a
    rejection or an addition the research goes on with searches and visits of its own; `research run --resume JOB`
    works on it here. A completed job can be rejected or added to as well.
    """
    from research_crawler.core.errors import UsageError

    try:
        request = request_of_options(
            accept=accept,
            reject=reject,
            findings=findings,
            source=source,
            append=append,
            append_as=append_as,
            outline=outline,
        )
    except UsageError as error:
        fail(str(error), code=BAD_USAGE)
    config = settings()

    async def work() -> int:
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.jobs.job_lookup import job_named
        from research_crawler.services.reviews.views import review_of

        async with connected(config) as runtime:
            named = await job_named(runtime.container, job)
            if request is not None:
                return await _answer(runtime, named, request, as_json=as_json)
            view = await review_of(runtime, named)
            if as_json:
                echo_json(view.model_dump_json(indent=2))
            else:
                _show(view)
            return 0

    run_session(config, work)


async def _answer(runtime: "Runtime", job: str, request: "ReviewRequest", *, as_json: bool) -> int:
    """Give the answer to the job, and print what came of it."""
    from research_crawler.cli.views.review_view import outcome_lines
    from research_crawler.services.reviews.review_answers import answer_review

    outcome = await answer_review(runtime, job, request)
    if as_json:
        echo_json(outcome.model_dump_json(indent=2))
        return 0
    for line in outcome_lines(outcome):
        echo(line)
    return 0


def _show(view: "ReviewView") -> None:
    from research_crawler.cli.views.review_view import how_to_answer, show_review

    show_review(view)
    if view.question or view.state == "completed":
        echo(how_to_answer(view))
