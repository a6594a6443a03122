"""A report on a terminal: its headings, tables and marks as they are meant to look, its sources as footnotes."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from markdown_it.token import Token
from rich.console import Group, RenderableType
from rich.markdown import Heading, Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.report import Report
from research_crawler.core.text.plain_text import clean_line
from research_crawler.services.exports.body import ADDRESS, CITATION, body_of, parser
from research_crawler.services.exports.manuscript import Manuscript
from research_crawler.services.exports.source_lines import facts_of

THEME: Final = Theme(
    {
        "markdown.h1": "bold",
        "markdown.h2": "bold magenta",
        "markdown.h3": "bold",
        "markdown.citation": "cyan",
        "markdown.address": "dim",
    }
)
"""The styles of a report. Colours are those of the user's terminal, which are readable on its own ground."""


class LeftHeading(Heading):
    """A heading at the left, at the top of a text too: centred, a question reads as a banner."""

    LEVEL_ALIGN: ClassVar = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "left")


class TerminalMarkdown(Markdown):
    """Markdown of ours: citation marks stand out, addresses recede, and nothing is a link."""

    elements: ClassVar = {**Markdown.elements, "heading_open": LeftHeading}

    def __init__(self, tokens: Sequence[Token]) -> None:
        """Show blocks that were parsed already."""
        super().__init__("", hyperlinks=False)
        self.inlines = {*Markdown.inlines, CITATION, ADDRESS}
        self.parsed = list(_named(tokens))


def _named(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens, where marks and addresses carry their kind as their tag, by which rich finds a style."""
    for token in tokens:
        if token.type in (CITATION, ADDRESS):
            token.tag = token.type
        if token.children:
            token.children = list(_named(token.children))
        yield token


def markdown_view(text: str) -> RenderableType:
    """A document of ours that is no report, such as the record of a job."""
    return TerminalMarkdown(parser().parse(text, {"manuscript": None}))


def terminal_report(report: Report, *, language: str) -> RenderableType:
    """A report as it is read on a terminal."""
    manuscript = Manuscript(report, language)
    body = body_of(manuscript)
    parts: list[RenderableType] = []
    if body.title:
        title = "".join(token.content for token in body.title)
        parts += [Text(clean_line(title), "bold underline"), Text()]
    parts.append(TerminalMarkdown(body.blocks))
    if body.sources_title:
        parts += [Text(), Text(body.sources_title, "bold magenta"), footnotes(report.sources, manuscript)]
    if body.end:
        parts.append(Padding(TerminalMarkdown(body.end), (1, 0, 0, 0), style="dim"))
    return Group(*parts)


def footnotes(sources: Sequence[Source], manuscript: Manuscript) -> Table:
    """The sources, each behind the mark by which the text cites it."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, justify="right", style="cyan")
    grid.add_column(overflow="fold")
    for source in sources:
        note = Text(clean_line(source.title or source.host))
        note.append(f" – {clean_line(facts_of(source, manuscript.translate))}")
        note.append(f"\n{clean_line(source.url)}", "dim")
        grid.add_row(f"[{source.n}]".replace("[", r"\["), note)
    return grid
