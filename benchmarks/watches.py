"""1,000 watches for 30 days on a made-up clock: slots, confirmed drops, false alerts, with faults all along.

Real are the schedule, the jobs in Redis (embedded, every script on the passed clock), the run's steps, the
confirmation, the archive (SQLite on disk) and the outbox of alerts. Made up are time and the shops: pages that are
blocked, answer 5xx, or show a wrong price for one fetch. Every day the schedulers' tasks are cancelled in the middle
of their work, and new ones begin hours later: an interruption at any `await`, with open transactions rolled back. It is
no SIGKILL; that is what `tests/cli/test_watch.py` does to a process, at chosen points.
"""

import asyncio
import bisect
import contextlib
import heapq
import logging
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import uvloop
from redis.asyncio import Redis

from benchmarks.children import redis_server
from benchmarks.figures import Calibration, Figure, counted
from planner.watch_schedule import due_ms, next_due_ms, next_slot
from planner.watch_scheduler import WatchScheduler
from planner.watch_take import WatchTake
from research_crawler.adapters.redis_jobs import RedisJobs
from research_crawler.adapters.sql_alerts import SqlAlerts
from research_crawler.adapters.sql_archive import SqlArchive
from research_crawler.adapters.sql_watches import SqlWatches
from research_crawler.alerting import Alerting
from research_crawler.core.config import Config
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.commands import Command
from research_crawler.core.models.events import Event, PageReading
from research_crawler.core.models.jobs import Job, Taken
from research_crawler.core.models.products import Product, Provenance
from research_crawler.core.models.watches import (
    Alert,
    AlertRule,
    Delivery,
    RunEntry,
    Schedule,
    Watch,
    WatchPage,
)

WATCHES, DAYS = 1_000, 30
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
START_MS = 1_774_310_400_000
"""24 March 2026: Europe changes its clocks in the first week."""
CONFIRM_MS = 2 * MINUTE
FETCH_MS = 5_000
BLOCKED, BROKEN, FLICKER = 0.03, 0.03, 0.01
"""Shares of fetches: a wall, a 5xx, a wrong price."""
WRONG = ("0.1", "0.5", "0.8", "0.9", "0.95", "1.1", "1.3", "2")
"""What a wrong price is of the true one."""
DOWN_MS = 3 * HOUR
"""How long nobody schedules after the daily cancellation; each fifth day it is a whole night."""
NIGHT_MS = 10 * HOUR
STEP_MS = HOUR
SCHEDULERS = 2
SIDE_BY_SIDE = 4
"""Each so many looks all schedulers look at the same moment; between them one does."""
MEMORY = Path("/dev/shm")
"""Where there is one, the archive is there: 30 days hold more syncs than a disk makes in two minutes."""
TIMERS, AT_ONCE = "research:timers", 64
CHANGE_EVERY_DAYS = 6.0
LASTING = 2.5
"""A drop that lasts so many intervals must be told: two of the looks that it meets may fail, or find nobody."""


@dataclass
class Shop:
    """One product's true price over time, and what a fetch shows of it."""

    steps: list[tuple[int, Decimal]]
    """(from, price), in order."""
    random: random.Random

    def price_at(self, at_ms: int) -> Decimal:
        return next(price for begin, price in reversed(self.steps) if begin <= at_ms)

    def fetched(self, command: Command, at_ms: int) -> Event:
        drawn = self.random.random()
        made: dict[str, Any] = {"uid": command.id, "kind": "done", "job": command.job, "command": command.id}
        if drawn < BLOCKED:
            return Event(**made, what="blocked", reason="captcha")
        if drawn < BLOCKED + BROKEN:
            return Event(**made, what="failed", reason="http 503")
        price = self.price_at(at_ms)
        if drawn > 1 - FLICKER:
            price = (price * Decimal(self.random.choice(WRONG))).quantize(Decimal("0.01"))
        page = PageReading(url=command.url, final_url=command.url, sha="ab" * 32)
        return Event(**made, page=page, products=[_product(command.url, price)])


