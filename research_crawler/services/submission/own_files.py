"""Reads files of the caller into the archive, so that a job cites them like pages.

A file's address is `file:///` and its name. The folder is left out, because reports and models see addresses. The text
is made by the parse pool, with the limits of pages of the web.
"""

import os
import stat
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from planner.job.results import MAX_TITLE
from research_crawler.core.errors import PageBlocked, PageUnreadable, UsageError
from research_crawler.core.models.jobs.planning_state import StoredSource
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.text.plain_text import clean_line
from research_crawler.extraction.evidence.identity import page_sha
from research_crawler.extraction.formats.docx import is_docx

if TYPE_CHECKING:
    from research_crawler.core.config import Config
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
"""Most files of a question."""
_PLAIN: Final = ("text/markdown", "text/plain")
_BYTE_ORDER_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_IN_WORDS: Final[dict[str, str]] = {
    Reason.NO_TEXT: "it has no text; if it is a scan, make its text readable first (OCR)",
    Reason.BINARY: "it is damaged, or of another type than its name says",
    Reason.PDF_BROKEN: "it is damaged",
    Reason.PDF_LOCKED: "it is protected by a password",
    Reason.PARSE_FAILED: "it is damaged",
    Reason.EMPTY: "it is empty",
    Reason.TOO_LARGE: "it has too much text",
    Reason.PARSE_TIMEOUT: "reading it takes too long",
    Reason.PARSE_MEMORY: "reading it takes too much memory",
}
"""Why a file gave no text, for the person who named it."""


def check_files(paths: Sequence[Path], *, most_bytes: int) -> None:
    """Check that all files can be read, before anything is started.

    Raises:
        UsageError: there are too many files, or one is missing, too large, or of another type.
    """
    if len(paths) > MAX_FILES:
        raise UsageError(f"more than {MAX_FILES} files were named; start several jobs, or join files")
    for path in paths:
        if path.suffix.lower() not in TYPES:
            raise UsageError(f"{_name(path)}: only {', '.join(TYPES)} files can be read")
        if fault := _fault_in(_bytes_of(path, most_bytes), path.suffix.lower()):
            raise UsageError(f"{_name(path)} {fault}")


async def try_files(config: "Config", paths: Sequence[Path]) -> None:
    """Read the files once before anything is started, so that a damaged one is refused at once.

    Raises:
        UsageError: a file cannot be read, or has no text.
    """
    if not (packed := [path for path in paths if TYPES[path.suffix.lower()] not in _PLAIN]):
        return
    from research_crawler.extraction.process.pool import ParsePool

    pool = ParsePool(1, memory_mb=config.parse_memory_mb)
    try:
        for path in packed:
            await _read(pool, _bytes_of(path, config.download_max_bytes), path, _address(path, ()))
    finally:
        pool.close()


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
    has_title = text.title and not text.title.endswith(
        (".", "!", "?", ":")
    )  # a text may begin with a sentence
    title = text.title if has_title else clean_line(_name(path))
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
        told = _IN_WORDS.get(error.reason.kind, error.reason.text)
        raise UsageError(f"{_name(path)} cannot be read: {told}") from error
    except PageBlocked as error:
        raise UsageError(f"{_name(path)} cannot be read: it is saved from a page that was {error}") from error


def _bytes_of(path: Path, most: int) -> bytes:
    """The bytes of a regular file: a pipe may never end, and is empty when it is read for the second time."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{_name(path)} is a pipe or a device; save what it gives as a file")
            body = file.read(most + 1)
    except OSError as error:
        raise UsageError(f"{_name(path)} cannot be read: {error.strerror or error}") from error
    if len(body) > most:
        raise UsageError(f"{_name(path)} is larger than {most:,} bytes (RESEARCH_DOWNLOAD_MAX_BYTES)")
    return body


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting until somebody writes into a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def _name(path: Path) -> str:
    """The name of a file as text; bytes of it that are no UTF-8 are replaced."""
    return os.fsencode(path.name).decode("utf-8", "replace")


def _fault_in(body: bytes, ending: str) -> str:
    """What is wrong with the bytes of a file, as far as their beginning shows it; empty if nothing is."""
    from research_crawler.extraction.formats.pdf import is_pdf
    from research_crawler.extraction.html.encoding import SAMPLE_BYTES

    if not body.strip():
        return "is empty"
    if ending == ".pdf":
        return "" if is_pdf(body) else "is no PDF file, whatever its name says"
    if ending == ".docx":
        return "" if is_docx(body) else "is no Word document (DOCX), or it is damaged"
    is_wide = body.startswith(_BYTE_ORDER_MARKS)
    return "is not text: it has binary data" if b"\0" in body[:SAMPLE_BYTES] and not is_wide else ""


def _address(path: Path, earlier: Sequence[Path]) -> str:
    """The address of a file; one whose name an earlier file has gets a number before it."""
    same = sum(other.name == path.name for other in earlier)
    return f"file:///{f'{same + 1}/' if same else ''}{quote(os.fsencode(path.name))}"


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
