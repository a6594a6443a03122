"""Splits a page into passages of about a hundred tokens, between blocks or sentences."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from research_crawler.core.models.web.pages import Passage
from research_crawler.core.text.headings import heading_of, heading_path
from research_crawler.core.text.markdown_syntax import BLOCK_MARK, open_fence
from research_crawler.text.languages.language import detect, language_of

__all__ = ["quotable_spans", "split_passages"]

_BLOCK = re.compile(r"^[^\S\n]*+\S[^\n]*+(?:\n[^\S\n]*+\S[^\n]*+)*+", re.M)
_LINE = re.compile(r"^[^\S\n]*+\S[^\n]*+", re.M)
_WORD = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+|\S")
SAMPLE_CHARS = 8_000
"""The tokens in so many characters at the start of a page tell how long its tokens are."""
_TOKEN_CHARS = 8
"""So many characters of a word are a token. On 46 pages (tables, manuals) the estimate is 0.92 to 1.13 of what the
packaged model's tokenizer counts, 1.00 on average; with 7 it is 1.05, with 9 it is 0.98."""
_PASSAGES = TypeAdapter(list[Passage])
_LEAST_SHARE = 0.5
"""A passage with at least this share of the target is closed before it gets longer than the target."""
_MOST_SHARE = 1.4
"""A passage of several pieces has at most this multiple of the target, by estimated length."""


_ANNOUNCES = ":："
"""What a sentence ends with that stays with the list, table or code below it."""


@dataclass(slots=True)
class _Atom:
    """A piece that is never divided: a sentence, a row, a heading."""

    start: int
    end: int
    heading: str
    is_heading: bool = False


@dataclass(slots=True)
class _Packing:
    """Fills passages up to the target by estimated length, and counts the tokens of each finished passage."""

    markdown: str
    count_tokens: Callable[[str], int]
    target: int
    tokens_per_char: float
    passages: list[Passage] = field(default_factory=list)
    open: list[_Atom] = field(default_factory=list)

    def add(self, atom: _Atom) -> None:
        if self.open and self._closes(atom):
            lead_in = self._lead_in(atom)
            self.open = self.open[: len(self.open) - len(lead_in)]
            self.close()
            self.open = lead_in
        self.open.append(atom)

    def _lead_in(self, atom: _Atom) -> list[_Atom]:
        """The last sentence of the open passage, if it announces what comes next: "The levels are:"."""
        *before, last = self.open
        is_alone = atom.is_heading or all(one.is_heading for one in before)
        if is_alone or self.markdown[last.end - 1] not in _ANNOUNCES:
            return []
        fits = self.tokens_per_char * (atom.end - last.start) <= _MOST_SHARE * self.target
        return [last] if fits else []

    def close(self) -> None:
        if self.open:
            start, end = self.open[0].start, self.open[-1].end
            text = self.markdown[start:end]
            heading = self.open[-1].heading
            tokens = self.count_tokens(text)
            self.passages.append(Passage(start=start, end=end, text=text, tokens=tokens, heading=heading))
            self.open.clear()

    def _closes(self, atom: _Atom) -> bool:
        start = self.open[0].start
        before = self.tokens_per_char * (self.open[-1].end - start)
        after = self.tokens_per_char * (atom.end - start)
        only_headings = all(atom.is_heading for atom in self.open)
        if atom.is_heading and not only_headings:
            return True
        if only_headings:
            return after > _MOST_SHARE * self.target
        return after > self.target and (
            before >= _LEAST_SHARE * self.target or after > _MOST_SHARE * self.target
        )


def split_passages(
    markdown: str, count_tokens: Callable[[str], int], *, target_tokens: int = 110, max_tokens: int = 180
) -> list[Passage]:
    """Split a page into passages, in order. They have all of its text, and `markdown[start:end] == text`.

    A passage never crosses a heading; `heading` is the path of headings above it ("Guide > Setup"). A
    sentence or row is divided only if it is longer than `max_tokens`, and then between words.

    Args:
        markdown: the stored Markdown.
        count_tokens: counts tokens for the embedding model. Called once for each passage and once for a
            sample.
        target_tokens: the length at which a passage is closed.
        max_tokens: longer pieces are divided. The length is estimated by the page's ratio of tokens to
            characters.
    """
    sample = markdown[:SAMPLE_CHARS]
    ratio = tokens_per_char(sample, count_tokens(sample))
    packing = _Packing(markdown, count_tokens, target_tokens, ratio)
    for atom in _atoms(markdown, max_chars=max(20, int(max_tokens / ratio * 0.9))):
        packing.add(atom)
    packing.close()
    return packing.passages


