"""Split Markdown into blocks: paragraphs, lists, tables, listings and headings, with the terms that name them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from research_crawler.core.text.headings import heading_of, shortened_heading
from research_crawler.core.text.markdown_syntax import is_in_listing, open_fence, row_cells
from research_crawler.text.languages.dates import dates
from research_crawler.text.languages.sentences import ITEM, RULE, sentence_spans, without_markdown

MOST_CHARS = 620
"""A longer paragraph, list or listing is divided between sentences, items or lines."""
TERM_CHARS, TERMS = 80, 5
"""A short line without a full stop is the term of the paragraph below it (an option, a label), if at most so many
such lines stand in a row; more are lines of their own, such as a poem or technical data."""
_CLOSING = ")]\"'”’»"
_ENDS = (".", "!", "?", ":", ";", ",", "…", "。")
WRITER_LINES, WRITER_CHARS = 3, 40
"""Most lines in which a forum says who wrote a post, and most characters of each."""
_NUMBERED = re.compile(r"(?:[A-Z]\.|\d{1,3}\.)\d{1,3}(?:\.\d{1,3})*\.?\s+\S")
"""`4.10.2. Setting /usr read-only`: several in a row are a table of contents."""
_CHAPTER = re.compile(r"(?:\d{1,3}|[IVX]{1,5}|[A-Z])\.\s+[A-Z\d]")
CONTENTS = 5
"""`61. Tables`: so many of these in a row, each apart from the others, are a table of contents."""
_FENCES = ("```", "~~~")
_FENCE = re.compile(r"^[^\S\n]*+(?:```|~~~)[^\n]*+", re.M)
LONG_LISTING = 1_200
"""A longer listing is no piece of a page that can be quoted as a whole."""
LEAST_LETTERED, MOST_SENTENCE_WORDS, MOST_CODE_LINES = 0.68, 40, 0.1
"""Of a long listing that is prose: least share of words of letters alone, most words for each end of a sentence, most
lines that begin as a comment or at a prompt. The manual pages of Postfix, each of which is one listing, have at least
0.74 and at most 30; listings of commands and of settings in other manuals miss at least one of them."""
_AROUND_WORDS = ".,;:!?()[]\"'"
MOST_ROWS_ABOVE, MOST_LIST_CHARS = 400, 3_000
"""So far above a row the heads of its table are looked for, and above an item the paragraph above its list."""
_MARK_CHARS = 8
"""Longest mark of an item or row."""


BlockForm = Literal["text", "list", "table", "code", "heading"]


@dataclass(frozen=True)
class TextBlock:
    """A piece of a page: `markdown[start:end]`."""

    start: int
    end: int
    form: BlockForm
    heads: str = ""
    """The heads of the columns, for a row that is apart from them."""
    is_term: bool = False
    """It names what the next block is about, and stands with it."""
    is_frame: bool = False
    """It belongs to the page and not to its text: who wrote a post and when, a line of the table of contents."""


def blocks_of(
    markdown: str, start: int, end: int, known: Sequence[tuple[int, int]] | None = None
) -> Iterator[TextBlock]:
    """The blocks of a part of a page in order, none longer than MOST_CHARS unless it is one line or a listing.

    `known` are the listings of the page, which are looked for by default.
    """
    after = _after_listing(start, listings(markdown) if known is None else known)
    yield from _with_terms(markdown, list(_blocks(markdown, after, end)))


def listings(markdown: str) -> list[tuple[int, int]]:
    """Where the listings of a page begin and end, each with its fences."""
    found, begun, fence = list[tuple[int, int]](), 0, ""
    for line in _FENCE.finditer(markdown):
        was_open, fence = fence, open_fence(line[0], fence)
        if fence and not was_open:
            begun = line.start()
        elif was_open and not fence:
            found.append((begun, line.end()))
    return [*found, (begun, len(markdown))] if fence else found


def _after_listing(start: int, known: Sequence[tuple[int, int]]) -> int:
    """Where to start: behind the listing that `start` is in the middle of, if it is."""
    at = bisect_right(known, start, key=lambda listing: listing[0]) - 1
    begun, closed = known[at] if at >= 0 else (start, start)
    return closed if begun < start < closed else start


def _with_terms(markdown: str, blocks: Sequence[TextBlock]) -> Iterator[TextBlock]:
    """The blocks, those marked that are terms of the block below them, or of nothing."""
    run: list[TextBlock] = []
    contents = _contents(markdown, blocks)
    for at, block in enumerate(blocks):
        if at in contents:
            yield from _marked(markdown, run)
            run = []
            yield replace(block, is_frame=True)
            continue
        if _may_be_term(markdown, block) or _may_be_writer(markdown, block):
            run.append(block)
            continue
        yield from _marked(markdown, run)
        run = []
        yield block
    yield from _marked(markdown, run)


def _contents(markdown: str, blocks: Sequence[TextBlock]) -> set[int]:
    """The places of numbered titles that stand apart from each other, many in a row: a table of contents."""
    found: set[int] = set()
    row: list[int] = []
    for at, block in enumerate([*blocks, TextBlock(0, 0, "heading")]):
        if _is_numbered_title(markdown, block):
            row.append(at)
            continue
        found.update(row if len(row) >= CONTENTS else ())
        row = []
    return found


def _is_numbered_title(markdown: str, block: TextBlock) -> bool:
    line = markdown[block.start : block.end]
    is_line = block.form == "list" and "\n" not in line and len(line) <= TERM_CHARS
    return is_line and _CHAPTER.match(line) is not None and not line.endswith(_ENDS)


def _marked(markdown: str, run: Sequence[TextBlock]) -> Iterator[TextBlock]:
    """Short lines in a row as terms, or all of them as a byline: the name of a writer stands beside the day."""
    lines = [without_markdown(markdown[block.start : block.end]) for block in run]
    numbered = [len(run) > 1 and _NUMBERED.match(line) is not None for line in lines]
    if len(run) > TERMS:
        yield from (replace(block, is_frame=is_frame) for block, is_frame in zip(run, numbered, strict=True))
        return
    has_byline = any(map(is_byline, lines))
    for block, is_frame in zip(run, numbered, strict=True):
        is_term = _may_be_term(markdown, block) and not (has_byline or is_frame)
        yield replace(block, is_term=is_term, is_frame=has_byline or is_frame)


def _may_be_writer(markdown: str, block: TextBlock) -> bool:
    """Whether it may say beside a byline who wrote: a name with a rank or place below it, each on a line of its own."""
    lines = markdown[block.start : block.end].split("\n")
    return (
        block.form == "text"
        and 1 < len(lines) <= WRITER_LINES
        and all(len(line) <= WRITER_CHARS and not without_markdown(line).endswith(_ENDS) for line in lines)
    )


def _may_be_term(markdown: str, block: TextBlock) -> bool:
    line = markdown[block.start : block.end]
    if block.form != "text" or len(line) > TERM_CHARS or "\n" in line:
        return False
    is_whole_line = markdown[max(0, block.start - 1) : block.start].strip(" ") in ("", "\n")
    return is_whole_line and not without_markdown(line).rstrip(_CLOSING).endswith(_ENDS)


def _blocks(markdown: str, start: int, end: int) -> Iterator[TextBlock]:
    """Paragraphs, lists, tables, listings and headings, none longer than MOST_CHARS unless it is one line."""
    lines = list(_lines(markdown, start, end))
    at = 0
    while at < len(lines):
        left, _, form = lines[at]
        last = at
        while last + 1 < len(lines) and _goes_on(markdown, lines, last, form):
            last += 1
        above = _heads_above(markdown, left) if form == "table" and not at else ""
        whole = TextBlock(left, lines[last][1], form, above)
        if whole.end - whole.start <= MOST_CHARS or form == "heading":
            yield whole
        elif form == "code" and _is_page(markdown[whole.start : whole.end]):
            yield from _paragraphs(markdown, lines[at : last + 1])
        elif form == "code":
            yield whole  # a part of a listing would begin or end inside its fences
        elif form == "text":
            yield from _sentences(markdown, whole)
        else:
            heads = _heads(markdown, lines[at : last + 1]) if form == "table" else ""
            for n, (a, b, _) in enumerate(lines[at : last + 1]):
                yield TextBlock(a, b, form, above or (heads if n > 1 else ""))
        at = last + 1


def _heads(markdown: str, rows: Sequence[tuple[int, int, BlockForm]]) -> str:
    """The heads of a table's columns; empty if it has none."""
    if len(rows) < 3 or not RULE.fullmatch(markdown[rows[1][0] : rows[1][1]]):
        return ""
    return _cells(markdown[rows[0][0] : rows[0][1]])


