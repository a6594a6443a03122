"""What code is sure of against a statement: a figure, date, name or command that its source has not, or a negation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from planner.verify.commands import unknown_commands
from planner.verify.dates import unstated_dates
from planner.verify.figures import unstated
from planner.verify.names import unknown_names
from planner.verify.negation import is_turned_round
from planner.verify.parsed import parsed
from planner.verify.source import Source

VetoKind = Literal["figure", "date", "name", "negation", "command"]


@dataclass(frozen=True)
class Veto:
    """One reason for which a statement must not be shown."""

    kind: VetoKind
    text: str
    """What the source has not; for a negation, the sentence that says the opposite."""

    @property
    def reason(self) -> str:
        """The reason for people."""
        return (
            "the source says the opposite"
            if self.kind == "negation"
            else f"the source does not say {self.text!r}"
        )


def vetoes(statement: str, source: Source, language: str = "") -> list[Veto]:
    """All that code is sure of against a statement; nothing is no proof that its source says it.

    Args:
        statement: the statement.
        source: what it cites.
        language: of the statement; "": told by its words.
    """
    return list(_vetoes(statement, source, language))


def _vetoes(statement: str, source: Source, language: str) -> Iterator[Veto]:
    for address in source.addresses:
        statement = statement.replace(address, " ")
    own = parsed(statement)
    figures = [one for one in own.figures if not one.is_slight]
    known = [figure for one in source.sentences for figure in one.figures]
    yield from (Veto("figure", one.text) for one in unstated(figures, known))
    for date in unstated_dates(own.dates, source.dates, source.years):
        if date.day or not any(date.fits(told) for told in source.told_in):
            yield Veto("date", date.text)
    yield from (Veto("command", one) for one in unknown_commands(statement, source.options, source.whole))
    if not source.is_foreign_to(statement, language):
        yield from (Veto("name", one) for one in unknown_names(statement, source.names, language))
        for sentence in source.sentences:
            if is_turned_round(statement, sentence.text):
                yield Veto("negation", sentence.text)
                return
