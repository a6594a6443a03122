"""Adds, finds, runs, pauses and removes watches, for every interface.

Modules that only some commands need are imported where they are used: `research watch list` starts fast.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from planner.watches.schedule import next_due_ms, run_id, schedule_text, span_text
from planner.watches.watch_transitions import run_job
from research_crawler.adapters.sql.stores.alert_store import SqlAlerts
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.core.config import Config
from research_crawler.core.errors import UnknownWatch, UsageError
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.watches.watch import (
    Alert,
    AlertRule,
    Observation,
    RunEntry,
    Schedule,
    Tracked,
    Watch,
    WatchEdit,
    WatchEntry,
    WatchTerms,
)
from research_crawler.core.text.translatable import translatable
from research_crawler.core.web.urls import canonical_url
from research_crawler.runtime.runtime import Runtime

if TYPE_CHECKING:
    from planner.watches.new_watch import WatchRequest

MOST_SEEN_PRICES: Final = 100_000
"""That are read of a watch or of all watches."""


@dataclass(frozen=True)
class RunResult:
    """The observations and alerts of one run of a watch."""

    run: RunEntry
    observations: list[Observation] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)


@dataclass(frozen=True)
class WatchView:
    """A watch with its products, last runs, alerts and deliveries."""

    entry: WatchEntry
    products: list[Tracked]
    runs: list[RunEntry]
    alerts: list[Alert]
    deliveries: list[tuple[str, int, str, str]]
    edits: list[WatchEdit]
    dropped: list[Tracked] = field(default_factory=list)
    """Products that a person does not want in it."""

    @property
    def newly_below(self) -> frozenset[str]:
        """Keys of the products whose price is only below the limit since a person raised it."""
        from planner.watches.price_alerts import is_newly_below

        rule = self.entry.watch.rule
        return frozenset(one.key for one in self.products if is_newly_below(rule, one))


@dataclass(frozen=True)
class Overview:
    """The state of all watches together."""

    active: int = 0
    paused: int = 0
    next_watch: WatchEntry | None = None
    """The active watch that is due first."""
    failed: list[tuple[Watch, RunEntry]] = field(default_factory=list)
    """Active watches whose last run failed, with that run."""


def checked_watch(config: Config, request: "WatchRequest") -> Watch:
    """Check a request and return the watch that it describes, without storing it.

    Raises:
        UsageError, ConfigError: the message says in one line what is wrong.
    """
    from planner.watches.new_watch import make_watch
    from research_crawler.adapters.notifications import check_destination, guard_from
    from research_crawler.adapters.vendor_catalogue import load_catalogue

    watch = make_watch(request, load_catalogue(config), now_ms=now_ms(), permits=guard_from(config).permits)
    for destination in watch.notify:
        check_destination(destination, config)
    return watch


async def add_watch(runtime: Runtime, watch: Watch) -> WatchEntry:
    """Store a watch. A watch with an interval is due at once; one with a cron line, at its next time."""
    first = next_due_ms(watch.schedule, watch.id, _before_first(watch))
    store = _store(runtime)
    await store.add(watch, next_due_ms=first, last_slot_ms=_before_first(watch))
    return WatchEntry(watch=watch, last_slot_ms=_before_first(watch), next_due_ms=first)


async def find_watch(runtime: Runtime, name: str, *, removed: bool = False) -> WatchEntry:
    """Find a watch by its id, the beginning of its id, or its name.

    Raises:
        UnknownWatch: no watch matches.
        UsageError: several do.
    """
    entries = await _store(runtime).entries(removed=removed)
    exact = [entry for entry in entries if entry.watch.id == name]
    found = exact or [
        entry for entry in entries if entry.watch.name == name or (name and entry.watch.id.startswith(name))
    ]
    if not found:
        raise UnknownWatch(name)
    if len(found) > 1:  # a name is free again when its watch is removed
        found = [entry for entry in found if entry.state != "removed"] or found
    if len(found) > 1:
        ids = " ".join(entry.watch.id for entry in found[:5])
        raise UsageError(f"{name!r} matches several watches: {ids}; give more of the id")
    return found[0]


async def all_watches(runtime: Runtime, *, removed: bool = False) -> list[WatchEntry]:
    """All watches, oldest first."""
    return await _store(runtime).entries(removed=removed)


async def watch_of_page(runtime: Runtime, url: str) -> Watch | None:
    """The watch that looks at a product's page, the newest if there are several."""
    wanted = canonical_url(url)
    entries = await all_watches(runtime) if wanted else []
    return next((entry.watch for entry in reversed(entries) if wanted in entry.watch.urls), None)


