"""Check the cells of a report's tables: each is a statement about its row, and a table has to compare something."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from planner.reports.checks.check_log import FOUND_BY_CODE, VERDICTS, CheckedSentence
from planner.reports.checks.statement_evidence import CitedStatement, FindingIndexes, StatementEvidence
from planner.verify.second_reading import bears_out
from research_crawler.core.models.evidence.entailment import Pair, PairReading
from research_crawler.core.models.reports.cited_parts import Verdict
from research_crawler.core.models.reports.drafts import DraftCell, DraftRow, DraftTable, Sentence
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import coverage

MOST_READ_CELLS: Final = 72
"""Three calls of a model; tables with more cells are shown as not checked beyond them."""


class CellPlace(NamedTuple):
    """A cell with the row and column that it stands in."""

    label: str
    column: str
    text: str
    indexes: FindingIndexes

    @property
    def cell(self) -> DraftCell:
        """The cell alone."""
        return DraftCell(text=self.text, evidence=list(self.indexes))

    @property
    def statement(self) -> str:
        """What the cell says of its row, as a reader is shown it."""
        return f"{self.label} – {self.column}: {self.text}"


class TableChecks:
    """Checks tables against findings. `checked` has what was found about each cell."""

    def __init__(self, evidence: StatementEvidence) -> None:
        self._evidence = evidence
        self.checked: list[CheckedSentence] = []

    def pairs(self, tables: Iterable[DraftTable]) -> dict[CellPlace, Pair]:
        """The cells that a reader has to read: those that code does not cut."""
        found: dict[CellPlace, Pair] = {}
        for place in (one for table in tables for row in table.rows for one in _cells_of(row, table.columns)):
            statement = self._statement(place)
            if statement is None or self._lacking(place, statement):
                continue
            pair = self._evidence.pair_of(CitedStatement(place.statement, statement.indexes))
            # What the cell itself has is in its quotes, or it were cut: its row and column are the writer's own words.
            found[place] = pair.changed(
                needs_second_reading=not self._stands_together(place, statement), missing_names=[]
            )
        return dict(islice(found.items(), MOST_READ_CELLS))

    def shown(
        self, table: DraftTable | None, readings: Mapping[CellPlace, PairReading], reader: str
    ) -> DraftTable | None:
        """The table without the cells that are cut, and without rows and columns that compare nothing. What a reader
        finds right stays where the other cell of its column is cut: it is told nowhere else.

        Args:
            readings: what `reader` has found of the cells that `pairs` gave.
        """
        table = comparable_part(table) if table else None
        if table is None:
            return None
        rows = [
            row.changed(
                cells=[self._cell(place, readings, reader) for place in _cells_of(row, table.columns)]
            )
            for row in table.rows
        ]
        return comparable_part(table.changed(rows=rows), least=1)

    def _cell(self, place: CellPlace, readings: Mapping[CellPlace, PairReading], reader: str) -> DraftCell:
        """The cell with its verdict, emptied if its quotes lack a number, date or name in it, if they are about neither
        row nor column, or if a reader finds that they do not say it of its row."""
        statement = self._statement(place)
        if statement is None:
            return DraftCell()
        by = FOUND_BY_CODE
        if reasons := self._lacking(place, statement):
            verdict: Verdict = "not_found"
        else:
            by = reader if place in readings else FOUND_BY_CODE
            reading = readings.get(place, PairReading(reason="too many cells to read"))
            verdict, reasons = VERDICTS[reading.verdict], [reading.reason] if reading.reason else []
            if verdict == "supported" and not self._is_of_its_row(place, statement, reading):
                verdict, reasons = "could_not_check", ["no quote has it beside what its row is about"]
        text = statement.text if verdict in ("supported", "could_not_check") else ""
        self.checked.append(
            CheckedSentence("table", statement.text, text, verdict, statement.indexes, tuple(reasons), by)
        )
        return place.cell.changed(verdict=verdict) if text else DraftCell()

    def _statement(self, place: CellPlace) -> CitedStatement | None:
        if not place.indexes:
            return None
        return self._evidence.statement_of(Sentence(text=place.text, evidence=list(place.indexes)))

    def _lacking(self, place: CellPlace, statement: CitedStatement) -> list[str]:
        """What the quotes of a cell lack."""
        lacking = [veto.text for veto in self._evidence.vetoes_of(statement) if veto.is_certain]
        known = " ".join(self._evidence.source(at).whole for at in statement.indexes)
        if not set(terms(f"{place.label} {place.column} {statement.text}")) & set(terms(known)):
            lacking.append(place.label)
        return [f"the source does not say {one!r}" for one in lacking]

    def _is_of_its_row(self, place: CellPlace, statement: CitedStatement, reading: PairReading) -> bool:
        """Whether the quotes say the cell of its row and of no other."""
        if self._stands_together(place, statement):
            return True
        quotes = self._evidence.quotes(statement.indexes)
        return bears_out(reading.words, place.statement, quotes, self._evidence.language)

    def _stands_together(self, place: CellPlace, statement: CitedStatement) -> bool:
        """Whether one quote has both what is in the cell and what its row is about: of two quotes, each may belong to
        another row."""
        language = self._evidence.language
        label = terms(place.label, language)
        return any(
            not any(veto.is_certain for veto in self._evidence.vetoes_by(statement.text, at))
            and coverage(label, set(terms(self._evidence.source(at).whole, language))) == 1
            for at in statement.indexes
        )


def comparable_part(table: DraftTable, least: int = 2) -> DraftTable | None:
    """What of a table can be compared; None if nothing can.

    A column compares the rows that it has a cell for: at least `least`. A row says something beside its label in two
    cells, or in the only one where one column is left. A row that goes may leave too little of a column, so that
    both are taken out in turn until every one that is left may stay.
    """
    width = len(table.columns) - 1
    rows = [row for row in table.rows if len(row.cells) == width]
    columns = [n for n in range(width) if sum(_is_filled(row.cells[n]) for row in rows) >= least]
    rows = [row.changed(cells=[row.cells[n] for n in columns]) for row in rows]
    rows = [row for row in rows if sum(map(_is_filled, row.cells)) >= min(2, len(columns))]
    if not columns or len(rows) < 2:
        return None
    smaller = table.changed(columns=[table.columns[0], *(table.columns[n + 1] for n in columns)], rows=rows)
    return smaller if smaller == table else comparable_part(smaller, least)


def _is_filled(cell: DraftCell) -> bool:
    return bool(cell.evidence)


def _cells_of(row: DraftRow, columns: Sequence[str]) -> list[CellPlace]:
    return [
        CellPlace(row.label, column, cell.text, tuple(cell.evidence))
        for column, cell in zip(columns[1:], row.cells, strict=False)
    ]
