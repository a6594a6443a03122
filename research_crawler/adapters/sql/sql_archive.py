"""The archive of jobs, pages and findings in SQL: SQLite in the data folder, or PostgreSQL by URL.

Every write replaces rows, so it may be repeated after a crash.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    desc,
    func,
    insert,
    select,
    true,
    update,
)
from sqlalchemy.exc import DBAPIError

from research_crawler.adapters.sql.database_engine import (
    GroupWriter,
    Write,
    archive_fault,
    database_url,
    erase,
    open_engine,
    shrink,
)
from research_crawler.adapters.sql.deletions import forget
from research_crawler.adapters.sql.inserting import upsert
from research_crawler.adapters.sql.job_listing import ids_from, listed, submitted_before
from research_crawler.adapters.sql.lexical import find_by_words
from research_crawler.adapters.sql.retention import due, held_bytes, make_room, retain_some, sizes
from research_crawler.adapters.sql.schema import migrate
from research_crawler.adapters.sql.tables.archive_tables import (
    FINDINGS,
    JOBS,
    OPEN_JOBS,
    PAGES,
    RECORDED_EVENTS,
    RETRACTIONS,
    decompress,
    finding_of,
    finding_rows,
    job_document,
    job_of,
    job_row,
    page_of,
    page_row,
    recorded_row,
    report_of,
    vector_bytes,
    vector_of_bytes,
)
from research_crawler.core.config import Config
from research_crawler.core.models.archive.keeping import Due, Removal, RetentionRule, Selection
from research_crawler.core.models.archive.memory import FindingFilter
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.web.pages import StoredPage

T = TypeVar("T")

VECTORS_AT_ONCE = 500
"""Vectors that are written at once."""
READERS = 2
"""Threads that read. One more thread writes, so that reading a page never waits for a group of writes."""


class SqlArchive:
    """The port `Archive` over SQLAlchemy."""

    def __init__(self, config: Config) -> None:
        """Raises ConfigError and NotStarted for a URL that cannot be used."""
        home = config.home.expanduser().absolute()
        self._engine = open_engine(database_url(config.database_url, home))
        self._writer = GroupWriter(self._engine)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="archive-read")
        self._is_open = False
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Connect and bring the schema up to date; without this call, that is done at the first use.

        Raises:
            NotStarted: the database does not answer, or is not an archive of this program.
            StorageFull: the disk is full.
        """
        if self._is_open:  # without a turn of the loop, so that writes keep their place before `close`
            return
        async with self._opening:
            if not self._is_open:
                await self._in_thread(lambda: migrate(self._engine))
                self._is_open = True

    async def close(self) -> None:
        """Finish the waiting writes, then close the connections."""
        await self._writer.close()
        self._readers.shutdown(wait=True)
        self._engine.dispose()

    async def put_page(self, page: StoredPage, raw: bytes | None) -> None:
        """Store a page. If `raw` is None, raw bytes that are already stored stay."""
        row = await asyncio.to_thread(page_row, page, raw)
        await self._write(lambda connection: upsert(connection, PAGES, [row]))

    async def get_page(self, sha: str) -> StoredPage | None:
        """A page by its hash."""
        row = await self._first(select(PAGES.c.page).where(PAGES.c.sha == sha))
        return None if row is None else await asyncio.to_thread(page_of, row[0])

    async def raw_page(self, sha: str) -> bytes | None:
        """The page's bytes as downloaded, if they are still stored."""
        row = await self._first(select(PAGES.c.raw).where(PAGES.c.sha == sha))
        return None if row is None or row[0] is None else await asyncio.to_thread(decompress, row[0])

    async def index_event(self, event: CommandDone) -> None:
        """Replace the findings of the event's command."""
        if not event.command:
            return
        rows = finding_rows(event)
        # An event without a job tells of something forgotten, or of a command that no job asked for: nothing to replay.
        recorded = recorded_row(event) if event.job else None  # at most 64 kB: a millisecond

        def replace(connection: Connection) -> None:
            if recorded:
                record(connection, recorded)
            connection.execute(delete(FINDINGS).where(FINDINGS.c.command == event.command))
            if rows:
                # Not a plain insert, because on PostgreSQL another indexer may write the same command.
                upsert(connection, FINDINGS, rows)
                rejected = select(RETRACTIONS.c.finding)
                _mark_retracted(connection, FINDINGS.c.command == event.command, FINDINGS.c.id.in_(rejected))

        await self._write(replace)

    async def retract(self, job: str, findings: Collection[str]) -> None:
        """Mark findings as rejected by a person, also those that are indexed later."""
        rows = [{"finding": finding, "job": job} for finding in sorted(findings)]

        def mark(connection: Connection) -> None:
            upsert(connection, RETRACTIONS, rows)
            for start in range(0, len(rows), VECTORS_AT_ONCE):
                ids = [row["finding"] for row in rows[start : start + VECTORS_AT_ONCE]]
                _mark_retracted(connection, FINDINGS.c.id.in_(ids))

        if rows:
            await self._writer.write(mark)

    async def recorded_events(self, job: str) -> list[CommandDone]:
        """The events of a job's commands, in the order in which they came."""
        query = select(RECORDED_EVENTS.c.event).where(RECORDED_EVENTS.c.job == job)
        rows = await self._all(query.order_by(RECORDED_EVENTS.c.place))
        return [CommandDone.from_wire(decompress(row.event)) for row in rows]

    async def save_job(self, job: Job, findings: Sequence[Finding], report: Mapping[str, Any]) -> None:
        """Keep a finished job with its findings, in their order, and its report."""
        row = await asyncio.to_thread(job_row, job, findings, report)

        def keep(connection: Connection) -> None:
            upsert(connection, JOBS, [row])
            if job.state in FINAL_STATES:
                connection.execute(delete(OPEN_JOBS).where(OPEN_JOBS.c.id == job.id))

        await self._write(keep)

    async def get_job(self, job: str) -> tuple[Job, list[Finding], dict[str, Any]] | None:
        """A finished job, its findings and its report."""
        row = await self._first(select(JOBS).where(JOBS.c.id == job))
        return None if row is None else await asyncio.to_thread(job_of, row._mapping)

    async def get_record(self, job: str) -> Job | None:
        """The record of a finished job alone: its findings and its report take most of the time to read."""
        row = await self._first(select(JOBS.c.job).where(JOBS.c.id == job))
        return None if row is None else job_document(row.job)

    async def get_report(self, job: str) -> tuple[Job, dict[str, Any]] | None:
        """A finished job and its report, without its findings."""
        row = await self._first(select(JOBS.c.job, JOBS.c.report).where(JOBS.c.id == job))
        return None if row is None else await asyncio.to_thread(report_of, row._mapping)

    async def list_jobs(self, limit: int = 100) -> list[Job]:
        """Finished jobs, newest first."""
        newest = select(JOBS.c.job).order_by(desc(JOBS.c.completed_at), JOBS.c.id).limit(limit)
        return [job_document(row[0]) for row in await self._all(newest)]

    async def submitted_before(
        self, created_at: str, job: str, *, limit: int, words: Sequence[str] = ()
    ) -> list[tuple[str, str]]:
        """(id, time) of finished jobs that were submitted before another one, newest first; see `job_listing`."""
        return await self._read(
            lambda connection: submitted_before(connection, created_at, job, limit, words)
        )

    async def ids_from(self, beginning: str, *, limit: int) -> list[str]:
        """The ids of finished jobs that begin so, at most `limit`."""
        return await self._read(lambda connection: ids_from(connection, beginning, limit))

    async def listed(self, ids: Sequence[str]) -> list[Job]:
        """Those of these jobs that are finished, in any order, without the fields of `NOT_LISTED`."""
        return await self._read(lambda connection: listed(connection, ids)) if ids else []

    async def find_findings(self, ids: Sequence[str]) -> list[Finding]:
        """The findings with these ids, in this order; unknown ids are left out."""
        rows = await self._all(select(FINDINGS).where(FINDINGS.c.id.in_(list(ids)[:VECTORS_AT_ONCE])))
        known = {row.id: finding_of(row._mapping) for row in rows}
        return [known[id_] for id_ in ids if id_ in known]

    async def find_by_words(self, words: Sequence[str], where: FindingFilter, *, limit: int) -> list[Finding]:
        """Findings that contain one of these words, newest first, without retracted ones."""
        return await self._read(lambda connection: find_by_words(connection, words, where, limit))

    async def vectors(self) -> AsyncIterator[tuple[Finding, list[float]]]:
        """All findings that have a vector and were not retracted, read in portions, so that no reader delays a
        checkpoint."""
        return self._read_vectors()

    async def _read_vectors(self) -> AsyncIterator[tuple[Finding, list[float]]]:
        last_id = ""
        while True:
            portion = select(FINDINGS).where(
                FINDINGS.c.id > last_id, FINDINGS.c.vector.is_not(None), ~FINDINGS.c.retracted
            )
            rows = await self._all(portion.order_by(FINDINGS.c.id).limit(VECTORS_AT_ONCE))
            for row in rows:
                yield finding_of(row._mapping), vector_of_bytes(row.vector)
            if len(rows) < VECTORS_AT_ONCE:
                return
            last_id = rows[-1].id

    async def findings_of(self, commands: Collection[str]) -> list[tuple[Finding, list[float] | None]]:
        """The findings of commands, each with its vector if it has one yet."""
        wanted = sorted(set(commands))
        portions = [wanted[n : n + VECTORS_AT_ONCE] for n in range(0, len(wanted), VECTORS_AT_ONCE)]
        query = select(FINDINGS).order_by(FINDINGS.c.command, FINDINGS.c.ordinal)
        found = [await self._all(query.where(FINDINGS.c.command.in_(portion))) for portion in portions]
        return [
            (finding_of(row._mapping), None if row.vector is None else vector_of_bytes(row.vector))
            for rows in found
            for row in rows
        ]

    async def put_vectors(self, vectors: Mapping[str, Sequence[float]]) -> None:
        """Store vectors of findings by their ids; an id that is no longer there has no effect."""
        rows = [{"finding": id_, "packed": vector_bytes(vector)} for id_, vector in vectors.items()]
        change = update(FINDINGS).where(FINDINGS.c.id == bindparam("finding"))

        def put(connection: Connection) -> None:
            connection.execute(change.values(vector=bindparam("packed")), rows)

        if rows:
            await self._write(put)

    async def kept_pages(self, shas: Collection[str]) -> set[str]:
        """Those of these pages that are stored."""
        wanted = sorted(set(shas))
        portions = [
            wanted[start : start + VECTORS_AT_ONCE] for start in range(0, len(wanted), VECTORS_AT_ONCE)
        ]
        found = [await self._all(select(PAGES.c.sha).where(PAGES.c.sha.in_(portion))) for portion in portions]
        return {row.sha for rows in found for row in rows}

    async def forget(self, selection: Selection, *, in_use: Collection[str] = ()) -> Removal:
        """Delete everything that the selection covers, in one transaction."""
        removed = await self._change(lambda connection: forget(connection, selection, in_use))
        # Also if nothing was deleted now: an earlier call may have been interrupted before it came here.
        await self._writer.run(erase)
        return removed

    async def retain(self, rule: RetentionRule) -> Removal:
        """Delete what the rule no longer keeps, in portions."""
        total = Removal()
        while portion := await self._change(lambda connection: retain_some(connection, rule)):
            total += portion
        over_bytes = await self._read(held_bytes) - rule.max_bytes if rule.max_bytes else 0
        while over_bytes > 0 and (
            freed := await self._change(lambda connection: make_room(connection, rule, over_bytes))  # noqa: B023
        ):
            total, over_bytes = total + freed[0], over_bytes - freed[1]
        if not total.is_empty:
            await self._writer.run(shrink)
        return total

    async def due(self, rule: RetentionRule) -> Due:
        """What `retain` would delete now."""
        return await self._read(lambda connection: due(connection, rule))

    async def sizes(self) -> dict[str, int]:
        """Number of rows by table, of pages with raw bytes, and bytes on disk."""
        return await self._read(sizes)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a function that reads over a connection, for adapters of further tables."""
        return await self._read(work)

    async def change(self, work: Callable[[Connection], T]) -> T:
        """Run a function that writes in one transaction, and return its answer. It may run twice, with one
        effect."""
        return await self._change(work)

    async def _first(self, query: Any) -> Any:
        rows = await self._all(query)
        return rows[0] if rows else None

    async def _all(self, query: Any) -> Sequence[Any]:
        return await self._read(lambda connection: connection.execute(query).all())

    async def _read(self, work: Callable[[Connection], T]) -> T:
        await self.open()

        def read() -> T:
            with self._engine.connect() as connection:
                return work(connection)

        return await self._in_thread(read)

    async def _change(self, work: Callable[[Connection], T]) -> T:
        """A write with an answer. It may run twice, if another write of its group failed."""
        answers: list[T] = []
        await self._write(lambda connection: answers.append(work(connection)))
        return answers[-1]

    async def _write(self, work: Write) -> None:
        await self.open()
        await self._writer.write(work)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        except DBAPIError as error:
            raise archive_fault(error, self._engine) from error


def _mark_retracted(connection: Connection, *which: ColumnElement[bool]) -> None:
    connection.execute(update(FINDINGS).where(*which).values(retracted=true()))


def record(connection: Connection, row: Mapping[str, Any]) -> None:
    """Store an event behind the others of its job; one that is stored again keeps its place."""
    changed = connection.execute(
        update(RECORDED_EVENTS).where(RECORDED_EVENTS.c.command == row["command"]).values(**row)
    )
    if not changed.rowcount:
        last = select(func.coalesce(func.max(RECORDED_EVENTS.c.place), 0))
        place = connection.execute(last.where(RECORDED_EVENTS.c.job == row["job"])).scalar_one() + 1
        connection.execute(insert(RECORDED_EVENTS).values(place=place, **row))
