"""The store of batches in the archive. Each method is one transaction and may be repeated after a crash."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from research_crawler.adapters.sql.inserting import put
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.notice_store import expect_next_end
from research_crawler.adapters.sql.tables.batch_tables import (
    BATCH_CORRECTIONS,
    BATCH_ROWS,
    BATCHES,
    NOT_ENDED,
    new_row,
    row_of,
    storable_text,
)
from research_crawler.core.models.jobs.batches import (
    TERMINAL_ROWS,
    Batch,
    BatchEntry,
    BatchRow,
    BatchState,
    RowResult,
    RowState,
)
from research_crawler.core.models.jobs.columns import ColumnValue, value_texts

ROWS_AT_ONCE = 500
"""Rows that one statement writes or reads."""
_ENDED = sorted(TERMINAL_ROWS)
_START = (
    update(BATCH_ROWS)
    .where(BATCH_ROWS.c.batch == bindparam("in_batch"), BATCH_ROWS.c.n == bindparam("row"))
    .values(state="running", job=bindparam("its_job"))
)
_SETTLE = (
    update(BATCH_ROWS)
    .where(
        BATCH_ROWS.c.batch == bindparam("in_batch"),
        BATCH_ROWS.c.n == bindparam("row"),
        BATCH_ROWS.c.attempt == bindparam("of_attempt"),
        BATCH_ROWS.c.state == "running",
    )
    .values(
        {
            name: bindparam(f"to_{name}")
            for name in ("state", "ended_ms", "cause", "tokens", "usd", "pages", "pages_fetched", "result")
        }
    )
)


class SqlBatches:
    """The port `BatchStore` over the archive's database."""

    def __init__(self, archive: SqlArchive) -> None:
        self._archive = archive

    async def add(self, batch: Batch, rows: Sequence[Mapping[str, str]]) -> None:
        """Store a new batch with all its rows, which wait: all of it or nothing."""
        head = {
            "id": batch.id,
            "name": storable_text(batch.name),
            "state": "running",
            "reason": "",
            "created_ms": batch.created_ms,
            "ended_ms": 0,
            "batch": storable_text(batch.to_wire()),
        }

        def write(connection: Connection) -> None:
            connection.execute(insert(BATCHES), [head])
            for start in range(0, len(rows), ROWS_AT_ONCE):
                portion = enumerate(rows[start : start + ROWS_AT_ONCE], start + 1)
                connection.execute(
                    insert(BATCH_ROWS), [new_row(batch.id, n, dict(fields)) for n, fields in portion]
                )

        await self._archive.change(write)

    async def get(self, batch: str) -> BatchEntry | None:
        """A batch by its id."""
        found = await self._entries(BATCHES.c.id == batch)
        return found[0] if found else None

    async def named(self, name: str) -> str:
        """The id of the newest batch with this name; "" if none has it."""
        table = BATCHES.c
        query = select(table.id).where(table.name == storable_text(name)).order_by(table.created_ms.desc())
        rows = await self._rows(query.limit(1))
        return str(rows[0][0]) if rows else ""

    async def entries(self, *, limit: int = 100) -> list[BatchEntry]:
        """All batches, newest first."""
        return await self._entries(limit=limit)

    async def running(self) -> list[Batch]:
        """The batches whose rows are to be worked on, oldest first."""
        query = select(BATCHES.c.batch).where(BATCHES.c.state == "running")
        rows = await self._rows(query.order_by(BATCHES.c.created_ms, BATCHES.c.id))
        return [Batch.from_wire(row[0]) for row in rows]

    async def rows(
        self, batch: str, *, states: Collection[RowState] = (), after: int = 0, limit: int = ROWS_AT_ONCE
    ) -> list[BatchRow]:
        """Rows of a batch in their order, from the one behind `after`, in these states (empty: in any)."""
        query = select(BATCH_ROWS).where(BATCH_ROWS.c.batch == batch, BATCH_ROWS.c.n > after)
        if states:
            query = query.where(BATCH_ROWS.c.state.in_(sorted(states)))
        ordered = query.order_by(BATCH_ROWS.c.n).limit(limit)

        def read(connection: Connection) -> list[BatchRow]:
            return _corrected(connection, [row_of(row._mapping) for row in connection.execute(ordered)])

        return await self._archive.read(read)

    async def running_jobs(self, batches: Collection[str]) -> dict[str, list[str]]:
        """The jobs of the rows under way, by the batch."""
        table = BATCH_ROWS.c
        query = select(table.batch, table.job).where(
            table.batch.in_(sorted(batches)), table.state == "running"
        )
        found: dict[str, list[str]] = {}
        for batch, job in await self._rows(query) if batches else ():
            found.setdefault(batch, []).append(job)
        return found

    async def correct(self, batch: str, n: int, value: ColumnValue, *, at_ms: int) -> None:
        """Keep what a person wrote into a cell, in place of what they wrote before."""
        row = {
            "batch": batch,
            "n": n,
            "name": value.name,
            "at_ms": at_ms,
            "value": storable_text(value.model_dump_json(exclude_defaults=True)),
        }
        await self._archive.change(lambda connection: put(connection, BATCH_CORRECTIONS, [row]))

    async def take_back(self, batch: str, n: int, name: str) -> None:
        """Forget what a person wrote into a cell."""
        table = BATCH_CORRECTIONS.c
        chosen = [table.batch == batch, table.n == n, table.name == name]
        await self._archive.change(
            lambda connection: connection.execute(delete(BATCH_CORRECTIONS).where(*chosen))
        )

    async def change_state(self, batch: str, n: int, *, before: RowState, now: RowState) -> None:
        """Put a row that is in the state `before` into another one."""
        table = BATCH_ROWS.c
        changed = (
            update(BATCH_ROWS)
            .where(table.batch == batch, table.n == n, table.state == before)
            .values(state=now)
        )
        await self._archive.change(lambda connection: connection.execute(changed))

    async def counts(self, batch: str) -> dict[RowState, int]:
        """How many rows are in which state."""
        table = BATCH_ROWS.c
        query = select(table.state, func.count()).where(table.batch == batch).group_by(table.state)
        return {row[0]: row[1] for row in await self._rows(query)}

    async def claim(self, batch: str, limit: int) -> list[BatchRow]:
        """Take waiting rows, the first ones first; nobody else gets them."""
        if limit <= 0:
            return []

        def take(connection: Connection) -> list[BatchRow]:
            table = BATCH_ROWS.c
            query = select(BATCH_ROWS).where(table.batch == batch, table.state == "waiting")
            found = connection.execute(
                query.order_by(table.n).limit(limit).with_for_update(skip_locked=True)
            ).all()
            claimed = [row_of(row._mapping) for row in found]
            values = [{"in_batch": batch, "row": row.n, "its_job": row.job} for row in claimed]
            if values:
                connection.execute(_START, values)
            return claimed

        return await self._archive.change(take)

    async def settle(self, ended: Sequence[tuple[BatchRow, RowState, RowResult]], *, now_ms: int) -> int:
        """Store the results of running rows; returns how many. One that is settled already stays as it is."""
        values = [
            {
                "in_batch": row.batch,
                "row": row.n,
                "of_attempt": row.attempt,
                "to_state": state,
                "to_ended_ms": now_ms,
                "to_cause": storable_text(result.cause),
                "to_tokens": result.tokens,
                "to_usd": result.usd,
                "to_pages": result.pages,
                "to_pages_fetched": result.pages_fetched,
                "to_result": storable_text(result.model_dump_json(exclude_defaults=True)),
            }
            for row, state, result in ended
        ]
        if not values:
            return 0
        return await self._archive.change(
            lambda connection: sum(connection.execute(_SETTLE, one).rowcount for one in values)
        )

    async def last_results(self, batch: str, limit: int) -> list[RowResult]:
        """What came of the rows that ended last, the newest first."""
        table = BATCH_ROWS.c
        query = select(table.result).where(table.batch == batch, table.state.in_(_ENDED))
        rows = await self._rows(query.order_by(table.ended_ms.desc(), table.n.desc()).limit(limit))
        return [RowResult.model_validate_json(row[0]) if row[0] else RowResult() for row in rows]

    async def last_ends_ms(self, batch: str, limit: int) -> list[int]:
        """When the rows that ended last did so, the newest first."""
        table = BATCH_ROWS.c
        query = select(table.ended_ms).where(table.batch == batch, table.state.in_(_ENDED))
        return [row[0] for row in await self._rows(query.order_by(table.ended_ms.desc()).limit(limit))]

    async def set_state(
        self, batch: str, state: BatchState, *, reason: str = "", now_ms: int = 0, only_if: str = ""
    ) -> bool:
        """Set the state of a batch; False if there is none, or it is not in the state `only_if`."""
        chosen = [BATCHES.c.id == batch, *([BATCHES.c.state == only_if] if only_if else [])]
        values = {"state": state, "reason": storable_text(reason), "ended_ms": now_ms}
        return await self._archive.change(
            lambda connection: connection.execute(update(BATCHES).where(*chosen).values(values)).rowcount == 1
        )

    async def end_rows(self, batch: str, *, now_ms: int) -> int:
        """Cancel the rows that wait or run; returns how many there were."""
        chosen = [BATCH_ROWS.c.batch == batch, BATCH_ROWS.c.state.in_(("waiting", "running"))]
        values = {"state": "cancelled", "ended_ms": now_ms}
        return await self._archive.change(
            lambda connection: connection.execute(update(BATCH_ROWS).where(*chosen).values(values)).rowcount
        )

    async def start_again(
        self, batch: str, states: Collection[RowState], *, notify: Sequence[str] = ()
    ) -> int:
        """Let a batch run again; rows in these states wait again, as a new attempt. `notify` hears of its next end.

        Returns:
            How many rows wait again.
        """
        chosen = [BATCH_ROWS.c.batch == batch, BATCH_ROWS.c.state.in_(sorted(states))]
        values = {"state": "waiting", "attempt": BATCH_ROWS.c.attempt + 1, **NOT_ENDED}
        running = {"state": "running", "reason": "", "ended_ms": 0}

        def change(connection: Connection) -> int:
            expect_next_end(connection, batch, notify)
            connection.execute(update(BATCHES).where(BATCHES.c.id == batch).values(running))
            return connection.execute(update(BATCH_ROWS).where(*chosen).values(values)).rowcount

        return await self._archive.change(change)

    async def forget(self, batch: str) -> None:
        """Delete a batch with its rows. Their jobs stay."""

        def change(connection: Connection) -> None:
            connection.execute(delete(BATCH_CORRECTIONS).where(BATCH_CORRECTIONS.c.batch == batch))
            connection.execute(delete(BATCH_ROWS).where(BATCH_ROWS.c.batch == batch))
            connection.execute(delete(BATCHES).where(BATCHES.c.id == batch))

        await self._archive.change(change)

    async def _entries(self, *chosen: Any, limit: int = 100) -> list[BatchEntry]:
        """The newest batches that are chosen, with how many rows are in which state."""

        def read(connection: Connection) -> list[BatchEntry]:
            newest = select(BATCHES).where(*chosen).order_by(BATCHES.c.created_ms.desc(), BATCHES.c.id)
            heads = connection.execute(newest.limit(limit)).all()
            table = BATCH_ROWS.c
            sums = [
                func.sum(column) for column in (table.tokens, table.usd, table.pages, table.pages_fetched)
            ]
            query = select(table.batch, table.state, func.count(), *sums)
            query = query.where(table.batch.in_([head.id for head in heads]))
            groups = connection.execute(query.group_by(table.batch, table.state)).all()
            return [_entry(head, [group for group in groups if group[0] == head.id]) for head in heads]

        return await self._archive.read(read)

    async def _rows(self, query: Any) -> Sequence[Any]:
        return await self._archive.read(lambda connection: connection.execute(query).all())


