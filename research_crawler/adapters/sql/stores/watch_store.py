"""The store of watches in the archive. Each method is one transaction and may be repeated after a crash."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, update

from planner.watches.settlement import RunChanges, settle_readings
from research_crawler.adapters.sql.inserting import insert_new, put
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.alert_store import write_alert
from research_crawler.adapters.sql.tables.watch_tables import (
    ENDED,
    HAS_ENDED,
    OBSERVATIONS,
    WATCH_ALERTS,
    WATCH_DELIVERIES,
    WATCH_EDITS,
    WATCH_PRODUCTS,
    WATCH_RUNS,
    WATCHES,
    entry_of,
    observation_of,
    observation_row,
    run_of,
)
from research_crawler.core.models.watches.watch import (
    Observation,
    Reading,
    RunEntry,
    RunState,
    Tracked,
    Watch,
    WatchEdit,
    WatchEntry,
    WatchState,
)

T = TypeVar("T")
_AT_ONCE = 500
"""Most watches that one call gives."""
IS_OPEN = or_(WATCH_RUNS.c.state == "due", WATCH_RUNS.c.state == "submitted")
MARK = update(WATCH_RUNS).where(WATCH_RUNS.c.id == bindparam("run"), IS_OPEN).values(state=bindparam("to"))
MARK_ENDED = MARK.values(ended_ms=bindparam("at_ms"), note=bindparam("why"))
RUN_COLUMNS = tuple(column.name for column in WATCH_RUNS.columns)


class SqlWatches:
    """The port `WatchStore` over the archive's database."""

    def __init__(self, archive: SqlArchive) -> None:
        self._archive = archive

    async def add(self, watch: Watch, *, next_due_ms: int | None, last_slot_ms: int = -1) -> None:
        """Store a new watch."""
        row = {
            "id": watch.id,
            "state": "active",
            "next_due_ms": next_due_ms,
            "last_slot_ms": last_slot_ms,
            "revision": 0,
            "created_ms": watch.created_ms,
            "watch": watch.to_wire(),
        }
        await self._change(lambda connection: put(connection, WATCHES, [row]))

    async def get(self, watch: str) -> WatchEntry | None:
        """A watch by its id, even if it was removed."""
        found = await self._rows(select(WATCHES).where(WATCHES.c.id == watch))
        return entry_of(found[0]._mapping) if found else None

    async def entries(self, *, removed: bool = False) -> list[WatchEntry]:
        """All watches, oldest first."""
        query = select(WATCHES).order_by(WATCHES.c.created_ms, WATCHES.c.id)
        if not removed:
            query = query.where(WATCHES.c.state != "removed")
        return [entry_of(row._mapping) for row in await self._rows(query)]

    async def set_state(self, watch: str, state: WatchState, *, next_due_ms: int | None) -> bool:
        """Pause, activate or remove a watch; False if there is no such watch."""

        def change(connection: Connection) -> bool:
            values = {"state": state, "next_due_ms": next_due_ms, "revision": WATCHES.c.revision + 1}
            changed = connection.execute(
                update(WATCHES).where(WATCHES.c.id == watch, WATCHES.c.state != "removed").values(values)
            )
            return changed.rowcount == 1

        return await self._change(change)

    async def due(self, now_ms: int, limit: int = _AT_ONCE) -> list[WatchEntry]:
        """Active watches that are due."""
        query = select(WATCHES).where(WATCHES.c.next_due_ms <= now_ms, WATCHES.c.state == "active")
        rows = await self._rows(query.order_by(WATCHES.c.next_due_ms).limit(limit))
        return [entry_of(row._mapping) for row in rows]

    async def dated_after(self, now_ms: int) -> list[WatchEntry]:
        """Active watches that were made, or whose last slot is, later than this time."""
        is_later = or_(WATCHES.c.last_slot_ms > now_ms, WATCHES.c.created_ms > now_ms)
        rows = await self._rows(select(WATCHES).where(is_later, WATCHES.c.state == "active"))
        return [entry_of(row._mapping) for row in rows]

    async def replace_if_unchanged(
        self,
        entry: WatchEntry,
        watch: Watch,
        *,
        last_slot_ms: int,
        next_due_ms: int | None,
        edit: WatchEdit | None = None,
    ) -> bool:
        """Replace a watch with its slots, unless another process was first; `edit`: what a person has changed."""
        values = {
            "watch": watch.to_wire(),
            "last_slot_ms": last_slot_ms,
            "next_due_ms": next_due_ms,
            "revision": WATCHES.c.revision + 1,
        }
        chosen = [WATCHES.c.id == watch.id, WATCHES.c.revision == entry.revision]

        def change(connection: Connection) -> bool:
            is_changed = connection.execute(update(WATCHES).where(*chosen).values(values)).rowcount == 1
            if is_changed and edit is not None:
                row = {"watch": edit.watch, "at_ms": edit.at_ms, "edit": edit.model_dump_json()}
                put(connection, WATCH_EDITS, [row])
            return is_changed

        return await self._change(change)

    async def edits(self, watch: str, limit: int = 100) -> list[WatchEdit]:
        """What persons have changed of a watch, newest first."""
        query = select(WATCH_EDITS.c.edit).where(WATCH_EDITS.c.watch == watch)
        rows = await self._rows(query.order_by(WATCH_EDITS.c.at_ms.desc()).limit(limit))
        return [WatchEdit.model_validate_json(row.edit) for row in rows]

    async def claim(self, claims: Sequence[tuple[WatchEntry, RunEntry | None, int | None]]) -> int:
        """Move watches to their next due time and create their runs; returns how many claims succeeded.

        If another process was first, the revision or the slot has changed, and the claim does nothing.
        """
        return await self._change(lambda connection: sum(_claim(connection, *claim) for claim in claims))

    async def put_run(self, run: RunEntry) -> None:
        """Store a run that a person asked for, outside the schedule."""
        await self._change(lambda connection: connection.execute(insert(WATCH_RUNS), [run.model_dump()]))

    async def runs_in(
        self, state: RunState, *, before_ms: int | None = None, limit: int = _AT_ONCE
    ) -> list[tuple[RunEntry, Watch]]:
        """Runs in this state with their watches, oldest first; `before_ms`: only those made earlier."""
        query = (
            select(WATCH_RUNS, WATCHES.c.watch.label("document"))
            .join(WATCHES, WATCHES.c.id == WATCH_RUNS.c.watch)
            .where(WATCH_RUNS.c.state == state)
        )
        if before_ms is not None:
            query = query.where(WATCH_RUNS.c.created_ms < before_ms)
        rows = await self._rows(query.order_by(WATCH_RUNS.c.slot_ms).limit(limit))
        return [(run_of({name: row._mapping[name] for name in RUN_COLUMNS}), _watch(row)) for row in rows]

    async def count_runs(self, state: RunState) -> int:
        """How many runs are in this state."""
        query = select(func.count()).select_from(WATCH_RUNS).where(WATCH_RUNS.c.state == state)
        return int((await self._rows(query))[0][0])

    async def get_run(self, run: str) -> RunEntry | None:
        """A run by the id of its job."""
        found = await self._rows(select(WATCH_RUNS).where(WATCH_RUNS.c.id == run))
        return run_of(found[0]._mapping) if found else None

    async def runs_of(self, watch: str, limit: int = 10) -> list[RunEntry]:
        """A watch's runs, newest first."""
        query = select(WATCH_RUNS).where(WATCH_RUNS.c.watch == watch)
        rows = await self._rows(query.order_by(WATCH_RUNS.c.slot_ms.desc()).limit(limit))
        return [run_of(row._mapping) for row in rows]

    async def last_runs(self) -> dict[str, RunEntry]:
        """Watch → the newest of its runs that have ended."""
        newest = select(WATCH_RUNS.c.watch, func.max(WATCH_RUNS.c.slot_ms).label("slot_ms"))
        last = newest.where(HAS_ENDED).group_by(WATCH_RUNS.c.watch).subquery()
        is_last = and_(WATCH_RUNS.c.watch == last.c.watch, WATCH_RUNS.c.slot_ms == last.c.slot_ms)
        rows = await self._rows(select(WATCH_RUNS).join(last, is_last))
        return {row.watch: run_of(row._mapping) for row in rows}

    async def mark_runs(
        self, runs: Collection[str], state: RunState, *, now_ms: int = 0, note: str = ""
    ) -> None:
        """Set the state of open runs; a run that has ended stays as it is."""
        has_ended = state in ENDED
        end = {"at_ms": now_ms, "why": note} if has_ended else {}
        rows, statement = [{"run": run, "to": state} | end for run in runs], MARK_ENDED if has_ended else MARK
        if rows:
            await self._change(lambda connection: connection.execute(statement, rows))

    async def settle(self, watch: str, run: str, readings: Sequence[Reading]) -> list[int]:
        """Store readings as observations, products, confirmed changes and their alerts, in one transaction.

        Returns the pages of the run that need a second fetch. For a removed watch nothing is stored.
        """
        return await self._change(lambda connection: _settle(connection, watch, run, readings))

    async def products(self, watch: str) -> list[Tracked]:
        """The products that the watch tracks."""
        return await self._archive.read(lambda connection: _products(connection, watch))

    async def observations(
        self, *, watch: str = "", run: str = "", since_ms: int = 0, limit: int = 100_000
    ) -> list[Observation]:
        """The newest observations, at most so many, the oldest of them first."""
        query = select(OBSERVATIONS).where(OBSERVATIONS.c.at_ms >= since_ms)
        query = query.where(OBSERVATIONS.c.watch == watch) if watch else query
        query = query.where(OBSERVATIONS.c.run == run) if run else query
        newest = query.order_by(OBSERVATIONS.c.at_ms.desc(), OBSERVATIONS.c.id.desc()).limit(limit)
        return [observation_of(row._mapping) for row in reversed(await self._rows(newest))]

    async def newest_observations(self, watches: Sequence[str], most: int) -> dict[str, list[Observation]]:
        """The newest observations of each of these watches, at most so many, the oldest of them first."""

        def read(connection: Connection) -> dict[str, list[Observation]]:
            newest: Any = select(OBSERVATIONS).where(OBSERVATIONS.c.watch == bindparam("of_watch"))
            newest = newest.order_by(OBSERVATIONS.c.at_ms.desc(), OBSERVATIONS.c.id.desc()).limit(most)
            return {
                watch: [
                    observation_of(row._mapping)
                    for row in reversed(connection.execute(newest, {"of_watch": watch}).all())
                ]
                for watch in watches
            }

        return await self._archive.read(read)

    async def forget(self, watch: str) -> None:
        """Delete a watch with everything that it has stored."""

        def change(connection: Connection) -> None:
            keys = select(WATCH_ALERTS.c.key).where(WATCH_ALERTS.c.watch == watch)
            connection.execute(delete(WATCH_DELIVERIES).where(WATCH_DELIVERIES.c.key.in_(keys)))
            for table in (WATCH_ALERTS, OBSERVATIONS, WATCH_PRODUCTS, WATCH_RUNS, WATCH_EDITS):
                connection.execute(delete(table).where(table.c.watch == watch))
            connection.execute(delete(WATCHES).where(WATCHES.c.id == watch))

        await self._change(change)

    async def _rows(self, query: Any) -> Sequence[Any]:
        return await self._archive.read(lambda connection: connection.execute(query).all())

    async def _change(self, work: Callable[[Connection], T]) -> T:
        return await self._archive.change(work)


