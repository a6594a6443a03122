"""The watches, and the prices of one as line charts."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.interfaces.dashboard.charts import chart_of
from research_crawler.interfaces.dashboard.forms import FormOf
from research_crawler.interfaces.dashboard.pages import page, see
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services import watch_control
from research_crawler.services.watch_documents import prices_of_watch, watch_details, watch_document

router = APIRouter(prefix="/watches")
MOST_OBSERVATIONS = 500
"""Points of a line, at most."""


@router.get("")
async def watch_list(request: Request, runtime: RuntimeOf) -> Response:
    """The watches, oldest first."""
    entries = await watch_control.all_watches(runtime)
    found = await asyncio.to_thread(lambda: [watch_document(entry) for entry in entries])
    return page(request, "watches.html", watches=found)


@router.get("/{name}")
async def watch_page(request: Request, name: str, runtime: RuntimeOf) -> Response:
    """A watch with its products, prices, runs and alerts."""
    entry = await watch_control.find_watch(runtime, name, removed=True)
    view = await watch_control.view_of(runtime, entry)
    series = await prices_of_watch(runtime, entry, rows=MOST_OBSERVATIONS)
    return page(
        request,
        "watch.html",
        watch=await asyncio.to_thread(watch_details, view),
        series=[(one, chart_of(one)) for one in series],
    )


@router.post("/{name}/pause")
async def rest(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Pause a watch."""
    entry = await watch_control.find_watch(runtime, name)
    await watch_control.pause(runtime, entry)
    return see(f"/watches/{entry.watch.id}")


@router.post("/{name}/resume")
async def wake(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Resume a watch."""
    entry = await watch_control.find_watch(runtime, name)
    await watch_control.resume(runtime, entry)
    return see(f"/watches/{entry.watch.id}")


@router.post("/{name}/runs")
async def look_now(name: str, runtime: RuntimeOf, _form: FormOf) -> Response:
    """Check the prices of a watch now."""
    entry = await watch_control.find_watch(runtime, name)
    await watch_control.run_now(runtime, entry)
    return see(f"/watches/{entry.watch.id}")
