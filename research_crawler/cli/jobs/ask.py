"""The command `research ask`, which asks a follow-up question about a finished job."""

from typing import Any

import click

from research_crawler.cli.jobs.run import Run
from research_crawler.cli.options.job_options import asked, job_options
from research_crawler.cli.options.model_option import model_option, with_model
from research_crawler.cli.options.plain import plain_option
from research_crawler.cli.session import run_session, settings
from research_crawler.cli.views.progress import ProgressDisplay


@click.command()
@click.argument("job")
@click.argument("question")
@job_options
@model_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option("--quiet", is_flag=True, help="Print only the report, no progress.")
@plain_option
def ask(
    job: str, question: str, *, model: str, as_json: bool, quiet: bool, plain: bool, **options: Any
) -> None:
    """Ask QUESTION about what JOB has found.

    A new job starts with the question and answer of JOB as context, with its findings, and with its pages, which are
    read again for QUESTION without being fetched. It searches for what they do not say. Where `research up` runs on
    the data folder, it does the work.
    """
    if options["from_job"]:
        raise click.UsageError("--from and `research ask` exclude each other", click.get_current_context())
    with ProgressDisplay(shown=not (quiet or as_json), plain=plain) as progress:
        config = settings()
        request = asked(config, question, options, about_job=job)
        session = Run(with_model(config, model), progress, as_json=as_json, joins=not model, plain=plain)
        run_session(config, lambda: session.start(request))
