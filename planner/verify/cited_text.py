"""A source as it is compared with statements: its sentences with what stands in each."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from planner.verify.coverage import word_pairs, word_set
from planner.verify.dates import Date, dates_of
from planner.verify.figures import Figure, figures_of
from planner.verify.modifiers import things_left_out
from research_crawler.text.sentences import END
from research_crawler.text.words import terms

_ADDRESS: Final = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|(?:[\w-]++\.)+[a-z]{2,}")
_LONGEST: Final = 20_000
"""Most characters of a quote that are read; a longer one is no sentence."""


class CitedText:
    """The texts that a statement cites, read once for all statements that cite them."""

    def __init__(self, sentences: Sequence[str], context: Iterable[str] = ()) -> None:
        """Read a source.

        Args:
            sentences: what it says.
            context: what it is about: its title, headings and date. This can name the subject of a sentence, and
                proves nothing else.
        """
        self.sentences = [sentence[:_LONGEST] for sentence in sentences if sentence.strip()]
        self.context = [text for text in context if text]
        ordered = [terms(sentence) for sentence in self.sentences]
        self.words = [frozenset(words) for words in ordered]
        self.pairs = frozenset[tuple[str, str]]().union(*map(word_pairs, ordered))

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems of the words of its sentences."""
        return frozenset().union(*self.words)

    @cached_property
    def left_out(self) -> frozenset[str]:
        """The stems of what its sentences name behind "without"."""
        return things_left_out(self.sentences)

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems of all words, those of the context too."""
        return frozenset().union(*self.words, *map(word_set, self.context))

    @cached_property
    def texts(self) -> list[str]:
        """Sentences and context."""
        return [*self.sentences, *self.context]

    @cached_property
    def addresses(self) -> list[str]:
        """The hosts in its context. A statement may name its source, and the digits of an address are no figures."""
        return [text for text in self.context if _ADDRESS.fullmatch(text)]

    @cached_property
    def figures(self) -> list[Figure]:
        """All its numbers that are no dates."""
        return self._dated[1]

    @cached_property
    def dates(self) -> list[Date]:
        """All its dates."""
        return self._dated[0]

    @cached_property
    def years(self) -> frozenset[int]:
        """The years of its context, which dates without one can mean."""
        return frozenset(date.year for text in self.context for date in dates_of(text)[0] if date.year)

    @cached_property
    def told_in(self) -> list[Date]:
        """The months in which its pages were published, when what they say was so; no day, which may be another."""
        dates = (date for text in self.context for date in dates_of(text)[0] if date.year and date.month)
        return [Date(date.text, date.year, date.month) for date in dates]

    @cached_property
    def _dated(self) -> tuple[list[Date], list[Figure]]:
        dates: list[Date] = []
        figures: list[Figure] = []
        for sentence in self.sentences:
            own, rest = dates_of(sentence)
            dates += own
            figures += figures_of(rest)
        return dates, figures


def sentences_of(text: str) -> list[str]:
    """A quote as its sentences."""
    pieces, start = [], 0
    for match in END.finditer(text):
        pieces.append(text[start : match.end()])
        start = match.end()
    return [piece.strip() for piece in [*pieces, text[start:]] if piece.strip()]
