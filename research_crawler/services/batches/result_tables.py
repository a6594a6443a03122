"""Writes the results of a batch as a table: CSV, JSON lines, Markdown, HTML, or Parquet."""

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

from research_crawler.adapters.private_files import private_folder
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.batches import Batch, BatchRow
from research_crawler.services.batches.table_formats import TABLE_FORMATS
from research_crawler.services.exports.saving import whole_file

_FILES: Final = {
    "csv": "results.csv",
    "jsonl": "results.jsonl",
    "md": "comparison.md",
    "html": "comparison.html",
}
"""The tables that a batch leaves in its folder."""
_PART_BYTES: Final = 65_536
"""A part of a table has at least so many bytes, except for the last one."""


def check_format(kind: str) -> None:
    """Check that a table can be written in this format.

    Raises:
        UsageError: there is no such format, or its library is not installed.
    """
    if kind not in TABLE_FORMATS:
        raise UsageError(f"there is no table format {kind!r}; known: {', '.join(TABLE_FORMATS)}")
    if kind == "parquet" and importlib.util.find_spec("pyarrow") is None:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed: pip install pyarrow, or take csv or jsonl"
        )


async def table_parts(batch: Batch, rows: AsyncIterator[BatchRow], kind: str) -> AsyncIterator[bytes]:
    """The results of a batch as parts of a file; each part ends with a whole row.

    Raises:
        UsageError: see `check_format`.
    """
    check_format(kind)
    table = TABLE_FORMATS[kind](batch)
    part = bytearray(table.begin())
    async for row in rows:
        part += table.add(row)
        if len(part) >= _PART_BYTES:
            yield bytes(part)
            part.clear()
    yield bytes(part + table.end())


async def save_table(parts: AsyncIterator[bytes], path: Path, mode: int = 0o666) -> None:
    """Write the parts of a table into a file, which is there once it is whole.

    Raises:
        OSError: the file cannot be written.
    """
    with whole_file(path, mode) as file:
        async for part in parts:
            await asyncio.to_thread(file.write, part)


async def save_tables(
    batch: Batch, rows: Callable[[], AsyncIterator[BatchRow]], folder: Path, *, home: Path
) -> list[Path]:
    """Write the results as CSV, JSON lines, Markdown and HTML into a folder, and return the files.

    In the data folder `home`, only its owner can read them.
    """
    mode = await asyncio.to_thread(_made_folder, folder, home)
    for kind, name in _FILES.items():
        await save_table(table_parts(batch, rows(), kind), folder / name, mode)
    return [folder / name for name in _FILES.values()]


def _made_folder(folder: Path, home: Path) -> int:
    """The rights of files in this folder, which is made if it is missing."""
    if folder.resolve().is_relative_to(home.resolve()):
        private_folder(folder, below=home)
        return 0o600
    folder.mkdir(parents=True, exist_ok=True)
    return 0o666