@dataclass
class World:
    """Everything that outlives a scheduler, and the clock."""

    redis: Redis
    jobs: RedisJobs
    watches: SqlWatches
    alerts: SqlAlerts
    shops: dict[str, Shop]
    now_ms: int = START_MS
    answers: list[tuple[int, int, Event]] = field(default_factory=list)
    """Fetches under way: when they end, and with what."""
    fetches: int = 0
    told: list[Delivery] = field(default_factory=list)
    cancelled: int = 0
    """How often the schedulers were cancelled."""
    ticks: list[int] = field(default_factory=list)
    """When a scheduler looked and was not cancelled."""
    submitted: Counter[str] = field(default_factory=Counter)
    """Jobs that Redis took for new, by id."""

    def clock(self) -> int:
        return self.now_ms

    async def send(self, delivery: Delivery) -> None:
        self.told.append(delivery)

    def fetch(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self.fetches += 1
            ends = self.now_ms + FETCH_MS + self.fetches % 1_000
            event = self.shops[command.url].fetched(command, ends)
            heapq.heappush(self.answers, (ends, self.fetches, event))


class _Jobs:
    """The job store with the shops in the place of the frontier: commands are fetched as they are committed."""

    def __init__(self, world: World) -> None:
        self._world, self.get = world, world.jobs.get

    async def submit(self, job: Job) -> bool:
        is_new = await self._world.jobs.submit(job)
        self._world.submitted[job.id] += is_new
        return is_new

    async def commit(self, taken: Taken, new: Job, *, commands: Sequence[Command] = (), **more: Any) -> str:
        answer = await self._world.jobs.commit(taken, new, **more)
        if answer == "ok":
            self._world.fetch(commands)
        return answer


def measure(calibration: Calibration) -> Iterator[Figure]:
    """One simulated month."""
    logging.getLogger("planner.watch_scheduler").setLevel(logging.CRITICAL)
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
        redis_server(Path(folder)) as url,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        result = runner.run(_month(Path(folder), url))
    yield from _figures(result)


@dataclass
class Result:
    """What the month came to."""

    fetches: int
    cancelled: int
    slots: int = 0
    ran: int = 0
    superseded: int = 0
    """Slots that nobody was there for until a newer one was due: that one ran for all."""
    missed: int = 0
    doubled: int = 0
    drops: int = 0
    drops_missed: int = 0
    alerts: int = 0
    false: int = 0
    repeated: int = 0


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
        note=f"{result.ran:,} of {result.slots:,} run, {result.superseded} in one with a newer one; {note}",
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
        "confirmed drops that nobody was told of",
        missed,
        "%",
        ok=missed <= 1 and result.drops > 0,
        target="≤ 1 %",
        note=f"{result.drops_missed} of {result.drops:,}",
    )
    yield counted("alerts told twice", result.repeated, "alerts", ok=result.repeated == 0, target="0")


async def _month(folder: Path, url: str) -> Result:
    drawn = random.Random(20_260_324)
    archive = SqlArchive(Config(home=folder / "home"))
    (folder / "home").mkdir()
    await archive.open()
    redis = Redis.from_url(url, decode_responses=True, socket_timeout=30)
    watches = [_watch(number, drawn) for number in range(WATCHES)]
    shops = {watch.pages[0].url: _shop(drawn) for watch in watches}
    world = World(
        redis, RedisJobs(redis, clock=lambda: world.now_ms), SqlWatches(archive), SqlAlerts(archive), shops
    )
    try:
        for watch in watches:
            due = next_due_ms(watch.schedule, watch.id, _first(watch))
            await world.watches.add(watch, next_due_ms=due, last_slot_ms=_first(watch))
        await _live(world, drawn)
        return await _judge(world, watches)
    finally:
        await world.jobs.close()
        await redis.aclose()
        await archive.close()


