"""The commands `research watch …`, which check prices on a schedule."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.hints import error_text, start_hint
from research_crawler.cli.session import echo, echo_err, echo_json, fail, run_connected, settings
from research_crawler.cli.views.watch_view import (
    print_edit,
    print_result,
    print_view,
    time_text,
    watch_line,
)
from research_crawler.core.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime

Work = TypeVar("Work", bound=Callable[..., Any])


@click.group()
def watch() -> None:
    """Check prices on a schedule, and alert on confirmed changes.

    \b
    research watch add "RTX 4060 laptop" --vendors amazon.com,newegg.com --every 6h --below 900 --notify ntfy://mine
    research watch add https://shop.example/p/4711 --cron "0 9 * * *" --tz Europe/Berlin --drop 10%
    """


def _terms(unset: str | None) -> Callable[[Work], Work]:
    """The options that say when a watch runs, what it tells and where.

    Args:
        unset: the value of a text that is not given; None: nothing stands for it, and it stays as it is.
    """
    flag = False if unset is not None else None

    def usual(value: str) -> str:
        return f" Default: {value}." if unset is not None else ""

    options = [
        click.option(
            "--every", default=unset, metavar="SPAN", help=f"Time between runs: 30m, 6h, 1d …{usual('6h')}"
        ),
        click.option(
            "--cron",
            default=unset,
            metavar="LINE",
            help="Schedule of five fields instead of --every, e.g. '0 9 * * 1-5'.",
        ),
        click.option(
            "--tz",
            "--timezone",
            "zone",
            default=unset,
            metavar="ZONE",
            help=f"Time zone of --cron.{usual('UTC')}",
        ),
        click.option(
            "--jitter",
            default=unset,
            metavar="SPAN",
            help=f"Longest random shift of a run, either way.{usual('10 % of the interval, at most 15m')}",
        ),
        click.option(
            "--below",
            default=unset,
            metavar="PRICE",
            help="Alert when a price falls below this, e.g. 900 or 'EUR 900'.",
        ),
        click.option(
            "--currency", default=unset, metavar="CODE", help="Currency of --below, if the shops use several."
        ),
        click.option(
            "--drop", default=unset, metavar="SHARE", help="Alert when a price drops by a share, e.g. 10%."
        ),
        click.option(
            "--back-in-stock/--no-back-in-stock", default=flag, help="Alert when a product is in stock again."
        ),
        click.option("--any-change/--no-any-change", default=flag, help="Alert on every confirmed change."),
        click.option(
            "--condition",
            type=click.Choice(["new", "used", "refurbished", "open_box", "any"]),
            help=f"Which offers of a search count for alerts.{usual('what the query names, else new')}",
        ),
        click.option(
            "--notify",
            multiple=True,
            metavar="URL",
            help="Send alerts to this https webhook or apprise URL; may be repeated.",
        ),
        click.option(
            "--name", default=unset, help=f"Name of the watch.{usual('the query, or the first URL')}"
        ),
    ]
    return lambda command: reduce(lambda done, option: option(done), reversed(options), command)


@watch.command()
@click.argument("what", nargs=-1)
@click.option("--url", "urls", multiple=True, metavar="URL", help="Page of a product; may be repeated.")
@click.option(
    "--vendors",
    multiple=True,
    metavar="NAMES",
    help="Shops where a query is searched, or their number. Default: 3.",
)
@_terms("")
@click.option(
    "--confirm-by",
    type=click.Choice(["fetch", "extractor"]),
    default="fetch",
    help="What confirms a change: a second fetch, or (extractor) also structured data and text of one page "
    "that agree. Default: fetch.",
)
@click.option("--region", default="", metavar="CODE", help="Country whose shops are asked, e.g. DE.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def add(*, as_json: bool, confirm_by: str, condition: str | None, **options: Any) -> None:  # fmt: skip
    """Watch WHAT: a query for shops, or URLs of product pages.

    `research up` or `research plan` runs the watch on its schedule.
    """
    config = settings()
    from planner.watches.new_watch import WatchRequest
    from research_crawler.services.watch_control import checked_watch

    try:
        new_watch = checked_watch(
            config,
            WatchRequest(agreement_confirms=confirm_by == "extractor", condition=condition or "", **options),
        )
    except (UsageError, ConfigError) as error:
        fail(error_text(error), code=BAD_USAGE)

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs.job_lifecycle import missing_process
        from research_crawler.services.watch_control import add_watch
        from research_crawler.services.watch_documents import watch_document

        entry = await add_watch(runtime, new_watch)
        if as_json:
            echo_json(watch_document(entry).model_dump_json(indent=2))
        else:
            echo(new_watch.id)
            echo_err(f"{watch_line(entry)}; `research watch run {new_watch.id}` checks it now")
        if missing := await missing_process(runtime):
            echo_err(start_hint(missing))
        return 0

    run_connected(settings(), work)


@watch.command()
@click.argument("name_of_watch", metavar="NAME")
@_terms(None)
def edit(name_of_watch: str, **options: Any) -> None:
    """Change when a watch runs, what it tells and where; what is not given stays, and "" takes it away.

    Places of --notify stand for all that there were. What the watch looks at stays.
    """

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services import watch_control

        entry = await watch_control.find_watch(runtime, name_of_watch)
        changed = watch_control.watch_request(entry.watch)
        given = {name: value for name, value in options.items() if value is not None and value != ()}
        if not given:
            fail("say what to change, such as --every 1d or --below 900", code=BAD_USAGE)
        if given.get("every"):  # a watch has an interval or a cron line
            given = {"cron": "", "zone": "", **given}
        if given.get("cron"):
            given.setdefault("every", "")
        if any(char.isalpha() for char in given.get("below", "")):  # it names its currency
            given.setdefault("currency", "")
        if "notify" in given:
            given["notify"] = [place for place in given["notify"] if place]
        try:
            old = entry.watch
            entry = await watch_control.change_watch(runtime, entry, replace(changed, **given))
        except (UsageError, ConfigError) as error:
            fail(error_text(error), code=BAD_USAGE)
        echo(f"{entry.watch.id}  {watch_line(entry)}")
        print_edit(old, entry.watch)
        return 0

    run_connected(settings(), work)


@watch.command("list")
@click.option("--all", "removed", is_flag=True, help="Also list removed watches.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_watches(*, removed: bool, as_json: bool) -> None:
    """List watches with the time of their next run."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.watch_control import all_watches
        from research_crawler.services.watch_documents import watch_document

        entries = await all_watches(runtime, removed=removed)
        if as_json:
            echo(json.dumps([watch_document(entry).model_dump(mode="json") for entry in entries], indent=2))
            return 0
        for entry in entries:
            echo(f"{entry.watch.id}  {watch_line(entry)}")
        if not entries:
            echo_err('no watches yet; add one with: research watch add "…" --every 6h')
        return 0

    run_connected(settings(), work)


