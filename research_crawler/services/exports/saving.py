"""Saves a job's report under a name below the folder for reports, for `run --save-to-file` and other interfaces."""

import asyncio
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from research_crawler.core.config import Config
from research_crawler.core.errors import StorageFull, UsageError
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.exports.formats import Format, export_formats, format_of
from research_crawler.services.exports.report_export import export_report
from research_crawler.services.jobs.job_lookup import find_job

MOST_NAME_BYTES: Final = 200
"""Most bytes of a name: file systems take 255, and a new file has a longer name until it is whole."""


_NO_NAME: Final = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True)
class SaveName:
    """A name below the folder for reports, checked."""

    name: Path
    form: Format


def save_name(config: Config, name: str) -> SaveName:
    """Check a name before the job starts. Its end says the format; a name without one is Markdown.

    Raises:
        UsageError: it is no name of a file below the folder, its format is unknown, or the folder cannot be written.
    """
    path = Path(name)
    if any(len(part.encode(errors="replace")) > MOST_NAME_BYTES for part in path.parts):
        raise UsageError(f"{name[:40]!r}… is longer than {MOST_NAME_BYTES} bytes; choose a shorter name")
    if not path.name or _NO_NAME.search(name) or path.is_absolute() or ".." in path.parts:
        raise UsageError(f"{name!r} is not the name of a file below the folder for reports")
    form = format_of(path) if path.suffix else export_formats()["md"]
    if form is None:
        known = ", ".join(form.suffixes[0] for form in export_formats().values())
        raise UsageError(f"{name!r} says no format; end it with {known}")
    if config.save_directory:
        folder = Path(config.save_directory).expanduser()
        if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
            raise UsageError(f"the folder for reports, {folder}, is not there or cannot be written")
    return SaveName(path if path.suffix else path.with_name(f"{path.name}.md"), form)


async def save_report(runtime: Runtime, job_id: str, target: SaveName) -> Path:
    """Write the report and return where it is: in the folder for reports, or in the job's if none is set.

    Raises:
        UnknownJob: no job has this id.
        UsageError: a link below the folder leads out of it.
        NoReport, NoBrowser: as of `export_report`.
        StorageFull: the file cannot be written.
    """
    config = runtime.config
    folder = Path(config.save_directory or (await find_job(runtime, job_id)).folder)
    document = await export_report(runtime, job_id, target.form)
    try:
        return await asyncio.to_thread(_write_below, folder, target.name, document, config.home)
    except OSError as error:
        raise StorageFull(
            f"the report could not be saved as {target.name} ({error.strerror or error})"
        ) from error


def _write_below(folder: Path, name: Path, document: bytes, home: Path) -> Path:
    """Write the document below the folder; below the data folder, only its owner can read it."""
    folder = folder.expanduser().resolve()
    path = folder / name
    if not path.parent.resolve().is_relative_to(folder):
        raise UsageError(f"{str(name)!r} leads out of the folder for reports")
    is_private = path.is_relative_to(home.resolve())
    path.parent.mkdir(mode=0o700 if is_private else 0o777, parents=True, exist_ok=True)
    write_whole(path, document, 0o600 if is_private else 0o666)
    return path


@contextmanager
def whole_file(path: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """A file that is there once the block ends, and not at all if the block fails.

    What is there and is no regular file, such as a pipe, is written in place.

    Raises:
        OSError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def write_whole(path: Path, document: bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all, as `whole_file` does.

    Raises:
        OSError: it cannot be written.
    """
    with whole_file(path, mode) as file:
        file.write(document)
