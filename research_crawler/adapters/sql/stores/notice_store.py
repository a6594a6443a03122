"""Notices of jobs, in the archive's database: awaited, then due, and claimed before they are sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, select, update

from research_crawler.adapters.sql.inserting import insert_new
from research_crawler.adapters.sql.stores.deliveries import SqlDeliveries
from research_crawler.adapters.sql.tables.watch_tables import NOTICES
from research_crawler.core.models.watches.notices import Notice


@dataclass(frozen=True)
class AwaitedEnd:
    """The end of a job that is to be told: the key of the notice, and where it goes."""

    key: str
    destinations: list[str]


class SqlNotices(SqlDeliveries):
    """The port `AlertBox` for the notices of jobs."""

    _table, _what, _query = NOTICES, "notice", select(NOTICES)

    def _message(self, row: Any) -> Notice:
        return Notice.model_validate_json(row.notice)

    async def expect(self, job: str, destinations: Sequence[str]) -> None:
        """Note the destinations that a job tells when it is over; a second call for the same job changes nothing."""
        rows = [_row(f"{job}:end", job, place, url, "awaited") for place, url in enumerate(destinations)]
        await self.archive.change(lambda connection: insert_new(connection, NOTICES, rows))

    async def awaited(self) -> dict[str, AwaitedEnd]:
        """The jobs whose end is awaited, with the destinations that they tell."""
        table = NOTICES.c
        query = select(table.job, table.key, table.url).where(table.state == "awaited")
        ordered = query.order_by(table.job, table.place)
        found: dict[str, AwaitedEnd] = {}
        for job, key, url in await self.archive.read(lambda connection: connection.execute(ordered).all()):
            found.setdefault(job, AwaitedEnd(key, [])).destinations.append(url)
        return found

    async def end(self, notice: Notice, *, now_ms: int) -> None:
        """Make the awaited notice of a job's end due, once."""
        table = NOTICES.c
        chosen = [table.job == notice.job, table.key == notice.key, table.state == "awaited"]
        values = {"state": "due", "next_ms": now_ms, "notice": notice.model_dump_json()}
        await self.archive.change(
            lambda connection: connection.execute(update(NOTICES).where(*chosen).values(values))
        )

    async def add(self, notice: Notice, destinations: Sequence[str], *, now_ms: int) -> None:
        """Make a further notice of a job due, once per key."""
        text = notice.model_dump_json()
        rows = [
            _row(notice.key, notice.job, place, url, "due", at_ms=now_ms, notice=text)
            for place, url in enumerate(destinations)
        ]
        await self.archive.change(lambda connection: insert_new(connection, NOTICES, rows))

    async def drop(self, job: str) -> None:
        """Forget the notices of a job."""
        await self.archive.change(
            lambda connection: connection.execute(delete(NOTICES).where(NOTICES.c.job == job))
        )

    async def states(self, job: str) -> list[tuple[str, int, str, str]]:
        """(key, place, state, note) of all notices of a job."""
        table = NOTICES.c
        query = select(table.key, table.place, table.state, table.note).where(table.job == job)
        ordered = query.order_by(table.key, table.place)
        return [
            tuple(row)
            for row in await self.archive.read(lambda connection: connection.execute(ordered).all())
        ]


def expect_next_end(connection: Connection, job: str, destinations: Sequence[str]) -> None:
    """Note the destinations that a job which goes on tells when it is over again, under a key that no earlier end has.

    A receiver drops what has the id of an earlier notice. An end that is still awaited is told in its place.
    """
    table = NOTICES.c
    query = select(table.key, table.state).where(table.job == job)
    ends = [row for row in connection.execute(query).all() if row.key.startswith(f"{job}:end")]
    if destinations and not any(row.state == "awaited" for row in ends):
        told = len({row.key for row in ends})
        key = f"{job}:end:{told + 1}" if told else f"{job}:end"
        insert_new(
            connection, NOTICES, [_row(key, job, n, url, "awaited") for n, url in enumerate(destinations)]
        )


def _row(
    key: str, job: str, place: int, url: str, state: str, *, at_ms: int = 0, notice: str = ""
) -> dict[str, Any]:
    return {
        "key": key, "place": place, "job": job, "url": url, "state": state, "attempts": 0, "next_ms": at_ms,
        "note": "", "notice": notice,
    }  # fmt: skip