async def _live(world: World, drawn: random.Random) -> None:
    """The month, in steps."""
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
        await _work(world, world.now_ms + STEP_MS)
        await Alerting(world.alerts, world, clock_ms=world.clock).tick()
    await _work(world, world.now_ms + DAY, idle=True)
    await Alerting(world.alerts, world, clock_ms=world.clock).tick()


def _schedulers(world: World) -> list[WatchScheduler]:
    jobs: Any = _Jobs(world)
    return [
        WatchScheduler(world.watches, jobs, confirm_ms=CONFIRM_MS, most_open=WATCHES, clock_ms=world.clock)
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


async def _work(world: World, until_ms: int, *, idle: bool = False) -> None:
    """Let jobs and shops go on to a moment: whatever is next, timers and fetches in their order."""
    while True:
        await _take_all(world)
        following = await _next_ms(world)
        if following is None or following > until_ms:
            if idle and following is None:
                return
            world.now_ms = until_ms
            return
        # What falls into the same minute is done together: nothing hangs on its order.
        world.now_ms = max(world.now_ms, following + MINUTE // 2)
        due = []
        while world.answers and world.answers[0][0] <= world.now_ms:
            due.append(heapq.heappop(world.answers)[2])
        await asyncio.gather(*(world.jobs.deliver(event.job, event) for event in due))
        await world.jobs.fire()


async def _next_ms(world: World) -> int | None:
    timer: Any = await world.redis.zrange(TIMERS, 0, 0, withscores=True)
    times = [int(score) for _, score in timer] + [ends for ends, _, _ in world.answers[:1]]
    return min(times, default=None)


async def _take_all(world: World) -> None:
    """All jobs that have something to decide, side by side as a worker does it."""
    while waiting := await _runnable(world):
        takes = (world.jobs.take(max_active=WATCHES * 10) for _ in range(min(waiting, AT_ONCE)))
        taken = [one for one in await asyncio.gather(*takes) if one is not None]
        await asyncio.gather(*(_step(world, one) for one in taken))


async def _runnable(world: World) -> int:
    runnable: Any = await world.redis.zcount("research:runnable", "-inf", world.now_ms)
    pending: Any = await world.redis.zcard("research:pending")
    return int(runnable) + int(pending)


async def _step(world: World, taken: Taken) -> None:
    with contextlib.suppress(LeaseLost):
        jobs: Any = _Jobs(world)
        await WatchTake(jobs, world.watches, taken).run()


async def _judge(world: World, watches: Sequence[Watch]) -> Result:
    result = Result(fetches=world.fetches, cancelled=world.cancelled)
    by_watch: dict[str, list[Alert]] = {}
    for alert in await world.alerts.alerts(limit=1_000_000):
        by_watch.setdefault(alert.watch, []).append(alert)
    for watch in watches:
        runs = await world.watches.runs_of(watch.id, limit=100_000)
        _count_slots(result, watch, runs, world)
        _count_alerts(result, watch, world.shops[watch.pages[0].url], by_watch.get(watch.id, []))
    told = Counter((one.alert.key, one.place) for one in world.told)
    result.repeated = told.total() - len(told)
    return result


def _count_slots(result: Result, watch: Watch, runs: Sequence[RunEntry], world: World) -> None:
    """A slot is missed that nobody ran, unless a newer one was due when somebody first could have looked."""
    made = sorted(run.slot_ms for run in runs)
    due = _due_slots(watch, world.ticks[-1])
    result.slots += len(due)
    result.ran += len(made)
    for slot in due.keys() - set(made):
        first_look = world.ticks[bisect.bisect_left(world.ticks, due[slot])]
        newer = made[bisect.bisect_right(made, slot) :]
        result.superseded += (superseded := bool(newer) and due[newer[0]] <= first_look)
        result.missed += not superseded
    result.missed += sum(run.state != "done" for run in runs)
    result.doubled += len(made) - len(set(made) & due.keys())
    result.doubled += sum(world.submitted[run.id] != 1 for run in runs)


def _due_slots(watch: Watch, end_ms: int) -> dict[int, int]:
    """Every slot that was due by then → when."""
    found: dict[int, int] = {}
    slot = next_slot(watch.schedule, _first(watch))
    while slot is not None and (due := due_ms(watch.schedule, watch.id, slot)) <= end_ms:
        found[slot] = due
        slot = next_slot(watch.schedule, slot)
    return found


def _count_alerts(result: Result, watch: Watch, shop: Shop, told: Sequence[Alert]) -> None:
    result.alerts += len(told)
    result.false += sum(not _is_true(shop, alert) for alert in told)
    lasting = _lasting_drops(shop, watch)
    result.drops += len(lasting)
    result.drops_missed += sum(not _is_told(told, *drop) for drop in lasting)


def _is_true(shop: Shop, alert: Alert) -> bool:
    """Whether the shop really had that price when it was confirmed."""
    at_ms, price = alert.change.at_ms, alert.change.after.price
    return price in {shop.price_at(at_ms), shop.price_at(at_ms - FETCH_MS - CONFIRM_MS)}


def _lasting_drops(shop: Shop, watch: Watch) -> list[tuple[int, int, Decimal]]:
    """(from, to, price) of every price that came below the limit and stayed long enough.

    Lower than all since the last one that stayed: a short one between may, or may not, have been seen.
    """
    end, found = START_MS + DAYS * DAY, []
    below, least = watch.rule.below or Decimal(0), LASTING * max(watch.schedule.every_ms or DAY, DAY // 2)
    ends = [begin for begin, _ in shop.steps[1:]] + [end]
    lowest = Decimal(10**9)
    for (begin, price), over in zip(shop.steps, ends, strict=True):
        stays = over - max(begin, START_MS) >= least
        if stays and price < below and price < lowest:
            found.append((begin, over, price))
        lowest = price if stays else min(lowest, price)
    return found


def _is_told(alerts: Sequence[Alert], begin: int, over: int, price: Decimal) -> bool:
    return any(begin <= one.change.at_ms <= over + HOUR and one.change.after.price == price for one in alerts)


def _watch(number: int, drawn: random.Random) -> Watch:
    anchor = START_MS + drawn.randrange(DAY // 2)
    schedule = Schedule(every_ms=DAY if number % 4 == 3 else 2 * DAY, anchor_ms=anchor)
    if number % 20 == 0:
        schedule = Schedule(every_ms=8 * HOUR, anchor_ms=anchor)
    elif number % 10 == 1:
        zone = drawn.choice(["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
        cron = f"{drawn.randrange(60)} {drawn.choice([1, 2, 3, 9, 18])} * * *"
        schedule = Schedule(cron=cron, zone=zone, anchor_ms=anchor)
    url = f"https://shop{number}.example/p"
    return Watch(
        id=f"watch{number:07}",
        name=url,
        urls=[url],
        pages=[WatchPage(url=url, host=f"shop{number}.example", currency="EUR")],
        schedule=schedule,
        rule=AlertRule(below=Decimal(900), currency="EUR"),
        notify=["https://hook.example/x"],
        created_ms=anchor,
    )


def _first(watch: Watch) -> int:
    return -1 if watch.schedule.every_ms else watch.created_ms


def _shop(drawn: random.Random) -> Shop:
    steps, at_ms = [(0, Decimal(drawn.randrange(85_000, 120_000)) / 100)], START_MS
    while (at_ms := at_ms + int(drawn.expovariate(1 / (CHANGE_EVERY_DAYS * DAY)))) < START_MS + DAYS * DAY:
        steps.append((at_ms, Decimal(drawn.randrange(75_000, 120_000)) / 100))
    return Shop(steps, random.Random(drawn.random()))


def _product(url: str, price: Decimal) -> Product:
    return Product(
        name="Laptop 16",
        price_numeric=price,
        currency="EUR",
        vendor=url.split("/")[2],
        url=url,
        availability="in_stock",
        provenance={"price": Provenance(rung="json_ld", confidence=0.9)},
    )
