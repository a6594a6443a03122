"""Compares the simulated month of watches with the true prices of the shops: slots, alerts, drops."""

import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.watching.watch_shops import DAY, DAYS, HOUR, MINUTE, START_MS, Shop, first_slot
from benchmarks.watching.watch_world import FETCH_MS, World
from planner.watches.schedule import due_ms, next_slot
from research_crawler.core.models.watches.watch import Alert, RunEntry, Watch

CONFIRM_MS = 2 * MINUTE
"""How long after the first fetch the second one is made."""
LASTING = 2.5
"""A drop that lasts this many intervals needs an alert: two of its runs may fail, or find no scheduler."""


@dataclass
class Result:
    """The result of the month."""

    fetches: int
    cancelled: int
    slots: int = 0
    ran: int = 0
    superseded: int = 0
    """Slots that passed without a scheduler until a newer one was due, which ran for all of them."""
    missed: int = 0
    doubled: int = 0
    drops: int = 0
    drops_missed: int = 0
    alerts: int = 0
    false: int = 0
    repeated: int = 0


async def judge(world: World, watches: Sequence[Watch]) -> Result:
    """Count missed and doubled slots, missed drops, and alerts that were false or sent twice."""
    result = Result(fetches=world.fetches, cancelled=world.cancelled)
    by_watch: dict[str, list[Alert]] = {}
    for alert in await world.alerts.alerts(limit=1_000_000):
        by_watch.setdefault(alert.watch, []).append(alert)
    for watch in watches:
        runs = await world.watches.runs_of(watch.id, limit=100_000)
        _count_slots(result, watch, runs, world)
        _count_alerts(result, watch, world.shops[watch.pages[0].url], by_watch.get(watch.id, []))
    sent = Counter((delivery.alert.key, delivery.destination) for delivery in world.deliveries)
    result.repeated = sent.total() - len(sent)
    return result


def _count_slots(result: Result, watch: Watch, runs: Sequence[RunEntry], world: World) -> None:
    """A slot without a run is missed, unless a newer one was due at the first look of a scheduler."""
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
    """Every slot that was due by `end_ms` → the time when it was due."""
    found: dict[int, int] = {}
    slot = next_slot(watch.schedule, first_slot(watch))
    while slot is not None and (due := due_ms(watch.schedule, watch.id, slot)) <= end_ms:
        found[slot] = due
        slot = next_slot(watch.schedule, slot)
    return found


def _count_alerts(result: Result, watch: Watch, shop: Shop, alerts: Sequence[Alert]) -> None:
    result.alerts += len(alerts)
    result.false += sum(not _is_true(shop, alert) for alert in alerts)
    lasting = _lasting_drops(shop, watch)
    result.drops += len(lasting)
    result.drops_missed += sum(not _has_alert(alerts, *drop) for drop in lasting)


def _is_true(shop: Shop, alert: Alert) -> bool:
    """Whether the shop really had that price when it was confirmed."""
    at_ms, price = alert.change.at_ms, alert.change.after.price
    return price in {shop.price_at(at_ms), shop.price_at(at_ms - FETCH_MS - CONFIRM_MS)}


def _lasting_drops(shop: Shop, watch: Watch) -> list[tuple[int, int, Decimal]]:
    """(from, to, price) of every price that fell below the limit and stayed there long enough.

    It must be lower than all prices since the last one that stayed, because a run may or may not have seen a
    short one in between.
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


def _has_alert(alerts: Sequence[Alert], begin: int, over: int, price: Decimal) -> bool:
    changes = [alert.change for alert in alerts]
    return any(begin <= change.at_ms <= over + HOUR and change.after.price == price for change in changes)
