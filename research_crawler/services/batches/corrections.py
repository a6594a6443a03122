"""Values that a person writes into the table of a batch. They stay, whatever a row finds when it is tried again."""

import math
import re
import time
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from planner.columns.value_readers import AskedWords, stated_values
from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.batches import BatchEntry, BatchRow, RowState
from research_crawler.core.models.jobs.columns import (
    BY_HAND,
    ColumnSpec,
    ColumnType,
    ColumnValue,
    column_value,
)
from research_crawler.core.text.translatable import translatable
from research_crawler.core.text.written_number import written_number
from research_crawler.extraction.products.price.reader import parse_price
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches.row_records import column_values, is_settled

MOST_VALUE_CHARS: Final = 2_000
"""Longest value that a person writes into a table."""
STATES_BY_FILLED_CELLS: Final[tuple[RowState, ...]] = ("insufficient", "partly", "done")
"""The states of a row by its cells, from the least complete: none has a value, some have, none is open."""
_YES: Final = frozenset({"yes", "true", "1"})
_NO: Final = frozenset({"no", "false", "0"})
_BEFORE_UNIT: Final = re.compile(r"(?<=\d) (?=[^\d\s])")
_NUMBER: Final = re.compile(r"\d+(?:[.,\s'’]\d+)*|\d*[eE]\d+")


async def find_row(runtime: Runtime, entry: BatchEntry, n: int) -> BatchRow:
    """A row of a batch.

    Raises:
        UsageError: the batch has no such row.
    """
    rows = await SqlBatches(runtime.container.archive).rows(entry.batch.id, after=n - 1, limit=1)
    if not rows or rows[0].n != n:
        raise UsageError(translatable("the batch has no row %(n)s", n=n))
    return rows[0]


def column_named(entry: BatchEntry, name: str) -> ColumnSpec:
    """A column of a batch.

    Raises:
        UsageError: the batch has no such column.
    """
    found = next((column for column in entry.batch.inputs.columns if column.name == name), None)
    if found is None:
        raise UsageError(translatable("the batch has no column %(name)r", name=name[:100]))
    return found


async def correct_cell(
    runtime: Runtime,
    entry: BatchEntry,
    *,
    n: int,
    column: str,
    text: str,
    unit: str = "",
    note: str = "",
    language: str = "en",
) -> None:
    """Write a value into a cell. It takes the place of what was found, in pages and exports, until it is taken back.

    Args:
        language: in which the person writes numbers.

    Raises:
        UsageError: there is no such cell, or the text is no value of the column's type.
    """
    await _write(
        runtime,
        entry,
        n,
        value_by_hand(column_named(entry, column), text, unit=unit, note=note, language=language),
    )


async def take_alternative(runtime: Runtime, entry: BatchEntry, *, n: int, column: str, key: str) -> None:
    """Write one of the alternatives of a cell into it, with its quote, as a person's choice.

    Raises:
        UsageError: there is no such cell, or it has no such alternative (any more).
    """
    spec = column_named(entry, column)
    row = await find_row(runtime, entry, n)
    found = next((value for one, value in column_values(entry.batch, row) if one.name == spec.name), None)
    chosen = next((one for one in found.alternatives if one.key == key), None) if found else None
    if chosen is None:
        raise UsageError(translatable("this value is no longer offered; load the page anew"))
    await _write(runtime, entry, n, column_value(spec, chosen).changed(confidence=1.0, by=BY_HAND))


async def reject_cell(runtime: Runtime, entry: BatchEntry, *, n: int, column: str, note: str = "") -> None:
    """Write into a cell that there is no value. What was found is not shown again until this is taken back.

    Raises:
        UsageError: there is no such cell, or the note is too long.
    """
    spec = column_named(entry, column)
    await _write(
        runtime,
        entry,
        n,
        ColumnValue(name=spec.name, type=spec.type, reason="no_value", note=_note(note), by=BY_HAND),
    )


async def _write(runtime: Runtime, entry: BatchEntry, n: int, value: ColumnValue) -> None:
    before = await find_row(runtime, entry, n)
    await SqlBatches(runtime.container.archive).correct(entry.batch.id, n, value, at_ms=_now_ms())
    await _renew_state(runtime, entry, before)


async def take_back(runtime: Runtime, entry: BatchEntry, *, n: int, column: str) -> None:
    """Let a cell have again what was found."""
    before = await find_row(runtime, entry, n)
    await SqlBatches(runtime.container.archive).take_back(entry.batch.id, n, column)
    await _renew_state(runtime, entry, before)


