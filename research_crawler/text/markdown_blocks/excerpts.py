"""Split a Markdown page into excerpts: pieces of a section that a reader understands, code and lists included."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from research_crawler.core.models.web.pages import Passage
from research_crawler.core.text.headings import STEP, heading_of, heading_path, shortened_heading
from research_crawler.core.text.markdown_syntax import LISTED
from research_crawler.text.languages.sentences import ITEM, leans, sentence_spans, without_markdown
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text
from research_crawler.text.markdown_blocks.markdown_blocks import MOST_CHARS, TextBlock, blocks_of, listings

TARGET_CHARS = 340
"""Length at which an excerpt is closed, about 80 tokens: on questions about manuals, the best excerpts of this
length hold 0.69 of the facts in 540 words; single sentences, 0.52."""
MOST_LEANING = 900
"""An excerpt is closed at MOST_CHARS, or here if what follows is not understood without it."""
NUMBERED = re.compile(r"\s*+(\d{1,3})[.)]\s")
_HEADING_NUMBER = re.compile(r"^(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3})*+\.?\s+(?=\S)")
LONGEST_CHARS = 1_200
"""A longer sentence, item or line is not text but data or a list of keywords."""


@dataclass(frozen=True)
class Excerpt:
    """A piece of a page: `markdown[start:end]`, inside one section."""

    start: int
    end: int
    heading: str
    """The headings above it, outermost first: `Guide > Setup`."""
    text: str
    """Its text without Markdown marks, on one line."""


def excerpts(
    markdown: str, passages: Sequence[Passage] = (), *, is_noise: Callable[[str], bool] = lambda _: False
) -> list[Excerpt]:
    """The excerpts of a page in order; with `passages`, those of the parts of the page that they cover.

    None contains a sentence or line that `is_noise`, given its text, refuses.
    """
    found: list[Excerpt] = []
    page = _ReadPage(markdown, _headings(markdown), listings(markdown))  # read once for all of its regions
    for start, end, heading in _regions(markdown, passages):
        found += _of_region(page, start, end, heading, is_noise)
    return found


def _regions(markdown: str, passages: Sequence[Passage]) -> Iterator[tuple[int, int, str]]:
    """Parts of the page without a gap, with the heading that the first line of each stands under."""
    if not passages:
        yield 0, len(markdown), ""
        return
    start, end, heading = passages[0].start, passages[0].end, passages[0].heading
    for passage in passages[1:]:
        if markdown[end : passage.start].strip():
            yield start, end, heading
            start, heading = passage.start, passage.heading
        end = passage.end
    yield start, end, heading


@dataclass(frozen=True)
class _ReadPage:
    """A page with what is known of all of it."""

    markdown: str
    headings: Collection[str]
    listings: Sequence[tuple[int, int]]


def _of_region(
    page: _ReadPage, start: int, end: int, heading: str, is_noise: Callable[[str], bool]
) -> Iterator[Excerpt]:
    markdown = page.markdown
    builder = _ExcerptBuilder(
        markdown, [(level, name) for level, name in enumerate(heading.split(STEP), 1) if name]
    )
    blocks = list(blocks_of(markdown, start, end, page.listings))
    if blocks and (lead_in := _above(page, blocks[0])) and not is_noise(_shown_text(markdown, lead_in)):
        builder.blocks.append(lead_in)
    for block in blocks:
        if block.form == "heading" or block.is_frame or _lists_headings(markdown, block, page.headings):
            yield from builder.flush()
            builder.enter(block)
            continue
        if block.is_term and not is_noise(without_markdown(markdown[block.start : block.end])):
            if builder.blocks and not builder.blocks[-1].is_term:
                yield from builder.flush()
            builder.name(block)
        for part, noise in _parts(markdown, block, is_noise):
            if noise or (builder.blocks and _is_full(markdown, builder.blocks, part)):
                yield from builder.flush(before=None if noise else part)
            if noise or part.end - part.start > LONGEST_CHARS:
                continue
            if builder.blocks and part.end - builder.blocks[0].start > LONGEST_CHARS:
                yield from builder.flush(before=part if part.form == "code" else None)
            builder.blocks.append(part)
    yield from builder.flush()


def _headings(markdown: str) -> frozenset[str]:
    """The headings of a page, to recognise its table of contents."""
    found = (heading_of(line) for line in markdown.splitlines() if line.lstrip().startswith("#"))
    return frozenset(without_number(without_markdown(heading[1])).casefold() for heading in found if heading)


def without_number(heading: str) -> str:
    """A heading without its number: `3.1.2 Quoting` is about quoting."""
    return _HEADING_NUMBER.sub("", heading, count=1)


def _lists_headings(markdown: str, block: TextBlock, headings: Collection[str]) -> bool:
    """Whether most items of a list are headings of the page."""
    if block.form != "list":
        return False
    lines = markdown[block.start : block.end].splitlines()
    items = [
        without_number(
            without_markdown(line[mark.end() :] if (mark := ITEM.match(line)) else line)
        ).casefold()
        for line in lines
    ]
    return len(items) > 1 and sum(item in headings for item in items) > len(items) / 2


@dataclass
class _ExcerptBuilder:
    """Fills an excerpt with blocks, and knows the headings that it stands under."""

    markdown: str
    path: list[tuple[int, str]]
    blocks: list[TextBlock] = field(default_factory=list)
    term: str = ""

    def enter(self, border: TextBlock) -> None:
        """Go on below another heading, or behind a block that is no text."""
        self.term = ""
        if border.form != "heading":
            return
        level, name = heading_of(self.markdown[border.start : border.end]) or (1, "")
        self.path = [(depth, known) for depth, known in self.path if depth < level]
        self.path.append((level, without_markdown(name)))

    def name(self, term: TextBlock) -> None:
        """Go on with the explanation of another term, or of one more."""
        name = without_markdown(self.markdown[term.start : term.end])
        self.term = shortened_heading(f"{self.term}, {name}" if self.blocks else name)

    def flush(self, *, before: TextBlock | None = None) -> list[Excerpt]:
        """End the excerpt and begin another: the ended one, or nothing where it says nothing.

        What leads to the block that it is ended before opens the next one.
        """
        blocks, lead_in = self.blocks, None
        if before and blocks:
            lead_in = _lead_in(self.markdown, blocks[-1], before)
        if lead_in and blocks:
            left = self.markdown[blocks[-1].start : lead_in.start].rstrip()
            rest = replace(blocks[-1], end=blocks[-1].start + len(left))
            blocks = [*blocks[:-1], *([rest] if left else [])]
        self.blocks = [lead_in] if lead_in else []
        if not blocks or all(self._says_nothing(block) for block in blocks):
            return []
        first, last = blocks[0], blocks[-1].end
        text = excerpt_text(self.markdown[first.start : last])
        if not any(character.isalpha() for character in text):
            return []
        names = [name for _, name in self.path] + ([self.term] if self.term and not first.is_term else [])
        return [Excerpt(first.start, last, _with_heads(heading_path(names), first.heads), text)]

    def _says_nothing(self, block: TextBlock) -> bool:
        """Whether it is a label without an explanation or a figure, such as a link to another page."""
        return block.is_term and not any(c.isdigit() for c in self.markdown[block.start : block.end])


def _with_heads(heading: str, heads: str) -> str:
    return f"{heading} ({heads})".lstrip() if heads else heading


def _parts(
    markdown: str, block: TextBlock, is_noise: Callable[[str], bool]
) -> Iterator[tuple[TextBlock, bool]]:
    """The block, or its sentences, if one of them is noise; each with whether it is."""
    if block.form == "code":
        yield block, False
        return
    if block.is_term:
        yield block, is_noise(without_markdown(markdown[block.start : block.end]))
        return
    sentences = list(_sentences(markdown, block))
    noisy = [is_noise(_shown_text(markdown, sentence)) for sentence in sentences]
    if any(noisy):
        yield from zip(sentences, noisy, strict=True)
    else:
        yield block, False


def _sentences(markdown: str, block: TextBlock) -> Iterator[TextBlock]:
    """The sentences of a block; in a list, each with the mark of its item: the number of a step is no sentence."""
    text = markdown[block.start : block.end]
    starts = [0, *(line.start() for line in LISTED.finditer(text))] if block.form == "list" else [0]
    for start, end in pairwise([*dict.fromkeys(starts), len(text)]):
        mark = ITEM.match(text, start, end)
        begin = mark.end() if mark else start
        spans = [(begin + left, begin + right) for left, right in sentence_spans(text[begin:end])]
        for n, (left, right) in enumerate(spans):
            first = (
                start + len(text[start:left]) - len(text[start:left].lstrip()) if mark and n == 0 else left
            )
            yield TextBlock(block.start + first, block.start + right, block.form)


def _shown_text(markdown: str, sentence: TextBlock) -> str:
    text = markdown[sentence.start : sentence.end]
    mark = ITEM.match(text)
    return without_markdown(text[mark.end() :] if mark else text)


def _is_full(markdown: str, blocks: Sequence[TextBlock], block: TextBlock) -> bool:
    """Whether an excerpt is closed before the next block: it is long enough, and neither needs the other."""
    length = blocks[-1].end - blocks[0].start
    if _explains(markdown, blocks, block):
        return block.end - blocks[0].start > LONGEST_CHARS
    leans = block.form == "text" and _leans(markdown, block)
    if block.end - blocks[0].start > (MOST_LEANING if leans else MOST_CHARS):
        return True
    return length >= TARGET_CHARS and not leans and not _announces(markdown, blocks[-1])


def _explains(markdown: str, blocks: Sequence[TextBlock], block: TextBlock) -> bool:
    """Whether an item is a note to a mark in the listing before it: `$ commit  <2>`, and `2. The commit is …`."""
    number = NUMBERED.match(markdown, block.start, block.end) if block.form == "list" else None
    if number is None:
        return False
    listings = (markdown[one.start : one.end] for one in blocks if one.form == "code")
    return any(f"<{number[1]}>" in listing or f"({number[1]})" in listing for listing in listings)


def _above(page: _ReadPage, block: TextBlock) -> TextBlock | None:
    """What leads to a listing or a list from above the part of the page that begins with it."""
    if block.form not in ("code", "list"):
        return None
    start = max(0, block.start - LONGEST_CHARS)
    above = list(blocks_of(page.markdown, start, block.start, page.listings))
    return _lead_in(page.markdown, above[-1], block) if above else None


def _lead_in(markdown: str, block: TextBlock, following: TextBlock) -> TextBlock | None:
    """What of a block leads to the following one: all of it if it announces that; of a text above a listing, its last
    sentence.
    """
    if block.form not in ("text", "list") or block.is_frame:
        return None
    if block.is_term or (_announces(markdown, block) and following.form != "code"):
        return block
    if following.form != "code":
        return None
    last = list(_sentences(markdown, block))[-1:]
    return last[0] if last and last[0].end - last[0].start <= TARGET_CHARS else None


def _announces(markdown: str, block: TextBlock) -> bool:
    return markdown[block.start : block.end].rstrip("*_ \n").endswith(":")


def _leans(markdown: str, block: TextBlock) -> bool:
    """Whether a text begins in the middle of a sentence, or with a pronoun for what stands before it."""
    text = markdown[block.start : block.start + 40]
    return text[:1].islower() or leans(text)