@watch.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(name: str, *, as_json: bool) -> None:
    """Show the products, last runs and alerts of a watch, and whether the alerts were delivered."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.watch_control import find_watch, watch_view
        from research_crawler.services.watch_documents import watch_details

        view = await watch_view(runtime, await find_watch(runtime, name, removed=True))
        if as_json:
            echo_json(watch_details(view).model_dump_json(indent=2))
        else:
            print_view(view)
        return 0

    run_connected(settings(), work)


@watch.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def run(name: str, *, as_json: bool) -> None:
    """Check the prices of a watch now, confirm changes, and show them. The schedule stays as it is."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.watch_control import find_watch, follow_run, result_of_run, run_now
        from research_crawler.services.watch_documents import run_result_document

        started = await run_now(runtime, await find_watch(runtime, name))
        state = ""
        async for job in follow_run(runtime, started):
            if not as_json and job.watch.again and state != "again":
                state = "again"
                seconds = max(0, job.plan.deadline_ms - job.plan.touched_ms) / 1000
                echo_err(f"something has changed; fetching it again in {seconds:.0f} s to confirm it")
        result = await result_of_run(runtime, started)
        if as_json:
            echo_json(run_result_document(result).model_dump_json(indent=2))
        else:
            print_result(result)
        return 0 if result.run.state == "done" else FAILED

    run_connected(settings(), work, needs_workers=True)


@watch.command()
@click.argument("name")
def pause(name: str) -> None:
    """Pause a watch: it has no runs until it is resumed."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services import watch_control

        entry = await watch_control.find_watch(runtime, name)
        await watch_control.pause(runtime, entry)
        echo(f"{entry.watch.id} paused; resume it with: research watch resume {entry.watch.id}")
        return 0

    run_connected(settings(), work)


@watch.command()
@click.argument("name")
def resume(name: str) -> None:
    """Resume a paused watch, starting with the next run of its schedule."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services import watch_control

        entry = await watch_control.find_watch(runtime, name)
        due = await watch_control.resume(runtime, entry)
        echo(f"{entry.watch.id} resumed; its next run is at {time_text(due)}")
        return 0

    run_connected(settings(), work)


@watch.command()
@click.argument("name")
@click.option("--with-prices", is_flag=True, help="Also delete the prices that it has seen.")
def remove(name: str, *, with_prices: bool) -> None:
    """End a watch. Its prices stay in `research prices`, unless --with-prices is given."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services import watch_control

        entry = await watch_control.find_watch(runtime, name, removed=with_prices)
        await watch_control.remove(runtime, entry, with_prices=with_prices)
        echo(f"{entry.watch.id} removed" + (" with its prices" if with_prices else ""))
        return 0

    run_connected(settings(), work)