def split_thread(markdown: str, replies_start: int, count_tokens: Callable[[str], int]) -> list[Passage]:
    """The passages of a page; in a thread, none crosses the place where its replies begin, and those before are marked.

    Args:
        markdown: the stored Markdown.
        replies_start: where its replies begin; 0: it has none, or nobody knows where.
        count_tokens: as of `split_passages`.
    """
    found: list[Passage] = []
    for one in split_passages(markdown, count_tokens):
        if one.end <= replies_start:
            found.append(one.changed(is_opening=True))
        elif one.start >= replies_start:
            found.append(one)
        else:
            found += _parted(one, markdown, replies_start, count_tokens)
    return found


def _parted(
    passage: Passage, markdown: str, at: int, count_tokens: Callable[[str], int]
) -> Iterator[Passage]:
    """The passage in two, at a place in it, without the space between them."""
    before, after = markdown[passage.start : at].rstrip(), markdown[at : passage.end].lstrip()
    for start, text in ((passage.start, before), (passage.end - len(after), after)):
        if text:
            end = start + len(text)
            yield passage.changed(
                start=start, end=end, text=text, tokens=count_tokens(text), is_opening=end <= at
            )


def tokens_per_char(sample: str, tokens: int) -> float:
    """The ratio of tokens to characters on a page, by a sample and its number of tokens."""
    return max(0.02, tokens / len(sample)) if sample.strip() else 0.25


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, where there is no tokenizer: one a word, more for long ones, one a mark."""
    words = _WORD.findall(text)
    return len(words) + sum([(len(word) - 1) // _TOKEN_CHARS for word in words if len(word) > _TOKEN_CHARS])


def bare(passages: Sequence[Passage]) -> list[Passage]:
    """Passages without texts and tokens, for the exchange between processes; see `with_texts`."""
    return [passage.changed(text="", tokens=0) for passage in passages]


def passages_json(markdown: str) -> str:
    """The bare passages of a page as JSON."""
    return _PASSAGES.dump_json(bare(split_passages(markdown, estimated_tokens))).decode()


def with_texts(
    passages: Sequence[Passage], markdown: str, count_tokens: Callable[[Sequence[str]], Sequence[int]]
) -> list[Passage]:
    """Bare passages of a page with their texts and tokens; all are counted in one call."""
    texts = [markdown[passage.start : passage.end] for passage in passages]
    counts = count_tokens(texts) if texts else []
    return [
        passage.changed(text=text, tokens=tokens)
        for passage, text, tokens in zip(passages, texts, counts, strict=True)
    ]


def quotable_spans(markdown: str) -> list[tuple[int, int]]:
    """The (start, end) offsets of all sentences, list items, rows and headings of a page."""
    return [(start, end) for start, end, _ in _pieces(markdown)]


def _atoms(markdown: str, *, max_chars: int) -> Iterator[_Atom]:
    path: list[tuple[int, str]] = []
    title = ""
    for start, end, fenced in _pieces(markdown):
        heading = None if fenced else heading_of(markdown[start:end])
        if heading:
            path = [entry for entry in path if entry[0] < heading[0]] + [heading]
            title = heading_path(text for _, text in path)
        for left, right in _bounded(markdown, start, end, max_chars):
            yield _Atom(left, right, title, is_heading=heading is not None)


def _pieces(markdown: str) -> Iterator[tuple[int, int, bool]]:
    """The lines of lists, tables, quotes, headings and code, and the sentences of all other text."""
    fence, language = "", language_of(detect(markdown))
    for block in _BLOCK.finditer(markdown):
        by_lines = fence or "```" in block[0] or BLOCK_MARK.match(block[0]) is not None
        if not by_lines:
            for left, right in language.sentence_spans(block[0]):
                yield block.start() + left, block.start() + right, False
            continue
        for line in _LINE.finditer(markdown, block.start(), block.end()):
            was_open, fence = fence, open_fence(line[0], fence)
            is_code = bool(was_open or fence)
            if is_code or line[0].lstrip()[:1] in "|#":
                left = line.start() + len(line[0]) - len(line[0].lstrip())
                yield left, line.start() + len(line[0].rstrip()), is_code
            else:
                for left, right in language.sentence_spans(line[0]):
                    yield line.start() + left, line.start() + right, False


def _bounded(markdown: str, start: int, end: int, max_chars: int) -> Iterator[tuple[int, int]]:
    if end - start <= max_chars:
        yield start, end
        return
    left, right = start, start
    for word in _WORD.finditer(markdown, start, end):
        if word.end() - left > max_chars and right > left:
            yield left, right
            left = word.start()
        right = word.end()
    if right > left:
        yield left, right
