"""What research has cost: by day, model, batch and job, beside the ceilings."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from research_crawler.interfaces.dashboard.charts import BAR_TONES, bars_of
from research_crawler.interfaces.dashboard.page_templates import page
from research_crawler.interfaces.dashboard.preferences import zone_of
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.jobs.listed_jobs import MOST_JOBS
from research_crawler.services.jobs.research_spend import days_in, spend_page

router = APIRouter(prefix="/spend")
JOBS_SHOWN = 100
"""Jobs on a page."""


@router.get("")
async def spent(
    request: Request,
    runtime: RuntimeOf,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=MOST_JOBS)] = JOBS_SHOWN,
) -> Response:
    """Days, batches, and a page of jobs."""
    found = await spend_page(runtime, limit=limit, after=after)
    zone = zone_of(request)
    days = found.days if zone.key == "UTC" else await days_in(runtime, zone)
    costs = any(day.usd for day in days)
    bars = [
        (day.day, {one.model: one.usd if costs else float(one.tokens) for one in day.models})
        for day in reversed(days)
    ]
    return page(
        request,
        "spend.html",
        spend=found,
        days=days,
        zone=zone.key,
        after=after,
        limit=limit,
        chart=bars_of(bars),
        costs=costs,
        tones=BAR_TONES,
    )
