"""Deletes from the archive what a person asks for: jobs, a page, a host, everything before a day.

The functions take a connection that writes and run in one transaction, so that a deletion is complete or not
made.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, exists, func, or_, select, update

from research_crawler.adapters.sql.tables.archive_tables import (
    FINDINGS,
    JOBS,
    OPEN_JOBS,
    PAGES,
    RECORDED_EVENTS,
    RETRACTIONS,
    job_document,
)
from research_crawler.adapters.sql.tables.batch_tables import BATCH_ROWS
from research_crawler.adapters.sql.tables.watch_tables import OBSERVATIONS
from research_crawler.core.models.archive.keeping import Removal, Selection

_AT_ONCE = 500
"""Values in one IN list. SQLite allows 32,766 parameters, PostgreSQL 65,535; both are slow long before
that."""
CITED = or_(
    exists(select(FINDINGS.c.id).where(FINDINGS.c.page_sha256 == PAGES.c.sha)),
    exists(select(OBSERVATIONS.c.id).where(OBSERVATIONS.c.page_sha == PAGES.c.sha, OBSERVATIONS.c.proves)),
)
"""Pages that are cited by a finding, or by an observation that opened or confirmed a price change."""


def forget(connection: Connection, selection: Selection, in_use: Collection[str]) -> Removal:
    """Delete everything that the selection covers; see the port `Archive`."""
    by_name = _forget_pages(connection, selection) if selection.names_pages else Removal()
    by_name += _forget_observations(connection, selection)
    return by_name + _forget_jobs(connection, selection, in_use) + _forget_old(connection, selection, in_use)


def delete_pages(connection: Connection, shas: Iterable[str], *, spare_cited: bool) -> Removal:
    """Delete these pages; with `spare_cited`, not those that are cited."""
    condition = [~CITED] if spare_cited else []
    pages = raw = 0
    for portion in _portions(shas):
        chosen = [PAGES.c.sha.in_(portion), *condition]
        raw += _count(connection, PAGES, *chosen, PAGES.c.raw.is_not(None))
        pages += _delete(connection, PAGES, *chosen)
    return Removal(pages=pages, raw_pages=raw)


def _forget_pages(connection: Connection, selection: Selection) -> Removal:
    """Delete pages by URL or host, with all findings that rest on them."""
    named = select(PAGES.c.sha, PAGES.c.url, PAGES.c.final_url).where(
        or_(*_rough_conditions(selection, PAGES.c.url), *_rough_conditions(selection, PAGES.c.final_url))
    )
    shas = {row.sha for row in connection.execute(named) if selection.covers(row.url, row.final_url)}
    quoted = select(FINDINGS.c.command, FINDINGS.c.url).where(
        or_(*_rough_conditions(selection, FINDINGS.c.url))
    )
    commands = {row.command for row in connection.execute(quoted) if selection.covers(row.url)}
    _forget_recorded(connection, selection)
    for portion in _portions(shas):
        commands |= set(
            _column(connection, select(FINDINGS.c.command).where(FINDINGS.c.page_sha256.in_(portion)))
        )
    citing = _jobs_of(connection, commands)
    return delete_pages(connection, shas, spare_cited=False) + Removal(
        findings=_delete_findings(connection, commands), commands=sorted(commands), citing=sorted(citing)
    )


def _forget_recorded(connection: Connection, selection: Selection) -> None:
    """Delete the recorded events of the selected pages, those without findings too."""
    table = RECORDED_EVENTS
    named = select(table.c.command, table.c.url).where(or_(*_rough_conditions(selection, table.c.url)))
    commands = [row.command for row in connection.execute(named) if selection.covers(row.url)]
    for portion in _portions(commands):
        _delete(connection, table, table.c.command.in_(portion))


def _forget_observations(connection: Connection, selection: Selection) -> Removal:
    """Delete prices observed on the selected pages, or before the day. Their watches go on."""
    removed = 0
    if selection.names_pages:
        named = select(OBSERVATIONS.c.id, OBSERVATIONS.c.url).where(
            or_(*_rough_conditions(selection, OBSERVATIONS.c.url))
        )
        ids = [row.id for row in connection.execute(named) if selection.covers(row.url)]
        removed += sum(
            _delete(connection, OBSERVATIONS, OBSERVATIONS.c.id.in_(portion)) for portion in _portions(ids)
        )
    if selection.before:
        before_ms = int(datetime.fromisoformat(selection.before).replace(tzinfo=UTC).timestamp() * 1000)
        removed += _delete(connection, OBSERVATIONS, OBSERVATIONS.c.at_ms < before_ms)
    return Removal(observations=removed)


def _rough_conditions(selection: Selection, column: Column[str]) -> list[ColumnElement[bool]]:
    """A rough condition for the database; `Selection.covers` decides."""
    parts = (selection.url, selection.host.removeprefix("www."))
    return [column.contains(part, autoescape=True) for part in parts if part]


def _forget_jobs(connection: Connection, selection: Selection, in_use: Collection[str]) -> Removal:
    """Delete jobs with their findings, and the pages they read that no other job cites or reads."""
    ended = select(JOBS.c.id).where(JOBS.c.completed_at < selection.before, JOBS.c.completed_at != "")
    jobs = list(dict.fromkeys([*selection.jobs, *(_column(connection, ended) if selection.before else ())]))
    pages, commands, existing = set(selection.pages), set[str](), set[str]()
    for portion in _portions(jobs):
        records = connection.execute(select(JOBS.c.id, JOBS.c.job).where(JOBS.c.id.in_(portion))).all()
        existing |= {row.id for row in records}
        pages |= {visit.sha for row in records for visit in job_document(row.job).visits if visit.sha}
        cited = connection.execute(
            select(FINDINGS.c.job, FINDINGS.c.command, FINDINGS.c.page_sha256).where(
                FINDINGS.c.job.in_(portion)
            )
        ).all()
        existing |= {row.job for row in cited}
        commands |= {row.command for row in cited}
        pages |= {row.page_sha256 for row in cited}
        _delete(connection, JOBS, JOBS.c.id.in_(portion))
        _delete(connection, OPEN_JOBS, OPEN_JOBS.c.id.in_(portion))
        _delete(connection, RETRACTIONS, RETRACTIONS.c.job.in_(portion))
        _delete(connection, RECORDED_EVENTS, RECORDED_EVENTS.c.job.in_(portion))
        # What a row of a batch has of its job: answer, values and quotes. Its input and what it has cost stay.
        connection.execute(update(BATCH_ROWS).where(BATCH_ROWS.c.job.in_(portion)).values(result="{}"))
    findings = _delete_findings(connection, commands)
    return delete_pages(connection, pages - set(in_use), spare_cited=True) + Removal(
        jobs=[job for job in jobs if job in existing], findings=findings, commands=sorted(commands)
    )


def _forget_old(connection: Connection, selection: Selection, in_use: Collection[str]) -> Removal:
    """Delete pages from before the day that no finding cites and no job reads."""
    if not selection.before:
        return Removal()
    old = select(PAGES.c.sha).where(PAGES.c.fetched_at < selection.before, ~CITED)
    shas = set(_column(connection, old)) - set(in_use)
    return delete_pages(connection, shas, spare_cited=True)


def _delete_findings(connection: Connection, commands: Iterable[str]) -> int:
    removed = 0
    for portion in _portions(commands):
        chosen = FINDINGS.c.command.in_(portion)
        _delete(connection, RETRACTIONS, RETRACTIONS.c.finding.in_(select(FINDINGS.c.id).where(chosen)))
        removed += _delete(connection, FINDINGS, chosen)
        _delete(connection, RECORDED_EVENTS, RECORDED_EVENTS.c.command.in_(portion))
    return removed


def _jobs_of(connection: Connection, commands: Iterable[str]) -> set[str]:
    jobs = set[str]()
    for portion in _portions(commands):
        jobs |= set(_column(connection, select(FINDINGS.c.job).where(FINDINGS.c.command.in_(portion))))
    return jobs


def _portions(values: Iterable[str]) -> Iterable[Sequence[str]]:
    ordered = sorted(values)
    return (ordered[start : start + _AT_ONCE] for start in range(0, len(ordered), _AT_ONCE))


def _column(connection: Connection, query: Any) -> Sequence[Any]:
    return connection.execute(query).scalars().all()


def _count(connection: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).select_from(table).where(*conditions)).scalar_one())


def _delete(connection: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    return connection.execute(delete(table).where(*conditions)).rowcount
