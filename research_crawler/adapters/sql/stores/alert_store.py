"""The alerts of watches and their deliveries, in the archive's database."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from research_crawler.adapters.sql.inserting import insert_new
from research_crawler.adapters.sql.stores.deliveries import SqlDeliveries
from research_crawler.adapters.sql.tables.watch_tables import WATCH_ALERTS, WATCH_DELIVERIES
from research_crawler.core.models.watches.watch import Alert, Watch


class SqlAlerts(SqlDeliveries):
    """The port `AlertBox` over the archive's database."""

    _table, _what = WATCH_DELIVERIES, "alert"
    _query = select(WATCH_DELIVERIES, WATCH_ALERTS.c.alert).join(
        WATCH_ALERTS, WATCH_ALERTS.c.key == WATCH_DELIVERIES.c.key
    )

    def _message(self, row: Any) -> Alert:
        return Alert.model_validate_json(row.alert)

    async def alerts(self, watch: str = "", *, limit: int = 1_000) -> list[Alert]:
        """Alerts, newest first."""
        query = select(WATCH_ALERTS.c.alert).order_by(WATCH_ALERTS.c.at_ms.desc(), WATCH_ALERTS.c.key)
        query = query.where(WATCH_ALERTS.c.watch == watch) if watch else query
        return [Alert.model_validate_json(row[0]) for row in await self._rows(query.limit(limit))]

    async def newest(self, watches: Sequence[str]) -> dict[str, Alert]:
        """The newest alert of each of these watches that has given one."""
        table = WATCH_ALERTS.c
        last = select(table.watch, func.max(table.at_ms).label("at_ms")).where(table.watch.in_(watches))
        newest = last.group_by(table.watch).subquery()
        query = select(table.watch, table.alert).join(
            newest, (table.watch == newest.c.watch) & (table.at_ms == newest.c.at_ms)
        )
        return {watch: Alert.model_validate_json(alert) for watch, alert in await self._rows(query)}

    async def delivery_states(self, watch: str = "") -> list[tuple[str, int, str, str]]:
        """(alert, place, state, note) of all deliveries."""
        table = WATCH_DELIVERIES.c
        query = select(table.key, table.place, table.state, table.note)
        if watch:
            query = query.join(WATCH_ALERTS, WATCH_ALERTS.c.key == table.key).where(
                WATCH_ALERTS.c.watch == watch
            )
        return [tuple(row) for row in await self._rows(query.order_by(table.key, table.place))]

    async def _rows(self, query: Any) -> Sequence[Any]:
        return await self.archive.read(lambda connection: connection.execute(query).all())


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
