"""The commands `research batch …`, which research many questions of one form."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.hints import error_text, start_hint
from research_crawler.cli.options.job_options import ROW_OPTIONS, check_out, request_of
from research_crawler.cli.options.model_option import model_option, with_model
from research_crawler.cli.options.option_values import Number, WholeNumber
from research_crawler.cli.session import (
    echo,
    echo_err,
    echo_json,
    fail,
    run_connected,
    run_session,
    settings,
    write,
)
from research_crawler.cli.views.batch_view import entry_json, entry_line, print_batch
from research_crawler.core.models.jobs.job_limits import HIGHEST_TOKEN_LIMIT, MOST_USD

if TYPE_CHECKING:
    from research_crawler.cli.batches.batch_session import BatchSession
    from research_crawler.core.config import Config
    from research_crawler.core.models.jobs.batches import BatchEntry
    from research_crawler.runtime.runtime import Runtime
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
    from research_crawler.core.models.jobs.job_limits import Ceilings
    from research_crawler.services.batches.batch_requests import BatchRequest
    from research_crawler.services.batches.input_table import read_table

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


@click.group()
def batch() -> None:
    """Research many questions of one form: a table in, a table of results out.

    \b
    research batch run shops.csv --template "{name} {country}: what does delivery cost?"
    research batch run topics.txt --columns columns.txt --out results
    """


@batch.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@batch_options
@model_option
@click.option("--yes", is_flag=True, help="Start without asking, also if it costs money.")
@click.option(
    "--detach", is_flag=True, help="Only queue the batch and print its id; `research up` works on it."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def run(
    file: Path, *, model: str, yes: bool, detach: bool, as_json: bool, quiet: bool, **options: Any
) -> None:
    """Research the question of each row of FILE: CSV, JSON lines, or text with a topic in each line.

    After Ctrl-C, `research batch resume ID` goes on where it was.
    """
    config = settings()
    request = batch_request(config, file, options)
    if options["out"]:
        check_out(options["out"])
    session = _session(with_model(config, model), quiet=quiet, as_json=as_json)
    run_session(config, lambda: session.start(request, is_detached=detach, is_agreed=yes))


@batch.command()
@click.argument("name", metavar="BATCH")
@model_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def resume(name: str, *, model: str, as_json: bool, quiet: bool) -> None:
    """Go on with BATCH: rows that failed or were cancelled are tried again, finished ones are kept."""
    config = settings()
    session = _session(with_model(config, model), quiet=quiet, as_json=as_json)
    run_session(config, lambda: session.resume(name))


@batch.command()
@click.argument("name", metavar="BATCH")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--rows", "show_rows", is_flag=True, help="List the rows too.")
def status(name: str, *, as_json: bool, show_rows: bool) -> None:
    """Show how far BATCH is, what it has cost, and why rows failed."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.batches.batch_control import (
            every_row,
            find_batch,
            with_rows_under_way,
        )
        from research_crawler.services.batches.row_records import row_record
        from research_crawler.services.jobs.job_lifecycle import missing_process

        entry = await with_rows_under_way(runtime, await find_batch(runtime, name))
        wanted = [row async for row in every_row(runtime, entry.batch.id)] if show_rows else []
        missing = await missing_process(runtime) if entry.state == "running" else ""
        if as_json:
            records: dict[str, Any] = {"stands_still": bool(missing)}
            records |= {"rows": [row_record(entry.batch, row) for row in wanted]} if show_rows else {}
            echo_json(json.dumps(entry_json(entry) | records, indent=2, ensure_ascii=False))
        else:
            print_batch(entry, wanted, stands_still=bool(missing))
        if missing:
            echo_err(f"{start_hint(missing)}, or go on with: research batch resume {entry.batch.id}")
        return 0

    run_connected(settings(), work)


@batch.command()
@click.argument("name", metavar="BATCH")
@click.option(
    "--format",
    "kind",
    default="",
    metavar="FORMAT",
    help="csv, jsonl, md, html or parquet. Default: by the end of --out, else csv.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write to this file."
)
def result(name: str, *, kind: str, out: Path | None) -> None:
    """Print the table of results of BATCH, also while it runs."""
    from research_crawler.core.errors import UsageError
    from research_crawler.services.batches.result_tables import check_format

    kind = kind or (out.suffix.lower().lstrip(".") if out else "csv")
    try:
        check_format(kind)
    except UsageError as error:
        fail(error_text(error), code=BAD_USAGE)
    if kind == "parquet" and not out:
        fail("Parquet is written to a file only; name it with --out", code=BAD_USAGE)

    async def work(runtime: "Runtime") -> int:
        from research_crawler.core.text.plain_text import clean
        from research_crawler.services.batches.batch_control import every_row, find_batch
        from research_crawler.services.batches.result_tables import save_table, table_parts

        entry = await find_batch(runtime, name)
        parts = table_parts(entry.batch, every_row(runtime, entry.batch.id), kind)
        if out:
            try:
                await save_table(parts, out)
            except OSError as error:
                echo_err(f"{out} cannot be written: {error.strerror}")
                return FAILED
            echo_err(f"saved as {out}")
            return 0
        async for part in parts:
            write(part.decode() if kind == "jsonl" else clean(part.decode()))
        return 0

    run_connected(settings(), work)


@batch.command()
@click.argument("name", metavar="BATCH")
def cancel(name: str) -> None:
    """Stop BATCH and its running jobs. `research batch resume` takes it up again."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.batches.batch_control import cancel_batch, find_batch

        entry = await find_batch(runtime, name)
        if await cancel_batch(runtime, entry):
            echo(f"{entry.batch.id} cancelled")
        else:
            echo_err(f"batch {entry.batch.id} is over already: {entry.state}")
        return 0

    run_connected(settings(), work)


@batch.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--limit", default=50, type=WholeNumber(1), help="Most batches to list. Default: 50.")
def list_batches(*, as_json: bool, limit: int) -> None:
    """List batches, newest first."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.batches.batch_control import all_batches
        from research_crawler.services.jobs.job_lifecycle import missing_process

        entries: list[BatchEntry] = await all_batches(runtime, limit)
        if as_json:
            echo_json(json.dumps([entry_json(entry) for entry in entries], indent=2, ensure_ascii=False))
            return 0
        is_idle = any(entry.state == "running" for entry in entries) and bool(await missing_process(runtime))
        for entry in entries:
            echo(entry_line(entry, stands_still=is_idle))
        if not entries:
            echo_err("no batches yet; start one with: research batch run FILE")
        return 0

    run_connected(settings(), work)


def _session(config: Any, *, quiet: bool, as_json: bool) -> "BatchSession":
    from research_crawler.cli.batches.batch_session import BatchSession
    from research_crawler.cli.views.batch_progress import BatchDisplay

    return BatchSession(config, BatchDisplay(shown=not (quiet or as_json)), as_json=as_json)
