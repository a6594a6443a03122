"""Deliveries in the archive's database, of alerts and of notices: each is claimed first, so it is never sent twice."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from sqlalchemy import Connection, Select, Table, and_, or_, update

from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.models.watches.notices import Notice
from research_crawler.core.models.watches.watch import Alert, Delivery
from research_crawler.core.ports.watching import FaultOf

GIVEN_UP_MS = 7 * 86_400_000
"""A failed delivery that nobody tried again for so long is old news, and stays failed; so does one that was due for so
long because no process had what it needs. `background/notice_delivery.py` tries for as long (`FAILED_DAYS`)."""


class SqlDeliveries(ABC):
    """The part of the port `AlertBox` that sends: a table with a row for each place that a message goes to."""

    _table: ClassVar[Table]
    _what: ClassVar[str]
    _query: ClassVar[Select[Any]]
    """The rows of the table with their messages."""

    def __init__(self, archive: SqlArchive) -> None:
        self.archive = archive

    @abstractmethod
    def _message(self, row: Any) -> Alert | Notice:
        """What a row sends."""

    async def claim_deliveries(self, now_ms: int, fault_of: FaultOf, limit: int = 20) -> list[Delivery]:
        """Claim what to send now. Nobody else gets it, even if this process dies before it sends it."""

        def claim(connection: Connection) -> list[Delivery]:
            return [
                Delivery(
                    alert=self._message(row), destination=row.place, url=row.url, attempt=row.attempts + 1
                )
                for row in self._claimed(connection, now_ms, fault_of, limit)
            ]

        return await self.archive.change(claim)

    async def end_delivery(
        self, delivery: Delivery, state: str, *, next_ms: int = 0, note: str = "", attempts: int = 0
    ) -> None:
        """Record the outcome of a claimed delivery: sent, due again, failed or unknown."""
        table = self._table.c
        chosen = [
            table.key == delivery.alert.key,
            table.place == delivery.destination,
            table.state == "sending",
        ]
        attempts = attempts or delivery.attempt
        values = {"state": state, "next_ms": next_ms, "note": note[:300], "attempts": attempts}
        await self.archive.change(
            lambda connection: connection.execute(update(self._table).where(*chosen).values(values))
        )

    async def give_up_deliveries(self, claimed_before_ms: int) -> int:
        """End the claims of processes that died. They may have been sent, so they are not sent again."""
        table = self._table.c
        chosen = [table.state == "sending", table.next_ms < claimed_before_ms]
        note = f"the process ended while it sent the {self._what}; it is not sent twice"

        def change(connection: Connection) -> int:
            values = {"state": "unknown", "note": note}
            return connection.execute(update(self._table).where(*chosen).values(values)).rowcount

        return await self.archive.change(change)

    def _claimed(self, connection: Connection, now_ms: int, fault_of: FaultOf, limit: int) -> list[Any]:
        """Claim rows that are due, or that failed and are to be tried again; one with a fault gets it as its note."""
        table = self._table
        of, claimed = table.c, list[Any]()
        again = and_(of.state == "failed", of.next_ms > now_ms - GIVEN_UP_MS)
        due = self._query.where(or_(of.state == "due", again), of.next_ms <= now_ms)
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
