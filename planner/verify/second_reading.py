"""Which statements a reader reads a second time, and whether the words that he then copies say them.

Any word of its own counts: of the sentences of a careless writer that no veto cuts, all 161 false ones have one, and
none of 146 honest ones that only shorten or join what is said (`benchmarks/reporting/careless_writer.py`). A doubt cuts
nothing: a reader must copy the words of a quote that say the statement.
"""

import re
from collections.abc import Sequence
from typing import Final

from planner.verify.cited_source import CitedSource
from research_crawler.text.languages.negation import is_turned_round, negations
from research_crawler.text.languages.words import stems_of
from research_crawler.text.measures.normal_quote import normal_quote

_LEFT_OUT: Final = re.compile(r"…|\.\.\.")
_LEAST_WORDS: Final = 4
"""Fewer words of a quote say nothing, unless they are all of it."""


def has_own_words(statement: str, sources: Sequence[CitedSource], language: str = "en") -> bool:
    """Whether a statement has a word that nothing which it cites has, or is in another language."""
    if any(source.is_foreign_to(statement, language) for source in sources):
        return True
    known = set[str]().union(*(source.stems for source in sources))
    return not stems_of(statement, language) <= known


def copied_pieces(words: str) -> list[str]:
    """What stands between the "…" of words that a reader copied, as `normal_quote` writes it."""
    return [piece for piece in map(normal_quote, _LEFT_OUT.split(words)) if piece]


def is_copied(words: str, quotes: Sequence[str]) -> bool:
    """Whether words that a reader copied to show that a statement is said stand in one of its quotes.

    Args:
        words: what was copied; "…" stands for what is left out, which a reader may forget to write once a piece.
        quotes: those of the statement.
    """
    pieces = copied_pieces(words)
    whole = [normal_quote(quote) for quote in quotes]
    if not pieces or not all(any(_stands_in(piece, quote) for quote in whole) for piece in pieces):
        return False
    return sum(len(piece.split()) for piece in pieces) >= _LEAST_WORDS or pieces[0] in whole


def _stands_in(piece: str, quote: str) -> bool:
    """Whether a quote has a piece, whole or in two parts, the longer of them long enough to say something, with nothing
    between them that denies."""
    quote = f" {quote} "
    if f" {piece} " in quote:
        return True
    words = piece.split()
    for cut in range(1, len(words)):
        _, _, rest = quote.partition(f" {' '.join(words[:cut])} ")
        if not rest:
            return False  # no longer beginning stands in it either
        left_out, tail, _ = f" {rest}".partition(f" {' '.join(words[cut:])} ")
        if tail and max(cut, len(words) - cut) >= _LEAST_WORDS and not negations(left_out):
            return True
    return False


def bears_out(words: str, statement: str, quotes: Sequence[str], language: str = "en") -> bool:
    """Whether words that a reader copied stand in a quote of a statement and do not seem to deny it.

    Args:
        words: what was copied; "…" stands for what is left out.
        statement: what it is to show.
        quotes: those of the statement.
        language: of the statement.
    """
    # "has no access" and "does not have access" deny the same in other places.
    denies_as_much = negations(statement, language) == negations(words, language)
    return is_copied(words, quotes) and (denies_as_much or not is_turned_round(statement, words, language))