async def overview(store: SqlWatches) -> Overview:
    """How many watches there are, which one is due next, and which ones failed in their last run."""
    entries, last = await store.entries(), await store.last_runs()
    active = [entry for entry in entries if entry.state == "active"]
    ended = [(entry.watch, last[entry.watch.id]) for entry in active if entry.watch.id in last]
    return Overview(
        active=len(active),
        paused=len(entries) - len(active),
        next_watch=min(
            (entry for entry in active if entry.next_due_ms is not None),
            key=lambda entry: entry.next_due_ms or 0,
            default=None,
        ),
        failed=[(watch, run) for watch, run in ended if run.state == "failed"],
    )


async def watch_view(runtime: Runtime, entry: WatchEntry) -> WatchView:
    """A watch with its products, last runs, alerts and deliveries."""
    store, watch = _store(runtime), entry.watch.id
    products = await store.products(watch)
    return WatchView(
        entry,
        [product for product in products if product.key not in entry.watch.dropped],
        await store.runs_of(watch),
        await _alerts(runtime).alerts(watch),
        await _alerts(runtime).delivery_states(watch),
        await store.edits(watch),
        [product for product in products if product.key in entry.watch.dropped],
    )


async def last_alerts(runtime: Runtime, entries: Sequence[WatchEntry]) -> dict[str, Alert]:
    """The newest alert of each watch that has given one, by the watch's id."""
    return await _alerts(runtime).newest([entry.watch.id for entry in entries])


async def newest_observations(
    runtime: Runtime, entries: Sequence[WatchEntry], most: int
) -> dict[str, list[Observation]]:
    """The newest observations of each watch, at most so many, by the watch's id."""
    return await _store(runtime).newest_observations([entry.watch.id for entry in entries], most)


def rules_of(view: WatchView) -> list[tuple[int, AlertRule]]:
    """The rules that a watch has had, each with the time from which it held, the oldest first."""
    edits = sorted(view.edits, key=lambda edit: edit.at_ms)
    first = edits[0].before.rule if edits else view.entry.watch.rule
    return [(view.entry.watch.created_ms, first), *((edit.at_ms, edit.after.rule) for edit in edits)]


async def pause(runtime: Runtime, entry: WatchEntry) -> None:
    """Pause a watch: it has no runs until it is resumed."""
    await _store(runtime).set_state(entry.watch.id, "paused", next_due_ms=None)


async def resume(runtime: Runtime, entry: WatchEntry) -> int | None:
    """Resume a watch at its next slot, and return when that is due. Slots missed in the pause are skipped."""
    watch = entry.watch
    due = next_due_ms(watch.schedule, watch.id, now_ms())
    await _store(runtime).set_state(watch.id, "active", next_due_ms=due)
    return due


async def change_watch(
    runtime: Runtime, entry: WatchEntry, request: "WatchRequest", *, dropped: Sequence[str] | None = None
) -> WatchEntry:
    """Change the name, schedule, rule and destinations of a watch. What it looks at, and what it has seen, stays.

    Args:
        request: what the watch is to be.
        dropped: keys of its products that it is to leave out from now on; None: as it is.

    Raises:
        UsageError, ConfigError: the request is wrong, or somebody else changed the watch meanwhile.
    """
    wanted = await asyncio.to_thread(checked_watch, runtime.config, request)
    old = entry.watch
    schedule = wanted.schedule.changed(anchor_ms=old.schedule.anchor_ms)
    schedule = old.schedule if schedule == old.schedule else wanted.schedule
    watch = old.changed(name=wanted.name, schedule=schedule, rule=wanted.rule, notify=wanted.notify)
    kept = old.dropped if dropped is None else list(dropped)
    watch = watch.changed(condition=wanted.condition, dropped=kept)
    due, last_slot_ms = entry.next_due_ms, entry.last_slot_ms
    if schedule != old.schedule:
        last_slot_ms = _before_first(watch.changed(created_ms=now_ms()))
        due = next_due_ms(schedule, watch.id, last_slot_ms) if entry.state == "active" else None
    before, after = WatchTerms.of(old), WatchTerms.of(watch)
    is_edit = before != after or old.notify != watch.notify or old.dropped != watch.dropped
    edit = WatchEdit(watch=watch.id, at_ms=now_ms(), before=before, after=after) if is_edit else None
    if not await _store(runtime).replace_if_unchanged(
        entry, watch, last_slot_ms=last_slot_ms, next_due_ms=due, edit=edit
    ):
        raise UsageError(
            translatable("the watch was changed meanwhile; load the page anew and change it again")
        )
    return entry.changed(watch=watch, last_slot_ms=last_slot_ms, next_due_ms=due)


