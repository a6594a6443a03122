"""What research has cost: by day, model, batch and job, beside the ceilings."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from research_crawler.interfaces.dashboard.charts import BAR_TONES, LABEL_ROOM, Bars, bars_of
from research_crawler.interfaces.dashboard.page_templates import ROWS_OF_BATCH, page
from research_crawler.interfaces.dashboard.preferences import zone_of
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.jobs.listed_jobs import MOST_JOBS
from research_crawler.services.jobs.research_spend import (
    DAYS_TOLD,
    days_in,
    spent_batches,
    spent_days,
    spent_entries,
)

router = APIRouter(prefix="/spend")
DAYS_SHOWN = 14
"""Days in sight; those before them are behind a fold."""
JOBS_SHOWN = 100
"""Jobs on a page, a batch as one."""


@router.get("")
async def spent(
    request: Request,
    runtime: RuntimeOf,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=MOST_JOBS)] = JOBS_SHOWN,
) -> Response:
    """Days, batches, and a page of jobs."""
    entries, following = await spent_entries(runtime, limit=limit, after=after)
    batches = await spent_batches(runtime)
    utc_days, zone = await spent_days(runtime), zone_of(request)
    days = utc_days if zone.key == "UTC" else await days_in(runtime, zone)
    costs = any(day.usd for day in days)
    bars = [
        (day.day, {one.model: one.usd if costs else float(one.tokens) for one in day.models})
        for day in reversed(days)
    ]
    return page(
        request,
        "spend.html",
        {
            "today": utc_days[0],
            "batches": batches,
            "batch_of": {batch.batch: batch for batch in batches},
            "entries": entries,
            "next": following,
            "most_rows": ROWS_OF_BATCH,
            "days": days,
            "zone": zone.key,
            "after": after,
            "limit": limit,
            "charts": _charts(bars),
            "days_shown": DAYS_SHOWN,
            "days_told": DAYS_TOLD,
            "label_room": LABEL_ROOM,
            "costs": costs,
            "tones": BAR_TONES,
        },
    )


def _charts(days: Sequence[tuple[str, Mapping[str, float]]]) -> list[Bars]:
    """The chart for narrow and for wide pages; of few days one for both; none if nothing was spent."""
    wide = bars_of(days)
    if wide is None or wide.is_few:
        return [wide] if wide else []
    narrow = bars_of(days, is_narrow=True)
    return [narrow, wide] if narrow else [wide]
