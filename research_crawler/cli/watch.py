"""`research watch`: prices that are looked at again and again."""

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.session import fail, run_session, say, settings, tell
from research_crawler.cli.watch_views import (
    described,
    entry_json,
    print_result,
    print_view,
    result_json,
    told_time,
    view_json,
)
from research_crawler.core.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from research_crawler.runtime.runtime import Runtime


@click.group()
def watch() -> None:
    """Prices that are looked at on time; confirmed changes are told.

    \b
    research watch add "RTX 4060 laptop" --vendors amazon.com,newegg.com --every 6h --below 900 --notify ntfy://mine
    research watch add https://shop.example/p/4711 --cron "0 9 * * *" --tz Europe/Berlin --drop 10%
    """


@watch.command()
@click.argument("what", nargs=-1)
@click.option("--url", "urls", multiple=True, metavar="URL", help="A product's page; may be repeated.")
@click.option("--vendors", multiple=True, metavar="NAMES", help="Shops for a query, or how many. Default: 3.")
@click.option("--every", default="", metavar="SPAN", help="30m, 6h, 1d … Default: 6h.")
@click.option("--cron", default="", metavar="LINE", help="Five fields instead, e.g. '0 9 * * 1-5'.")
@click.option(
    "--tz", "--timezone", "zone", default="", metavar="ZONE", help="Time zone of --cron. Default: UTC."
)
@click.option(
    "--jitter", default="", metavar="SPAN", help="Most that a look is moved. Default: 10 %, at most 15m."
)
@click.option(
    "--below", default="", metavar="PRICE", help="Tell when a price falls below: 900, or 'EUR 900'."
)
@click.option(
    "--currency", default="", metavar="CODE", help="Currency of --below, where prices have several."
)
@click.option("--drop", default="", metavar="SHARE", help="Tell of a drop of, e.g., 10%.")
@click.option("--back-in-stock", is_flag=True, help="Tell when it can be bought again.")
@click.option("--any-change", is_flag=True, help="Tell of every confirmed change.")
@click.option(
    "--confirm-by",
    type=click.Choice(["fetch", "extractor"]),
    default="fetch",
    help="A second fetch confirms a change; 'extractor': or data and text of one page that agree.",
)
@click.option(
    "--notify", multiple=True, metavar="URL", help="An https webhook, or an apprise URL; may be repeated."
)
@click.option("--region", default="", metavar="CODE", help="Country whose shops are asked, e.g. DE.")
@click.option("--name", default="", help="Default: the query, or the first URL.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def add(*, as_json: bool, confirm_by: str, **given: Any) -> None:  # fmt: skip
    """Watch WHAT: a query for shops, or URLs of product pages."""
    config = settings()
    from planner.watches.factory import WatchRequest
    from research_crawler.services.watches import checked_watch

    try:
        wanted = checked_watch(config, WatchRequest(by_extractor=confirm_by == "extractor", **given))
    except (UsageError, ConfigError) as error:
        fail(str(error), code=BAD_USAGE)

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.jobs import what_is_missing
        from research_crawler.services.watches import add_watch

        entry = await add_watch(runtime, wanted)
        if as_json:
            say(json.dumps(entry_json(entry), indent=2))
        else:
            say(wanted.id)
            tell(f"{described(entry)}; `research watch run {wanted.id}` looks now")
        if missing := await what_is_missing(runtime):
            tell(missing)
        return 0

    _session(work)


@watch.command("list")
@click.option("--all", "removed", is_flag=True, help="Also removed ones.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def list_watches(*, removed: bool, as_json: bool) -> None:
    """List watches with their next look."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.watches import all_watches

        entries = await all_watches(runtime, removed=removed)
        if as_json:
            say(json.dumps([entry_json(entry) for entry in entries], indent=2))
            return 0
        for entry in entries:
            say(f"{entry.watch.id}  {described(entry)}")
        if not entries:
            tell('no watches yet; add one with: research watch add "…" --every 6h')
        return 0

    _session(work)


@watch.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def show(name: str, *, as_json: bool) -> None:
    """Show what a watch knows: products, last runs, alerts and whether they went out."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.watches import find_watch, view_of

        view = await view_of(runtime, await find_watch(runtime, name, removed=True))
        if as_json:
            say(json.dumps(view_json(view), indent=2))
        else:
            print_view(view)
        return 0

    _session(work)


@watch.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def run(name: str, *, as_json: bool) -> None:
    """Look now, confirm what is new, and show it. The schedule stays as it is."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services.watches import find_watch, follow_run, result_of, run_now

        started = await run_now(runtime, await find_watch(runtime, name))
        state = ""
        async for job in follow_run(runtime, started):
            if not as_json and job.watch.again and state != "again":
                state = "again"
                tell(f"something is new; looking again in {runtime.config.watch_confirm_seconds:.0f} s")
        result = await result_of(runtime, started)
        if as_json:
            say(json.dumps(result_json(result), indent=2))
        else:
            print_result(result)
        return 0 if result.run.state == "done" else FAILED

    _session(work, works=True)


@watch.command()
@click.argument("name")
def pause(name: str) -> None:
    """Stop looking until it is resumed."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services import watches as watching

        entry = await watching.find_watch(runtime, name)
        await watching.pause(runtime, entry)
        say(f"{entry.watch.id} paused; go on with: research watch resume {entry.watch.id}")
        return 0

    _session(work)


@watch.command()
@click.argument("name")
def resume(name: str) -> None:
    """Go on with a paused watch at its next slot."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services import watches as watching

        entry = await watching.find_watch(runtime, name)
        due = await watching.resume(runtime, entry)
        say(f"{entry.watch.id} is looked at again at {told_time(due)}")
        return 0

    _session(work)


@watch.command()
@click.argument("name")
@click.option("--with-prices", is_flag=True, help="Forget what it saw, too.")
def remove(name: str, *, with_prices: bool) -> None:
    """End a watch. What it saw stays in `research prices`, unless --with-prices is given."""

    async def work(runtime: "Runtime") -> int:
        from research_crawler.services import watches as watching

        entry = await watching.find_watch(runtime, name, removed=with_prices)
        await watching.remove(runtime, entry, with_prices=with_prices)
        say(f"{entry.watch.id} removed" + (" with its prices" if with_prices else ""))
        return 0

    _session(work)


def _session(work: Callable[["Runtime"], Awaitable[int]], *, works: bool = False) -> NoReturn:
    """Run a command; `works`: something has to crawl and plan, this process where no other does."""
    config = settings()

    async def connected() -> int:
        from research_crawler.runtime.runtime import running
        from research_crawler.services.jobs import what_is_missing

        async with running(config, crawl=False, plan=False) as runtime:
            if not works or not await what_is_missing(runtime):
                return await work(runtime)
        async with running(config, warm=False) as runtime:
            return await work(runtime)

    run_session(config, connected)
