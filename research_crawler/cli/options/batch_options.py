"""The options of `research batch run`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE
from research_crawler.cli.options.job_options import ROW_OPTIONS, request_of
from research_crawler.cli.options.number_options import Number, WholeNumber
from research_crawler.cli.session import fail
from research_crawler.core.models.jobs.questions import HIGHEST_TOKEN_LIMIT, MOST_USD

if TYPE_CHECKING:
    from research_crawler.core.config import Config
    from research_crawler.services.batches.batch_requests import BatchRequest

_OPTIONS = [
    click.option("--template", default="", metavar="TEXT",
                 help="The question of a row, with columns in braces: '{name} {country}: what does it cost?'. "
                 "Default: the column goal, question, topic or query, or the only column."),
    click.option("--columns", "--schema", "schema", metavar="FILE",
                 type=click.Path(exists=True, dir_okay=False, path_type=Path),
                 help="Typed values to find for each row: JSON Schema, or lines `name: type, question`."),
    click.option("--encoding", default="", metavar="NAME", help="Encoding of FILE. Default: UTF-8, or by its mark."),
    click.option("--name", default="", help="Name of the batch. Default: the template."),
    click.option("--max-batch-usd", type=Number(0, MOST_USD, min_open=True), metavar="X",
                 help="Most money for models of the whole batch, in US dollars. Default: no limit."),
    click.option("--max-batch-tokens", type=WholeNumber(1, HIGHEST_TOKEN_LIMIT), metavar="N",
                 help="Most model tokens of the whole batch. Default: no limit."),
]  # fmt: skip


def batch_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a batch, and those of a job that each of its rows has, to a command."""
    for option in reversed([*_OPTIONS, *ROW_OPTIONS]):
        command = option(command)
    return command


def batch_request(config: "Config", file: Path, options: dict[str, Any]) -> "BatchRequest":
    """The request for a batch; one that cannot be worked on ends the command with exit code 2."""
    from research_crawler.cli.hints import error_text
    from research_crawler.core.errors import UsageError
    from research_crawler.services.batches.batch_requests import checked_batch

    try:
        request = _asked(config, file, options)
        checked_batch(config, request)
    except UsageError as error:
        fail(f"{file.name}: {error_text(error)}" if _is_of_file(error) else error_text(error), code=BAD_USAGE)
    return request


def _is_of_file(error: Exception) -> bool:
    return bool(getattr(error, "row", 0))


def _asked(config: "Config", file: Path, options: dict[str, Any]) -> "BatchRequest":
    from research_crawler.core.batch_template import default_template
    from research_crawler.core.models.jobs.questions import Ceilings
    from research_crawler.services.batches.batch_input import read_table
    from research_crawler.services.batches.batch_requests import BatchRequest

    table = read_table(file, encoding=options["encoding"])
    template = options["template"].strip() or default_template(table.fields)
    job = request_of(config, template, {**options, "from_job": "", "out": None})
    return BatchRequest(
        table=table,
        job=job,
        name=options["name"],
        folder=options["out"],
        ceilings=Ceilings(max_tokens=options["max_batch_tokens"], max_usd=options["max_batch_usd"]),
    )
