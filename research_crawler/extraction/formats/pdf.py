"""PDF documents as text: paragraphs put together again from lines, with the place where each page begins.

Read with PDFium (pypdfium2): 1 ms a page where pypdf takes 13, and it says which hyphens a line break put there.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

import pypdfium2

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.pages import PageText
from research_crawler.extraction.metadata.page_facts import read_language, robots_rules
from research_crawler.extraction.metadata.page_names import day

MAX_PAGES = 2_000
_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1_024
"""Readers accept this much before the header."""
_BROKEN_WORD = re.compile("[\ufffe\u00ad]\\s*\n?\\s*")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ITEM = re.compile(r"(?:[•◦▪‣●○·*–—-]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\d+(?:\.\d+)+)\s")
_SENTENCE_END = (".", "!", "?", ":", ";", "。", "”", '"')
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.I)
_FULL_LINE = 0.8
"""Lines at least this long beside the page's long lines go on in the next one."""
_RUNNING_LINES = 2
_RUNNING_SHARE = 0.3
_TITLE_CHARS = 160


def is_pdf(body: bytes) -> bool:
    """Whether the bytes are a PDF document, whatever their declared type."""
    return _MAGIC in body[:_MAGIC_WITHIN]


def read_pdf(body: bytes, *, headers: Mapping[str, str], max_chars: int) -> PageText:
    """What is kept of a PDF; `metadata["page_starts"]` lists the offset in the text where each page begins.

    Raises:
        PageUnreadable: `pdf_locked` where it asks for a password, `pdf_broken` where it cannot be parsed, `no_text`
            where it holds pictures of text only.
    """
    lines, told = _open(body)
    paragraphs, starts, cut = _put_together(_without_running(lines), max_chars)
    text = "\n\n".join(paragraphs)
    if not text.strip():
        raise PageUnreadable("no_text")
    rules = robots_rules(headers)
    return PageText(
        markdown=text,
        text=text,
        title=_title(told.get("Title", ""), lines),
        author=" ".join(told.get("Author", "").split())[:200],
        published=_day(told.get("CreationDate", "")),
        modified=_day(told.get("ModDate", "")),
        language=read_language(None, headers, text),
        metadata={"page_starts": starts, "pages": len(lines)} | ({"cut": "true"} if cut else {}),
        noarchive="noarchive" in rules,
        nosnippet="nosnippet" in rules,
    )


def _open(body: bytes) -> tuple[list[list[str]], dict[str, str]]:
    """The lines of each page, and the document's own facts."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise PageUnreadable("pdf_locked" if locked else "pdf_broken") from error
    try:
        told = {str(name): str(value) for name, value in document.get_metadata_dict().items()}
        pages = [_lines(document, place) for place in range(min(len(document), MAX_PAGES))]
    finally:
        document.close()
    return pages, told


def _lines(document: pypdfium2.PdfDocument, place: int) -> list[str]:
    try:
        page = document[place]
        text = page.get_textpage().get_text_range(errors="replace")
    except pypdfium2.PdfiumError:  # one broken page of many
        return []
    text = unicodedata.normalize("NFC", _BROKEN_WORD.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return [line for one in text.split("\n") if (line := " ".join(_CONTROLS.sub("", one).split()))]


def _without_running(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pages without the heads, feet and numbers that come back on many of them."""
    edges = Counter(
        key
        for lines in pages
        for key in {_running_key(line) for line in (*lines[:_RUNNING_LINES], *lines[-_RUNNING_LINES:])}
    )
    least = max(3, _RUNNING_SHARE * len(pages))
    found = []
    for lines in pages:
        kept = list(lines)
        for end in (0, -1):
            for _ in range(_RUNNING_LINES):
                if kept and (edges[_running_key(kept[end])] >= least or not _running_key(kept[end])):
                    kept.pop(end)
        found.append(kept)
    return found


def _running_key(line: str) -> str:
    return " ".join(_NUMBERS.sub(" ", line).split()).strip(" -–—|./")


def _put_together(pages: Sequence[Sequence[str]], max_chars: int) -> tuple[list[str], list[int], bool]:
    """Paragraphs of all pages, the offset of each page in them joined by empty lines, and whether any were cut."""
    paragraphs: list[str] = []
    starts: list[int] = []
    done = 0
    goes_on = False
    for lines in pages:
        long = sorted(map(len, lines))[int(0.9 * len(lines))] if lines else 0
        begun = False
        for line in lines:
            if goes_on and not _ITEM.match(line) and (begun or line[:1].islower()):
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
            goes_on = len(line) >= _FULL_LINE * long or (
                line[-1].islower() and not line.endswith(_SENTENCE_END)
            )
            if done > max_chars:
                return _cut(paragraphs, done - max_chars), starts, True
        if not begun:
            starts.append(done)
    return paragraphs, starts, False


def _cut(paragraphs: list[str], surplus: int) -> list[str]:
    return [*paragraphs[:-1], paragraphs[-1][:-surplus]] if surplus < len(paragraphs[-1]) else paragraphs[:-1]


def _title(told: str, pages: Sequence[Sequence[str]]) -> str:
    title = " ".join(told.split())
    is_file_name = title.lower().endswith((".doc", ".docx", ".tex", ".indd", ".pdf"))
    if title and not is_file_name and "untitled" not in title.lower():
        return title[:_TITLE_CHARS]
    return next((line for lines in pages for line in lines if len(line) <= _TITLE_CHARS), "")


def _day(told: str) -> str:
    digits = told.removeprefix("D:")[:8]
    return day(f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}") if len(digits) == 8 else ""