async def _renew_state(runtime: Runtime, entry: BatchEntry, before: BatchRow) -> None:
    """Let the state of a row that has ended follow its cells, whoever filled them.

    It only goes the way that the cells went: a value more makes no row less complete, and one fewer none more complete
    than it was `before`. A row that runs, waits or failed is in none of these states, and keeps its own.
    """
    row = await find_row(runtime, entry, before.n)
    if row.state not in STATES_BY_FILLED_CELLS:
        return
    by_cells = _state_by_cells(entry, row)
    now_place, new_place = map(STATES_BY_FILLED_CELLS.index, (row.state, by_cells))
    have_cells_lost = _completeness(entry, row) < _completeness(entry, before)
    follows = new_place < now_place if have_cells_lost else new_place > now_place
    if follows:
        batches = SqlBatches(runtime.container.archive)
        await batches.change_state(entry.batch.id, row.n, before=row.state, now=by_cells)


def _completeness(entry: BatchEntry, row: BatchRow) -> tuple[int, int]:
    """How complete the cells of a row are: first by the state that they give it, then by their values."""
    state = _state_by_cells(entry, row)
    return STATES_BY_FILLED_CELLS.index(state), _filled_cells(entry, row)


def _state_by_cells(entry: BatchEntry, row: BatchRow) -> RowState:
    """A cell of which a person says that there is no value is not open, and has none."""
    if all(is_settled(value) for _, value in column_values(entry.batch, row)):
        return "done"
    return "partly" if _filled_cells(entry, row) else "insufficient"


def _filled_cells(entry: BatchEntry, row: BatchRow) -> int:
    return sum(value.value is not None for _, value in column_values(entry.batch, row))


def value_by_hand(
    column: ColumnSpec, text: str, *, unit: str = "", note: str = "", language: str = "en"
) -> ColumnValue:
    """What a person wrote as a value of the column's type; numbers as `language` writes them.

    Raises:
        UsageError: it is none; the message says what the column takes.
    """
    written = " ".join(text.split())
    if not written or len(written) > MOST_VALUE_CHARS:
        raise UsageError(translatable("write a value of 1 to %(most)s characters", most=MOST_VALUE_CHARS))
    if column.choices and written not in column.choices:
        raise UsageError(
            translatable(
                "%(column)s takes one of: %(known)s", column=column.name, known=", ".join(column.choices)
            )
        )
    unit = " ".join(unit.split())[:30]
    try:
        value, unit = _parsed_value(column, written, unit, language)
    except ValueError:
        raise UsageError(
            translatable(
                "%(column)s takes %(kind)s; %(text)r is none",
                column=column.name,
                kind=_TAKES[column.type],
                text=written[:60],
            )
        ) from None
    return ColumnValue(
        name=column.name,
        type=column.type,
        value=value,
        unit=unit,
        shown=written,
        confidence=1.0,
        note=_note(note),
        by=BY_HAND,
    )


def _note(text: str) -> str:
    if len(text) > MOST_VALUE_CHARS:
        raise UsageError(translatable("write a note of at most %(most)s characters", most=MOST_VALUE_CHARS))
    return " ".join(text.split())


def _parsed_value(column: ColumnSpec, text: str, unit: str, language: str) -> tuple[str | float | bool, str]:
    """The value of a text, with the unit that the text names, else with the one given beside it."""
    try:
        if column.type in ("number", "money"):
            return _number(text, language, is_money=column.type == "money"), unit
        return _READERS.get(column.type, str)(text), unit
    except ValueError:
        is_bare = _NUMBER.fullmatch(text)  # a number that was not read may mean two
        if is_bare or len(_NUMBER.findall(text)) != 1 or "-" in text:  # so may two numbers
            raise
    if column.type == "money" and (price := parse_price(text, currency_hint=unit)) is not None:
        return float(price.amount), price.currency or unit
    if column.type == "number":
        wanted = column.changed(unit=unit or column.unit)
        for written in (text, _BEFORE_UNIT.sub("", text)):  # "1250 g" alone is read as a year and a letter
            stated = stated_values(wanted, written, asked=AskedWords(), language="en", territory="")
            if len(stated) == 1 and stated[0].is_wanted_unit:
                return stated[0].value, stated[0].unit
    raise ValueError(text)


def _number(text: str, language: str, *, is_money: bool) -> float:
    value = float(written_number(text, language=language, is_money=is_money))
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
    "yes_no": _yes_no,
    "date": _date,
    "url": _url,
}
_TAKES: Final[Mapping[ColumnType, str]] = {
    "number": translatable("a number such as 12.5, also with its unit"),
    "money": translatable("an amount such as 12.50 or $12.50"),
    "yes_no": translatable("yes or no"),
    "date": translatable("a day, a month or a year such as 2024-05-17"),
    "url": translatable("an address with http:// or https://"),
}


def _now_ms() -> int:
    return int(time.time() * 1000)
