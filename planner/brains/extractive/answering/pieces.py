"""Cut the excerpts that an answer begins with: what has most of the question's words stands first, the rest below."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from planner.brains.extractive.answering.layout import Item
from planner.brains.extractive.nearness import Compared
from research_crawler.text.languages.sentences import units
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text
from research_crawler.text.markdown_blocks.markdown_blocks import listings

PIECE_WORDS: Final = 60
"""Most words of one, unless it is one sentence, row or listing. Of 188 facts, 98 stand in the first 200 words; with 38
words 95, with 80 words 85."""


@dataclass(frozen=True)
class ExcerptPiece:
    """A slice of an excerpt from `start` on."""

    start: int
    quote: str
    text: str
    """Its words on one line."""
    paragraph: int
    """Where the paragraph begins that it goes on; its own start, if it begins one."""


@dataclass(frozen=True)
class _QuotePart:
    """A sentence, an item, a row or a listing."""

    start: int
    words: int
    paragraph: int
    """Where the paragraph, item or row begins that it is in."""
    stays: bool
    """It stands with what is before it."""


def cut(items: Sequence[Item], asked: Sequence[str], near: Compared) -> list[Item]:
    """Excerpts in their pieces; of each, the piece that has most of the words of what is asked keeps the rank.

    Args:
        items: the excerpts.
        asked: the question and its parts.
        near: the findings that are compared.
    """
    found: list[Item] = []
    for item in items:
        own = pieces(item.finding.quote)
        questions = [asked[0], *asked[1:][item.part : item.part + 1]]
        worth = [max(near.share(question, piece.text) for question in questions) for piece in own]
        found += [_of(item, piece, max(worth) - of) for piece, of in zip(own, worth, strict=True)]
    return found


def pieces(quote: str) -> list[ExcerptPiece]:
    """The pieces of an excerpt in order; each begins with a paragraph, an item or a row, unless that is too long.

    A listing stays whole. What announces something ("… as follows:") stands with it, and so does the sentence before a
    listing: a command by itself ("git reset --hard") would answer another question. None of several is of marks alone.
    """
    starts, paragraphs = [0], [0]
    words = before = 0
    for part in _parts(quote):
        before = before if part.start > part.paragraph else 0
        begun = part.paragraph if part.paragraph > starts[-1] else part.start
        is_full = words + part.words > PIECE_WORDS and not part.stays
        if is_full and excerpt_text(quote[starts[-1] : begun]):
            starts.append(begun)
            paragraphs.append(part.paragraph)
            words = before if begun < part.start else 0
        words += part.words
        before += part.words
    if len(starts) > 1 and not excerpt_text(quote[starts[-1] :]):
        starts.pop()
    slices = [quote[start:end].rstrip() for start, end in zip(starts, [*starts[1:], len(quote)], strict=True)]
    return [
        ExcerptPiece(start, text, excerpt_text(text), paragraph)
        for start, text, paragraph in zip(starts, slices, paragraphs, strict=False)
    ]


def _parts(quote: str) -> Iterator[_QuotePart]:
    shown = listings(quote)
    told = [(one.start, one.end, one.block if one.form == "sentence" else -1) for one in units(quote)]
    paragraph, block, announces = 0, -1, True
    for start, end, of_block in sorted([*((*one, -1) for one in shown), *told]):
        stays = announces or (start, end) in shown
        begun = _line_start(quote, start)
        if not stays and (of_block != block if of_block >= 0 else quote[:begun].endswith("\n")):
            paragraph = begun
        yield _QuotePart(begun, len(quote[start:end].split()), paragraph, stays)
        block, announces = of_block, quote[start:end].rstrip("*_ \n").endswith(":")


def _line_start(quote: str, start: int) -> int:
    """The beginning of a line of which nothing but the mark of an item or quotation stands before a place."""
    begun = quote.rfind("\n", 0, start) + 1
    return begun if not any(map(str.isalpha, quote[begun:start])) else start


def _of(item: Item, piece: ExcerptPiece, behind: float) -> Item:
    """An excerpt with one of its pieces in its place, which is worth so much less than the best one."""
    start = item.finding.start + piece.start
    finding = item.finding.changed(
        quote=piece.quote, claim=piece.text, start=start, end=start + len(piece.quote)
    )
    return replace(
        item,
        finding=finding,
        rank=item.rank - behind,
        leads=item.leads and not behind,
        excerpt=item.finding,
        paragraph=item.finding.start + piece.paragraph,
    )
