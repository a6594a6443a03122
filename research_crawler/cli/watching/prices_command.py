"""The command `research prices`, which shows or exports the prices that watches have seen."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from research_crawler.cli.exit_codes import FAILED
from research_crawler.cli.options.option_values import Day, WholeNumber
from research_crawler.cli.session import echo, echo_err, fail, run_connected, settings, write

if TYPE_CHECKING:
    from planner.watches.price_tables import Series
    from research_crawler.core.models.watches.watch import Observation
    from research_crawler.runtime.runtime import Runtime

DAY = Day()


@click.group()
def prices() -> None:
    """Show or export the prices that watches have seen."""


@prices.command()
@click.argument("watch", required=False, default="")
@click.option("--since", type=DAY, metavar="DAY", help="Only from this day on (UTC, YYYY-MM-DD).")
@click.option(
    "--rows",
    default=10,
    type=WholeNumber(0, 10_000),
    help="Most observations shown of each product. Default: 10.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(watch: str, *, since: datetime | None, rows: int, as_json: bool) -> None:
    """Show a chart and the last observations of each product of WATCH, or of all watches."""

    async def work(runtime: "Runtime") -> int:
        from planner.watches.price_tables import series_of
        from research_crawler.services.watch_documents import price_series

        all_series = series_of(await _observations(runtime, watch, since))
        if as_json:
            documents = [price_series(series).model_dump(mode="json") for series in all_series]
            echo(json.dumps(documents, indent=2))
            return 0
        for series in all_series:
            print_series(series, rows)
        if not all_series:
            echo_err("no prices yet; `research watch run WATCH` checks them now")
        return 0

    run_connected(settings(), work)


@prices.command()
@click.argument("watch", required=False, default="")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    help="Format. Default: from the file's name, else csv.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write. Default: stdout.",
)
@click.option("--since", type=DAY, metavar="DAY", help="Only from this day on (UTC, YYYY-MM-DD).")
def export(watch: str, *, form: str | None, out: Path | None, since: datetime | None) -> None:
    """Export every observation of WATCH, or of all watches, as CSV or JSON lines."""
    chosen = form or ("jsonl" if out and out.suffix in (".jsonl", ".ndjson") else "csv")

    async def work(runtime: "Runtime") -> int:
        from planner.watches.price_tables import as_csv, as_jsonl

        observations = await _observations(runtime, watch, since)
        text = as_jsonl(observations) if chosen == "jsonl" else as_csv(observations)
        if out is None:
            write(text)
            return 0
        _write(out, text)
        echo_err(f"wrote {len(observations):,} observations to {out}")
        return 0

    run_connected(settings(), work)


async def _observations(runtime: "Runtime", watch: str, since: datetime | None) -> "list[Observation]":
    from research_crawler.services.watch_control import find_watch, observations_of

    entry = await find_watch(runtime, watch, removed=True) if watch else None
    begin = since.replace(tzinfo=UTC).timestamp() * 1000 if since else 0
    return await observations_of(runtime, entry, since_ms=int(begin))


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        fail(f"--out {out}: {error.strerror}", code=FAILED)


def print_series(series: "Series", rows: int) -> None:
    """Print the prices of a product for a terminal: a line with a chart, and the last observations."""
    from planner.watches.price_alerts import amount, plain_line
    from planner.watches.price_tables import chart

    echo(f"{plain_line(series.name)}  {series.vendor}")
    if series.prices:
        low, high = (amount(price, series.currency) for price in (min(series.prices), max(series.prices)))
        last = amount(series.prices[-1], series.currency)
        echo(f"  {chart(series)}  {low} … {high}, last {last}")
    echo(f"  {'when (UTC)':<18}{'price':>14}  {'stock':<13}{'condition':<12}confirmed")
    for seen in series.observations[-rows:] if rows else []:
        when = datetime.fromtimestamp(seen.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        price = amount(seen.price, seen.currency) if seen.price is not None else "–"
        state = seen.availability if seen.state in ("offer", "out_of_stock") else seen.state
        confirmed = "yes" if seen.confirmed else "" if seen.price is None else "no"
        if seen.fetch_attempt > 1:
            confirmed = f"{confirmed}, second fetch".lstrip(", ")
        echo(f"  {when:<18}{price:>14}  {state:<13}{seen.condition:<12}{confirmed}".rstrip())
    echo("")
