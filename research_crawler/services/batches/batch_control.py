"""Adds, finds, follows, cancels and resumes batches, for every interface."""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Sequence

from research_crawler.adapters.redis.job_overview import UsedSoFar
from research_crawler.adapters.sql.stores.batch_store import ROWS_AT_ONCE, SqlBatches
from research_crawler.adapters.sql.stores.notice_store import SqlNotices
from research_crawler.core.errors import UnknownBatch, UsageError
from research_crawler.core.models.jobs.batches import BatchEntry, BatchRow, RowState
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches.batch_requests import CheckedBatch

FOLLOW_EVERY_S = 0.5
"""How often a batch that is followed is looked at."""


async def add_batch(runtime: Runtime, checked: CheckedBatch) -> BatchEntry:
    """Store a batch with its rows. Whoever plans works on it: `research up`, `research plan`, or this process.

    Raises:
        UsageError: the caller chose a name that another batch has.
    """
    store, batch = _store(runtime), checked.batch
    if checked.is_named and (same := await store.named(batch.name)):
        raise UsageError(
            f"there is a batch {batch.name!r} already ({same}); choose another name, or resume that one"
        )
    if batch.inputs.notify:  # first, so that a batch that exists never ends unheard
        await SqlNotices(runtime.container.archive).expect(batch.id, batch.inputs.notify)
    await store.add(batch, checked.rows)
    return BatchEntry(batch=checked.batch, counts={"waiting": len(checked.rows)})


async def find_batch(runtime: Runtime, name: str) -> BatchEntry:
    """Find a batch by its id, the beginning of its id, or its name.

    Raises:
        UnknownBatch: no batch matches.
        UsageError: several do.
    """
    store = _store(runtime)
    if exact := await store.get(name):
        return exact
    entries = await store.entries(limit=1_000)
    found = [
        entry
        for entry in entries
        if entry.batch.name == name or (len(name) > 2 and entry.batch.id.startswith(name))
    ]
    if not found:
        raise UnknownBatch(name)
    if len(found) > 1:
        ids = " ".join(one.batch.id for one in found[:5])
        raise UsageError(f"{name!r} matches several batches: {ids}; give more of the id")
    return found[0]


async def all_batches(runtime: Runtime, limit: int = 50) -> list[BatchEntry]:
    """Batches, newest first, with what their running rows have used so far."""
    return await _with_rows_under_way(runtime, await _store(runtime).entries(limit=limit))


async def batch_rows(
    runtime: Runtime,
    batch: str,
    *,
    states: Collection[RowState] = (),
    after: int = 0,
    limit: int = ROWS_AT_ONCE,
) -> list[BatchRow]:
    """A page of a batch's rows: those behind row `after`, in these states (empty: in any)."""
    return await _store(runtime).rows(batch, states=states, after=after, limit=limit)


async def every_row(runtime: Runtime, batch: str) -> AsyncIterator[BatchRow]:
    """All rows of a batch in order, read in portions."""
    after = 0
    while portion := await batch_rows(runtime, batch, after=after):
        for row in portion:
            yield row
        after = portion[-1].n


async def follow_batch(runtime: Runtime, batch: str) -> AsyncIterator[BatchEntry]:
    """Yield the batch every half second, for the last time when it is over or was stopped.

    Raises:
        UnknownBatch: no batch has this id.
        the error of one of this process's loops, if one failed.
    """
    while True:
        runtime.check()
        entry = await find_batch(runtime, batch)
        yield await with_rows_under_way(runtime, entry)
        if entry.state != "running":
            return
        await asyncio.sleep(FOLLOW_EVERY_S)


async def with_rows_under_way(runtime: Runtime, entry: BatchEntry) -> BatchEntry:
    """The batch, with what its running rows have read and used so far counted too."""
    return (await _with_rows_under_way(runtime, [entry]))[0]


async def _with_rows_under_way(runtime: Runtime, entries: Sequence[BatchEntry]) -> list[BatchEntry]:
    open_ones = [entry.batch.id for entry in entries if entry.state not in ("completed", "cancelled")]
    jobs = await _store(runtime).running_jobs(open_ones)
    used = await runtime.container.overview.used_so_far([job for found in jobs.values() for job in found])
    return [
        _with_use(entry, [used[job] for job in jobs.get(entry.batch.id, ()) if job in used])
        for entry in entries
    ]


def _with_use(entry: BatchEntry, used: Sequence[UsedSoFar]) -> BatchEntry:
    if not used:
        return entry
    return entry.changed(
        pages=entry.pages + sum(one.pages for one in used),
        pages_fetched=entry.pages_fetched + sum(one.pages_fetched for one in used),
        tokens=entry.tokens + sum(one.tokens for one in used),
        usd=entry.usd + sum(one.usd for one in used),
    )


async def cancel_batch(runtime: Runtime, entry: BatchEntry) -> bool:
    """Cancel a batch: its running jobs end at once, its waiting rows never begin. False if it was over already."""
    store, batch = _store(runtime), entry.batch.id
    if entry.state in ("completed", "cancelled"):
        return False
    # The state comes first: nobody starts a row of a batch that is cancelled.
    await store.set_state(batch, "cancelled", now_ms=_now_ms())
    running = await store.rows(batch, states=["running"])
    await store.end_rows(batch, now_ms=_now_ms())
    for row in running:
        await runtime.container.jobs.cancel(row.job)
    return True


async def resume_batch(runtime: Runtime, entry: BatchEntry) -> int:
    """Let a batch go on: rows that failed or were cancelled are tried again, and no other row is repeated.

    Returns:
        How many rows are to be worked on.
    """
    store, batch = _store(runtime), entry.batch.id
    if entry.state != "running":
        await store.start_again(batch, ["failed", "cancelled"], notify=entry.batch.inputs.notify)
    counts = await store.counts(batch)
    return counts.get("waiting", 0) + counts.get("running", 0)


def _store(runtime: Runtime) -> SqlBatches:
    return SqlBatches(runtime.container.archive)


def _now_ms() -> int:
    return int(time.time() * 1000)
