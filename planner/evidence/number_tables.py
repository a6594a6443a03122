"""Put the numbers that several pages give for the same thing into one table, with their spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from planner.evidence.evidence_statements import EvidenceStatement
from planner.evidence.parsed_sentence import SAME_WORDS, have_same_names
from planner.evidence.quantities import Quantity
from research_crawler.text.measures.likeness import shared

NUMBER_NEARNESS: Final = 0.4
LEAST_ROWS, MOST_ROWS, MOST_TABLES = 3, 8, 2


@dataclass(frozen=True)
class NumberRow:
    """The number that one page gives, with its statement."""

    said: EvidenceStatement
    quantity: Quantity

    @property
    def amount(self) -> str:
        """The number with its unit, as the page writes it."""
        return self.quantity.text


@dataclass(frozen=True)
class NumberTable:
    """Numbers of one unit about the same thing, the smallest first."""

    rows: tuple[NumberRow, ...]

    @property
    def lowest(self) -> NumberRow:
        """The smallest number."""
        return self.rows[0]

    @property
    def highest(self) -> NumberRow:
        """The largest number."""
        return self.rows[-1]


def number_tables(found: Sequence[EvidenceStatement]) -> list[NumberTable]:
    """The tables of numbers with a unit that at least three pages of two hosts give for the same thing.

    The table with the statement that is nearest to the question comes first.
    """
    rows = [
        NumberRow(statement, quantity)
        for statement in found
        if statement.nearness >= NUMBER_NEARNESS and (quantity := _only_quantity(statement)) is not None
    ]
    tables: list[NumberTable] = []
    taken: set[str] = set()
    for first in rows:
        if first.said.text in taken:
            continue
        group = _one_for_each_page(
            [first, *(row for row in rows if row is not first and _is_like(first, row))]
        )
        if len(group) < LEAST_ROWS or len({row.said.host for row in group}) < 2:
            continue
        taken |= {row.said.text for row in group}
        kept = sorted(group[:MOST_ROWS], key=lambda row: row.quantity.size)
        tables.append(NumberTable(tuple(kept)))
    return tables[:MOST_TABLES]


def _only_quantity(statement: EvidenceStatement) -> Quantity | None:
    """The number with a unit of a statement that gives one; several could not be told apart."""
    measured = [each for each in statement.parsed.quantities if each.dimension]
    return measured[0] if len(measured) == 1 else None


def _is_like(row: NumberRow, counterpart: NumberRow) -> bool:
    return (
        row.quantity.dimension == counterpart.quantity.dimension
        and have_same_names(row.said.parsed, counterpart.said.parsed)
        and shared(row.said.parsed.words, counterpart.said.parsed.words) >= SAME_WORDS * 0.75
    )


def _one_for_each_page(rows: Sequence[NumberRow]) -> list[NumberRow]:
    by_page: dict[str, NumberRow] = {}
    for row in rows:
        by_page.setdefault(row.said.finding.url, row)
    return list(by_page.values())
