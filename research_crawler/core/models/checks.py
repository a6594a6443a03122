"""Statements of a report that a brain compares with their quotes, and what it finds."""

from typing import Literal, Self

from pydantic import Field

from research_crawler.core.models.base import Frozen, replaced

CheckedVerdict = Literal["supported", "partly", "qualified", "contradicted", "not_found"]
"""The verdicts of a dearer check, which reads what cheaper ones only compare."""


class StatementToCheck(Frozen):
    """A sentence with the quotes that it cites."""

    text: str
    quotes: list[str]
    sources: list[str] = Field(default_factory=list)
    """Title, heading and host of each quote: a quote mostly does not repeat what its page is about."""


class CheckRequest(Frozen):
    """Statements to compare with their quotes, all at once."""

    language: str = "en"
    statements: list[StatementToCheck] = Field(default_factory=list)

    def changed(self, *, statements: list[StatementToCheck]) -> Self:
        """A copy with the given values."""
        return replaced(self, statements=statements)


class CheckedStatement(Frozen):
    """What was found about a statement, by its position in the request."""

    place: int
    verdict: CheckedVerdict
    reworded: str = ""
    """The part of a partly supported statement that the quotes say, as a sentence."""


class Checks(Frozen):
    """A brain's verdicts. A statement that it could not check has none."""

    by: str
    checked: list[CheckedStatement] = Field(default_factory=list)
    note: str = ""

    def changed(self, *, note: str) -> Self:
        """A copy with the given values."""
        return replaced(self, note=note)
