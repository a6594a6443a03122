"""What a statement cites, read once for all statements that cite it."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from planner.verify.parsed_text import LONGEST, ParsedText, parse_text
from planner.verify.unsourced import NameKeys, options_in
from research_crawler.core.text.markdown_syntax import row_cells
from research_crawler.text.languages.dates import Date, dates
from research_crawler.text.languages.language import detect, language_of
from research_crawler.text.languages.numbers import Figure, figures
from research_crawler.text.languages.sentences import RULE
from research_crawler.text.languages.words import stems_of

_PART: Final = " – "
"""Between the heads and cells of an introduction (`introduction_above`)."""
_SUFFIX: Final = re.compile(r"(?<=\w)\.[a-z]{3,5}\Z")
"""Of the file of a URL: `.html` is no name of a source."""
_ADDRESS: Final = re.compile(r"(?<![\w.-])(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[\w-]++\.)+[a-z]{2,})")


class CitedSource:
    """The quotes that a statement cites, with what stands above them."""

    def __init__(
        self,
        quotes: Sequence[str],
        context: Iterable[str] = (),
        asked: str = "",
        pages: Iterable[str] = (),
        introductions: Iterable[str] = (),
    ) -> None:
        """Read a source.

        Args:
            quotes: what it says.
            context: what it is about: titles, headings, host and date. It can name the subject of a sentence, and
                proves nothing else.
            asked: the question; a name or an option of it need not stand in a quote.
            pages: the URLs of the quotes, whose words can stand in the name of the source.
            introductions: the heads of columns and the beginnings of rows that quotes from tables lack, and the
                sentences above lists. Their figures are said of the quote: a rank stands in the head alone.
        """
        self.quotes = [quote[:LONGEST] for quote in quotes if quote.strip()]
        self.introductions = [text for text in introductions if text]
        self.context = [text for text in context if text] + self.introductions
        self.asked = asked
        self._pages = list(pages)

    @cached_property
    def sentences(self) -> list[ParsedText]:
        """The sentences of its quotes."""
        return [
            parse_text(sentence, self.language)
            for quote in self.quotes
            for sentence in sentences_of(quote, self.language)
        ]

    @cached_property
    def language(self) -> str:
        """The language of its quotes."""
        return detect(" ".join(self.quotes))

    @cached_property
    def addresses(self) -> list[str]:
        """The hosts in its context. A statement may name its source, and the digits of an address are no figures."""
        return [text for text in self.context if _ADDRESS.fullmatch(text)]

    @cached_property
    def figures(self) -> list[Figure]:
        """The figures that its quotes give, each once."""
        texts = [*self.sentences, *(parse_text(text, self.language) for text in self.introductions)]
        found = (figure for text in texts for figure in text.figures)
        return list(
            {
                (figure.base, figure.unit, figure.kind, figure.text * figure.is_version): figure
                for figure in found
            }.values()
        )

    @cached_property
    def names_with_figures(self) -> frozenset[str]:
        """The digits that the question and what stands above its quotes both have: "2.4" where Apache 2.4 is asked
        about and the title says so. They are a part of the subject's name there, and claim nothing of it."""
        above = {one.text for text in self.context for one in parse_text(text, self.language).figures}
        return frozenset(above & {one.text for one in parse_text(self.asked, self.language).figures})

    @cached_property
    def asked_figures(self) -> list[Figure]:
        """The figures of the question that its asker has ("20 GB", "850"); one behind a capital letter is a part of a
        name, as in "Apache 2.6", and a page about another version says nothing of it."""
        before = (
            (self.asked[: figure.start].split(), figure) for figure in figures(self.asked, self.language)
        )
        return [figure for words, figure in before if not (words and words[-1][0].isupper())]

    @cached_property
    def cells(self) -> list[tuple[str, str]]:
        """The cells of its quotes that are tables, rows or parts of one, each behind the head of its column."""
        own = [pair for quote in self.quotes for pair in _cells_of_table(quote)]
        below = [
            pair for quote in self.quotes for text in self.introductions for pair in _cells_below(text, quote)
        ]
        return own + below

    @cached_property
    def dates(self) -> list[Date]:
        """The dates that its quotes give, each once."""
        found = (date for sentence in self.sentences for date in sentence.dates)
        return list({(date.year, date.month, date.day, date.is_ambiguous): date for date in found}.values())

    @cached_property
    def context_dates(self) -> list[Date]:
        """The dates in its context: titles, headings, and when its pages were published."""
        return [date for text in self.context for date in dates(text, self.language)]

    def is_foreign_to(self, text: str, language: str) -> bool:
        """Whether a statement is in another language, in which names and words are others."""
        return detect(text, language) != self.language

    @cached_property
    def names(self) -> NameKeys:
        """The words in which a name can stand: those of the quotes, of what stands above them and of the question."""
        pages = [_SUFFIX.sub("", page) for page in self._pages]
        return NameKeys([*self.quotes, *self.context], [*self.context, *pages], self.asked)

    @cached_property
    def options(self) -> frozenset[str]:
        """The options of commands in quotes, context and question."""
        return frozenset[str]().union(*map(options_in, [*self.quotes, *self.context, self.asked]))

    @cached_property
    def stems(self) -> set[str]:
        """The stems of all words in quotes, context and question."""
        return stems_of(self.whole, self.language)

    @cached_property
    def whole(self) -> str:
        """Quotes, context and question as one line, in which commands are looked up."""
        return " ".join(" ".join([*self.quotes, *self.context, self.asked]).split())


def _cells_of_table(quote: str) -> list[tuple[str, str]]:
    """The cells of a table that begins with its heads, each behind the head of its column; none of another quote."""
    lines = quote.strip().splitlines()
    if len(lines) < 2 or not RULE.fullmatch(lines[1].strip()):
        return []
    heads, rows = row_cells(lines[0]), map(row_cells, lines[2:])
    return [pair for row in rows if len(row) == len(heads) for pair in zip(heads, row, strict=True)]


def _cells_below(introduction: str, quote: str) -> list[tuple[str, str]]:
    """The cells of a row, each behind the head of its column; none where they do not fit together.

    Args:
        introduction: the heads of a table, then the cells of the row before the quote.
        quote: the other cells of the row.
    """
    parts, cells = introduction.split(_PART), quote.strip("| ").split("|")
    before, is_odd = divmod(len(parts) - len(cells), 2)
    heads = parts[: len(parts) - before]
    return [] if before < 0 or is_odd else list(zip(heads[before:], cells, strict=True))


def addresses_in(text: str) -> list[str]:
    """The hosts and IP addresses that a text names."""
    return [match[0] for match in _ADDRESS.finditer(text)]


def sentences_of(text: str, language: str = "en") -> list[str]:
    """A quote as its sentences."""
    return [text[start:end] for start, end in language_of(language).sentence_spans(text)]
