"""Simulates 1,000 watches for 30 days with faults, and counts missed slots, missed drops and false alerts.

The schedule, the jobs in Redis (embedded, with every script on the simulated clock), the steps of runs, the
confirmation, the archive (SQLite on disk) and the delivery of alerts are real. The clock and the shops are
simulated: pages are blocked, answer 5xx, or show a wrong price for one fetch. Every day the schedulers' tasks
are cancelled in the middle of their work, at any `await` and with open transactions rolled back, and new ones
start hours later. `tests/cli/test_watch.py` kills a process by SIGKILL, at chosen points.
"""

import asyncio
import logging
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import uvloop

from benchmarks.children import redis_server
from benchmarks.figures import Calibration, Figure, counted
from benchmarks.watching.watch_shops import (
    BLOCKED,
    BROKEN,
    DAY,
    DAYS,
    FLICKER,
    HOUR,
    START_MS,
    first_slot,
    make_shop,
    make_watch,
)
from benchmarks.watching.watch_verdict import Result, judge
from benchmarks.watching.watch_world import World, WorldJobs, work
from planner.watches.schedule import next_due_ms
from planner.watches.watch_scheduler import WatchScheduler
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.alert_store import SqlAlerts
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.background.notice_delivery import NoticeDelivery
from research_crawler.core.config import Config

WATCHES = 1_000
DOWN_MS = 3 * HOUR
"""How long no scheduler runs after the daily cancellation; each fifth day it is `NIGHT_MS`."""
NIGHT_MS = 10 * HOUR
STEP_MS = HOUR
SCHEDULERS = 2
SIDE_BY_SIDE = 4
"""At every fourth look, all schedulers look at the same moment; otherwise only one does."""
MEMORY = Path("/dev/shm")
"""If this folder exists, the archive is in it: 30 days need more syncs than a disk makes in two minutes."""


def measure(calibration: Calibration) -> Iterator[Figure]:
    """One simulated month."""
    logging.getLogger("planner.watches.watch_scheduler").setLevel(logging.CRITICAL)
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
        redis_server(Path(folder)) as url,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        result = runner.run(_month(Path(folder), url))
    yield from _figures(result)


def _figures(result: Result) -> Iterator[Figure]:
    note = (
        f"{WATCHES:,} watches, {DAYS} days, {result.fetches:,} fetches, "
        f"schedulers cancelled {result.cancelled} times; "
        f"{BLOCKED:.0%} blocked, {BROKEN:.0%} 5xx, {FLICKER:.0%} wrong for one fetch"
    )
    yield counted(
        "slots missed or run twice",
        result.missed + result.doubled,
        "slots",
        ok=result.missed + result.doubled == 0,
        target="0",
        note=f"{result.ran:,} of {result.slots:,} run, {result.superseded} merged into a newer one; {note}",
    )
    false = 100 * result.false / max(1, result.alerts)
    yield counted(
        "false alerts",
        false,
        "%",
        ok=false <= 0.1 and result.alerts > 0,
        target="≤ 0.1 %",
        note=f"{result.false} of {result.alerts:,}",
    )
    missed = 100 * result.drops_missed / max(1, result.drops)
    yield counted(
        "confirmed drops without an alert",
        missed,
        "%",
        ok=missed <= 1 and result.drops > 0,
        target="≤ 1 %",
        note=f"{result.drops_missed} of {result.drops:,}",
    )
    yield counted("alerts sent twice", result.repeated, "alerts", ok=result.repeated == 0, target="0")


async def _month(folder: Path, url: str) -> Result:
    drawn = random.Random(20_260_324)
    archive = SqlArchive(Config(home=folder / "home"))
    (folder / "home").mkdir()
    await archive.open()
    redis = connect_url(url)
    watches = [make_watch(number, drawn) for number in range(WATCHES)]
    shops = {watch.pages[0].url: make_shop(drawn) for watch in watches}
    world = World(
        redis, RedisJobs(redis, clock=lambda: world.now_ms), SqlWatches(archive), SqlAlerts(archive), shops
    )
    try:
        for watch in watches:
            due = next_due_ms(watch.schedule, watch.id, first_slot(watch))
            await world.watches.add(watch, next_due_ms=due, last_slot_ms=first_slot(watch))
        await _live(world, drawn)
        return await judge(world, watches)
    finally:
        await world.jobs.close()
        await redis.aclose()
        await archive.close()


async def _live(world: World, drawn: random.Random) -> None:
    """Simulate the month, step by step."""
    schedulers = _schedulers(world)
    end = START_MS + DAYS * DAY
    cancel_at, down_until = START_MS + int(drawn.uniform(0.2, 0.8) * DAY), 0
    while world.now_ms < end:
        if world.now_ms >= cancel_at:
            await _cancel(world, schedulers, drawn)
            down_until = world.now_ms + (DOWN_MS if world.cancelled % 5 else NIGHT_MS)
            cancel_at += DAY
            schedulers = _schedulers(world)
        if world.now_ms >= down_until:
            at_once = len(schedulers) if len(world.ticks) % SIDE_BY_SIDE == 0 else 1
            await asyncio.gather(*(scheduler.tick() for scheduler in schedulers[:at_once]))
            world.ticks.append(world.now_ms)
        await work(world, world.now_ms + STEP_MS)
        await NoticeDelivery(world.alerts, world, clock_ms=world.clock).tick()
    await work(world, world.now_ms + DAY, idle=True)
    await NoticeDelivery(world.alerts, world, clock_ms=world.clock).tick()


def _schedulers(world: World) -> list[WatchScheduler]:
    jobs: Any = WorldJobs(world)
    return [
        WatchScheduler(world.watches, jobs, most_open=WATCHES, clock_ms=world.clock)
        for _ in range(SCHEDULERS)
    ]


async def _cancel(world: World, schedulers: Sequence[WatchScheduler], drawn: random.Random) -> None:
    """Cancel the schedulers' tasks somewhere in the middle of a tick."""
    world.cancelled += 1
    ticks = [asyncio.create_task(scheduler.tick()) for scheduler in schedulers]
    for _ in range(drawn.randrange(1, 12)):
        await asyncio.sleep(0.0005)
    for tick in ticks:
        tick.cancel()
    await asyncio.gather(*ticks, return_exceptions=True)
