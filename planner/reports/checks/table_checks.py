"""Check the cells of a report's tables: each is a statement about its row, and a table has to compare something."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from planner.reports.checks.check_log import FOUND_BY_CODE, VERDICTS, CheckedSentence
from planner.reports.checks.contradiction_sides import FindingIndexes
from planner.reports.checks.statement_evidence import StatementEvidence, StatementKey
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
    evidence: FindingIndexes

    @property
    def cell(self) -> DraftCell:
        """The cell alone."""
        return DraftCell(text=self.text, evidence=list(self.evidence))

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
            key = self._key(place)
            if key is None or self._lacking(place, key):
                continue
            pair = self._evidence.pair_of(StatementKey(place.statement, key.evidence))
            found[place] = pair.changed(is_doubted=not self._stands_together(place, key))
        return dict(islice(found.items(), MOST_READ_CELLS))

    def shown(
        self, table: DraftTable | None, readings: Mapping[CellPlace, PairReading], reader: str
    ) -> DraftTable | None:
        """The table without the cells that are cut, and without rows and columns that compare nothing. What a reader
        finds right stays where the other cell of its column is cut: it is told nowhere else.

        Args:
            readings: what `reader` has found of the cells that `pairs` gave.
        """
        table = comparing(table) if table else None
        if table is None:
            return None
        rows = [
            row.changed(
                cells=[self._cell(place, readings, reader) for place in _cells_of(row, table.columns)]
            )
            for row in table.rows
        ]
        return comparing(table.changed(rows=rows), least=1)

    def _cell(self, place: CellPlace, readings: Mapping[CellPlace, PairReading], reader: str) -> DraftCell:
        """The cell with its verdict, emptied if its quotes lack a number, date or name in it, if they are about neither
        row nor column, or if a reader finds that they do not say it of its row."""
        key = self._key(place)
        if key is None:
            return DraftCell()
        by = FOUND_BY_CODE
        if reasons := self._lacking(place, key):
            verdict: Verdict = "not_found"
        else:
            by = reader if place in readings else FOUND_BY_CODE
            reading = readings.get(place, PairReading(reason="too many cells to read"))
            verdict, reasons = VERDICTS[reading.verdict], [reading.reason] if reading.reason else []
            if verdict == "supported" and not self._is_of_its_row(place, key, reading):
                verdict, reasons = "could_not_check", ["no quote has it beside what its row is about"]
        text = key.text if verdict in ("supported", "could_not_check") else ""
        self.checked.append(
            CheckedSentence("table", key.text, text, verdict, key.evidence, tuple(reasons), by)
        )
        return place.cell.changed(verdict=verdict) if text else DraftCell()

    def _key(self, place: CellPlace) -> StatementKey | None:
        if not place.evidence:
            return None
        return self._evidence.key_of(Sentence(text=place.text, evidence=list(place.evidence)))

    def _lacking(self, place: CellPlace, key: StatementKey) -> list[str]:
        """What the quotes of a cell lack."""
        lacking = [veto.text for veto in self._evidence.vetoes_of(key) if veto.is_certain]
        known = " ".join(self._evidence.source(at).whole for at in key.evidence)
        if not set(terms(f"{place.label} {place.column} {key.text}")) & set(terms(known)):
            lacking.append(place.label)
        return [f"the source does not say {one!r}" for one in lacking]

    def _is_of_its_row(self, place: CellPlace, key: StatementKey, reading: PairReading) -> bool:
        """Whether the quotes say the cell of its row and of no other."""
        if self._stands_together(place, key):
            return True
        quotes = self._evidence.quotes(key.evidence)
        return bears_out(reading.words, place.statement, quotes, self._evidence.language)

    def _stands_together(self, place: CellPlace, key: StatementKey) -> bool:
        """Whether one quote has both what is in the cell and what its row is about: of two quotes, each may belong to
        another row."""
        language = self._evidence.language
        label = terms(place.label, language)
        return any(
            not any(veto.is_certain for veto in self._evidence.vetoes_by(key.text, at))
            and coverage(label, set(terms(self._evidence.source(at).whole, language))) == 1
            for at in key.evidence
        )


def comparing(table: DraftTable, least: int = 2) -> DraftTable | None:
    """The table without the columns that tell of fewer rows than `least`, and without the rows that tell of one thing
    alone where it has several; None if nothing is left to compare."""
    width = len(table.columns) - 1
    rows = [row for row in table.rows if len(row.cells) == width]
    filled = [sum(bool(row.cells[n].evidence) for row in rows) for n in range(width)]
    kept = [n for n in range(width) if filled[n] >= least]
    rows = [row.changed(cells=[row.cells[n] for n in kept]) for row in rows]
    rows = [row for row in rows if sum(bool(cell.evidence) for cell in row.cells) >= min(2, len(kept))]
    if not kept or len(rows) < 2:
        return None
    smaller = table.changed(columns=[table.columns[0], *(table.columns[n + 1] for n in kept)], rows=rows)
    return smaller if smaller == table else comparing(smaller, least)  # a row that goes may empty a column


def _cells_of(row: DraftRow, columns: Sequence[str]) -> list[CellPlace]:
    return [
        CellPlace(row.label, column, cell.text, tuple(cell.evidence))
        for column, cell in zip(columns[1:], row.cells, strict=False)
    ]
