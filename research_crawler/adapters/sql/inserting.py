"""Inserts that say what becomes of a row that is there already."""

from collections.abc import Mapping, Sequence
from functools import cache
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
