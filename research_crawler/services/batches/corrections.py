"""Values that a person writes into the table of a batch. They stay, whatever a row finds when it is tried again."""

import math
import time
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from research_crawler.adapters.sql.batch_table import SqlBatches
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.batches import BatchEntry, BatchRow
from research_crawler.core.models.jobs.columns import BY_HAND, ColumnSpec, ColumnType, ColumnValue
from research_crawler.runtime.runtime import Runtime

MOST_VALUE_CHARS: Final = 2_000
_YES: Final = frozenset({"yes", "true", "1"})
_NO: Final = frozenset({"no", "false", "0"})


async def find_row(runtime: Runtime, entry: BatchEntry, n: int) -> BatchRow:
    """A row of a batch.

    Raises:
        UsageError: the batch has no such row.
    """
    rows = await SqlBatches(runtime.container.archive).rows(entry.batch.id, after=n - 1, limit=1)
    if not rows or rows[0].n != n:
        raise UsageError(f"the batch has no row {n}")
    return rows[0]


def column_named(entry: BatchEntry, name: str) -> ColumnSpec:
    """A column of a batch.

    Raises:
        UsageError: the batch has no such column.
    """
    found = next((column for column in entry.batch.inputs.columns if column.name == name), None)
    if found is None:
        raise UsageError(f"the batch has no column {name[:100]!r}")
    return found


async def correct_cell(
    runtime: Runtime, entry: BatchEntry, *, n: int, column: str, text: str, unit: str = "", note: str = ""
) -> None:
    """Write a value into a cell. It takes the place of what was found, in pages and exports, until it is taken back.

    Raises:
        UsageError: there is no such cell, or the text is no value of the column's type.
    """
    await find_row(runtime, entry, n)
    value = value_by_hand(column_named(entry, column), text, unit=unit, note=note)
    await SqlBatches(runtime.container.archive).correct(entry.batch.id, n, value, at_ms=_now_ms())


async def take_back(runtime: Runtime, entry: BatchEntry, *, n: int, column: str) -> None:
    """Let a cell have again what was found."""
    await SqlBatches(runtime.container.archive).take_back(entry.batch.id, n, column)


def value_by_hand(column: ColumnSpec, text: str, *, unit: str = "", note: str = "") -> ColumnValue:
    """What a person wrote as a value of the column's type.

    Raises:
        UsageError: it is none; the message says what the column takes.
    """
    written = " ".join(text.split())
    if not written or len(written) > MOST_VALUE_CHARS or len(note) > MOST_VALUE_CHARS:
        raise UsageError(f"write a value of 1 to {MOST_VALUE_CHARS:,} characters")
    if column.choices and written not in column.choices:
        raise UsageError(f"{column.name} takes one of: {', '.join(column.choices)}")
    try:
        value = _READERS.get(column.type, str)(written)
    except ValueError:
        raise UsageError(f"{column.name} takes {_TAKES[column.type]}; {written[:60]!r} is none") from None
    return ColumnValue(
        name=column.name,
        type=column.type,
        value=value,
        unit=" ".join(unit.split())[:30],
        shown=written,
        confidence=1.0,
        note=" ".join(note.split()),
        by=BY_HAND,
    )


def _number(text: str) -> float:
    value = float(text.replace(",", "").replace("\N{NO-BREAK SPACE}", "").replace(" ", ""))
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _yes_no(text: str) -> bool:
    if text.lower() not in _YES | _NO:
        raise ValueError(text)
    return text.lower() in _YES


def _date(text: str) -> str:
    """ISO: 2024, 2024-05 or 2024-05-17."""
    whole = {4: f"{text}-01-01", 7: f"{text}-01", 10: text}.get(len(text))
    if whole is None:
        raise ValueError(text)
    date.fromisoformat(whole)
    return text


def _url(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise ValueError(text)
    return text


_READERS: Final[Mapping[ColumnType, Callable[[str], str | float | bool]]] = {
    "number": _number,
    "money": _number,
    "yes_no": _yes_no,
    "date": _date,
    "url": _url,
}
_TAKES: Final[Mapping[ColumnType, str]] = {
    "number": "a number such as 12.5",
    "money": "an amount such as 12.50, with the currency as its unit",
    "yes_no": "yes or no",
    "date": "a day, a month or a year such as 2024-05-17",
    "url": "an address with http:// or https://",
}


def _now_ms() -> int:
    return int(time.time() * 1000)
