"""The deliveries of alerts, in the archive's database. A delivery is claimed first, so it is never sent
twice."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, and_, or_, select, update

from research_crawler.adapters.sql.inserting import insert_into
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.tables.watch_tables import WATCH_ALERTS, WATCH_DELIVERIES
from research_crawler.core.models.watches.watch import Alert, Delivery, Watch
from research_crawler.core.ports.watching import FaultOf

T = TypeVar("T")
GIVEN_UP_MS = 7 * 86_400_000
"""A failed delivery that nobody tried again for so long is old news, and stays failed; so does one that was due for so
long because no process had what it needs."""


class SqlAlerts:
    """The port `AlertBox` over the archive's database."""

    def __init__(self, archive: SqlArchive) -> None:
        self._archive = archive

    async def alerts(self, watch: str = "", *, limit: int = 1_000) -> list[Alert]:
        """Alerts, newest first."""
        query = select(WATCH_ALERTS.c.alert).order_by(WATCH_ALERTS.c.at_ms.desc(), WATCH_ALERTS.c.key)
        query = query.where(WATCH_ALERTS.c.watch == watch) if watch else query
        return [Alert.model_validate_json(row[0]) for row in await self._rows(query.limit(limit))]

    async def delivery_states(self, watch: str = "") -> list[tuple[str, int, str, str]]:
        """(alert, place, state, note) of all deliveries."""
        table = WATCH_DELIVERIES.c
        query = select(table.key, table.place, table.state, table.note)
        if watch:
            query = query.join(WATCH_ALERTS, WATCH_ALERTS.c.key == table.key).where(
                WATCH_ALERTS.c.watch == watch
            )
        return [tuple(row) for row in await self._rows(query.order_by(table.key, table.place))]

    async def claim_deliveries(self, now_ms: int, fault_of: FaultOf, limit: int = 20) -> list[Delivery]:
        """Claim the alerts to send now. Nobody else gets them, even if this process dies before it sends
        them."""
        table = WATCH_DELIVERIES.c
        query = select(WATCH_DELIVERIES, WATCH_ALERTS.c.alert).join(
            WATCH_ALERTS, WATCH_ALERTS.c.key == table.key
        )

        def claim(connection: Connection) -> list[Delivery]:
            rows = claim_rows(connection, WATCH_DELIVERIES, query, now_ms, fault_of, limit)
            return [
                Delivery(
                    alert=Alert.model_validate_json(row.alert),
                    place=row.place,
                    url=row.url,
                    attempt=row.attempts + 1,
                )
                for row in rows
            ]

        return await self._change(claim)

    async def end_delivery(
        self, delivery: Delivery, state: str, *, next_ms: int = 0, note: str = "", attempts: int = 0
    ) -> None:
        """Record the outcome of a claimed delivery: sent, due again, failed or unknown."""
        table = WATCH_DELIVERIES.c
        chosen = [table.key == delivery.alert.key, table.place == delivery.place, table.state == "sending"]
        attempts = attempts or delivery.attempt
        values = {"state": state, "next_ms": next_ms, "note": note[:300], "attempts": attempts}
        await self._change(
            lambda connection: connection.execute(update(WATCH_DELIVERIES).where(*chosen).values(values))
        )

    async def give_up_deliveries(self, claimed_before_ms: int) -> int:
        """End the claims of processes that died. They may have been sent, so they are not sent again."""
        table = WATCH_DELIVERIES.c
        chosen = [table.state == "sending", table.next_ms < claimed_before_ms]
        note = "the process ended while it sent the alert; an alert is not sent twice"

        def change(connection: Connection) -> int:
            values = {"state": "unknown", "note": note}
            return connection.execute(update(WATCH_DELIVERIES).where(*chosen).values(values)).rowcount

        return await self._change(change)

    async def _rows(self, query: Any) -> Sequence[Any]:
        return await self._archive.read(lambda connection: connection.execute(query).all())

    async def _change(self, work: Callable[[Connection], T]) -> T:
        return await self._archive.change(work)


def write_alert(connection: Connection, watch: Watch, alert: Alert) -> None:
    """Store an alert and its deliveries, once per key, however often the same change is found."""
    row = {
        "key": alert.key,
        "watch": watch.id,
        "at_ms": alert.change.at_ms,
        "alert": alert.model_dump_json(),
    }
    insert_new(connection, WATCH_ALERTS, [row])
    deliveries = [
        {
            "key": alert.key,
            "place": place,
            "url": url,
            "state": "due",
            "attempts": 0,
            "next_ms": alert.change.at_ms,
            "note": "",
        }
        for place, url in enumerate(watch.notify)
    ]
    if deliveries:
        insert_new(connection, WATCH_DELIVERIES, deliveries)


def claim_rows(
    connection: Connection, table: Table, query: Any, now_ms: int, fault_of: FaultOf, limit: int
) -> list[Any]:
    """Claim rows that are due, or that failed and are to be tried again; one with a fault gets it as its note."""
    of, claimed = table.c, list[Any]()
    again = and_(of.state == "failed", of.next_ms > now_ms - GIVEN_UP_MS)
    due = query.where(or_(of.state == "due", again), of.next_ms <= now_ms)
    for row in connection.execute(due.order_by(of.next_ms, of.key, of.place)).all():
        if len(claimed) == limit:
            break
        unchanged = [of.key == row.key, of.place == row.place, of.state == row.state]
        if fault := fault_of(row.url):
            is_old = row.state == "due" and row.next_ms <= now_ms - GIVEN_UP_MS
            if row.note != fault[:300] or is_old:
                state = "failed" if is_old else row.state
                connection.execute(update(table).where(*unchanged).values(note=fault[:300], state=state))
            continue
        values = {"state": "sending", "attempts": row.attempts + 1, "next_ms": now_ms}
        if connection.execute(update(table).where(*unchanged).values(values)).rowcount == 1:
            claimed.append(row)
    return claimed


def insert_new(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows; a row whose key exists stays as it is."""
    connection.execute(insert_into(table, connection.dialect.name).on_conflict_do_nothing(), list(rows))


def put(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert or replace by primary key."""
    connection.execute(_replacing(table, connection.dialect.name), list(rows))


@cache
def _replacing(table: Table, dialect: str) -> Any:
    statement = insert_into(table, dialect)
    new_values = {
        column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key
    }
    return statement.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=new_values)
