"""What a row of a batch has to tell, as one flat record and as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

from research_crawler.core.models.jobs.batches import TERMINAL_ROWS, Batch, BatchRow
from research_crawler.core.models.jobs.columns import ColumnSpec, ColumnValue

_UNITS: Final = ("number", "money")
"""The types of columns whose values have a unit."""
RESULT_COLUMNS: Final = {
    "row": "int64",
    "state": "string",
    "answer": "string",
    "confidence": "float64",
    "sources": "string",
    "tokens": "int64",
    "usd": "float64",
    "pages": "int64",
    "seconds": "float64",
    "job": "string",
    "error": "string",
}
"""What a table says of every row beside its fields and values, in all formats -> its type in Arrow's words, for
Parquet. `flat_row` fills them."""


@dataclass(frozen=True)
class Headings:
    """The headings of a batch's table: each is there once.

    Those of the input stay as they are. One of ours that the input has too gets `result` before it, and a column of
    values whose name is taken gets `value`.
    """

    of_row: dict[str, str]
    """What is said of every row -> its heading."""
    of_columns: dict[str, str]
    """The name of a column -> its heading; those of its unit, quote and so on begin with it."""

    @classmethod
    def of(cls, batch: Batch) -> Self:
        """The headings of this batch."""
        taken = set(batch.fields)
        of_row = {name: _free_heading("result", name, [""], taken) for name in RESULT_COLUMNS}
        of_columns = {
            column.name: _free_heading("value", column.name, _endings(column), taken)
            for column in batch.inputs.columns
        }
        return cls(of_row, of_columns)


def _endings(column: ColumnSpec) -> list[str]:
    endings = ["", " confidence", " quote", " source", " reason"]
    return [*endings, " unit"] if column.type in _UNITS else endings


def _free_heading(before: str, name: str, endings: list[str], taken: set[str]) -> str:
    """A heading that is not taken with any of these endings, and is from now on."""
    while any(f"{name}{ending}" in taken for ending in endings):
        name = f"{before} {name}"
    taken.update(f"{name}{ending}" for ending in endings)
    return name


def flat_row(batch: Batch, row: BatchRow, headings: Headings) -> dict[str, Any]:
    """A row as one record: its fields, then each column with unit, confidence, quote, source and reason."""
    result, of_row = row.result, headings.of_row
    record: dict[str, Any] = {of_row["row"]: row.n}
    record |= {name: row.fields.get(name, "") for name in batch.fields} | {of_row["state"]: row.state}
    for column, value in column_values(batch, row):
        name = headings.of_columns[column.name]
        record[name] = value.value
        if column.type in _UNITS:
            record[f"{name} unit"] = value.unit
        record |= {
            f"{name} confidence": value.confidence if value.value is not None else None,
            f"{name} quote": value.quote,
            f"{name} source": value.url,
            f"{name} reason": _reason_of(value),
        }
    cells = {
        "answer": result.answer,
        "confidence": row_confidence(batch, row),
        "sources": " ".join(result.sources),
        "tokens": result.tokens,
        "usd": round(result.usd, 6),
        "pages": result.pages,
        "seconds": result.seconds,
        "job": row.job if row.state != "waiting" else "",
        "error": result.error or result.cause,
    }
    return record | {of_row[name]: value for name, value in cells.items()}


def _reason_of(value: ColumnValue) -> str:
    if value.is_by_hand:
        return f"by hand: {value.note}" if value.note else "by hand"
    return value.note or value.reason


def empty_row(batch: Batch) -> BatchRow:
    """A row without anything in it, for what all rows of a table have alike."""
    return BatchRow(batch=batch.id, n=0, fields=dict.fromkeys(batch.fields, ""))


def row_record(batch: Batch, row: BatchRow) -> dict[str, Any]:
    """A row as JSON has it: its fields, state, result and job, with values by the name of their column."""
    result = row.result.model_dump(mode="json", exclude={"values"})
    return {
        "batch": batch.id,
        "row": row.n,
        "fields": row.fields,
        "state": row.state,
        "job": row.job if row.state != "waiting" else None,
        "values": {value.name: value.model_dump(mode="json") for _, value in column_values(batch, row)},
        **result,
        "confidence": row_confidence(batch, row),
    }


def column_values(batch: Batch, row: BatchRow) -> Iterator[tuple[ColumnSpec, ColumnValue]]:
    """Each column with the value that the row has; one that it does not have is null, with the reason."""
    found = {value.name: value for value in row.result.values}
    for column in batch.inputs.columns:
        missing = ColumnValue(name=column.name, type=column.type, reason="not_asked", note=_why_none(row))
        yield column, found.get(column.name, missing)


def is_settled(value: ColumnValue) -> bool:
    """Whether a cell is not open: it has a value, or a person says that there is none."""
    return value.value is not None or value.is_by_hand


def row_confidence(batch: Batch, row: BatchRow) -> float | None:
    """How sure a row is: what its job says, or once a person wrote into it, the mean of its cells."""
    values = [value for _, value in column_values(batch, row)]
    if not any(value.is_by_hand for value in values):
        return row.result.confidence
    return round(sum(map(cell_confidence, values)) / len(values), 3)


def least_confidence(batch: Batch, row: BatchRow) -> float | None:
    """How sure the least sure cell of a row is, an empty one not at all; without columns, how sure the row is.

    None: the row is not over.
    """
    if row.state not in TERMINAL_ROWS:
        return None
    return min(
        (cell_confidence(value) for _, value in column_values(batch, row)), default=row.result.confidence
    )


def cell_confidence(value: ColumnValue) -> float:
    """How sure a cell is: what a person wrote wholly, also that there is no value; an empty one not at all."""
    if value.is_by_hand:
        return 1.0
    return 0.0 if value.value is None else value.confidence


def _why_none(row: BatchRow) -> str:
    """Why a row has no values at all."""
    why = row.result.error or row.result.cause
    return f"the row is {row.state}{f': {why}' if why else ''}"
