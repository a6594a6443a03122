"""The command `research extend`, which adds sub-questions to a finished report."""

from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.jobs.run import Run
from research_crawler.cli.options.job_options import asked, job_options
from research_crawler.cli.options.model_option import model_option, with_model
from research_crawler.cli.session import run_session, settings
from research_crawler.cli.views.progress import ProgressDisplay

if TYPE_CHECKING:
    from research_crawler.core.models.jobs.caller_question import JobQuestion

_LIKE_JOB = ("from_job", "outline")
"""Options that say what the finished job has said already."""


@click.command()
@click.argument("job")
@click.argument("questions", nargs=-1, required=True, metavar="QUESTION...")
@job_options
@model_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option("--quiet", is_flag=True, help="Print only the report, no progress.")
def extend(
    job: str, questions: tuple[str, ...], *, model: str, as_json: bool, quiet: bool, **options: Any
) -> None:
    """Add each QUESTION as a section to the report of JOB.

    A new job has the outline of JOB and the new questions below it. What JOB has found answers its own, from its pages,
    which are read again without being fetched; the new ones are searched for. The report of JOB stays as it is.
    """
    if any(options[name] for name in _LIKE_JOB):
        raise click.UsageError(
            "--from, --outline and `research extend` exclude each other", click.get_current_context()
        )
    with ProgressDisplay(shown=not (quiet or as_json)) as progress:
        config = settings()
        session = Run(with_model(config, model), progress, as_json=as_json, joins=not model)

        async def start() -> int:
            extended = await _extended(job, questions)
            request = asked(config, extended.goal, options, about_job=job, outline=extended.outline)
            return await session.start(request)

        run_session(config, start)


async def _extended(job: str, questions: tuple[str, ...]) -> "JobQuestion":
    from research_crawler.runtime.runtime import connected
    from research_crawler.services.submission.extension import extended_question

    async with connected(settings()) as client:
        return await extended_question(client, job, questions)
