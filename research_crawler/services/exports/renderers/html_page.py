"""HTML: one file that needs nothing else, with the quotes of a citation at its mark, on hover, tap or focus.

Nothing of a page becomes markup: report.md is read without HTML and links, the template escapes every value, and the
page's own policy forbids scripts and everything that would be loaded.
"""

import base64
import hashlib
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from research_crawler.core.config import Config
from research_crawler.services.exports.body import ADDRESS, CITATION, body_of, parser
from research_crawler.services.exports.manuscript import NO_CONTEXT, Manuscript, shortened_quote
from research_crawler.services.exports.source_lines import facts_of

_PACKAGE: Final = "research_crawler.services.exports"
_ALIGNED: Final = {"text-align:right": "right", "text-align:center": "center", "text-align:left": "left"}

Env = MutableMapping[str, Any]


async def render(manuscript: Manuscript, _config: Config) -> bytes:
    """The page as UTF-8."""
    return html_document(manuscript).encode("utf-8", "replace")


@dataclass(frozen=True)
class ReportParts:
    """report.md as safe HTML, for a page around it."""

    title: Markup
    blocks: Markup
    """What stands between title and sources."""
    sources_title: str
    end: Markup
    """What stands below the sources."""


def report_parts_html(manuscript: Manuscript) -> ReportParts:
    """The parts of the report as HTML."""
    body, markdown = body_of(manuscript), renderer()
    env = {"manuscript": manuscript, "notes": [0]}
    return ReportParts(
        title=as_inline(markdown, body.title, env),
        blocks=as_blocks(markdown, body.blocks, env),
        sources_title=body.sources_title,
        end=as_blocks(markdown, body.end, env),
    )


def report_style() -> str:
    """The style sheet of reports."""
    return files(_PACKAGE).joinpath("templates/report.css").read_text("utf-8")


def html_document(manuscript: Manuscript) -> str:
    """The report as an HTML page."""
    parts, style = report_parts_html(manuscript), report_style()
    return (
        _templates()
        .get_template("report.html")
        .render(
            manuscript=manuscript,
            report=manuscript.report,
            title=parts.title,
            blocks=parts.blocks,
            sources_title=parts.sources_title,
            end=parts.end,
            style=Markup(style),  # noqa: S704  # our own file
            style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
            shortened=shortened_quote,
            facts_of=facts_of,
            no_context=NO_CONTEXT,
        )
    )


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader(_PACKAGE),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def renderer() -> MarkdownIt:
    """What renders the text of report.md."""
    markdown = parser()
    markdown.add_render_rule(CITATION, _citation)
    markdown.add_render_rule(ADDRESS, _address)
    return markdown


def as_blocks(markdown: MarkdownIt, tokens: Sequence[Token], env: Env) -> Markup:
    """Tokens of a parser whose HTML is off, as markup."""
    for token in tokens:
        style = token.attrs.pop("style", None)  # the page's policy allows no style attributes
        if style in _ALIGNED:
            token.attrSet("class", _ALIGNED[str(style)])
    return Markup(markdown.renderer.render(list(tokens), markdown.options, env))  # noqa: S704  # HTML is off


def as_inline(markdown: MarkdownIt, tokens: Sequence[Token], env: Env) -> Markup:
    """The same for the content of one block."""
    rendered: str = markdown.renderer.renderInline(list(tokens), markdown.options, env)  # type: ignore[attr-defined]
    return Markup(rendered)  # noqa: S704  # HTML is off


def _citation(
    _renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, env: Env
) -> str:
    """A mark with the quotes that it stands for."""
    manuscript: Manuscript = env["manuscript"]
    token = tokens[place]
    env["notes"][0] += 1
    number = token.meta["n"]
    return str(
        _templates()
        .get_template("citation.html")
        .render(
            note=env["notes"][0],
            number=number,
            source=manuscript.sources[number],
            quotes=manuscript.quotes_at(token.meta["said"], number),
            contexts=manuscript.contexts,
            no_context=NO_CONTEXT,
            shortened=shortened_quote,
        )
    )


def _address(
    _renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, _env: Env
) -> str:
    return str(
        Markup('<a href="{url}" rel="noopener noreferrer">{url}</a>').format(url=tokens[place].content)
    )
