"""Watches as people and programs reach them: added, found, run now, paused, removed.

What only some commands need is imported where it is used: a look at a list should not wait for senders and shops.
"""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from planner.watches.schedule import next_due_ms, run_id
from planner.watches.step import run_job
from research_crawler.adapters.sql.alerts import SqlAlerts
from research_crawler.adapters.sql.watches import SqlWatches
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs import FINAL_STATES, Job
from research_crawler.core.models.watches import Alert, Observation, RunEntry, Tracked, Watch, WatchEntry
from research_crawler.runtime.runtime import Runtime

if TYPE_CHECKING:
    from planner.watches.factory import WatchRequest


@dataclass(frozen=True)
class RunResult:
    """What one run of a watch saw."""

    run: RunEntry
    observations: list[Observation] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)


@dataclass(frozen=True)
class WatchView:
    """A watch with what it knows."""

    entry: WatchEntry
    products: list[Tracked]
    runs: list[RunEntry]
    alerts: list[Alert]
    deliveries: list[tuple[str, int, str, str]]


@dataclass(frozen=True)
class Overview:
    """How all watches are doing."""

    active: int = 0
    paused: int = 0
    following: WatchEntry | None = None
    """The active watch that is due first."""
    failed: list[tuple[Watch, RunEntry]] = field(default_factory=list)
    """Active watches whose last run failed, with it."""


def checked_watch(config: Config, request: "WatchRequest") -> Watch:
    """The watch that a wish describes; nothing is kept yet.

    Raises:
        UsageError, ConfigError: in one line what is wrong.
    """
    from planner.watches.factory import make_watch
    from research_crawler.adapters.notifications import check_place, guard_from
    from research_crawler.adapters.vendor_catalogue import load_catalogue

    watch = make_watch(request, load_catalogue(config), now_ms=now_ms(), permits=guard_from(config).permits)
    for place in watch.notify:
        check_place(place, config)
    return watch


async def add_watch(runtime: Runtime, watch: Watch) -> WatchEntry:
    """Keep a watch; its first look is as its schedule says, for an interval at once."""
    first = next_due_ms(watch.schedule, watch.id, _before_first(watch))
    store = _store(runtime)
    await store.add(watch, next_due_ms=first, last_slot_ms=_before_first(watch))
    return WatchEntry(watch=watch, last_slot_ms=_before_first(watch), next_due_ms=first)


async def find_watch(runtime: Runtime, name: str, *, removed: bool = False) -> WatchEntry:
    """A watch by its id, the beginning of it, or its name.

    Raises:
        UsageError: there is none, or several begin so.
    """
    entries = await _store(runtime).entries(removed=removed)
    exact = [one for one in entries if one.watch.id == name]
    found = exact or [
        one for one in entries if one.watch.name == name or (name and one.watch.id.startswith(name))
    ]
    if not found:
        raise UsageError(f"there is no watch {name!r}; `research watch list` shows them")
    if len(found) > 1:
        ids = " ".join(one.watch.id for one in found[:5])
        raise UsageError(f"several watches are meant by {name!r}: {ids}; give more of the id")
    return found[0]


async def all_watches(runtime: Runtime, *, removed: bool = False) -> list[WatchEntry]:
    """All watches, oldest first."""
    return await _store(runtime).entries(removed=removed)


async def overview(store: SqlWatches) -> Overview:
    """How many watches there are, which one is next, and whose last run failed."""
    entries, last = await store.entries(), await store.last_runs()
    active = [one for one in entries if one.state == "active"]
    ended = [(one.watch, last[one.watch.id]) for one in active if one.watch.id in last]
    return Overview(
        active=len(active),
        paused=len(entries) - len(active),
        following=min(
            (one for one in active if one.next_due_ms is not None),
            key=lambda one: one.next_due_ms or 0,
            default=None,
        ),
        failed=[(watch, run) for watch, run in ended if run.state == "failed"],
    )


