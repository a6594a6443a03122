"""Tell whether an excerpt says only what another one says."""

from collections.abc import Sequence
from typing import Final

from planner.brains.extractive.stating.statements import LISTING
from planner.brains.extractive.writing.excerpt_order import Item
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import units

REPEATS: Final = 0.93
"""Cosine from which an excerpt says what one before it says."""
_SENTENCE_WORDS: Final = 6
"""A shorter sentence of an excerpt makes it worth showing beside no one that has all others: the name of an option."""


def repeats(item: Item, chosen: Sequence[Item]) -> bool:
    """Whether one of the chosen excerpts says what this one says."""
    return any(
        cosine(item.vector, other.vector) >= REPEATS
        or item.finding.claim in other.finding.claim
        or other.finding.claim in item.finding.claim
        or _says_no_more(item, other)
        for other in chosen
    )


def _says_no_more(item: Item, other: Item) -> bool:
    """Whether another excerpt has all sentences of this one: a manual in two forms has most of them twice."""
    told = [
        unit.text.casefold()
        for unit in units(item.finding.quote)
        if unit.form != "sentence" or len(unit.text.split()) >= _SENTENCE_WORDS
    ]
    claim = other.finding.claim.casefold()
    return bool(told) and LISTING not in item.finding.quote and all(text in claim for text in told)
