"""`/prices`: the prices that watches have seen."""

from datetime import UTC, date, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from planner.watches.price_history import as_csv, as_jsonl, series_of
from research_crawler.core.models.watches import Observation
from research_crawler.interfaces.http.faults import ErrorAnswer
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.watch_documents import PriceSeries, price_series
from research_crawler.services.watches import find_watch, observations_of

router = APIRouter(
    prefix="/prices",
    tags=["prices"],
    responses={404: {"model": ErrorAnswer, "description": "There is no such watch."}},
)
WatchName = Annotated[str, Query(description="Id or name of a watch; empty: all.")]
Since = Annotated[date | None, Query(description="Only from this day on, in UTC.")]


@router.get("")
async def show_prices(
    runtime: RuntimeOf,
    watch: WatchName = "",
    since: Since = None,
    rows: Annotated[int, Query(ge=0, le=10_000, description="Observations of each product, at most.")] = 100,
) -> list[PriceSeries]:
    """The prices of each product and currency, in the order of time."""
    return [price_series(one, rows=rows) for one in series_of(await _observations(runtime, watch, since))]


@router.get("/export")
async def export_prices(
    runtime: RuntimeOf, watch: WatchName = "", since: Since = None, form: Literal["csv", "jsonl"] = "csv"
) -> Response:
    """Every observation, as CSV or as JSON lines."""
    observations = await _observations(runtime, watch, since)
    if form == "jsonl":
        return Response(as_jsonl(observations), media_type="application/x-ndjson")
    return Response(as_csv(observations), media_type="text/csv; charset=utf-8")


async def _observations(runtime: RuntimeOf, watch: str, since: date | None) -> list[Observation]:
    entry = await find_watch(runtime, watch, removed=True) if watch else None
    begin = datetime(since.year, since.month, since.day, tzinfo=UTC).timestamp() * 1000 if since else 0
    return await observations_of(runtime, entry, since_ms=int(begin))