async def view_of(runtime: Runtime, entry: WatchEntry) -> WatchView:
    """What a watch knows now."""
    store, watch = _store(runtime), entry.watch.id
    return WatchView(
        entry,
        await store.products(watch),
        await store.runs_of(watch),
        await _alerts(runtime).alerts(watch),
        await _alerts(runtime).delivery_states(watch),
    )


async def pause(runtime: Runtime, entry: WatchEntry) -> None:
    """No runs until it is resumed."""
    await _store(runtime).set_state(entry.watch.id, "paused", next_due_ms=None)


async def resume(runtime: Runtime, entry: WatchEntry) -> int | None:
    """Go on with the next slot from now; what was missed in the pause is not made up. Answers when that is due."""
    watch = entry.watch
    due = next_due_ms(watch.schedule, watch.id, max(now_ms(), entry.last_slot_ms))
    await _store(runtime).set_state(watch.id, "active", next_due_ms=due)
    return due


async def remove(runtime: Runtime, entry: WatchEntry, *, with_prices: bool) -> None:
    """End a watch; `with_prices`: and forget what it saw."""
    store, watch = _store(runtime), entry.watch.id
    await store.set_state(watch, "removed", next_due_ms=None)
    for run in await store.runs_of(watch):
        if run.state in ("due", "submitted"):
            await runtime.container.jobs.cancel(run.id)
            await store.mark_runs([run.id], "failed", now_ms=now_ms(), note="the watch was removed")
    if with_prices:
        await store.forget(watch)


async def run_now(runtime: Runtime, entry: WatchEntry) -> RunEntry:
    """Begin a run beside the schedule."""
    watch, at_ms = entry.watch, now_ms()
    run = RunEntry(
        id=run_id(watch.id, at_ms),
        watch=watch.id,
        slot_ms=at_ms,
        state="submitted",
        created_ms=at_ms,
        is_manual=True,
    )
    await _store(runtime).put_run(run)
    created = datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")
    confirm_ms = int(runtime.config.watch_confirm_seconds * 1000)
    await runtime.container.jobs.submit(run_job(watch, at_ms, confirm_ms=confirm_ms, created_at=created))
    return run


async def follow_run(runtime: Runtime, run: RunEntry) -> AsyncIterator[Job]:
    """A run's job after each of its steps, the last time when it is over."""
    async for _ in runtime.container.jobs.changes(run.id):
        runtime.check()
        job = await runtime.container.jobs.get(run.id)
        if job is None:
            return
        yield job
        if job.state in FINAL_STATES:
            return


async def result_of(runtime: Runtime, run: RunEntry) -> RunResult:
    """What a run saw, and which of its changes are alerts. Alerts that wait are sent."""
    from research_crawler.adapters.notifications import Notifications
    from research_crawler.background.alert_delivery import AlertDelivery

    store = _store(runtime)
    await AlertDelivery(_alerts(runtime), Notifications(runtime.config)).tick()
    seen = await store.observations(run=run.id)
    begin = min((one.at_ms for one in seen), default=run.slot_ms)
    products = {one.product for one in seen}
    alerts = [
        one
        for one in await _alerts(runtime).alerts(run.watch)
        if one.change.at_ms >= begin and one.change.product in products
    ]
    return RunResult(await store.get_run(run.id) or run, seen, alerts)


async def observations_of(
    runtime: Runtime, entry: WatchEntry | None, *, since_ms: int = 0
) -> list[Observation]:
    """What was observed, of one watch or of all."""
    return await _store(runtime).observations(watch=entry.watch.id if entry else "", since_ms=since_ms)


def now_ms() -> int:
    """The time of day."""
    return int(time.time() * 1000)


def _store(runtime: Runtime) -> SqlWatches:
    return SqlWatches(runtime.container.archive)


def _alerts(runtime: Runtime) -> SqlAlerts:
    return SqlAlerts(runtime.container.archive)


def _before_first(watch: Watch) -> int:
    """An interval's first slot is the moment of its making; a cron line's the next one after it."""
    return -1 if watch.schedule.every_ms else watch.created_ms
