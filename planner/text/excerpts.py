"""Split a Markdown page into excerpts: pieces of a section that a reader understands, code and lists included."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from planner.text.excerpt_markdown import excerpt_text
from planner.text.sentences import DEPENDENT_START, ITEM, RULE, plain, sentence_spans
from research_crawler.core.headings import heading_of
from research_crawler.core.models.pages import Passage

TARGET_CHARS = 340
"""Length at which an excerpt is closed, about 80 tokens: on questions about manuals, the best excerpts of this
length hold 0.69 of the facts in 540 words; single sentences, 0.52."""
MOST_CHARS, MOST_LEANING = 620, 900
"""A longer paragraph, list or listing is divided between sentences, items or lines; an excerpt goes on for so long if
what follows is not understood without it."""
LONGEST_CHARS = 1_200
"""A longer sentence, item or line is not text but data or a list of keywords."""
TERM_CHARS, TERMS = 80, 5
"""A short line without a full stop is the term of the paragraph below it (an option, a label), if at most so many
such lines stand in a row; more are lines of their own, such as a poem or technical data."""
_FENCES = ("```", "~~~")


@dataclass(frozen=True)
class Excerpt:
    """A piece of a page: `markdown[start:end]`, inside one section."""

    start: int
    end: int
    heading: str
    """The headings above it, outermost first: `Guide > Setup`."""
    text: str
    """Its text without Markdown marks, on one line."""


@dataclass(frozen=True)
class _Block:
    start: int
    end: int
    form: str
    """text, list, table, code or heading."""
    heads: str = ""
    """The heads of the columns, for a row that is apart from them."""
    is_term: bool = False
    """It names what the next block is about, and stands with it."""


def excerpts(
    markdown: str, passages: Sequence[Passage] = (), *, is_noise: Callable[[str], bool] = lambda _: False
) -> list[Excerpt]:
    """The excerpts of a page in order; with `passages`, those of the parts of the page that they cover.

    None contains a sentence or line that `is_noise`, given its text, refuses.
    """
    found: list[Excerpt] = []
    for start, end, heading in _regions(markdown, passages):
        found += _of_region(markdown, start, end, heading, is_noise)
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


def _of_region(
    markdown: str, start: int, end: int, heading: str, is_noise: Callable[[str], bool]
) -> Iterator[Excerpt]:
    open_ = _Open(markdown, [(level, name) for level, name in enumerate(heading.split(" > "), 1) if name])
    for block in _with_terms(markdown, list(_blocks(markdown, start, end))):
        if block.form == "heading":
            yield from open_.closed()
            open_.enter(block)
            continue
        if block.is_term:
            if open_.blocks and not open_.blocks[-1].is_term:
                yield from open_.closed()
            open_.name(block)
        for part, noise in _parts(markdown, block, is_noise):
            if noise:
                yield from open_.closed()
            elif open_.blocks and _is_full(markdown, open_.blocks, part):
                yield from open_.closed(goes_on=True)
            if not noise and part.end - part.start <= LONGEST_CHARS:
                open_.blocks.append(part)
    yield from open_.closed()


@dataclass
class _Open:
    """The excerpt that is being filled, with the headings that it stands under."""

    markdown: str
    path: list[tuple[int, str]]
    blocks: list[_Block] = field(default_factory=list)
    term: str = ""

    def enter(self, heading: _Block) -> None:
        """Go on below another heading."""
        level, name = heading_of(self.markdown[heading.start : heading.end]) or (1, "")
        self.path = [(depth, known) for depth, known in self.path if depth < level]
        self.path.append((level, plain(name)))
        self.term = ""

    def name(self, term: _Block) -> None:
        """Go on with the explanation of another term, or of one more."""
        name = plain(self.markdown[term.start : term.end])
        self.term = f"{self.term}, {name}" if self.blocks else name

    def closed(self, *, goes_on: bool = False) -> Iterator[Excerpt]:
        """The finished excerpt; what announces the next one stays for it."""
        kept = self.blocks[-1:] if goes_on and len(self.blocks) > 1 else []
        if kept and not _announces(self.markdown, kept[0]):
            kept = []
        blocks = self.blocks[: len(self.blocks) - len(kept)]
        self.blocks = kept
        if not blocks:
            return
        first, last = blocks[0], blocks[-1].end
        text = excerpt_text(self.markdown[first.start : last])
        if any(character.isalpha() for character in text):
            names = [name for _, name in self.path] + ([self.term] if self.term and not first.is_term else [])
            yield Excerpt(first.start, last, _with_heads(" > ".join(names), first.heads), text)


def _with_heads(heading: str, heads: str) -> str:
    return f"{heading} ({heads})".lstrip() if heads else heading


def _with_terms(markdown: str, blocks: Sequence[_Block]) -> Iterator[_Block]:
    """The blocks, those marked that are terms of the block below them, or of nothing."""
    run: list[_Block] = []
    for block in blocks:
        if _may_be_term(markdown, block):
            run.append(block)
            continue
        yield from (replace(one, is_term=len(run) <= TERMS) for one in run)
        run = []
        yield block
    yield from (replace(one, is_term=len(run) <= TERMS) for one in run)


def _may_be_term(markdown: str, block: _Block) -> bool:
    line = markdown[block.start : block.end]
    if block.form != "text" or len(line) > TERM_CHARS or "\n" in line:
        return False
    return not plain(line).endswith((".", "!", "?", ":", ";", ",", "…", "。"))


def _parts(markdown: str, block: _Block, is_noise: Callable[[str], bool]) -> Iterator[tuple[_Block, bool]]:
    """The block, or its sentences, if one of them is noise; each with whether it is."""
    if block.form == "code":
        yield block, False
        return
    if block.is_term:
        yield block, is_noise(plain(markdown[block.start : block.end]))
        return
    spans = sentence_spans(markdown[block.start : block.end])
    sentences = [_Block(block.start + left, block.start + right, block.form) for left, right in spans]
    noisy = [is_noise(plain(markdown[one.start : one.end])) for one in sentences]
    if any(noisy):
        yield from zip(sentences, noisy, strict=True)
    else:
        yield block, False


def _is_full(markdown: str, open_: Sequence[_Block], block: _Block) -> bool:
    """Whether an excerpt is closed before the next block: it is long enough, and neither needs the other."""
    length = open_[-1].end - open_[0].start
    leans = block.form == "text" and _leans(markdown, block)
    if block.end - open_[0].start > (MOST_LEANING if leans else MOST_CHARS):
        return True
    return length >= TARGET_CHARS and not leans and not _announces(markdown, open_[-1])


def _announces(markdown: str, block: _Block) -> bool:
    return markdown[block.start : block.end].rstrip("*_ \n").endswith(":")


def _leans(markdown: str, block: _Block) -> bool:
    """Whether a text begins in the middle of a sentence, or with a pronoun for what stands before it."""
    text = markdown[block.start : block.start + 40]
    return text[:1].islower() or DEPENDENT_START.match(text) is not None


def _blocks(markdown: str, start: int, end: int) -> Iterator[_Block]:
    """Paragraphs, lists, tables, listings and headings, none longer than MOST_CHARS unless it is one line."""
    lines = list(_lines(markdown, start, end))
    at = 0
    while at < len(lines):
        left, _, form = lines[at]
        last = at
        while last + 1 < len(lines) and _goes_on(markdown, lines, last, form):
            last += 1
        whole = _Block(left, lines[last][1], form)
        if whole.end - whole.start <= MOST_CHARS or form == "heading":
            yield whole
        elif form == "code":
            yield whole  # a part of a listing would begin or end inside its fences
        elif form == "text":
            yield from _sentences(markdown, whole)
        else:
            heads = _heads(markdown, lines[at : last + 1]) if form == "table" else ""
            for n, (a, b, _) in enumerate(lines[at : last + 1]):
                yield _Block(a, b, form, heads if n > 1 else "")
        at = last + 1


def _heads(markdown: str, rows: Sequence[tuple[int, int, str]]) -> str:
    """The heads of a table's columns; empty if it has none."""
    if len(rows) < 3 or not RULE.fullmatch(markdown[rows[1][0] : rows[1][1]]):
        return ""
    cells = markdown[rows[0][0] : rows[0][1]].strip().strip("|").split("|")
    return " – ".join(text for text in map(plain, cells) if text)


