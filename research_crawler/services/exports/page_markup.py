"""The stored text of a page as HTML with its headings, lists and tables, and a quote marked in it.

It is the text of a stranger: HTML in it is shown as text, links and images are shown as their words alone, and the work
is bounded by the length that the caller cuts it to.
"""

import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from research_crawler.services.exports.renderers.html_page import Env, as_blocks

_BEGINS, _ENDS = "\ue000", "\ue001"
"""They stand around the quote in the source; a page has none, as they are taken out first."""
_EITHER: Final = re.compile("([\ue000\ue001])")
_LINE_MARKS: Final = re.compile(
    r"[ \t]*+(?:#{1,6}+[ \t]++|[-*+>|][ \t]*+|\d{1,3}+[.)][ \t]++)*+(?:```[^\n`]*+\n)?"
)
"""What makes a line a heading, an item, a quotation, a row or a listing: a mark before it would undo that."""
_LAST_FENCE: Final = re.compile(r"\n[ \t]*+```[ \t]*+\Z")
_LINK: Final = re.compile(r"!?\[([^\[\]\n]*+)\]\([^()\n]*+\)")
"""A link or an image; the parser's own rules for them take seconds for a page of `[` alone."""
_LOWEST: Final = 4
"""Lowest level of a heading in the HTML of a page."""
_BELOW: Final = 2
"""The headings of a page stand below those of the page around it."""


def marked_page(before: str, quote: str, after: str, anchor: str = "quote") -> Markup:
    """A text with a quote in it, as HTML. The first `<mark>` has the id `anchor`, if that is not empty."""
    before, quote, after = (_words_of_links(_EITHER.sub("", part)) for part in (before, quote, after))
    line_start = not before or before.endswith("\n")
    marks = _LINE_MARKS.match(quote) if line_start else None
    head, rest = (quote[: marks.end()], quote[marks.end() :]) if marks else ("", quote)
    closing = _LAST_FENCE.search(rest)
    rest, tail = (rest[: closing.start()], rest[closing.start() :]) if closing else (rest, "")
    markdown = _markdown()
    tokens = markdown.parse(f"{before}{head}{_BEGINS}{rest}{_ENDS}{tail}{after}")
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LOWEST, int(token.tag[1]) + _BELOW)}"
    return as_blocks(markdown, tokens, {"is_quote": False, "anchor": anchor})


def _markdown() -> MarkdownIt:
    markdown = (
        MarkdownIt("commonmark", {"html": False})
        .enable("table")
        .disable(["autolink", "reference", "image", "link"])
    )
    rules = {
        "text": _text,
        "code_inline": _code,
        "fence": _block,
        "code_block": _block,
    }
    for name, rule in rules.items():
        markdown.add_render_rule(name, rule)
    return markdown


def _marked(text: str, env: Env) -> str:
    """A text, with what is the quote in marks: one for each piece, as a quote may go over several blocks."""
    parts = []
    for piece in _EITHER.split(text):
        if piece in (_BEGINS, _ENDS):
            env["is_quote"] = piece == _BEGINS
        elif piece and env["is_quote"]:
            opening = f'<mark id="{env["anchor"]}">' if env["anchor"] else "<mark>"
            parts.append(f"{opening}{escapeHtml(piece)}</mark>")
            env["anchor"] = ""
        else:
            parts.append(escapeHtml(piece))
    return "".join(parts)


def _text(
    _renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, env: Env
) -> str:
    return _marked(tokens[place].content, env)


def _code(
    _renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, env: Env
) -> str:
    return f"<code>{_marked(tokens[place].content, env)}</code>"


def _block(
    _renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, env: Env
) -> str:
    return f"<pre><code>{_marked(tokens[place].content, env)}</code></pre>\n"


def _words_of_links(text: str) -> str:
    """A text whose links and images are their words; a link may have an image in it."""
    return _LINK.sub(r"\1", _LINK.sub(r"\1", text))
