"""Reads report.md for formats with a layout: its blocks, the marks of its citations, and the addresses code wrote."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from research_crawler.services.exports.manuscript import Manuscript
from research_crawler.text.writing.markdown import address

CITATION: Final = "citation"
ADDRESS: Final = "address"
_OURS: Final = re.compile(r"\[(?P<number>\d{1,4})\](?!\()|(?P<url>https?://\S+)")
_AFTER_URL: Final = ".,;:!?)]"
_BETWEEN_MARKS: Final = re.compile(r"\W*|\s*\([^()]{1,40}:\s*")
"""What may stand between the marks of one sentence: `[1][3] (similar: [4])`."""
_OFF: Final = ["link", "image", "autolink", "html_inline", "html_block", "reference"]


@dataclass(frozen=True)
class Body:
    """report.md in its parts. Tokens of type `citation` have the number of their source in `meta["n"]` and the
    sentence before them in `meta["said"]`; tokens of type `address` have a URL as their content."""

    title: Sequence[Token]
    """The inline content of its first heading."""
    blocks: Sequence[Token]
    """What stands between title and sources."""
    sources_title: str
    """Empty if the report cites nothing; then the section is among `blocks`."""
    end: Sequence[Token] = field(default_factory=list)
    """What stands below the sources."""


def parser() -> MarkdownIt:
    """A CommonMark parser with tables, without HTML, and without links: code writes bare addresses.

    Its `env` needs the Manuscript as `manuscript`; with None there are neither citations nor known addresses.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(_OFF)
    # Before escaped characters join the text: `\\[1\\]` is what a page wrote, and no citation.
    markdown.core.ruler.before("text_join", "citations", _mark_ours)
    return markdown


def body_of(manuscript: Manuscript) -> Body:
    """The parts of the report."""
    tokens = parser().parse(manuscript.report.report_markdown, {"manuscript": manuscript})
    title, rest = _split_title(tokens)
    start, end = _sources_section(rest) if manuscript.report.sources else (len(rest), len(rest))
    name = rest[start + 1].content if start < len(rest) else ""
    below = [token for token in rest[end:] if token.type != "hr"]
    return Body(title, rest[:start], name, below)


def _split_title(tokens: list[Token]) -> tuple[Sequence[Token], list[Token]]:
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return tokens[1].children or [], tokens[3:]
    return [], tokens


def _sources_section(tokens: Sequence[Token]) -> tuple[int, int]:
    """Where the last section begins and where it ends: it is the list of sources, in every language."""
    heads = [
        place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"
    ]
    if not heads:
        return len(tokens), len(tokens)
    rules = (place for place, token in enumerate(tokens) if token.type == "hr" and place > heads[-1])
    return heads[-1], next(rules, len(tokens))


def _mark_ours(state: StateCore) -> None:
    """Make tokens of the citation marks and of the known addresses in the text."""
    manuscript: Manuscript | None = state.env["manuscript"]
    if manuscript is None:
        return
    known = {address(url): url for url in manuscript.addresses}
    above, is_listing = "", False
    for token in state.tokens:
        if token.type in ("fence", "code_block"):
            above, is_listing = f"{above}\n{token.content}", True
        elif token.type == "inline" and token.children:
            cited = above if is_listing and _begins_with_mark(token.children, manuscript.sources) else ""
            token.children = list(_with_marks(token.children, manuscript.sources, known, cited))
            above, is_listing = _uncited(token.children), False


def _with_marks(
    tokens: Sequence[Token], numbers: Container[int], known: Mapping[str, str], above: str
) -> Iterator[Token]:
    """`above`: code with the words that introduce it, which marks at the beginning of the text belong to."""
    sentence, is_cited = above, False
    for token in tokens:
        for piece in _pieces(token, numbers, known) if token.type == "text" else [token]:
            if piece.type == CITATION:
                piece.meta["said"], is_cited = sentence, True
            elif piece.content and not (is_cited and _BETWEEN_MARKS.fullmatch(piece.content)):
                sentence, is_cited = (piece.content if is_cited else sentence + piece.content), False
            yield piece


def _uncited(tokens: Sequence[Token]) -> str:
    """What stands behind the last mark of a text."""
    last = max((place for place, token in enumerate(tokens) if token.type == CITATION), default=-1)
    return "".join(token.content for token in tokens[last + 1 :])


def _begins_with_mark(tokens: Sequence[Token], numbers: Container[int]) -> bool:
    begin = next((token.content.lstrip() for token in tokens if token.content.strip()), "")
    match = _OURS.match(begin)
    return bool(match and match["number"] and int(match["number"]) in numbers)


def _pieces(token: Token, numbers: Container[int], known: Mapping[str, str]) -> Iterator[Token]:
    """A text with its citation marks and addresses as tokens of their own."""
    done = 0
    for match in _OURS.finditer(token.content):
        ours = _citation(match, numbers) if match["number"] else _address(match["url"], known)
        if ours is None:
            continue
        yield _token("text", token, token.content[done : match.start()])
        yield ours
        done = match.start() + len(ours.info)
    yield _token("text", token, token.content[done:])


def _citation(match: re.Match[str], numbers: Container[int]) -> Token | None:
    number = int(match["number"])
    if number not in numbers:
        return None
    return Token(CITATION, "a", 0, content=match[0], info=match[0], meta={"n": number})


def _address(written: str, known: Mapping[str, str]) -> Token | None:
    """A known address, without the punctuation that follows it."""
    while written not in known and written[-1:] in _AFTER_URL and written:
        written = written[:-1]
    return Token(ADDRESS, "a", 0, content=known[written], info=written) if written in known else None


def _token(kind: str, like: Token, content: str) -> Token:
    return Token(kind, "", 0, content=content, level=like.level)
