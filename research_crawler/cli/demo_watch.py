"""`research demo --watch`: a price of the small web's shops that changes while it is watched."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from research_crawler.cli.prices import print_series
from research_crawler.cli.session import say, tell
from research_crawler.cli.watch_views import described, print_result
from research_crawler.core.config import Config
from research_crawler.demo.shops import planted_offers

if TYPE_CHECKING:
    from research_crawler.core.models.watches import WatchEntry
    from research_crawler.demo.process import RunningWeb
    from research_crawler.runtime.runtime import Runtime

_SHOP, PRODUCT, LOWER, WRONG = "voltmart", "Orlo Lynx 15", "819.00", "81.90"
"""What is watched, what it costs later, and what it seems to cost for one fetch."""
CONFIRM_S = 1.0


async def show_a_watch(web: "RunningWeb", config: Config) -> int:
    """Add a watch, look four times at a price that stays, flickers, falls and runs out; show what was told."""
    offer = next(one for one in planted_offers(web.hosts) if one.shop == _SHOP and PRODUCT in one.name)
    web.change_shops(reset=True)
    quick = config.changed(watch_confirm_seconds=CONFIRM_S)
    async with _watching(quick, offer.url) as (runtime, entry):
        tell(f"watching {offer.url}")
        tell(f"{described(entry)}; here somebody else turns the clock")
        steps: list[tuple[str, Callable[[], None]]] = [
            ("the first look", lambda: None),
            (f"for one fetch the page says {WRONG}", lambda: web.change_shops(sku=offer.sku, flicker=WRONG)),
            (f"the price falls to {LOWER}", lambda: web.change_shops(sku=offer.sku, price=LOWER)),
            ("it runs out", lambda: web.change_shops(sku=offer.sku, availability="out_of_stock")),
        ]
        for told, change in steps:
            say(f"– {told}")
            change()
            await _look(runtime, entry)
        await _show_history(runtime, entry)
    return 0


@asynccontextmanager
async def _watching(config: Config, url: str) -> AsyncIterator[tuple["Runtime", "WatchEntry"]]:
    """A system with one watch that tells of every change."""
    from planner.watches.factory import WatchRequest
    from research_crawler.runtime.runtime import running
    from research_crawler.services.watches import add_watch, checked_watch

    wanted = checked_watch(config, WatchRequest(urls=[url], every="6h", any_change=True))
    async with running(config, warm=False) as runtime:
        yield runtime, await add_watch(runtime, wanted)


async def _look(runtime: "Runtime", entry: "WatchEntry") -> None:
    from research_crawler.services.watches import follow_run, result_of, run_now

    run = await run_now(runtime, entry)
    was_told = False
    async for job in follow_run(runtime, run):
        if job.watch.again and not was_told:
            was_told = True
            tell(f"something is new; looking again in {runtime.config.watch_confirm_seconds:.0f} s")
    print_result(await result_of(runtime, run))


async def _show_history(runtime: "Runtime", entry: "WatchEntry") -> None:
    from planner.watches.price_history import series_of
    from research_crawler.services.watches import observations_of

    tell("research prices show")
    for series in series_of(await observations_of(runtime, entry)):
        print_series(series, rows=10)