def introduction_above(markdown: str, start: int) -> str:
    """What introduces a place of a page that is no sentence of its own.

    Args:
        markdown: the page.
        start: the place.

    Returns:
        In a row of a table, the heads of the columns and the cells before it, joined by ` – `. In an item of a list,
        the last sentence of the paragraph above the list. Else nothing, as in the heads of a table themselves and
        in a listing, whose lines may begin like items.
    """
    begin = markdown.rfind("\n", 0, start) + 1
    line = markdown[begin : start + _MARK_CHARS].partition("\n")[0]
    if is_in_listing(markdown, begin):
        return ""
    if ITEM.match(line):
        return _sentence_above_list(markdown, begin)
    if not line.lstrip().startswith("|"):
        return ""
    heads = _heads_above(markdown, begin)
    return " – ".join(filter(None, [heads, _cells(markdown[begin:start])])) if heads else ""


def _sentence_above_list(markdown: str, begin: int) -> str:
    """The last sentence of the paragraph above a list, of which the line that begins here is a part."""
    for line in reversed(markdown[max(0, begin - MOST_LIST_CHARS) : begin].split("\n")[1:]):
        if not line.strip() or ITEM.match(line) or line.startswith((" ", "\t")):
            continue
        if heading_of(line) or line.startswith(("|", *_FENCES)):
            return ""
        *_, (first, last) = sentence_spans(line) or [(0, 0)]
        return shortened_heading(without_markdown(line[first:last]))
    return ""


