"""Cut the excerpts that an answer begins with: what comes nearest to the question stands first, the rest below."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from planner.brains.extractive.layout import Item
from planner.brains.extractive.nearness import Compared
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.sentences import units
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text
from research_crawler.text.markdown_blocks.markdown_blocks import listings
from research_crawler.text.measures.embedded_text import embedded
from research_crawler.text.measures.likeness import cosine

RANKED_BY_MEANING: Final = 0.7
"""Weight of the cosine in the order of excerpts, beside the share of the question's words. On 97 questions with 188
facts, 0.6 shows five facts fewer in the first 200 words and four fewer in all; 0.5 and 0.8 fewer still."""
PIECE_WORDS: Final = 45
"""Most words of one, unless it is one sentence, row or listing. Of 158 facts about manuals and Wikipedia, 84 stand
in the first 200 words; with 30 words 76, and with whole excerpts 74."""
BEHIND: Final = 0.05
"""How far the other pieces of an excerpt stand behind its nearest one, beside what they are worth less; at 0, 81 facts
stand in the first 200 words."""


@dataclass(frozen=True)
class ExcerptPiece:
    """A slice of an excerpt from `start` on."""

    start: int
    quote: str
    text: str
    """Its words on one line."""


async def cut(
    items: Sequence[Item], asked: Sequence[tuple[str, Sequence[float]]], near: Compared, embedder: Embedder
) -> list[Item]:
    """Excerpts in their pieces; of each excerpt, the piece that comes nearest to what is asked keeps the rank.

    Args:
        items: the excerpts.
        asked: the question and its parts with their vectors.
        near: the findings that are compared.
        embedder: gives the vectors of pieces.
    """
    of_items = [pieces(item.finding.quote) for item in items]
    texts = [piece.text for own in of_items if len(own) > 1 for piece in own]
    vectors = dict(zip(texts, await embedder.embed([embedded(text) for text in texts]), strict=True))
    found: list[Item] = []
    for item, own in zip(items, of_items, strict=True):
        questions = [asked[0], *asked[1:][item.part : item.part + 1]]
        worth = [_worth(piece.text, vectors[piece.text], questions, near) for piece in own if len(own) > 1]
        found += [_of(item, piece, max(worth) - of) for piece, of in zip(own, worth, strict=False)] or [item]
    return found


def pieces(quote: str) -> list[ExcerptPiece]:
    """The pieces of an excerpt in order, which end between sentences, items and rows; a listing stays whole.

    What announces something ("… as follows:") stands with it, and so does the sentence before a listing: a command by
    itself ("git reset --hard") would answer another question. None of several is of marks alone.
    """
    shown = listings(quote)
    spans = sorted([*shown, *((unit.start, unit.end) for unit in units(quote))])
    starts = [0]
    words, announces = 0, True
    for start, end in spans:
        length = len(quote[start:end].split())
        begun = _line_start(quote, start)
        is_full = words + length > PIECE_WORDS and not announces and (start, end) not in shown
        if is_full and excerpt_text(quote[starts[-1] : begun]):
            starts.append(begun)
            words = 0
        words += length
        announces = quote[start:end].rstrip("*_ \n").endswith(":")
    if len(starts) > 1 and not excerpt_text(quote[starts[-1] :]):
        starts.pop()
    ends = [*starts[1:], len(quote)]
    slices = [(start, quote[start:end].rstrip()) for start, end in zip(starts, ends, strict=True)]
    return [ExcerptPiece(start, text, excerpt_text(text)) for start, text in slices]


def _line_start(quote: str, start: int) -> int:
    """The beginning of a line of which nothing but the mark of an item or quotation stands before a place."""
    begun = quote.rfind("\n", 0, start) + 1
    return begun if not any(map(str.isalpha, quote[begun:start])) else start


def _worth(
    text: str, vector: Sequence[float], questions: Sequence[tuple[str, Sequence[float]]], near: Compared
) -> float:
    return max(
        RANKED_BY_MEANING * cosine(wanted, vector) + (1 - RANKED_BY_MEANING) * near.share(question, text)
        for question, wanted in questions
    )


def _of(item: Item, piece: ExcerptPiece, behind: float) -> Item:
    """An excerpt with one of its pieces in its place, which is worth so much less than the best one."""
    start = item.finding.start + piece.start
    finding = item.finding.changed(
        quote=piece.quote, claim=piece.text, start=start, end=start + len(piece.quote)
    )
    rank = item.rank - behind - BEHIND * (behind > 0)
    return replace(item, finding=finding, rank=rank, leads=item.leads and not behind, is_piece=True)
