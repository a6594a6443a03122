"""Deletes what the archive no longer has to keep, by age and by size.

It deletes a few hundred pages per transaction, so that storing a page never waits long.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, exists, func, select, text, update

from research_crawler.adapters.sql.deletions import CITED, delete_pages
from research_crawler.adapters.sql.tables.archive_tables import FINDINGS, JOBS, PAGES, RECORDED_EVENTS
from research_crawler.adapters.sql.tables.watch_tables import ENDED, HAS_ENDED, WATCH_RUNS
from research_crawler.core.models.archive.keeping import Due, Removal, RetentionRule

_AT_ONCE = 200
"""Pages of one portion. With 30 kB of raw bytes each, deleting them takes about 20 ms."""
RUNS_AT_ONCE = 500
"""Runs of watches that are deleted at once."""
RAW_BYTES = func.coalesce(func.length(PAGES.c.raw), 0)
_PAGE_BYTES = func.length(PAGES.c.page) + RAW_BYTES
TOTALS = (
    select(func.sum(_PAGE_BYTES)),
    select(
        func.sum(
            func.length(FINDINGS.c.claim)
            + func.length(FINDINGS.c.quote)
            + func.coalesce(func.length(FINDINGS.c.vector), 0)
        )
    ),
    select(func.sum(func.length(RECORDED_EVENTS.c.event))),
    select(func.sum(func.length(JOBS.c.job) + func.length(JOBS.c.findings) + func.length(JOBS.c.report))),
)


def held_bytes(connection: Connection) -> int:
    """Size of the contents of all tables. The file may be larger, as it keeps its size when rows are
    deleted."""
    return sum(int(connection.execute(total).scalar() or 0) for total in TOTALS)


def sizes(connection: Connection) -> dict[str, int]:
    """Number of rows by table, of pages with raw bytes, and bytes on disk."""
    queries = {table.name: select(func.count()).select_from(table) for table in (PAGES, FINDINGS, JOBS)}
    queries["raw_pages"] = select(func.count()).select_from(PAGES).where(PAGES.c.raw.is_not(None))
    counted = {name: int(connection.execute(query).scalar_one()) for name, query in queries.items()}
    is_file = connection.dialect.name == "sqlite"
    on_disk = (
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        if is_file
        else "SELECT pg_database_size(current_database())"
    )
    return counted | {"bytes": int(connection.execute(text(on_disk)).scalar_one())}


def retain_some(connection: Connection, rule: RetentionRule) -> Removal | None:
    """Delete one portion of pages and runs that are too old or must not be kept; None if there are no
    more."""
    return (
        _delete_some(connection, _forbidden(rule), spare_cited=False)
        or _drop_raw(connection, connection.execute(_oldest(*_old_raw(rule))).all())
        or _delete_some(connection, _uncited(rule), spare_cited=True)
        or _drop_runs(connection, rule)
    )


def make_room(connection: Connection, rule: RetentionRule, wanted_bytes: int) -> tuple[Removal, int] | None:
    """Delete one portion of the oldest data, about this size: first raw bytes, then pages that are not cited.

    Returns what was deleted and its size; None if there is nothing left to delete.
    """
    raw = select(PAGES.c.sha, RAW_BYTES.label("size")).where(PAGES.c.raw.is_not(None))
    oldest = raw.order_by(PAGES.c.fetched_at, PAGES.c.sha).limit(_AT_ONCE)
    rows = _enough(connection.execute(oldest).all(), wanted_bytes)
    if removed := _drop_raw(connection, rows):
        return removed, sum(row.size for row in rows)
    spared = _oldest(~CITED, PAGES.c.sha.not_in(rule.in_use))
    rows = _enough(connection.execute(spared).all(), wanted_bytes)
    if not rows:
        return None
    removed = delete_pages(connection, [row.sha for row in rows], spare_cited=True)
    return removed, sum(row.size for row in rows)


def due(connection: Connection, rule: RetentionRule) -> Due:
    """What `retain` would delete now."""
    held = held_bytes(connection)
    old_raw = select(func.count(), func.coalesce(func.sum(RAW_BYTES), 0)).where(*_old_raw(rule))
    raw_pages, raw_bytes = connection.execute(old_raw).one()
    return Due(
        raw_pages=raw_pages,
        raw_bytes=raw_bytes,
        pages=_count(connection, _uncited(rule)),
        noarchive=_count(connection, _forbidden(rule)),
        runs=_count(connection, _old_runs(rule), WATCH_RUNS.c.id),
        held_bytes=held,
        over_bytes=max(0, held - rule.max_bytes) if rule.max_bytes else 0,
    )


def _old_raw(rule: RetentionRule) -> list[ColumnElement[bool]]:
    return [PAGES.c.raw.is_not(None), PAGES.c.fetched_at < rule.pages_before]


def _uncited(rule: RetentionRule) -> list[ColumnElement[bool]]:
    return [PAGES.c.fetched_at < rule.pages_before, ~CITED, PAGES.c.sha.not_in(rule.in_use)]


def _forbidden(rule: RetentionRule) -> list[ColumnElement[bool]]:
    return [PAGES.c.noarchive, PAGES.c.fetched_at < rule.noarchive_before, PAGES.c.sha.not_in(rule.in_use)]


def _old_runs(rule: RetentionRule) -> list[ColumnElement[bool]]:
    """Old ended runs, without the newest ended run of each watch, which shows the state of the watch."""
    later = WATCH_RUNS.alias("later")
    is_followed = exists().where(
        later.c.watch == WATCH_RUNS.c.watch,
        later.c.slot_ms > WATCH_RUNS.c.slot_ms,
        later.c.state.in_(ENDED),
    )
    return [WATCH_RUNS.c.slot_ms < rule.runs_before_ms, HAS_ENDED, is_followed]


def _oldest(*conditions: ColumnElement[bool]) -> Select[tuple[Any, Any]]:
    sizes = select(PAGES.c.sha, _PAGE_BYTES.label("size")).where(*conditions)
    return sizes.order_by(PAGES.c.fetched_at, PAGES.c.sha).limit(_AT_ONCE)


def _drop_raw(connection: Connection, rows: Sequence[Any]) -> Removal | None:
    if not rows:
        return None
    shas = [row.sha for row in rows]
    connection.execute(update(PAGES).where(PAGES.c.sha.in_(shas)).values(raw=None))
    return Removal(raw_pages=len(shas))


def _drop_runs(connection: Connection, rule: RetentionRule) -> Removal | None:
    ids = (
        connection.execute(select(WATCH_RUNS.c.id).where(*_old_runs(rule)).limit(RUNS_AT_ONCE))
        .scalars()
        .all()
    )
    if not ids:
        return None
    connection.execute(delete(WATCH_RUNS).where(WATCH_RUNS.c.id.in_(ids)))
    return Removal(runs=len(ids))


def _delete_some(
    connection: Connection, conditions: list[ColumnElement[bool]], *, spare_cited: bool
) -> Removal | None:
    rows = connection.execute(_oldest(*conditions)).all()
    return delete_pages(connection, [row.sha for row in rows], spare_cited=spare_cited) if rows else None


def _enough(rows: Sequence[Any], wanted_bytes: int) -> list[Any]:
    """The first rows that together have this size, or all."""
    chosen, size = [], 0
    for row in rows:
        if size >= wanted_bytes:
            break
        chosen.append(row)
        size += row.size
    return chosen


def _count(
    connection: Connection, conditions: list[ColumnElement[bool]], of: ColumnElement[Any] = PAGES.c.sha
) -> int:
    return int(connection.execute(select(func.count(of)).where(*conditions)).scalar_one())
