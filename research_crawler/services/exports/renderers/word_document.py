"""DOCX: the report for Word and LibreOffice, with links from citations to the sources and their quotes."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime

from docx import Document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.table import Table
from docx.text.paragraph import Paragraph
from docx.text.run import Run
from markdown_it.token import Token

from research_crawler.core.config import Config
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.services.exports.body import Body, body_of
from research_crawler.services.exports.manuscript import Manuscript, shortened_quote
from research_crawler.services.exports.source_lines import facts_of

CODE_FONT = "Consolas"
LINK_COLOUR = RGBColor(0x1A, 0x56, 0xB0)
DEEPEST_LIST = 3
"""Levels of lists that the document's template has styles for."""
MAX_PROPERTY = 255
"""Letters of a document property that Word accepts."""


async def render(manuscript: Manuscript, _config: Config) -> bytes:
    """The document's bytes."""
    document = Document()
    _set_properties(document, manuscript)
    _Writer(document, manuscript).write(body_of(manuscript))
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _set_properties(document: WordDocument, manuscript: Manuscript) -> None:
    properties, report = document.core_properties, manuscript.report
    try:
        written = datetime.fromisoformat(report.generated_at).astimezone(UTC)
    except ValueError:
        written = datetime.now(UTC)
    properties.title = report.goal[:MAX_PROPERTY]
    properties.author = properties.last_modified_by = "research-crawler"
    properties.comments = ""
    properties.language = manuscript.translate.language
    # Word takes times without a zone for UTC.
    properties.created = properties.modified = written.replace(tzinfo=None, microsecond=0)


class _Writer:
    """Writes the tokens of a report into a document, block by block."""

    def __init__(self, document: WordDocument, manuscript: Manuscript) -> None:
        self._document, self._manuscript = document, manuscript
        self._lists: list[int | None] = []
        """The open lists: the number of the next item, or None for a list of bullets."""
        self._item_begins = False
        self._quotes = 0
        self._heading = 0
        self._rows: list[list[Token]] | None = None
        """The cells of the table that is being read."""

    def write(self, body: Body) -> None:
        """Write the whole report."""
        title = self._document.add_paragraph(style="Title")
        if body.title:
            self._inline(title, body.title)
        else:
            title.add_run(self._manuscript.report.goal)
        self._blocks(body.blocks)
        if body.sources_title:
            self._document.add_heading(body.sources_title, 1)
            for source in self._manuscript.report.sources:
                self._source(source)
        self._blocks(body.end)

    def _blocks(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if self._rows is not None:
                self._table_token(token)
            elif token.type == "inline":
                self._inline(self._paragraph(), token.children or [])
            elif token.type in ("fence", "code_block"):
                self._code(token.content)
            else:
                self._structure(token)

    def _structure(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._heading = int(token.tag[1])
            case "heading_close":
                self._heading = 0
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._item_begins = True
            case "blockquote_open" | "blockquote_close":
                self._quotes += token.nesting
            case "table_open":
                self._rows = []

    def _paragraph(self) -> Paragraph:
        """A paragraph with the style of the place at which it stands."""
        if self._heading:
            return self._document.add_paragraph(style=f"Heading {max(1, self._heading - 1)}")
        if not self._lists:
            return self._document.add_paragraph(style="Intense Quote" if self._quotes else None)
        begins, self._item_begins = self._item_begins, False
        depth, number = min(len(self._lists), DEEPEST_LIST), self._lists[-1]
        kind = "List Continue" if not begins or number is not None else "List Bullet"
        paragraph = self._document.add_paragraph(style=kind if depth == 1 else f"{kind} {depth}")
        if begins and number is not None:  # Word's own numbers would go on from list to list
            paragraph.add_run(f"{number}. ")
            self._lists[-1] = number + 1
        return paragraph

    def _code(self, code: str) -> None:
        run = self._document.add_paragraph().add_run(code.rstrip("\n"))
        run.font.name, run.font.size = CODE_FONT, Pt(9)

    def _table_token(self, token: Token) -> None:
        assert self._rows is not None
        match token.type:
            case "tr_open":
                self._rows.append([])
            case "inline":
                self._rows[-1].append(token)
            case "table_close":
                rows, self._rows = self._rows, None
                self._table(rows)

    def _table(self, rows: Sequence[Sequence[Token]]) -> None:
        table: Table = self._document.add_table(len(rows), len(rows[0]), style="Table Grid")
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                paragraph = table.cell(number, column).paragraphs[0]
                self._inline(paragraph, cell.children or [], strong=number == 0)
        self._document.add_paragraph()

    def _inline(self, paragraph: Paragraph, tokens: Sequence[Token], *, strong: bool = False) -> None:
        bold, italic = int(strong), 0
        for token in tokens:
            match token.type:
                case "strong_open" | "strong_close":
                    bold += token.nesting
                case "em_open" | "em_close":
                    italic += token.nesting
                case "softbreak":
                    paragraph.add_run(" ")
                case "hardbreak":
                    paragraph.add_run().add_break()
                case "citation":
                    _link(paragraph, token.content, anchor=_bookmark_of(token.meta["n"]))
                case "address":
                    _link(paragraph, token.content, url=token.content)
                case _:
                    run = paragraph.add_run(token.content)
                    run.bold, run.italic = bool(bold) or None, bool(italic) or None
                    if token.type == "code_inline":
                        run.font.name = CODE_FONT

    def _source(self, source: Source) -> None:
        """A source with a bookmark for its citations, its address and its quotes."""
        paragraph = self._document.add_paragraph()
        _add_bookmark(paragraph, _bookmark_of(source.n), source.n)
        paragraph.add_run(f"[{source.n}] ")
        paragraph.add_run(source.title or source.host).italic = True
        paragraph.add_run(f" – {facts_of(source, self._manuscript.translate)}")
        paragraph.add_run().add_break()
        known = source.url in self._manuscript.addresses
        _link(paragraph, source.url, url=source.url if known else "")
        for piece in self._manuscript.quotes_of(source.n):
            self._document.add_paragraph(f"“{shortened_quote(piece.quote)}”", style="Quote")


def _bookmark_of(number: int) -> str:
    return f"source_{number}"


def _add_bookmark(paragraph: Paragraph, name: str, number: int) -> None:
    for tag in ("w:bookmarkStart", "w:bookmarkEnd"):
        mark = OxmlElement(tag)
        mark.set(qn("w:id"), str(number))
        if tag == "w:bookmarkStart":
            mark.set(qn("w:name"), name)
        paragraph._p.append(mark)


def _link(paragraph: Paragraph, text: str, *, url: str = "", anchor: str = "") -> None:
    """Append a link to a URL or to a bookmark; python-docx reads links and does not write them."""
    link = OxmlElement("w:hyperlink")
    if anchor:
        link.set(qn("w:anchor"), anchor)
    elif url:
        link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run = Run(OxmlElement("w:r"), paragraph)
    run.text = text
    run.font.color.rgb = LINK_COLOUR
    if url or anchor:
        link.append(run._r)
        paragraph._p.append(link)
    else:
        paragraph.add_run(text)