def every_of(schedule: Schedule) -> str:
    """The interval of a schedule as a user writes it: 6h; "" for a cron line."""
    return span_text(schedule.every_ms) if schedule.every_ms else ""


def watch_request(watch: Watch) -> "WatchRequest":
    """The request for a watch as it is: who changes it replaces some of its fields, and the others stay."""
    from planner.watches.new_watch import WatchRequest

    schedule, rule = watch.schedule, watch.rule
    return WatchRequest(
        what=(watch.query,) if watch.query else (),
        urls=watch.urls,
        vendors=watch.vendors,
        every=every_of(schedule),
        cron=schedule.cron,
        zone=schedule.zone if schedule.cron else "",
        jitter="" if schedule.jitter_ms is None else span_text(schedule.jitter_ms),
        below="" if rule.below is None else str(rule.below),
        currency=rule.currency,
        drop=f"{rule.drop_percent:g}%" if rule.drop_percent else "",
        back_in_stock=rule.back_in_stock,
        any_change=rule.any_change,
        agreement_confirms=rule.agreement_confirms,
        condition=watch.condition or "",
        notify=watch.notify,
        region=watch.region,
        name=watch.name,
    )


def schedule_of(schedule: Schedule) -> str:
    """A cron line with its time zone as a user writes it, or "every 6h"."""
    return schedule_text(schedule)


async def remove(runtime: Runtime, entry: WatchEntry, *, with_prices: bool) -> None:
    """End a watch and cancel its open runs. With `with_prices`, delete its observations too."""
    store, watch = _store(runtime), entry.watch.id
    await store.set_state(watch, "removed", next_due_ms=None)
    for run in await store.runs_of(watch):
        if run.state in ("due", "submitted"):
            await runtime.container.jobs.cancel(run.id)
            await store.mark_runs([run.id], "failed", now_ms=now_ms(), note="the watch was removed")
    if with_prices:
        await store.forget(watch)


async def run_now(runtime: Runtime, entry: WatchEntry) -> RunEntry:
    """Start a run now, without a change of the schedule."""
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
    await runtime.container.jobs.submit(run_job(watch, at_ms, created_at=created, is_manual=True))
    return run


async def find_run(runtime: Runtime, entry: WatchEntry, job_id: str) -> RunEntry | None:
    """A run of a watch by its id, or None."""
    run = await _store(runtime).get_run(job_id)
    return run if run is not None and run.watch == entry.watch.id else None


async def follow_run(runtime: Runtime, run: RunEntry) -> AsyncIterator[Job]:
    """Yield the job of a run after each of its steps, for the last time when it is over."""
    async for _ in runtime.container.jobs.changes(run.id):
        runtime.check()
        job = await runtime.container.jobs.get(run.id)
        if job is None:
            return
        yield job
        if job.state in FINAL_STATES:
            return


async def result_of_run(runtime: Runtime, run: RunEntry) -> RunResult:
    """The observations of a run and the alerts that they caused. Alerts that are due are sent first."""
    from research_crawler.adapters.notifications import Notifications
    from research_crawler.background.notice_delivery import NoticeDelivery

    store = _store(runtime)
    await NoticeDelivery(_alerts(runtime), Notifications(runtime.config)).tick()
    observations = await store.observations(run=run.id)
    begin = min((observation.at_ms for observation in observations), default=run.slot_ms)
    products = {observation.product for observation in observations}
    alerts = [
        alert
        for alert in await _alerts(runtime).alerts(run.watch)
        if alert.change.at_ms >= begin and alert.change.product in products
    ]
    return RunResult(await store.get_run(run.id) or run, observations, alerts)


async def observations_of(
    runtime: Runtime, entry: WatchEntry | None, *, since_ms: int = 0, most: int = MOST_SEEN_PRICES
) -> list[Observation]:
    """The observations of one watch, or of all watches, the newest `most` of them."""
    watch = entry.watch.id if entry else ""
    return await _store(runtime).observations(watch=watch, since_ms=since_ms, limit=most)


def now_ms() -> int:
    """The current time, in milliseconds since 1970."""
    return int(time.time() * 1000)


def _store(runtime: Runtime) -> SqlWatches:
    return SqlWatches(runtime.container.archive)


def _alerts(runtime: Runtime) -> SqlAlerts:
    return SqlAlerts(runtime.container.archive)


def _before_first(watch: Watch) -> int:
    """The slot before the first: an interval starts when the watch is made, a cron line at its next time."""
    return -1 if watch.schedule.every_ms else watch.created_ms