def _watch(row: Any) -> Watch:
    return Watch.from_wire(row.document)


def _claim(connection: Connection, entry: WatchEntry, run: RunEntry | None, next_due_ms: int | None) -> bool:
    table = WATCHES.c
    values: dict[str, Any] = {"next_due_ms": next_due_ms}
    chosen = [table.id == entry.watch.id, table.revision == entry.revision, table.state == "active"]
    if run is None:
        chosen.append(table.last_slot_ms == entry.last_slot_ms)
    else:
        values["last_slot_ms"] = run.slot_ms
        chosen.append(table.last_slot_ms < run.slot_ms)
    if connection.execute(update(WATCHES).where(*chosen).values(values)).rowcount != 1:
        return False
    if run is not None:
        insert_new(connection, WATCH_RUNS, [run.model_dump()])
    return True


def _settle(connection: Connection, watch_id: str, run: str, readings: Sequence[Reading]) -> list[int]:
    # The row is locked, so that two runs of one watch are settled one after the other.
    row = connection.execute(select(WATCHES).where(WATCHES.c.id == watch_id).with_for_update()).first()
    if row is None or row.state == "removed":
        return []
    watch, products = Watch.from_wire(row.watch), _products(connection, watch_id)
    stored: set[str] = set()
    if readings:
        ids = [reading.id for reading in readings]
        stored = set(
            connection.execute(select(OBSERVATIONS.c.id).where(OBSERVATIONS.c.id.in_(ids))).scalars()
        )
    settled = settle_readings(watch, products, readings, run=run, done=stored)
    _write(connection, watch, settled)
    return settled.pages_again


def _write(connection: Connection, watch: Watch, settled: RunChanges) -> None:
    if settled.observations:
        connection.execute(insert(OBSERVATIONS), [observation_row(item) for item in settled.observations])
    if settled.confirms:
        chosen = OBSERVATIONS.c.id.in_(settled.confirms)
        connection.execute(update(OBSERVATIONS).where(chosen).values(confirmed=True))
    rows = [
        {"watch": watch.id, "product": key, "tracked": item.model_dump_json(exclude_defaults=True)}
        for key, item in settled.products.items()
    ]
    if rows:
        put(connection, WATCH_PRODUCTS, rows)
    for alert in settled.alerts:
        write_alert(connection, watch, alert)


def _products(connection: Connection, watch: str) -> list[Tracked]:
    query = select(WATCH_PRODUCTS.c.tracked).where(WATCH_PRODUCTS.c.watch == watch)
    rows = connection.execute(query.order_by(WATCH_PRODUCTS.c.product)).scalars()
    return [Tracked.model_validate_json(text) for text in rows]
