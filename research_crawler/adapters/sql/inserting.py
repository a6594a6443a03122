"""Inserts that say what becomes of a row that is there already."""

from typing import Any

from sqlalchemy import Table


def insert_into(table: Table, dialect: str) -> Any:
    """An insert with `on_conflict_do_update` and `on_conflict_do_nothing`, which both databases have.

    Only the dialect of the database is loaded: PostgreSQL's takes a tenth of the start of `research list`.
    """
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_sqlite

        return insert_sqlite(table)
    from sqlalchemy.dialects.postgresql import insert as insert_postgresql

    return insert_postgresql(table)
