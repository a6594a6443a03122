"""`/batches`: many questions of one form."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response, status
from fastapi.responses import StreamingResponse

from research_crawler.core.models.base import Frozen
from research_crawler.core.models.jobs.batches import RowState
from research_crawler.interfaces.http.faults import ErrorAnswer
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.batches import batch_control
from research_crawler.services.batches.batch_documents import (
    BatchDocument,
    BatchSubmission,
    batch_document,
    batch_from,
)
from research_crawler.services.batches.input_table import MOST_INPUT_ROWS
from research_crawler.services.batches.result_tables import check_format, table_parts
from research_crawler.services.batches.row_records import row_record

router = APIRouter(
    prefix="/batches",
    tags=["batches"],
    responses={404: {"model": ErrorAnswer, "description": "There is no such batch."}},
)
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
TABLE_HEADERS = {"Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'"}
"""A table holds text of pages: as HTML it may run nothing and load nothing."""


class RowPage(Frozen):
    """Some rows of a batch in their order, and where the next page begins."""

    rows: list[dict[str, Any]]
    next: int | None
    """What to give as `after` for the next page; null: this is the last one."""


@router.post("", status_code=status.HTTP_202_ACCEPTED)
async def start_batch(body: BatchSubmission, runtime: RuntimeOf) -> BatchDocument:
    """Put a batch into the queue; one wrong row refuses it whole."""
    checked = await asyncio.to_thread(batch_from, runtime.config, body)
    return batch_document(await batch_control.add_batch(runtime, checked))


@router.get("")
async def list_batches(
    runtime: RuntimeOf, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> list[BatchDocument]:
    """The batches, newest first."""
    return [batch_document(entry) for entry in await batch_control.all_batches(runtime, limit)]


@router.get("/{name}")
async def batch_status(name: str, runtime: RuntimeOf) -> BatchDocument:
    """A batch, by its id, the begin of its id or its name."""
    entry = await batch_control.find_batch(runtime, name)
    return batch_document(await batch_control.with_rows_under_way(runtime, entry))


@router.get("/{name}/rows")
async def batch_rows(
    name: str,
    runtime: RuntimeOf,
    after: Annotated[int, Query(ge=0, le=MOST_INPUT_ROWS)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    state: RowState | None = None,
) -> RowPage:
    """The rows of a batch with their states and values, page by page."""
    batch = (await batch_control.find_batch(runtime, name)).batch
    rows = await batch_control.batch_rows(
        runtime, batch.id, states=[state] if state else (), after=after, limit=limit
    )
    following = rows[-1].n if len(rows) == limit else None
    return RowPage(rows=[row_record(batch, row) for row in rows], next=following)


@router.get("/{name}/result")
async def batch_result(
    name: str, runtime: RuntimeOf, form: Literal["csv", "jsonl", "md", "html", "parquet"] = "csv"
) -> Response:
    """The table of results, also while the batch runs."""
    batch = (await batch_control.find_batch(runtime, name)).batch
    check_format(form)  # before the answer begins
    parts = table_parts(batch, batch_control.every_row(runtime, batch.id), form)
    return StreamingResponse(parts, media_type=MEDIA_TYPES[form], headers=TABLE_HEADERS)


@router.post("/{name}/cancel")
async def cancel_batch(name: str, runtime: RuntimeOf) -> BatchDocument:
    """Stop a batch: its running jobs end at once, its waiting rows never begin."""
    entry = await batch_control.find_batch(runtime, name)
    await batch_control.cancel_batch(runtime, entry)
    return batch_document(await batch_control.find_batch(runtime, entry.batch.id))


@router.post("/{name}/resume")
async def resume_batch(name: str, runtime: RuntimeOf) -> BatchDocument:
    """Let a batch go on: rows that failed or were cancelled are tried again."""
    entry = await batch_control.find_batch(runtime, name)
    await batch_control.resume_batch(runtime, entry)
    return batch_document(await batch_control.find_batch(runtime, entry.batch.id))
