"""The list of jobs, and where one stands."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from research_crawler.core.models.offers.products import Product
from research_crawler.interfaces.dashboard.forms import INTERVALS, FormOf
from research_crawler.interfaces.dashboard.page_templates import ROWS_OF_BATCH, page, see
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches.batch_control import all_batches
from research_crawler.services.jobs.job_feed import steps_after
from research_crawler.services.jobs.job_lifecycle import cancel_job
from research_crawler.services.jobs.job_lookup import find_job, report_of, state_document_of
from research_crawler.services.jobs.job_view import JobView, view_of_job
from research_crawler.services.jobs.listed_jobs import MOST_JOBS, ListedBatch, follow_ups_of, found_jobs
from research_crawler.services.shop_names import shop_names
from research_crawler.services.watch_control import watch_of_page

router = APIRouter(prefix="/jobs")
LISTED_JOBS = 100
"""Jobs on a page."""
MOST_SOUGHT = 200
"""Longest text that the list of jobs is searched for."""
STATES = ("running", "pending", "answered", "partly", "insufficient", "nothing_worked", "failed", "cancelled")
"""What the list may be narrowed to."""


@router.get("")
async def job_list(
    request: Request,
    runtime: RuntimeOf,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=MOST_JOBS)] = LISTED_JOBS,
    q: Annotated[str, Query(max_length=MOST_SOUGHT)] = "",
    state: Annotated[str, Query(max_length=30)] = "",
) -> Response:
    """The jobs, newest first, page by page: all, or those with words in their question or in a state."""
    found = await found_jobs(runtime, limit=limit, after=after, words=q, state=state)
    has_batch = any(isinstance(entry, ListedBatch) for entry in found.entries)
    batches = await all_batches(runtime) if has_batch else []
    return page(
        request,
        "jobs.html",
        {
            "entries": found.entries,
            "next": found.next,
            "after": after,
            "limit": limit,
            "query": q,
            "state": state,
            "states": STATES,
            "batch_states": {entry.batch.id: entry.state for entry in batches},
            "names": {entry.batch.id: entry.batch.name or entry.batch.template for entry in batches},
            "most_rows": ROWS_OF_BATCH,
        },
    )


@router.get("/{job_id}")
async def job_page(request: Request, job_id: str, runtime: RuntimeOf) -> Response:
    """Where a job stands; the page follows it while it runs."""
    view = await view_of_job(runtime, job_id)
    offer = await _recommended(runtime, view)
    return page(
        request,
        "job.html",
        {
            "view": view,
            "steps": steps_after(view.job.timeline, ""),
            "offer": offer,
            "shops": await shop_names(runtime, [offer.vendor]) if offer else {},
            "intervals": INTERVALS,
            "watched": await watch_of_page(runtime, offer.url) if offer else None,
        },
    )


async def _recommended(runtime: Runtime, view: JobView) -> Product | None:
    """The offer that the report of a finished search for a thing recommends, whose price can be watched."""
    if not view.is_over or view.job.inputs.intent != "commerce":
        return None
    report = await report_of(runtime, view.job.id)
    return report.phase2.recommended if report and report.phase2 else None


@router.get("/{job_id}/follow-ups")
async def follow_ups_page(
    request: Request, job_id: str, runtime: RuntimeOf, *, piece: bool = False
) -> Response:
    """The questions that were asked about its report; `piece`: the list alone, for the page of the report."""
    job = await find_job(runtime, job_id)
    jobs = await follow_ups_of(runtime, job.id)
    return page(request, "follow_ups_piece.html" if piece else "follow_ups.html", {"job": job, "jobs": jobs})


@router.get("/{job_id}/state")
async def state_page(request: Request, job_id: str, runtime: RuntimeOf) -> Response:
    """research_state.md of a job as it is now."""
    job = await find_job(runtime, job_id)
    return page(request, "state.html", {"job": job, "text": await state_document_of(runtime, job)})


@router.post("/{job_id}/cancel")
async def stop(job_id: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Stop a job at once."""
    job = await find_job(runtime, job_id)
    await cancel_job(runtime, job.id)
    return see(f"/jobs/{job.id}")
