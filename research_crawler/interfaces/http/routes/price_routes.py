"""`/prices`: the prices that watches have seen."""

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from research_crawler.interfaces.http.faults import ErrorAnswer
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.price_records import exported_prices, seen_prices
from research_crawler.services.watch_documents import PriceSeries, price_series

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
    return [price_series(one, rows=rows) for one in await seen_prices(runtime, watch, since=since)]


@router.get("/export")
async def export_prices(
    runtime: RuntimeOf, watch: WatchName = "", since: Since = None, form: Literal["csv", "jsonl"] = "csv"
) -> Response:
    """Every observation, as CSV or as JSON lines."""
    media_type = "application/x-ndjson" if form == "jsonl" else "text/csv; charset=utf-8"
    return Response(await exported_prices(runtime, watch, since=since, form=form), media_type=media_type)
