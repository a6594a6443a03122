"""`/watches`: add, list, run, pause, resume and remove watches of prices."""

import asyncio

from fastapi import APIRouter, status

from research_crawler.core.errors import UnknownJob
from research_crawler.core.models.watches.watch import WatchEntry
from research_crawler.interfaces.http.faults import ErrorAnswer
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services import watch_control
from research_crawler.services.watch_documents import (
    NewWatch,
    RunDocument,
    RunResultDocument,
    WatchDetails,
    WatchDocument,
    run_document,
    run_result_document,
    watch_details,
    watch_document,
)

router = APIRouter(
    prefix="/watches",
    tags=["watches"],
    responses={404: {"model": ErrorAnswer, "description": "There is no such watch or run."}},
)


@router.post("", status_code=status.HTTP_201_CREATED)
async def add_watch(body: NewWatch, runtime: RuntimeOf) -> WatchDocument:
    """Add a watch: a query for shops, or URLs of product pages."""
    # In a thread, because the services that alerts may go to take a second to load the first time.
    watch = await asyncio.to_thread(watch_control.checked_watch, runtime.config, body.to_request())
    return watch_document(await watch_control.add_watch(runtime, watch))


@router.get("")
async def list_watches(runtime: RuntimeOf, *, removed: bool = False) -> list[WatchDocument]:
    """The watches, oldest first; with `removed`, also those that were ended."""
    entries = await watch_control.all_watches(runtime, removed=removed)
    return await asyncio.to_thread(lambda: [watch_document(entry) for entry in entries])


@router.get("/{name}")
async def show_watch(name: str, runtime: RuntimeOf) -> WatchDetails:
    """A watch, by its id, the begin of its id or its name, with its products, runs and alerts."""
    view = await watch_control.watch_view(
        runtime, await watch_control.find_watch(runtime, name, removed=True)
    )
    return await asyncio.to_thread(watch_details, view)


@router.delete("/{name}")
async def remove_watch(name: str, runtime: RuntimeOf, *, with_prices: bool = False) -> WatchDocument:
    """End a watch; with `with_prices`, delete its prices too."""
    entry = await watch_control.find_watch(runtime, name, removed=with_prices)
    await watch_control.remove(runtime, entry, with_prices=with_prices)
    ended = WatchEntry(watch=entry.watch, state="removed", last_slot_ms=entry.last_slot_ms)
    return await asyncio.to_thread(watch_document, ended)


@router.post("/{name}/pause")
async def pause_watch(name: str, runtime: RuntimeOf) -> WatchDocument:
    """Pause a watch: it has no runs until it is resumed."""
    await watch_control.pause(runtime, await watch_control.find_watch(runtime, name))
    return await _document(name, runtime)


@router.post("/{name}/resume")
async def resume_watch(name: str, runtime: RuntimeOf) -> WatchDocument:
    """Resume a paused watch, starting with the next run of its schedule."""
    await watch_control.resume(runtime, await watch_control.find_watch(runtime, name))
    return await _document(name, runtime)


@router.post("/{name}/runs", status_code=status.HTTP_202_ACCEPTED)
async def run_watch(name: str, runtime: RuntimeOf) -> RunDocument:
    """Check the prices of a watch now. The schedule stays as it is."""
    return run_document(await watch_control.run_now(runtime, await watch_control.find_watch(runtime, name)))


@router.get("/{name}/runs/{job_id}")
async def run_result(name: str, job_id: str, runtime: RuntimeOf) -> RunResultDocument:
    """The observations and alerts of a run so far."""
    entry = await watch_control.find_watch(runtime, name, removed=True)
    run = await watch_control.find_run(runtime, entry, job_id)
    if run is None:
        raise UnknownJob(job_id)
    return run_result_document(await watch_control.result_of_run(runtime, run))


async def _document(name: str, runtime: RuntimeOf) -> WatchDocument:
    return await asyncio.to_thread(watch_document, await watch_control.find_watch(runtime, name))
