"""Chooses the rows of a batch that a page shows: by state, confidence and words, in the order of one of its columns."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final, Literal, get_args

from research_crawler.core.models.jobs.batches import Batch, BatchRow, RowState
from research_crawler.core.models.jobs.columns import LEAST_CONFIDENCE, ColumnValue, value_text
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches import batch_control
from research_crawler.services.batches.row_records import column_values, least_confidence, row_confidence

MOST_LOOKED_AT: Final = 5_000
"""Rows that one page looks through for those that it shows: about a quarter of a second."""
PORTION: Final = 500
"""Rows that are read and compared at once; others are served between."""
ConfidenceBand = Literal["", "low", "middle", "high"]
"""How sure the least sure cell of a row is; empty: however sure."""
CONFIDENCE_BANDS: Final[Mapping[str, tuple[float, float]]] = {
    "low": (0.0, LEAST_CONFIDENCE),
    "middle": (LEAST_CONFIDENCE, 0.8),
    "high": (0.8, 1.01),
}
"""From where to where the confidence of a row's least sure cell is low, middle and high."""
BY_ROW: Final = "row"
"""The order of the input."""
OF_FIELD, OF_COLUMN = "field:", "column:"
"""What stands before the name of an input's column, and of a column of values, by which rows are sorted."""
_STATES: Final[tuple[str, ...]] = get_args(RowState)

SortKey = tuple[int, float | str]
"""Numbers come before texts."""


@dataclass(frozen=True)
class RowChoice:
    """Which rows are shown, and in which order."""

    state: RowState | Literal[""] = ""
    band: ConfidenceBand = ""
    words: str = ""
    """All of them stand in the fields and values of a row, in whatever order."""
    sort: str = BY_ROW
    """`row`, `state`, `confidence`, `field:NAME` or `column:NAME`."""
    falling: bool = False
    """The largest first; rows without such a value are last all the same."""

    @property
    def states(self) -> list[RowState]:
        """The states as the store takes them; empty: any."""
        return [self.state] if self.state else []

    @property
    def is_of_input(self) -> bool:
        """Whether the rows come as they stand in the input, so that a page is read without those before it."""
        return self.sort == BY_ROW and not self.falling


@dataclass(frozen=True)
class RowsShown:
    """A page of rows."""

    rows: list[BatchRow]
    next: int | None = None
    """Behind what the next page begins (`after` of `chosen_rows`); None: this is the last one."""
    is_cut: bool = False
    """There are more rows than one look takes, so that the order is that of the first ones alone."""


def sorts_of(batch: Batch) -> list[str]:
    """By what the rows of a batch can be sorted."""
    fields = [f"{OF_FIELD}{name}" for name in batch.fields]
    return [
        BY_ROW,
        *fields,
        *(f"{OF_COLUMN}{one.name}" for one in batch.inputs.columns),
        "state",
        "confidence",
    ]


async def chosen_rows(
    runtime: Runtime, batch: Batch, choice: RowChoice, *, after: int, limit: int
) -> RowsShown:
    """A page of the rows that are chosen.

    Args:
        runtime: what reads them.
        batch: whose rows.
        choice: which ones, in which order (one of `sorts_of`).
        after: in the order of the input the number of the row before the page; in another one, how many rows come
            before it.
        limit: rows of a page.
    """
    if choice.is_of_input:
        return await _in_input_order(runtime, batch, choice, after=after, limit=limit)
    return await _in_other_order(runtime, batch, choice, before=after, limit=limit)


async def _in_input_order(
    runtime: Runtime, batch: Batch, choice: RowChoice, *, after: int, limit: int
) -> RowsShown:
    """The first rows behind row `after` that match: it is read on until the page is full, or enough is looked at."""
    if not choice.band and not choice.words.split():
        rows = await _portion(runtime, batch, choice, after, limit)
        return RowsShown(rows, rows[-1].n if len(rows) == limit else None)
    found, read = list[BatchRow](), 0
    async for portion in _portions(runtime, batch, choice, after):
        read, after = read + len(portion), portion[-1].n
        found += await asyncio.to_thread(_matching, batch, choice, portion)
        if len(found) >= limit:
            return RowsShown(found[:limit], found[limit - 1].n)
    return RowsShown(found, after if read == MOST_LOOKED_AT else None)


