"""The command `research export`, which writes the report of a job as a document."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.session import echo_err, fail, run_session, settings
from research_crawler.services.exports.formats import Format, export_formats, format_of

if TYPE_CHECKING:
    pass

STDOUT = Path("-")


@click.command()
@click.argument("job")
@click.option(
    "--format",
    "name",
    type=click.Choice(list(export_formats())),
    help="Format. Default: from the name of the file, else md.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="File to write; - means stdout. Default: stdout, except for pdf and docx.",
)
def export(job: str, *, name: str | None, out: Path | None) -> None:
    """Write the report of JOB as a document.

    \b
    research export JOB --out report.html      one file; a citation shows its quotes on hover or tap
    research export JOB --out report.pdf       printed by the browser of this machine
    research export JOB --out report.docx      for Word and LibreOffice
    research export JOB --format bibtex        the cited sources; ris for other reference managers
    """
    form = _format(name, out)
    _check_target(form, out)
    config = settings()

    async def work() -> int:
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.exports.report_export import export_report
        from research_crawler.services.jobs.job_lookup import job_named

        async with connected(config) as runtime:
            document = await export_report(runtime, await job_named(runtime.container, job), form)
        return _write(document, out)

    run_session(config, work)


def _format(name: str | None, out: Path | None) -> Format:
    if name:
        return export_formats()[name]
    if out is None or out == STDOUT:
        return export_formats()["md"]
    form = format_of(out)
    if form is None:
        known = ", ".join(form.suffixes[0] for form in export_formats().values())
        fail(f"--out {out}: its name says no format; end it with {known}, or give --format", code=BAD_USAGE)
    return form


def _check_target(form: Format, out: Path | None) -> None:
    """End the command if the document has nowhere to go, before anything is made."""
    if out is None and not form.is_text:
        fail(f"{form.name} is not text; name a file: --out report{form.suffixes[0]}", code=BAD_USAGE)
    if out == STDOUT and not form.is_text and sys.stdout.isatty():
        fail(f"{form.name} is not text, and stdout is a terminal; name a file with --out", code=BAD_USAGE)
    if out is not None and out != STDOUT:
        folder = out.absolute().parent
        if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
            fail(f"--out {out}: cannot write to {folder}; choose another folder", code=BAD_USAGE)


def _write(document: bytes, out: Path | None) -> int:
    if out is None or out == STDOUT:
        sys.stdout.flush()
        with suppress(BrokenPipeError):
            sys.stdout.buffer.write(document)
            sys.stdout.buffer.flush()
        return 0
    from research_crawler.services.exports.saving import write_whole

    try:
        write_whole(out.resolve(), document)
    except OSError as error:
        fail(f"--out {out}: {error.strerror or error}", code=FAILED)
    echo_err(f"wrote {out} ({len(document):,} bytes)")
    return 0
