"""Split a Markdown page into the pieces that can be quoted: sentences, list items and table rows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from research_crawler.core.models.web.pages import Passage
from research_crawler.core.text.headings import heading_of
from research_crawler.core.text.markdown_syntax import ITEM_MARK, open_fence, row_cells
from research_crawler.text.languages.language import (
    Language,
    back_referring_words,
    detect,
    language_of,
    months_behind_ordinals,
)

LINE = re.compile(r"[^\n]+(?:\n(?=[a-zß-öø-ÿ(])[^\n]+)*")
"""A line, together with the lines that continue its sentence (hard-wrapped text)."""
_DAY = rf"\d{{1,2}}\.\s(?:{'|'.join(months_behind_ordinals())})(?!\w)"
ITEM = re.compile(rf"\s*(?!{_DAY}){ITEM_MARK}\s+")
"""The mark of an item of a list; the day of "3. Mai 2026" is none."""
QUOTED = re.compile(r"\s*(?:>\s?)+")
RULE = re.compile(r"[\s|:*_=+-]+$")
LINK = re.compile(r"!?\[(?P<text>[^\[\]]*+)\]\((?:[^()]++|\([^()]*+\))*+\)")
_START_MARKS = re.compile(r"#{1,6}\s+|\s*>\s?")
_CODE = re.compile(r"(?<!`)(?P<ticks>`{1,3})(?!`)(?P<text>[^`\n]++)(?P=ticks)(?!`)")
_EMPHASIS = re.compile(
    r"(?<![*\w])(?P<mark>\*{1,3})(?=[^\s*])(?P<text>[^*\n]*+)(?<!\s)(?P=mark)(?![*\w])"
    r"|(?<!\w)(?P<line>_{1,3})(?=[^\s_])(?P<words>[^_\n]*+)(?<!\s)(?P=line)(?!\w)"
    r"|~~(?=[^\s~])(?P<struck>[^~\n]*+)~~"
)
"""Marks in pairs. A lone one belongs to the text: `*args`, `~5 km`, `2 * 3`."""
_HOLE = re.compile(r"\x00(\d++)\x00")
"""Stands with its number for a piece of code while marks around it are removed; a sanitized page has none."""
_FIRST_WORD = re.compile(r"\W*([^\W\d_]+)")
_OWN_PIECE_MIN_CHARS, _PIECE_MAX_CHARS = 20, 600
"""A shorter piece of a line is no piece of its own: it is joined to the sentence before it. Longer ones are not
sentences but minified data or keyword lists."""


PieceForm = Literal["sentence", "item", "row"]


@dataclass(frozen=True)
class QuotablePiece:
    """A piece of a page that can be quoted: `markdown[start:end]`."""

    start: int
    end: int
    text: str
    """The text without Markdown marks."""
    heading: str
    block: int
    """Number of the paragraph, list or table that it belongs to."""
    form: PieceForm

    @property
    def leans(self) -> bool:
        """Whether a reader needs the sentence before it to understand it."""
        return self.form == "sentence" and leans(self.text)


def leans(text: str) -> bool:
    """Whether a sentence begins with a word that points to the one before it: "It", "This", "However"."""
    first = _FIRST_WORD.match(text)
    return first is not None and first[1].lower() in back_referring_words()


def without_markdown(markdown: str) -> str:
    """Text without Markdown marks and link targets, with single spaces; code stays as it is.

    A row of a table keeps the borders between its cells, so that no name reaches from one into the next.
    """
    codes: list[str] = []

    def hole(code: re.Match[str]) -> str:
        codes.append(code["text"])
        return f"\x00{len(codes) - 1}\x00"

    text = LINK.sub(lambda match: match["text"], _CODE.sub(hole, markdown.replace("\x00", "")))
    if text.lstrip().startswith("|"):
        text = " | ".join(cell for part in row_cells(text) if (cell := part.replace("\\|", "|").strip()))
    text = _EMPHASIS.sub(_emphasised, text[start.end() :] if (start := _START_MARKS.match(text)) else text)
    return " ".join(_HOLE.sub(lambda match: codes[int(match[1])], text).split())


def _emphasised(match: re.Match[str]) -> str:
    words = match["words"]
    if words is None:
        return str(match["text"] if match["text"] is not None else match["struck"])
    # `__init__` is a name.
    return words if match["line"] == "_" or " " in words else match[0]


def quotable_pieces(
    markdown: str, passages: list[Passage] | None = None, language: str = ""
) -> list[QuotablePiece]:
    """All pieces of a page that can be quoted, in order; with `passages`, only those inside them.

    Its sentences end as in `language`; by default that is told by the page's words.
    """
    known = language_of(language or detect(markdown))
    spans = [(p.start, p.end, p.heading) for p in passages] if passages else [(0, len(markdown), "")]
    found: list[QuotablePiece] = []
    for start, end, heading in spans:
        first_block = found[-1].block + 1 if found else 0
        found += _pieces_between(markdown, start, min(end, len(markdown)), heading, first_block, known)
    return found


def _pieces_between(
    markdown: str, start: int, end: int, heading: str, block: int, language: Language
) -> Iterator[QuotablePiece]:
    before, last_end, fence = "", start, ""
    for line in LINE.finditer(markdown, start, end):
        text = line.group()
        was_open, fence = fence, open_fence(text, fence)
        if fence != was_open:
            continue
        if title := heading_of(text):
            heading, block, before = without_markdown(title[1]), block + 1, ""
            continue
        if RULE.fullmatch(text):
            last_end = line.end() if before == "row" else last_end
            continue
        form = _form(text)
        if form != before or markdown.count("\n", last_end, line.start()) > 1:
            block += 1
        before, last_end = form, line.end()
        if fence:
            continue
        for left, right, plain_text in _pieces(text, form, language):
            yield QuotablePiece(line.start() + left, line.start() + right, plain_text, heading, block, form)


def _form(text: str) -> PieceForm:
    if text.lstrip().startswith("|"):
        return "row"
    return "item" if ITEM.match(text) else "sentence"


def _pieces(text: str, form: PieceForm, language: Language) -> Iterator[tuple[int, int, str]]:
    """Start, end and plain text of each piece of a line that can be quoted: nothing with a letter or digit is left out
    but what is too long for a sentence."""
    opening = None if form == "row" else ITEM.match(text) or QUOTED.match(text)
    start = opening.end() if opening else len(text) - len(text.lstrip())
    line = text[start:].rstrip()
    spans = [(0, len(line))] if form == "row" else language.sentence_spans(line)
    for left, right in _joined(line, spans):
        if len(piece := without_markdown(line[left:right])) <= _PIECE_MAX_CHARS and any(
            map(str.isalnum, piece)
        ):
            yield start + left, start + right, piece


def _joined(line: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences with the short pieces between them joined to the one before, or the first to the one behind."""
    joined: list[tuple[int, int]] = []
    for left, right in spans:
        is_short = bool(joined) and min(right - left, joined[-1][1] - joined[-1][0]) < _OWN_PIECE_MIN_CHARS
        if is_short and len(line[joined[-1][0] : right]) <= _PIECE_MAX_CHARS:
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
    return joined


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence of a paragraph; its language is told by its words."""
    return language_of(detect(text)).sentence_spans(text)