def _corrected(connection: Connection, rows: list[BatchRow]) -> list[BatchRow]:
    """Rows of one batch, in order, with what persons wrote into their cells."""
    if not rows:
        return rows
    table = BATCH_CORRECTIONS.c
    query = select(table.n, table.value).where(
        table.batch == rows[0].batch, table.n >= rows[0].n, table.n <= rows[-1].n
    )
    written: dict[int, dict[str, ColumnValue]] = {}
    for n, text in connection.execute(query):
        value = ColumnValue.model_validate_json(text)
        written.setdefault(n, {})[value.name] = value
    return [_with_values(row, written[row.n]) if row.n in written else row for row in rows]


def _with_values(row: BatchRow, written: Mapping[str, ColumnValue]) -> BatchRow:
    """The row with what was written in place of what was found, in its answer too, which begins with its values."""
    found, answer = row.result.values, row.result.answer
    kept = [value for value in found if value.name not in written]
    values = [*kept, *written.values()]
    told = value_texts(found)[: len(answer)]  # long answers are cut
    if answer.startswith(told):
        answer = " ".join(part for part in (value_texts(values), answer[len(told) :].strip()) if part)
    return row.changed(result=row.result.changed(values=values, answer=answer))


def _entry(head: Any, groups: Sequence[Any]) -> BatchEntry:
    return BatchEntry(
        batch=Batch.from_wire(head.batch),
        state=head.state,
        reason=head.reason,
        ended_ms=head.ended_ms,
        counts={group[1]: group[2] for group in groups},
        tokens=sum(group[3] or 0 for group in groups),
        usd=sum(group[4] or 0.0 for group in groups),
        pages=sum(group[5] or 0 for group in groups),
        pages_fetched=sum(group[6] or 0 for group in groups),
    )
