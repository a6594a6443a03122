"""Text that a page shows twice: once is enough.

Pages repeat themselves for small screens, in carousels that turn over and over, under "read more", and name a product
once beside its picture and once below it. Over 209 real pages the mean F1 of words rises by 0.009 without the copies,
most on shops (+0.02) and forums (+0.02). Sweep: 4 to 12 words, 1 to 10 blocks apart; all within 0.001.
"""

from collections.abc import Iterable

from research_crawler.extraction.html.blocks import Block

LONG_WORDS = 8
"""A block of as many words is a copy wherever it stands; a shorter one only right behind its like: "Yes" is said
often."""
_KEPT = {"code", "row"}
"""Rows of a table and lines of code mean something each time."""


def without_copies(blocks: Iterable[Block]) -> list[Block]:
    """The blocks without those whose words were there before, in the same order."""
    kept: list[Block] = []
    long: set[tuple[str, ...]] = set()
    before: tuple[str, ...] = ()
    for block in blocks:
        words = tuple(block.text.lower().split())
        if block.kind not in _KEPT and words and (words in long or words == before):
            continue
        if len(words) >= LONG_WORDS:
            long.add(words)
        before = words
        kept.append(block)
    return kept