async def _in_other_order(
    runtime: Runtime, batch: Batch, choice: RowChoice, *, before: int, limit: int
) -> RowsShown:
    """The rows behind the first `before` ones: any row may be the first, so that all are looked at, as far as that
    goes. Only those up to the end of the page are held, and one more, which says that there is a next page."""
    first, read, last = list[BatchRow](), 0, 0
    async for portion in _portions(runtime, batch, choice, last):
        read, last = read + len(portion), portion[-1].n
        first = await asyncio.to_thread(_merged, batch, choice, first, portion, before + limit + 1)
    is_cut = read == MOST_LOOKED_AT and bool(await _portion(runtime, batch, choice, last, 1))
    following = before + limit if len(first) > before + limit else None
    return RowsShown(first[before : before + limit], following, is_cut)


async def _portions(
    runtime: Runtime, batch: Batch, choice: RowChoice, after: int
) -> AsyncIterator[list[BatchRow]]:
    """The rows behind row `after` in portions: MOST_LOOKED_AT of them, or all."""
    left = MOST_LOOKED_AT
    while left:
        wanted = min(PORTION, left)
        portion = await _portion(runtime, batch, choice, after, wanted)
        if portion:
            yield portion
        if len(portion) < wanted:
            return
        left, after = left - wanted, portion[-1].n


async def _portion(
    runtime: Runtime, batch: Batch, choice: RowChoice, after: int, limit: int
) -> list[BatchRow]:
    return await batch_control.batch_rows(runtime, batch.id, states=choice.states, after=after, limit=limit)


def _merged(
    batch: Batch, choice: RowChoice, before: Sequence[BatchRow], portion: Sequence[BatchRow], most: int
) -> list[BatchRow]:
    """The first rows of those before and of a portion, so that never all of them are held."""
    return sorted_rows(batch, choice, [*before, *_matching(batch, choice, portion)])[:most]


def sorted_rows(batch: Batch, choice: RowChoice, rows: Sequence[BatchRow]) -> list[BatchRow]:
    """Rows in the order of a choice; those with the same value stay as they were, those without one are last. Pure."""
    key_of = _key_function(batch, choice.sort)
    keyed = [(key_of(row), row) for row in rows]
    valued = [(key, row) for key, row in keyed if key is not None]
    valued.sort(key=lambda one: one[0], reverse=choice.falling)
    return [row for _, row in valued] + [row for key, row in keyed if key is None]


def _key_function(batch: Batch, sort: str) -> Callable[[BatchRow], SortKey | None]:
    kind, _, name = sort.partition(":")
    return {
        "row": lambda row: (0, row.n),
        "state": lambda row: (0, _STATES.index(row.state)),
        "confidence": lambda row: _key(row_confidence(batch, row)),
        "field": lambda row: _key_of_text(row.fields.get(name, "")),
        "column": lambda row: _key(
            next((value.value for value in row.result.values if value.name == name), None)
        ),
    }[kind]


def _key(value: float | str | bool | None) -> SortKey | None:
    if value is None:
        return None
    return (1, value.casefold()) if isinstance(value, str) else (0, float(value))


def _key_of_text(text: str) -> SortKey | None:
    """A number as a number, as cells of an input are all texts."""
    try:
        number = float(text)
    except ValueError:
        return _key(text.strip() or None)
    return (0, number) if isfinite(number) else _key(text)


def _matching(batch: Batch, choice: RowChoice, rows: Sequence[BatchRow]) -> list[BatchRow]:
    words = choice.words.casefold().split()
    return [row for row in rows if _is_in_band(batch, choice.band, row) and _has(batch, words, row)]


def _is_in_band(batch: Batch, band: ConfidenceBand, row: BatchRow) -> bool:
    if not band:
        return True
    least, most = CONFIDENCE_BANDS[band]
    confidence = least_confidence(batch, row)
    return confidence is not None and least <= confidence < most


def _has(batch: Batch, words: Sequence[str], row: BatchRow) -> bool:
    if not words:
        return True
    text = "\n".join(_texts(batch, row)).casefold()
    return all(word in text for word in words)


def _texts(batch: Batch, row: BatchRow) -> Iterator[str]:
    """What a row's cells show: fields, values as they are and as their pages write them, else the answer."""
    yield from row.fields.values()
    for _, value in column_values(batch, row):
        if value.value is not None and not isinstance(value.value, bool):
            yield from (_plain(value), value_text(value), value.shown)
    if not batch.inputs.columns:
        yield from (row.result.answer, row.result.cause)


def _plain(value: ColumnValue) -> str:
    return f"{value.value:.10g}" if isinstance(value.value, float) else str(value.value)
