"""Reads files of the caller into the archive, so that a job cites them like pages.

A file's address is `file:///` and its name. The folder is left out, because reports and models see addresses. The text
is made by the parse pool, with the limits of pages of the web.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from planner.job.results import MAX_TITLE
from research_crawler.core.errors import PageBlocked, PageUnreadable, UsageError
from research_crawler.core.models.jobs import StoredSource
from research_crawler.core.models.pages import PageText, StoredPage
from research_crawler.core.text.plain_text import clean_line
from research_crawler.extraction.evidence.identity import page_sha

if TYPE_CHECKING:
    from research_crawler.extraction.process.pool import ParsePool
    from research_crawler.runtime.runtime import Runtime

TYPES: Final = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".rst": "text/plain",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""The endings of the files that can be read, with their types."""
MAX_FILES = 20


def check_files(paths: Sequence[Path], *, most_bytes: int) -> None:
    """Check that all files can be read, before anything is started.

    Raises:
        UsageError: there are too many files, or one is missing, too large, or of another type.
    """
    if len(paths) > MAX_FILES:
        raise UsageError(f"more than {MAX_FILES} files were named; start several jobs, or join files")
    for path in paths:
        if path.suffix.lower() not in TYPES:
            raise UsageError(f"{path.name}: only {', '.join(TYPES)} files can be read")
        _bytes_of(path, most_bytes)


async def store_files(runtime: "Runtime", paths: Sequence[Path]) -> list[StoredSource]:
    """Read the files into the archive, and return where they are there, in the same order.

    Raises:
        UsageError: a file cannot be read, or has no text.
    """
    if not paths:
        return []
    async with _parse_pool(runtime) as pool:
        return [
            await _store(runtime, pool, path, _address(path, paths[:place]))
            for place, path in enumerate(paths)
        ]


async def _store(runtime: "Runtime", pool: "ParsePool", path: Path, url: str) -> StoredSource:
    body = _bytes_of(path, runtime.config.download_max_bytes)
    text = await _read(pool, body, path, url)
    title = text.title or clean_line(path.name)
    page = StoredPage(
        sha=page_sha(text.markdown, url),
        url=url,
        final_url=url,
        fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
        content_type=TYPES[path.suffix.lower()],
        page=text.changed(title=title[:MAX_TITLE]),
    )
    await runtime.container.archive.put_page(page, None)
    return StoredSource(url=url, sha=page.sha, title=title[:MAX_TITLE], fetched_at=page.fetched_at)


async def _read(pool: "ParsePool", body: bytes, path: Path, url: str) -> PageText:
    headers = {"content-type": TYPES[path.suffix.lower()]}
    try:
        return await pool.read(body, url=url, headers=headers)
    except PageUnreadable as error:
        raise UsageError(f"{path.name} cannot be read: {error.reason}") from error
    except PageBlocked as error:
        raise UsageError(f"{path.name} cannot be read: it is saved from a page that was {error}") from error


def _bytes_of(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            body = file.read(most + 1)
    except OSError as error:
        raise UsageError(f"{path.name} cannot be read: {error.strerror or error}") from error
    if len(body) > most:
        raise UsageError(f"{path.name} is larger than {most:,} bytes (RESEARCH_DOWNLOAD_MAX_BYTES)")
    return body


def _address(path: Path, earlier: Sequence[Path]) -> str:
    """The address of a file; one whose name an earlier file has gets a number before it."""
    same = sum(other.name == path.name for other in earlier)
    return f"file:///{f'{same + 1}/' if same else ''}{quote(path.name)}"


@asynccontextmanager
async def _parse_pool(runtime: "Runtime") -> "AsyncIterator[ParsePool]":
    """The pool of a process that crawls, else one for these files."""
    if runtime.crawl:
        yield runtime.container.parse_pool
        return
    from research_crawler.extraction.process.pool import ParsePool

    pool = ParsePool(1, memory_mb=runtime.config.parse_memory_mb)
    try:
        yield pool
    finally:
        pool.close()
