"""What code is sure of against a statement: a figure, date, name or command that its source has not, or a negation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from planner.verify.cited_source import CitedSource
from planner.verify.parsed_text import ParsedText, parse_text
from planner.verify.unsourced import unknown_commands, unknown_names
from research_crawler.text.languages.dates import agree, states
from research_crawler.text.languages.negation import is_turned_round
from research_crawler.text.languages.numbers import Figure, figures, same_figure, unit_of
from research_crawler.text.languages.words import WORD

_COUNTED: Final = 10
"""People write numbers up to ten in words, and count so many things themselves."""

VetoKind = Literal["figure", "asked_figure", "date", "name", "negation", "command"]
"""An asked figure is one of the question: "850 lies in 100-999" applies a quote to it, so no quote has to have it."""


@dataclass(frozen=True)
class Veto:
    """One reason for which a statement must not be shown."""

    kind: VetoKind
    text: str
    """What the source has not; for a negation, the sentence that says the opposite."""

    @property
    def is_certain(self) -> bool:
        """Whether the veto stands whatever a reader says; of a command, a negation and a figure of the question
        the reader has the last word."""
        return self.kind in ("figure", "date", "name")

    @property
    def reason(self) -> str:
        """The reason for people."""
        return (
            "the source says the opposite"
            if self.kind == "negation"
            else f"the source does not say {self.text!r}"
        )


def vetoes(statement: str, source: CitedSource, language: str = "en") -> list[Veto]:
    """Everything that code holds against a statement for sure; an empty list does not prove the statement.

    Args:
        statement: the statement.
        source: what it cites.
        language: of the statement.
    """
    for address in source.addresses:
        statement = statement.replace(address, " ")
    found = [*_numbers(parse_text(statement, language), source)]
    found += [
        Veto("command", command) for command in unknown_commands(statement, source.options, source.whole)
    ]
    if source.is_foreign_to(statement, language):
        return found
    # "Two Debian manuals", and the unit of "780 MB" beside "780MB", are compared as figures.
    compared = {
        word.lower()
        for figure in parse_text(statement, language).figures
        for word in figure.text.split()
        if not any(map(str.isdigit, word))
    }
    names = unknown_names(statement, source.names, language)
    found += [Veto("name", name) for name in names if name not in compared]
    opposites = (
        sentence.text for sentence in source.sentences if is_turned_round(statement, sentence.text, language)
    )
    return [*found, *(Veto("negation", opposite) for opposite in islice(opposites, 1))]


def _numbers(statement: ParsedText, source: CitedSource) -> Iterator[Veto]:
    """The figures and dates of a statement that its source has not."""
    for figure in statement.figures:
        is_free = _may_be_counted(figure) or figure.text in source.names_with_figures
        is_said = any(same_figure(figure, known) for known in source.figures)
        if not (is_free or is_said or _is_shortened(figure, source) or _is_of_column(figure, source)):
            is_asked = any(same_figure(figure, asked) for asked in source.asked_figures)
            yield Veto("asked_figure" if is_asked else "figure", figure.text)
    for date in statement.dates:
        is_said = any(states(known, date) for known in source.dates)
        if not is_said and not (not date.day and any(agree(date, known) for known in source.context_dates)):
            yield Veto("date", date.text)


def _is_shortened(figure: Figure, source: CitedSource) -> bool:
    """Whether a quote has the figure with the first letter of its unit: "5 days" as `5d`."""
    if not figure.unit:
        return False
    shortened = re.compile(rf"(?<![\w.,]){re.escape(f'{figure.value:g}{figure.text.split()[-1][0]}')}\b")
    return any(shortened.search(quote) for quote in source.quotes)


def _is_of_column(figure: Figure, source: CitedSource) -> bool:
    """Whether the row of a table has the number, and the head of its column the unit: "3192" below "Space (MB)"."""
    return bool(figure.unit) and any(
        any(found.value == figure.value and not found.unit for found in figures(cell, source.language))
        and any(unit.name == figure.unit for unit in filter(None, map(unit_of, WORD.findall(head))))
        for head, cell in source.cells
    )


def _may_be_counted(figure: Figure) -> bool:
    """Whether a writer may have counted himself ("three ways"): a small number in words without a unit."""
    return figure.is_spelled and not figure.unit and figure.value <= _COUNTED
