"""The batches: one is made of a table in two steps, fills as a table, and its cells open and can be corrected."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from markupsafe import Markup
from starlette.responses import Response, StreamingResponse

from research_crawler.core.errors import UnknownBatch, UsageError
from research_crawler.core.models.jobs.batches import Batch, BatchRow, RowState
from research_crawler.core.models.jobs.columns import LEAST_CONFIDENCE, ColumnValue, StatedValue
from research_crawler.core.models.reports.cited_parts import Evidence
from research_crawler.interfaces.dashboard.forms import Form, FormOf
from research_crawler.interfaces.dashboard.page_templates import page, see, shown_error
from research_crawler.interfaces.dashboard.preferences import preferences_of
from research_crawler.interfaces.http.routes.batch_routes import MEDIA_TYPES, TABLE_HEADERS
from research_crawler.interfaces.http.state import RuntimeOf, StateOf
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches import batch_control, corrections
from research_crawler.services.batches.batch_documents import batch_document
from research_crawler.services.batches.input_table import MOST_INPUT_ROWS
from research_crawler.services.batches.result_tables import check_format, table_parts
from research_crawler.services.batches.row_choice import (
    BY_ROW,
    MOST_LOOKED_AT,
    ConfidenceBand,
    RowChoice,
    chosen_rows,
    sorts_of,
)
from research_crawler.services.batches.row_records import column_values, row_confidence
from research_crawler.services.batches.time_left import batch_seconds_left
from research_crawler.services.exports.page_markup import marked_page
from research_crawler.services.exports.quoted_page import page_around

router = APIRouter(prefix="/batches")
ROWS_SHOWN = 100
"""Rows on a page."""
LETTERS_BY_CELL = 3_000
"""Letters of a stored page before the quote of a cell and after it."""
MOST_WORDS_CHARS = 200
"""Longest words by which rows are searched."""
RowNumber = Annotated[int, Path(ge=1, le=MOST_INPUT_ROWS)]
"""A row in an address; a database refuses to look for a much larger one."""
ExportForm = Literal["csv", "jsonl", "md", "html"]


@router.get("")
async def batch_list(request: Request, runtime: RuntimeOf) -> Response:
    """The newest batches."""
    found = [batch_document(entry) for entry in await batch_control.all_batches(runtime)]
    return page(request, "batches.html", {"batches": found})


def row_choice(
    state: RowState | Literal[""] = "",
    band: Annotated[ConfidenceBand, Query(alias="sure")] = "",
    q: Annotated[str, Query(max_length=MOST_WORDS_CHARS)] = "",
    sort: str = BY_ROW,
    *,
    falling: bool = False,
) -> RowChoice:
    """The rows that an address chooses, and their order."""
    return RowChoice(state, band, q, sort, falling)


@router.get("/{name}")
async def batch_page(
    request: Request,
    name: str,
    runtime: RuntimeOf,
    choice: Annotated[RowChoice, Depends(row_choice)],
    after: Annotated[int, Query(ge=0, le=MOST_INPUT_ROWS)] = 0,
) -> Response:
    """A batch with a page of its rows: all, or those in a state, with a confidence or with words, in an order."""
    entry = await batch_control.with_rows_under_way(runtime, await batch_control.find_batch(runtime, name))
    batch, sorts = entry.batch, sorts_of(entry.batch)
    choice = choice if choice.sort in sorts else replace(choice, sort=BY_ROW)
    shown = await chosen_rows(runtime, batch, choice, after=after, limit=ROWS_SHOWN)
    return page(
        request,
        "batch.html",
        {
            "batch": batch_document(entry),
            "seconds_left": await batch_seconds_left(runtime, entry),
            "fields": batch.fields,
            "columns": batch.inputs.columns,
            "least_confidence": LEAST_CONFIDENCE,
            "rows": [(row, _cells(batch, row), row_confidence(batch, row)) for row in shown.rows],
            "next": shown.next,
            "is_cut": shown.is_cut,
            "most_sorted": MOST_LOOKED_AT,
            "after": after,
            "choice": choice,
            "queries": {
                sort: _query(replace(choice, sort=sort, falling=_falls_next(choice, sort))) for sort in sorts
            },
            "query": _query(choice),
            "view": _view(choice, after),
        },
    )


def _falls_next(choice: RowChoice, sort: str) -> bool:
    """Whether a click on the head of a column sorts from its largest value on: the second click does."""
    return choice.sort == sort and not choice.falling


def _query(choice: RowChoice) -> str:
    """A choice of rows as the query of an address; the first rows of the input need none."""
    asked = {"q": choice.words, "state": choice.state, "sure": choice.band}
    order = {} if choice.is_of_input else {"sort": choice.sort}
    falls = {"falling": "true"} if choice.falling else {}
    return urlencode({name: value for name, value in asked.items() if value} | order | falls)


def _view(choice: RowChoice, after: int) -> str:
    """A page of chosen rows as the end of an address, with which a cell leads back to it."""
    parts = [urlencode({"after": after}) if after else "", _query(choice)]
    query = "&".join(part for part in parts if part)
    return f"?{query}" if query else ""


def view_of(
    choice: Annotated[RowChoice, Depends(row_choice)],
    after: Annotated[int, Query(ge=0, le=MOST_INPUT_ROWS)] = 0,
) -> str:
    """The page of rows from which a cell was opened."""
    return _view(choice, after)


ViewOf = Annotated[str, Depends(view_of)]


@router.get("/{name}/sum")
async def batch_sum(request: Request, name: str, runtime: RuntimeOf) -> Response:
    """The lines on how far a batch is, alone: they move much more often than its rows."""
    entry = await batch_control.with_rows_under_way(runtime, await batch_control.find_batch(runtime, name))
    left_s = await batch_seconds_left(runtime, entry)
    return page(request, "batch_sum.html", {"batch": batch_document(entry), "seconds_left": left_s})


def _cells(batch: Batch, row: BatchRow) -> list[ColumnValue]:
    return [value for _, value in column_values(batch, row)]


async def id_of_batch(name: str, runtime: RuntimeOf) -> str:
    """The id of a batch that exists, before its events are promised."""
    return (await batch_control.find_batch(runtime, name)).batch.id


@router.get("/{name}/events", response_class=EventSourceResponse)
async def batch_events(
    batch: Annotated[str, Depends(id_of_batch)], state: StateOf
) -> AsyncIterator[ServerSentEvent]:
    """`changed` whenever rows have moved, `counted` when only sums have, until the batch is over: then `end`."""
    counts: dict[RowState, int] | None = None
    try:
        async for entry in state.batch_feeds.states(batch):
            event, counts = "counted" if entry.counts == counts else "changed", entry.counts
            yield ServerSentEvent(event=event, raw_data="{}")
            if entry.state != "running":
                yield ServerSentEvent(event="end", raw_data="{}")
    except UnknownBatch:  # it was forgotten meanwhile
        return


@router.get("/{name}/export")
async def batch_export(name: str, runtime: RuntimeOf, form: ExportForm = "csv") -> Response:
    """The table of results as a file, also while the batch runs."""
    batch = (await batch_control.find_batch(runtime, name)).batch
    check_format(form)
    parts = table_parts(batch, batch_control.every_row(runtime, batch.id), form)
    kept = {**TABLE_HEADERS, "Content-Disposition": f'attachment; filename="batch-{batch.id}.{form}"'}
    return StreamingResponse(parts, media_type=MEDIA_TYPES[form], headers=kept)


@router.get("/{name}/rows/{n}/{column:path}")
async def cell_page(
    request: Request, name: str, n: RowNumber, column: str, runtime: RuntimeOf, view: ViewOf
) -> Response:
    """One cell: its value with the quote it rests on, and the form that corrects it."""
    return await _cell(request, runtime, name, n, column, view)


@router.post("/{name}/rows/{n}/{column:path}")
async def correct(
    request: Request, name: str, n: RowNumber, column: str, runtime: RuntimeOf, view: ViewOf, form: FormOf
) -> Response:
    """Write a value by hand, or that there is none, or take back what was written."""
    entry = await batch_control.find_batch(runtime, name)
    if form.one("take_back"):
        await corrections.take_back(runtime, entry, n=n, column=column)
        return see(f"/batches/{entry.batch.id}{view}#row-{n}")
    note = form.one("note")
    try:
        if form.one("take"):
            await corrections.take_alternative(runtime, entry, n=n, column=column, key=form.one("take"))
        elif form.one("no_value"):
            await corrections.reject_cell(runtime, entry, n=n, column=column, note=note)
        else:
            text, unit = form.one("value"), form.one("unit")
            language = preferences_of(request).language
            await corrections.correct_cell(
                runtime, entry, n=n, column=column, text=text, unit=unit, note=note, language=language
            )
    except UsageError as error:
        return await _cell(
            request, runtime, name, n, column, view, complaint=shown_error(request, error), typed=form
        )
    return see(f"/batches/{entry.batch.id}{view}#row-{n}")


async def _cell(
    request: Request,
    runtime: Runtime,
    name: str,
    n: int,
    column: str,
    view: str,
    *,
    complaint: str = "",
    typed: Form | None = None,
) -> Response:
    entry = await batch_control.find_batch(runtime, name)
    spec = corrections.column_named(entry, column)
    row = await corrections.find_row(runtime, entry, n)
    value = next(value for one, value in column_values(entry.batch, row) if one.name == spec.name)
    return page(
        request,
        "batch_cell.html",
        {
            "batch": batch_document(entry),
            "row": row,
            "column": spec,
            "value": value,
            "stored": await _in_its_page(runtime, value),
            "note": _beside_alternatives(value),
            "others": [
                (one, await _in_its_page(runtime, one, f"quote-{n}"))
                for n, one in enumerate(value.alternatives, 1)
            ],
            "view": view,
            "complaint": complaint,
            "typed": typed,
        },
        code=422 if complaint and "HX-Request" not in request.headers else 200,
    )


def _beside_alternatives(value: ColumnValue) -> str:
    """What the note of a value says apart from its alternatives, which stand there by themselves."""
    urls = tuple(one.url for one in value.alternatives)
    return "; ".join(part for part in value.note.split("; ") if not (urls and part.endswith(urls)))


async def _in_its_page(runtime: Runtime, value: StatedValue, anchor: str = "quote") -> Markup | None:
    """The quote of a value, marked among the blocks of its page, with the id `anchor`; None: it is not stored."""
    if not value.page_sha256:
        return None
    piece = Evidence(
        id="", claim="", quote=value.quote, start=value.start, end=value.end, url=value.url, title=value.title,
        page_sha256=value.page_sha256,
    )  # fmt: skip
    found = await page_around(runtime, piece, LETTERS_BY_CELL)
    if not found.is_kept:
        return None
    return await asyncio.to_thread(marked_page, found.before, found.quote, found.after, anchor=anchor)


@router.post("/{name}/cancel")
async def stop_rows(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Stop a batch."""
    entry = await batch_control.find_batch(runtime, name)
    await batch_control.cancel_batch(runtime, entry)
    return see(f"/batches/{entry.batch.id}")


@router.post("/{name}/resume")
async def go_on(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Let a batch go on."""
    entry = await batch_control.find_batch(runtime, name)
    await batch_control.resume_batch(runtime, entry)
    return see(f"/batches/{entry.batch.id}")
