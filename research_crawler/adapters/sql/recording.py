"""Records the events of jobs, so that a job can be replayed without the network."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from research_crawler.adapters.sql.tables.archive_tables import RECORDED_EVENTS


def record(connection: Connection, row: Mapping[str, Any]) -> None:
    """Store an event behind the others of its job; one that is stored again keeps its place."""
    changed = connection.execute(
        update(RECORDED_EVENTS).where(RECORDED_EVENTS.c.command == row["command"]).values(**row)
    )
    if not changed.rowcount:
        last = select(func.coalesce(func.max(RECORDED_EVENTS.c.place), 0))
        place = connection.execute(last.where(RECORDED_EVENTS.c.job == row["job"])).scalar_one() + 1
        connection.execute(insert(RECORDED_EVENTS).values(place=place, **row))
