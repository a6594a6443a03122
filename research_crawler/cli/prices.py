"""`research prices`: what watches saw, as a table with a chart, as CSV or as JSON lines."""

import json
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from research_crawler.cli.exit_codes import FAILED
from research_crawler.cli.session import fail, run_session, say, settings, tell

if TYPE_CHECKING:
    from planner.watches.price_history import Series
    from research_crawler.core.models.watches import Observation
    from research_crawler.runtime.runtime import Runtime

DAY = click.DateTime(["%Y-%m-%d"])


@click.group()
def prices() -> None:
    """Observed prices: shown, or exported with every observation."""


@prices.command()
@click.argument("watch", required=False, default="")
@click.option("--since", type=DAY, metavar="DAY", help="Only from this day on (UTC).")
@click.option(
    "--rows", default=10, type=click.IntRange(0, 10_000), help="Observations shown of each. Default: 10."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def show(watch: str, *, since: datetime | None, rows: int, as_json: bool) -> None:
    """Show the prices of WATCH (or of all): a chart and the last observations of each product."""

    async def work(runtime: "Runtime") -> int:
        from planner.watches.price_history import series_of

        found = series_of(await _observations(runtime, watch, since))
        if as_json:
            say(json.dumps([_series_json(one) for one in found], indent=2))
            return 0
        for one in found:
            print_series(one, rows)
        if not found:
            tell("no prices yet; `research watch run WATCH` looks now")
        return 0

    _session(work)


@prices.command()
@click.argument("watch", required=False, default="")
@click.option(
    "--format", "form", type=click.Choice(["csv", "jsonl"]), help="Default: by the file's name, else csv."
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Default: stdout."
)
@click.option("--since", type=DAY, metavar="DAY", help="Only from this day on (UTC).")
def export(watch: str, *, form: str | None, out: Path | None, since: datetime | None) -> None:
    """Export every observation of WATCH (or of all) as CSV or JSON lines."""
    chosen = form or ("jsonl" if out and out.suffix in (".jsonl", ".ndjson") else "csv")

    async def work(runtime: "Runtime") -> int:
        from planner.watches.price_history import as_csv, as_jsonl

        seen = await _observations(runtime, watch, since)
        text = as_jsonl(seen) if chosen == "jsonl" else as_csv(seen)
        if out is None:
            sys.stdout.write(text)
            return 0
        _write(out, text)
        tell(f"{len(seen):,} observations in {out}")
        return 0

    _session(work)


async def _observations(runtime: "Runtime", watch: str, since: datetime | None) -> "list[Observation]":
    from research_crawler.services.watches import find_watch, observations_of

    entry = await find_watch(runtime, watch, removed=True) if watch else None
    begin = since.replace(tzinfo=UTC).timestamp() * 1000 if since else 0
    return await observations_of(runtime, entry, since_ms=int(begin))


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        fail(f"--out {out}: {error.strerror}", code=FAILED)


def _session(work: "Callable[[Runtime], Awaitable[int]]") -> NoReturn:
    config = settings()

    async def connected() -> int:
        from research_crawler.runtime.runtime import running

        async with running(config, crawl=False, plan=False) as runtime:
            return await work(runtime)

    run_session(config, connected)


def print_series(series: "Series", rows: int) -> None:
    """A product's prices for a terminal: a line with its chart, and the last observations."""
    from planner.watches.alerts import amount, plain_line
    from planner.watches.price_history import chart

    say(f"{plain_line(series.name)}  {series.vendor}")
    if series.prices:
        low, high = (amount(price, series.currency) for price in (min(series.prices), max(series.prices)))
        last = amount(series.prices[-1], series.currency)
        say(f"  {chart(series)}  {low} … {high}, last {last}")
    say(f"  {'when (UTC)':<18}{'price':>14}  {'stock':<13}{'condition':<12}confirmed")
    for one in series.seen[-rows:] if rows else []:
        when = datetime.fromtimestamp(one.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        price = amount(one.price, one.currency) if one.price is not None else "–"
        state = one.availability if one.state in ("offer", "out_of_stock") else one.state
        sure = "yes" if one.confirmed else "" if one.price is None else "no"
        say(f"  {when:<18}{price:>14}  {state:<13}{one.condition:<12}{sure}".rstrip())
    say("")


def _series_json(series: "Series") -> dict[str, object]:
    found = series.prices
    return {
        "product": series.product,
        "name": series.name,
        "vendor": series.vendor,
        "currency": series.currency,
        "lowest": float(min(found)) if found else None,
        "highest": float(max(found)) if found else None,
        "last": series.last.model_dump(mode="json"),
        "observations": [one.model_dump(mode="json") for one in series.seen],
    }
