"""Inserts that say what becomes of a row that is there already."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, func


def insert_into(table: Table, dialect: str) -> Any:
    """An insert with `on_conflict_do_update` and `on_conflict_do_nothing`, which both databases have.

    Only the dialect of the database is loaded: PostgreSQL's takes a tenth of the start of `research list`.
    """
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_sqlite

        return insert_sqlite(table)
    from sqlalchemy.dialects.postgresql import insert as insert_postgresql

    return insert_postgresql(table)


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows, or replace those with the same key; a null in a new row keeps the old value."""
    statement = insert_into(table, connection.dialect.name)
    new = statement.excluded
    values = {
        column.name: func.coalesce(new[column.name], column) if column.nullable else new[column.name]
        for column in table.columns
        if not column.primary_key
    }
    keys = list(table.primary_key.columns)
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=values), rows)