def _heads_above(markdown: str, start: int) -> str:
    """The heads of a table that begins above this place: a passage of a long page may begin at any of its rows."""
    rows: list[str] = []
    end = start - 1
    while end > 0 and len(rows) < MOST_ROWS_ABOVE:
        begin = markdown.rfind("\n", 0, end) + 1
        row = markdown[begin:end].strip()
        if not row.startswith("|"):
            break
        rows.append(row)
        end = begin - 1
    is_headed = len(rows) > 1 and RULE.fullmatch(rows[-2]) is not None
    return _cells(rows[-1]) if is_headed else ""


def _cells(row: str) -> str:
    return shortened_heading(" – ".join(text for text in map(without_markdown, row_cells(row)) if text))


def _goes_on(markdown: str, lines: Sequence[tuple[int, int, BlockForm]], at: int, form: BlockForm) -> bool:
    """Whether the next line belongs to the same block as the line `at`."""
    if form == "heading" or lines[at + 1][2] != form:
        return False
    return form == "code" or markdown.count("\n", lines[at][1], lines[at + 1][0]) < 2


def _is_page(listing: str) -> bool:
    return len(listing) > LONG_LISTING and reads_as_prose(listing)


def reads_as_prose(listing: str) -> bool:
    """Whether a listing is a text in lines of fixed width, as pages of a manual are, and no code."""
    words, lines = listing.split(), listing.split("\n")
    alphabetic = sum(word.strip(_AROUND_WORDS).isalpha() for word in words)
    sentences = sum(word.endswith((".", ":", "?", "!")) and word[:-1].isalpha() for word in words)
    coded = sum(line.lstrip().startswith(("#", "$", "//", "/*")) for line in lines)
    has_words = alphabetic >= LEAST_LETTERED * len(words) and sentences * MOST_SENTENCE_WORDS >= len(words)
    return has_words and coded <= MOST_CODE_LINES * len(lines)


