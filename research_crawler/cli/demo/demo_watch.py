"""The demo of a watch (`research demo --watch`): a shop changes a price while it is watched."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING

from research_crawler.cli.session import echo, echo_err
from research_crawler.cli.views.watch_view import print_result, watch_line
from research_crawler.cli.watching.prices_command import print_series
from research_crawler.core.config import Config
from research_crawler.demo.shops.shop_data import planted_offers

if TYPE_CHECKING:
    from research_crawler.core.models.watches.watch import WatchEntry
    from research_crawler.demo.process import RunningWeb
    from research_crawler.runtime.runtime import Runtime

_SHOP, PRODUCT, LOWER, WRONG = "voltmart", "Orlo Lynx 15", "819.00", "81.90"
"""The shop and product that are watched, the later price, and a wrong price that one fetch shows."""
CONFIRM_S = 1.0
"""After this time the demo fetches a changed price once more to confirm it."""


async def show_a_watch(web: "RunningWeb", config: Config, *, serves: bool = False) -> int:
    """Add a watch and run it four times: the price stays, flickers and falls, and the product sells out.

    With `serves`, the dashboard then shows the watch until the command is stopped.
    """
    offer = next(
        offer for offer in planted_offers(web.hosts) if offer.shop == _SHOP and PRODUCT in offer.name
    )
    web.change_shops(reset=True)
    quick = config.changed(watch_confirm_seconds=CONFIRM_S, serve_port=0)
    async with _watching(quick, offer.url) as (runtime, entry):
        echo_err(f"watching {offer.url}")
        echo_err(f"{watch_line(entry)}; the demo runs it now instead of on schedule")
        steps: list[tuple[str, Callable[[], None]]] = [
            ("the first run", lambda: None),
            (f"the page shows {WRONG} to one fetch", lambda: web.change_shops(sku=offer.sku, flicker=WRONG)),
            (f"the price falls to {LOWER}", lambda: web.change_shops(sku=offer.sku, price=LOWER)),
            ("the product sells out", lambda: web.change_shops(sku=offer.sku, availability="out_of_stock")),
        ]
        for title, change in steps:
            echo(f"– {title}")
            change()
            await _run_watch(runtime, entry)
        await _show_history(runtime, entry)
        if serves:
            await _serve(runtime, entry)
    return 0


async def _serve(runtime: "Runtime", entry: "WatchEntry") -> None:
    from research_crawler.interfaces.http.http_server import serving
    from research_crawler.interfaces.http.listening import Listening

    listening = Listening.prepared(runtime.config)
    with closing(listening.socket):
        async with serving(runtime, listening) as server:
            echo_err(f"{listening.notice}; the watch: /ui/watches/{entry.watch.id}; press Ctrl-C to stop")
            if listening.sign_in_line:
                echo_err(listening.sign_in_line)
            await server.task


@asynccontextmanager
async def _watching(config: Config, url: str) -> AsyncIterator[tuple["Runtime", "WatchEntry"]]:
    """A running process with one watch that alerts on every change."""
    from planner.watches.new_watch import WatchRequest
    from research_crawler.runtime.runtime import running
    from research_crawler.services.watch_control import add_watch, checked_watch

    watch = checked_watch(config, WatchRequest(urls=[url], every="6h", any_change=True))
    async with running(config, warm=False) as runtime:
        yield runtime, await add_watch(runtime, watch)


async def _run_watch(runtime: "Runtime", entry: "WatchEntry") -> None:
    from research_crawler.services.watch_control import follow_run, result_of_run, run_now

    run = await run_now(runtime, entry)
    is_confirming = False
    async for job in follow_run(runtime, run):
        if job.watch.again and not is_confirming:
            is_confirming = True
            seconds = runtime.config.watch_confirm_seconds
            echo_err(f"something has changed; fetching it again in {seconds:.0f} s to confirm it")
    print_result(await result_of_run(runtime, run))


async def _show_history(runtime: "Runtime", entry: "WatchEntry") -> None:
    from planner.watches.price_tables import series_of
    from research_crawler.services.watch_control import observations_of

    echo_err("research prices show")
    for series in series_of(await observations_of(runtime, entry)):
        print_series(series, rows=10)
