"""Reads PDF documents as text: joins lines into paragraphs and records where each page begins.

It uses PDFium (pypdfium2), which takes 1 ms a page where pypdf takes 13, and which marks the hyphens that a
line break inserted.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing

import pypdfium2

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import PageText
from research_crawler.core.text.plain_text import clean_line
from research_crawler.extraction.html.finish import finished
from research_crawler.extraction.metadata.page_facts import read_language, robots_rules
from research_crawler.extraction.metadata.page_names import day

MAX_PAGES = 2_000
"""Most pages of a PDF document that are read."""
MAX_PAGE_CHARS = 100_000
"""More text of one page is left out. A page of a newspaper has some 30,000 characters."""
_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1_024
"""PDF readers accept up to this many bytes before the header."""
_BROKEN_WORD = re.compile("[\ufffe\u00ad]\\s*\n?\\s*")
_ITEM = re.compile(r"(?:[•◦▪‣●○·*–—-]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\d+(?:\.\d+)+)\s")
_SENTENCE_END = (".", "!", "?", ":", ";", "。", "”", '"')
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.I)
_FULL_LINE = 0.8
"""A line with at least this share of the length of the page's long lines continues in the next line."""
_SPARE = 1.2
"""So much more text than is kept is read, because running headers and footers are left out of it."""
_RUNNING_LINES = 2
"""So many first and last lines of a page may be its running head and foot."""
_RUNNING_SHARE = 0.3
"""A line that stands there on this share of the pages is one."""
_TITLE_CHARS = 160
"""Longest title of a PDF document."""


def is_pdf(body: bytes) -> bool:
    """Whether the bytes are a PDF document, whatever their declared type."""
    return _MAGIC in body[:_MAGIC_WITHIN]


def read_pdf(body: bytes, *, headers: Mapping[str, str], max_chars: int) -> PageText:
    """Read a PDF. `metadata["page_starts"]` lists the offset in the text where each page begins.

    Raises:
        PageUnreadable: `pdf_locked` if the PDF needs a password, `pdf_broken` if it cannot be parsed,
            `no_text` if it contains no text (for example, only scanned pages).
    """
    lines, info = _open(body, max_chars)
    paragraphs, starts, cut = _put_together(_without_running(lines), max_chars)
    text = "\n\n".join(paragraphs)
    if not text.strip():
        raise PageUnreadable(Reason.NO_TEXT)
    rules = robots_rules(headers)
    return PageText(
        markdown=text,
        text=text,
        title=_title(info.get("Title", ""), lines),
        author=" ".join(info.get("Author", "").split())[:200],
        published=_day(info.get("CreationDate", "")),
        modified=_day(info.get("ModDate", "")),
        language=read_language(None, headers, text),
        metadata={"page_starts": starts, "pages": len(lines)} | ({"cut": "true"} if cut else {}),
        noarchive="noarchive" in rules,
        nosnippet="nosnippet" in rules,
    )


def _open(body: bytes, max_chars: int) -> tuple[list[list[str]], dict[str, str]]:
    """The lines of each page up to the one with which the text is too long, and the document's metadata."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise PageUnreadable(Reason.PDF_LOCKED if locked else Reason.PDF_BROKEN) from error
    try:
        info = {str(name): str(value) for name, value in document.get_metadata_dict().items()}
        pages: list[list[str]] = []
        chars = 0
        for index in range(min(len(document), MAX_PAGES)):
            pages.append(_lines(document, index))
            chars += sum(map(len, pages[-1]))
            if chars > _SPARE * max_chars:
                break
    finally:
        document.close()
    return pages, info


def _lines(document: pypdfium2.PdfDocument, index: int) -> list[str]:
    try:
        with closing(document[index]) as page, closing(page.get_textpage()) as shown:
            text = shown.get_text_range(count=min(shown.count_chars(), MAX_PAGE_CHARS), errors="replace")
    except pypdfium2.PdfiumError:  # one broken page of many
        return []
    text = finished(_BROKEN_WORD.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return [line for raw in text.split("\n") if (line := clean_line(raw))]


def _without_running(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without running headers, footers and page numbers, which recur on many of them."""
    edges = Counter(
        key
        for lines in pages
        for key in {_running_key(line) for line in (*lines[:_RUNNING_LINES], *lines[-_RUNNING_LINES:])}
    )
    least = max(3, _RUNNING_SHARE * len(pages))
    stripped = []
    for lines in pages:
        remaining = list(lines)
        for end in (0, -1):
            for _ in range(_RUNNING_LINES):
                if remaining and (
                    edges[_running_key(remaining[end])] >= least or not _running_key(remaining[end])
                ):
                    remaining.pop(end)
        stripped.append(remaining)
    return stripped


def _running_key(line: str) -> str:
    return " ".join(_NUMBERS.sub(" ", line).split()).strip(" -–—|./")


def _put_together(pages: Sequence[Sequence[str]], max_chars: int) -> tuple[list[str], list[int], bool]:
    """Join the lines of all pages into paragraphs.

    Returns:
        the paragraphs; the offset at which each page begins in the paragraphs joined by empty lines; whether
        the text was cut at `max_chars`.
    """
    paragraphs: list[str] = []
    starts: list[int] = []
    done = 0
    continues = False
    for lines in pages:
        long = sorted(map(len, lines))[int(0.9 * len(lines))] if lines else 0
        begun = False
        for line in lines:
            if continues and not _ITEM.match(line) and (begun or line[:1].islower()):
                paragraphs[-1] += f" {line}"
                start = done + 1
                done += len(line) + 1
            else:
                start = done + 2 if paragraphs else 0
                done = start + len(line)
                paragraphs.append(line)
            if not begun:
                starts.append(start)
                begun = True
            continues = len(line) >= _FULL_LINE * long or (
                line[-1].islower() and not line.endswith(_SENTENCE_END)
            )
            if done > max_chars:
                return _cut(paragraphs, done - max_chars), starts, True
        if not begun:
            starts.append(done)
    return paragraphs, starts, False


def _cut(paragraphs: list[str], surplus: int) -> list[str]:
    return [*paragraphs[:-1], paragraphs[-1][:-surplus]] if surplus < len(paragraphs[-1]) else paragraphs[:-1]


def _title(declared: str, pages: Sequence[Sequence[str]]) -> str:
    title = " ".join(declared.split())
    is_file_name = title.lower().endswith((".doc", ".docx", ".tex", ".indd", ".pdf"))
    if title and not is_file_name and "untitled" not in title.lower():
        return title[:_TITLE_CHARS]
    return next((line for lines in pages for line in lines if len(line) <= _TITLE_CHARS), "")


def _day(pdf_date: str) -> str:
    digits = pdf_date.removeprefix("D:")[:8]
    return day(f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}") if len(digits) == 8 else ""