def _goes_on(markdown: str, lines: Sequence[tuple[int, int, str]], at: int, form: str) -> bool:
    """Whether the next line belongs to the same block as the line `at`."""
    if form == "heading" or lines[at + 1][2] != form:
        return False
    return form == "code" or markdown.count("\n", lines[at][1], lines[at + 1][0]) < 2


def _sentences(markdown: str, block: _Block) -> Iterator[_Block]:
    text = markdown[block.start : block.end]
    for left, right in sentence_spans(text):
        yield _Block(block.start + left, block.start + right, block.form)


def _lines(markdown: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The lines that are not empty, with the form of each; a listing goes from fence to fence."""
    at, fence, under_item = _after_open_fence(markdown, start), "", False
    while at < end:
        stop = markdown.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = markdown[at:stop]
        bare = line.strip()
        left = at + len(line) - len(line.lstrip())
        if fence:
            fence = "" if bare.startswith(fence) else fence
            if bare:
                yield left, at + len(line.rstrip()), "code"
        elif bare.startswith(_FENCES):
            fence = bare[:3]
            yield left, at + len(line.rstrip()), "code"
        elif bare:
            form = _form(line, under_item=under_item)
            under_item = form == "list"
            yield left, at + len(line.rstrip()), form
        else:
            under_item = False
        at = stop + 1


def _after_open_fence(markdown: str, start: int) -> int:
    """Where to start: behind the listing that `start` is in the middle of, if it is."""
    fence = ""
    for line in markdown[:start].splitlines():
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(_FENCES):
            fence = bare[:3]
    if not fence:
        return start
    closing = markdown.find(f"\n{fence}", start - 1)
    return len(markdown) if closing < 0 else closing + 1 + len(fence)


def _form(line: str, *, under_item: bool) -> str:
    if heading_of(line):
        return "heading"
    if line.lstrip().startswith("|"):
        return "table"
    if ITEM.match(line) or (under_item and line[:1].isspace()):
        return "list"
    return "text"
