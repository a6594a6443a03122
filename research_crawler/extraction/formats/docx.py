"""Reads Word documents (DOCX) as text: headings, lists, tables and paragraphs.

python-docx reads the parts; a file that would unpack to more than MAX_UNPACKED is refused before.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator

from docx import Document
from docx.document import Document as WordDocument
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import Heading, PageText
from research_crawler.core.text.plain_text import clean_line
from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.html.finish import finished
from research_crawler.extraction.html.html_to_markdown import to_markdown, to_text
from research_crawler.extraction.metadata.page_facts import read_language
from research_crawler.extraction.metadata.page_names import day

MAX_UNPACKED = 100_000_000
"""Bytes of all parts of a document. A book of 1,000 pages has about 10 million without its pictures."""
_MAGIC = b"PK\x03\x04"
_MAIN_PART = "word/document.xml"
_HEADING = re.compile(r"(?:Heading|heading) ([1-6])$")
_LIST = re.compile(r"List (?P<kind>Bullet|Number)(?: (?P<level>\d))?")


def is_docx(body: bytes) -> bool:
    """Whether the bytes are a Word document, whatever their declared type."""
    if not body.startswith(_MAGIC):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            return _MAIN_PART in packed.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def read_docx(body: bytes, *, max_chars: int) -> PageText:
    """Read a Word document.

    Raises:
        PageUnreadable: `binary` if it cannot be parsed, `too_large` if it would unpack to too much, `no_text` if it
            contains no text.
    """
    try:
        document = _opened(body)
        blocks, is_cut = _within(_blocks(document), max_chars)
        facts = document.core_properties
        created, modified = facts.created, facts.modified
    except PageUnreadable:
        raise
    except Exception as error:  # damaged parts make zipfile, lxml and python-docx fail in many ways
        raise PageUnreadable(Reason.BINARY) from error
    markdown, plain = finished(to_markdown(blocks)), finished(to_text(blocks))
    if not plain.strip():
        raise PageUnreadable(Reason.NO_TEXT)
    headings = [
        Heading(level=block.level, text=block.text[:300]) for block in blocks if block.kind == "heading"
    ]
    return PageText(
        markdown=markdown,
        text=plain,
        title=clean_line(facts.title or "") or next((heading.text[:200] for heading in headings), ""),
        author=clean_line(facts.author or "")[:200],
        published=day(created.isoformat() if created else ""),
        modified=day(modified.isoformat() if modified else ""),
        language=read_language(None, {}, plain),
        headings=headings,
        metadata={"cut": "true"} if is_cut else {},
    )


def _opened(body: bytes) -> WordDocument:
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        if sum(part.file_size for part in packed.infolist()) > MAX_UNPACKED:
            raise PageUnreadable(Reason.TOO_LARGE)
    return Document(io.BytesIO(body))


def _within(blocks: Iterable[Block], max_chars: int) -> tuple[list[Block], bool]:
    """The first blocks, up to so many characters, and whether there are more."""
    kept, chars = list[Block](), 0
    for block in blocks:
        chars += block.chars
        if chars > max_chars:
            return kept, True
        kept.append(block)
    return kept, False


def _blocks(document: WordDocument) -> Iterator[Block]:
    for part in document.iter_inner_content():
        if isinstance(part, Table):
            yield from _rows(part)
        elif text := clean_line(part.text):
            yield _paragraph(part, text)


def _paragraph(paragraph: Paragraph, text: str) -> Block:
    """A paragraph by its style; styles have English names in every language of Word."""
    style = (paragraph.style.name if paragraph.style else "") or ""
    if style == "Title":
        return Block("heading", text, level=1)
    if found := _HEADING.match(style):
        return Block("heading", text, level=int(found[1]))
    if found := _LIST.match(style):
        number = 1 if found["kind"] == "Number" else 0
        return Block("item", text, level=int(found["level"] or 1) - 1, number=number)
    return Block("paragraph", text)


def _rows(table: Table) -> Iterator[Block]:
    mark = etree.Element("table")
    for row in table.rows:
        cells = tuple(clean_line(cell.text) for cell in row.cells)
        if any(cells):
            yield Block("row", "", cells=cells, table=mark)
