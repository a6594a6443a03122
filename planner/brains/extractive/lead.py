"""The answer first: the sentences that come nearest to what is asked, before the excerpts that have them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from planner.brains.extractive.layout import Item
from planner.evidence.evidence_statements import EvidenceStatement
from planner.evidence.parsed_sentence import ParsedSentence, is_same_fact
from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.jobs import Depth
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.text.language import detect
from research_crawler.text.likeness import Bm25, cosine, normalised
from research_crawler.text.markdown_blocks.excerpt_markdown import without_sentences
from research_crawler.text.sentences import units
from research_crawler.text.statements import is_personal

_LEAD_WORDS: dict[Depth, int] = {"quick": 60, "standard": 190, "deep": 250}
"""About how many words the first sentences have."""
MOST_FINDINGS, _MOST_COMPARED = 20, 40
"""Findings whose sentences may lead, and most sentences that get a vector, chosen by BM25."""
_LEAST_WORDS, _MOST_WORDS = 4, 60
"""A shorter piece is a label, a longer one data."""
SAID_AGAIN, MOST_AGAIN = 0.7, 4
"""Cosine from which statements of two hosts are compared, and most of them that are cited for one sentence."""
LEAST_OF_BEST: Final = 0.6
"""Least worth of a leading sentence, as a share of the best one."""
BY_OTHER: Final = 0.25
"""Weight of the words of a sentence, and of the value of its excerpt, beside its cosine with what is asked."""


@dataclass(frozen=True)
class _Piece:
    item: Item
    text: str
    shown: str
    """With its heading, as it is compared."""


async def lead_of(
    items: Sequence[Item],
    asked: Sequence[str],
    depth: Depth,
    embedder: Embedder,
    said: Sequence[EvidenceStatement] = (),
) -> list[Sentence]:
    """The sentences, items and rows that come nearest to a question or its parts, each part in turn.

    Args:
        items: the best findings first.
        asked: the question, or its parts.
        depth: of the report, which sets how long the lead is.
        embedder: one that remembers.
        said: the statements of all findings, to tell which hosts say the same.
    """
    pieces = _by_words(_pieces(items[:MOST_FINDINGS]), asked)
    if not pieces:
        return []
    vectors = await embedder.embed([*asked, *(piece.shown for piece in pieces)])
    bm25 = Bm25([piece.shown for piece in pieces], detect(asked[0]))
    best = max(item.value for item in items) or 1.0
    by_part: list[list[tuple[float, _Piece]]] = [[] for _ in asked]
    lexical = [normalised(bm25.scores(text)) for text in asked]
    for place, (piece, vector) in enumerate(zip(pieces, vectors[len(asked) :], strict=True)):
        worths = [
            cosine(wanted, vector) + BY_OTHER * words[place]
            for wanted, words in zip(vectors, lexical, strict=False)
        ]
        part = max(range(len(asked)), key=worths.__getitem__)
        by_part[part].append((worths[part] + BY_OTHER * piece.item.value / best, piece))
    least = LEAST_OF_BEST * max(worth for row in by_part for worth, _ in row)
    rows = [
        [piece for worth, piece in sorted(row, key=lambda one: -one[0]) if worth >= least] for row in by_part
    ]
    in_turn = [piece for turn in zip_longest(*rows) for piece in turn if piece is not None]
    return _within(in_turn, _LEAD_WORDS[depth], said)


def _pieces(items: Sequence[Item]) -> list[_Piece]:
    found: dict[str, _Piece] = {}
    for item in items:
        for unit in units(item.finding.quote):
            heading = item.finding.heading
            if _LEAST_WORDS <= len(unit.text.split()) <= _MOST_WORDS and unit.text[-1:] not in "?:":
                found.setdefault(unit.text.casefold(), _Piece(item, unit.text, f"{heading}\n{unit.text}"))
    return list(found.values())


def _by_words(pieces: Sequence[_Piece], asked: Sequence[str]) -> list[_Piece]:
    bm25 = Bm25([piece.shown for piece in pieces], detect(asked[0]))
    scores = [max(of) for of in zip(*(normalised(bm25.scores(one)) for one in asked), strict=True)]
    best = sorted(range(len(pieces)), key=lambda place: (-scores[place], place))[:_MOST_COMPARED]
    return [pieces[place] for place in best]


def _within(pieces: Sequence[_Piece], room: int, said: Sequence[EvidenceStatement]) -> list[Sentence]:
    """The first pieces that fit and say something new, as sentences of the answer."""
    known = {one.text: one for one in said}
    lead: list[Sentence] = []
    told: list[ParsedSentence] = []
    for piece in pieces:
        length, parsed = len(piece.text.split()), ParsedSentence(piece.text)
        if length > room or any(is_same_fact(parsed, one) for one in told):
            continue
        room -= length
        told.append(parsed)
        host = host_of(piece.item.finding.url)
        lead.append(
            Sentence(
                text=piece.text,
                evidence=[piece.item.place],
                similar=_said_again(known[piece.text], said) if piece.text in known else [],
                speaker=host if is_personal(piece.text) else "",
            )
        )
    return lead


def _said_again(one: EvidenceStatement, said: Sequence[EvidenceStatement]) -> list[int]:
    """The findings of other hosts that state the same, one a host."""
    by_host: dict[str, int] = {}
    for other in said:
        is_near = other.host != one.host and cosine(one.vector, other.vector) >= SAID_AGAIN
        if is_near and is_same_fact(one.parsed, other.parsed):
            by_host.setdefault(other.host, other.place)
    return list(by_host.values())[:MOST_AGAIN]


def after_lead(
    lead: Sequence[Sentence], excerpts: Sequence[Sentence], items: Sequence[Item]
) -> list[Sentence]:
    """The answer: the lead, then the excerpts without the sentences that a reader has read above."""
    quotes = {item.place: item.finding.quote for item in items}
    left = []
    for excerpt in excerpts:
        place = excerpt.evidence[0]
        told = [one.text for one in lead if one.text in excerpt.text or one.text in quotes[place]]
        if without_sentences(quotes[place], told):
            left.append(excerpt.changed(told=told) if told else excerpt)
    return [*lead, *left]
