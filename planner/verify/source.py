"""What a statement cites, read once for all statements that cite it."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from planner.goal.language import told_language
from planner.verify.commands import options_in
from planner.verify.dates import Date, dates_of
from planner.verify.names import NameKeys
from planner.verify.parsed import LONGEST, ParsedText, parsed
from research_crawler.text.sentences import sentence_spans

_ADDRESS: Final = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|(?:[\w-]++\.)+[a-z]{2,}")


class Source:
    """The quotes that a statement cites, with what stands above them."""

    def __init__(self, quotes: Sequence[str], context: Iterable[str] = (), asked: str = "") -> None:
        """Read a source.

        Args:
            quotes: what it says.
            context: what it is about: titles, headings, host and date. It can name the subject of a sentence, and
                proves nothing else.
            asked: the question; a name or an option of it need not stand in a quote.
        """
        self.quotes = [quote[:LONGEST] for quote in quotes if quote.strip()]
        self.context = [text for text in context if text]
        self.asked = asked

    @cached_property
    def sentences(self) -> list[ParsedText]:
        """The sentences of its quotes."""
        return [parsed(sentence) for quote in self.quotes for sentence in sentences_of(quote)]

    @cached_property
    def addresses(self) -> list[str]:
        """The hosts in its context. A statement may name its source, and the digits of an address are no figures."""
        return [text for text in self.context if _ADDRESS.fullmatch(text)]

    @cached_property
    def dates(self) -> list[Date]:
        """The dates that its quotes give."""
        return [date for one in self.sentences for date in one.dates]

    @cached_property
    def told_in(self) -> list[Date]:
        """The months in which its pages were published, when what they say was so; no day, which may be another."""
        dates = (date for text in self.context for date in dates_of(text)[0] if date.year and date.month)
        return [Date(date.text, date.year, date.month) for date in dates]

    @cached_property
    def years(self) -> frozenset[int]:
        """The years of its context, which dates without one can mean."""
        return frozenset(date.year for text in self.context for date in dates_of(text)[0] if date.year)

    def is_foreign_to(self, text: str, language: str = "") -> bool:
        """Whether a statement is in another language, in which names and words are others."""
        mine = told_language(text) or language
        theirs = self._language
        return bool(mine and theirs) and mine != theirs

    @cached_property
    def _language(self) -> str:
        return told_language(" ".join(self.quotes))

    @cached_property
    def names(self) -> NameKeys:
        """The words in which a name can stand: those of the quotes, of what stands above them and of the question."""
        return NameKeys([*self.quotes, *self.context, self.asked])

    @cached_property
    def options(self) -> frozenset[str]:
        """The options of commands in all of it."""
        return frozenset[str]().union(*map(options_in, [*self.quotes, *self.context, self.asked]))

    @cached_property
    def whole(self) -> str:
        """All of it as one line, in which a command is looked up."""
        return " ".join(" ".join([*self.quotes, *self.context, self.asked]).split())


def sentences_of(text: str) -> list[str]:
    """A quote as its sentences."""
    return [text[start:end].strip() for start, end in sentence_spans(text) if text[start:end].strip()]