def _paragraphs(markdown: str, lines: Sequence[tuple[int, int, BlockForm]]) -> Iterator[TextBlock]:
    """The paragraphs of a listing that is prose, without its fences."""
    inside = [line for line in lines if not markdown[line[0] : line[1]].startswith(_FENCES)]
    first = 0
    for at, (_, end, _) in enumerate(inside):
        if at + 1 < len(inside) and markdown.count("\n", end, inside[at + 1][0]) < 2:
            continue
        whole = TextBlock(inside[first][0], end, "text")
        yield from _sentences(markdown, whole) if whole.end - whole.start > MOST_CHARS else [whole]
        first = at + 1


def _sentences(markdown: str, block: TextBlock) -> Iterator[TextBlock]:
    text = markdown[block.start : block.end]
    for left, right in sentence_spans(text):
        yield TextBlock(block.start + left, block.start + right, block.form)


def _lines(markdown: str, start: int, end: int) -> Iterator[tuple[int, int, BlockForm]]:
    """The lines that are not empty, with the form of each; a listing goes from fence to fence."""
    at, fence, under_item = start, "", False
    while at < end:
        stop = markdown.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = markdown[at:stop]
        bare = line.strip()
        left = at + len(line) - len(line.lstrip())
        was_open, fence = fence, open_fence(bare, fence)
        if fence or was_open:
            if bare:
                yield left, at + len(line.rstrip()), "code"
        elif bare:
            form = _form(line, under_item=under_item)
            under_item = form == "list"
            yield left, at + len(line.rstrip()), form
        else:
            under_item = False
        at = stop + 1


def _form(line: str, *, under_item: bool) -> BlockForm:
    if heading_of(line):
        return "heading"
    if line.lstrip().startswith("|"):
        return "table"
    if ITEM.match(line) or (under_item and line[:1].isspace()):
        return "list"
    return "text"


MOST_BYLINE_CHARS, _MOST_NAME_WORDS = 90, 4
"""Longest line that says who wrote something when, and most names in it."""
_AGO: Final = re.compile(
    r"\b\d+\+? ?(?:s|m|h|d|w|mo|y|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|weeks?|months?|years?) ago\b"
    r"|\bvor \d+ \w+\b|\bil y a \d+ \w+|\bhace \d+ \w+|\b(?:yesterday|today) at\b",
    re.I,
)
_STAMP: Final = re.compile(
    r"\b(?:\d{4}-\d\d-\d\dT)?\d{1,2}:\d\d(?::\d\d)?(?:[+-]\d\d:?\d\d|Z)?\s?(?:[ap]\.?m\b\.?|uhr\b)?", re.I
)
_VERB: Final = re.compile(
    r"\b(?:answered|asked|edited|posted|commented|replied|modified|updated|joined|wrote|written|published|last edit\w*"
    r"|(?:original )?poster|(?:new|senior|junior) member|moderator|geschrieben|gepostet|verfasst|bearbeitet|publié"
    r"|écrit|publicado|escribió)\b",
    re.I,
)
_OTHER: Final = re.compile(r"#?\d+|\b(?:at|on|by|in|am|um|von|le|à|el|a las)\b|[^\w\s]", re.I)


def is_byline(line: str) -> bool:
    """Whether a short line only says who wrote something and when.

    That is a date alone, or one with a name and a time of day or a verb of writing; "Built in May 1871" is none.
    """
    if len(line) > MOST_BYLINE_CHARS:
        return False
    days = dates(line, "")
    for day in reversed(days):
        line = f"{line[: day.start]} 0 {line[day.end :]}"
    rest, stamps = _STAMP.subn(" ", line)
    rest, times_ago = _AGO.subn(" ", rest)
    if not any(char.isdigit() for char in line) or not (days or times_ago):
        return False
    rest, verbs = _VERB.subn(" ", rest)
    names = _OTHER.sub(" ", rest).split()
    if not names:
        return True
    return bool(stamps or times_ago or verbs) and len(names) <= _MOST_NAME_WORDS
