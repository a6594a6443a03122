"""The prices that watches have seen, for every interface."""

from datetime import UTC, date, datetime
from typing import Literal

from planner.watches.price_tables import Series, as_csv, as_jsonl, iso, series_of
from research_crawler.core.models.watches.watch import Observation
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.watch_control import find_watch, observations_of


async def seen_prices(runtime: Runtime, watch: str = "", *, since: date | None = None) -> list[Series]:
    """The prices of a watch, or of all watches for "", as one series per product and currency.

    Args:
        runtime: the connected process.
        watch: a watch by id, beginning of its id, or name, also one that was removed.
        since: only from this day on, in UTC.

    Raises:
        UnknownWatch: no watch matches.
        UsageError: several do.
    """
    return series_of(await _observations(runtime, watch, since))


async def exported_prices(
    runtime: Runtime, watch: str = "", *, since: date | None = None, form: Literal["csv", "jsonl"] = "csv"
) -> str:
    """Every observation of a watch, or of all watches for "", as CSV or JSON lines.

    Raises:
        UnknownWatch: no watch matches.
        UsageError: several do.
    """
    observations = await _observations(runtime, watch, since)
    return as_jsonl(observations) if form == "jsonl" else as_csv(observations)


def seen_at(observation: Observation) -> str:
    """When a price was seen, in ISO 8601."""
    return iso(observation.at_ms)


async def _observations(runtime: Runtime, watch: str, since: date | None) -> list[Observation]:
    entry = await find_watch(runtime, watch, removed=True) if watch else None
    begin = datetime(since.year, since.month, since.day, tzinfo=UTC).timestamp() * 1000 if since else 0
    return await observations_of(runtime, entry, since_ms=int(begin))
