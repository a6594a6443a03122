"""The batches, and the rows of one as a table that fills."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from research_crawler.interfaces.dashboard.forms import FormOf
from research_crawler.interfaces.dashboard.pages import page, see
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.batches import batch_control
from research_crawler.services.batches.batch_documents import batch_document
from research_crawler.services.batches.batch_input import MOST_INPUT_ROWS

router = APIRouter(prefix="/batches")
ROWS_SHOWN = 100
"""Rows on a page."""


@router.get("")
async def batch_list(request: Request, runtime: RuntimeOf) -> Response:
    """The newest batches."""
    found = [batch_document(entry) for entry in await batch_control.all_batches(runtime)]
    return page(request, "batches.html", batches=found)


@router.get("/{name}")
async def batch_page(
    request: Request,
    name: str,
    runtime: RuntimeOf,
    after: Annotated[int, Query(ge=0, le=MOST_INPUT_ROWS)] = 0,
) -> Response:
    """A batch with a page of its rows."""
    entry = await batch_control.find_batch(runtime, name)
    rows = await batch_control.batch_rows(runtime, entry.batch.id, after=after, limit=ROWS_SHOWN)
    following = rows[-1].n if len(rows) == ROWS_SHOWN else None
    values = [{value.name: value for value in row.result.values} for row in rows]
    return page(
        request,
        "batch.html",
        batch=batch_document(entry),
        fields=entry.batch.fields,
        columns=entry.batch.inputs.columns,
        rows=list(zip(rows, values, strict=True)),
        next=following,
    )


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
