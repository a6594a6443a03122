"""Opens the archive's database and writes in groups.

The engine is synchronous and runs in threads. SQLAlchemy's asynchronous engine is half as fast with SQLite,
because it changes threads at every statement and not once a transaction (8,200 against 3,400 rows of 20 kB a
second in groups of 64, a read 0.21 against 0.58 ms). The same code works for PostgreSQL through psycopg.
"""

import asyncio
import contextlib
import importlib.util
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event, make_url
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError

from research_crawler.core.errors import ConfigError, NotStarted, ResearchError, StorageFull
from research_crawler.core.log import get_log

WRITES = "research_writes"
"""Execution option of connections that will write."""
BUSY_S = 30
"""How long a writer waits for a writer of another process."""
SWITCH_AGAIN_S = 0.05
"""Pause before the log of a file is switched again."""
LARGEST_GROUP = 256
"""Most writes that are committed together."""
NEARLY_FULL_BYTES = 1 << 20
"""With less free room, a failed write is one of a full disk."""
WHOLE_BYTES = 1 << 30
"""Up to this size `erase` writes the file anew (about 10 s a GB, and as much free disk); above it, freed pages are
zeroed and returned."""
SHRINK_PAGES = 50_000
"""Pages of 4 kB freed at once, while writes wait. The rest is freed next time, or used again."""

Write = Callable[[Connection], None]

log = get_log(__name__)


def database_url(configured: str, home: Path) -> URL:
    """The URL with its driver: SQLite in the data folder by default, or PostgreSQL.

    Raises:
        ConfigError: it names another database, or is not a URL.
        NotStarted: the driver for PostgreSQL is not installed.
    """
    if not configured:
        return URL.create("sqlite+pysqlite", database=str(home / "archive.sqlite3"))
    try:
        url = make_url(configured)
    except ArgumentError as error:
        raise ConfigError(
            "DATABASE_URL is not a database URL; an example: postgresql://user@host/name"
        ) from error
    backend = url.drivername.split("+")[0]
    if backend == "sqlite":
        return url.set(drivername="sqlite+pysqlite")
    if backend not in ("postgresql", "postgres"):
        raise ConfigError(f"DATABASE_URL names {backend!r}; the archive works with sqlite and postgresql")
    if importlib.util.find_spec("psycopg") is None:
        raise NotStarted("PostgreSQL needs its driver: pip install 'psycopg[binary]'")
    return url.set(drivername="postgresql+psycopg")


def open_engine(url: URL) -> Engine:
    """An engine. SQLite gets a write-ahead log and takes its lock when a writing transaction begins."""
    engine = create_engine(url)
    if is_sqlite(engine):
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def is_sqlite(engine: Engine) -> bool:
    """Whether the database is SQLite, a file of this program."""
    return engine.dialect.name == "sqlite"


def _prepare_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions are begun by _begin_sqlite
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_S * 1000}")
    cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")  # for a new file only; see `shrink`
    _log_ahead(cursor)
    cursor.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, not only marked as free
    # With NORMAL a power loss would lose all commits since the last checkpoint, while Redis, which loses a
    # second at most, has them as done. With FULL a group of writes costs one sync for many pages.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _log_ahead(cursor: Any) -> None:
    """Switch the file to a write-ahead log, which SQLite refuses at once, without its usual wait, while another process
    switches or writes."""
    until = time.monotonic() + BUSY_S
    while not _is_logged_ahead(cursor, must=time.monotonic() >= until):
        time.sleep(SWITCH_AGAIN_S)


def _is_logged_ahead(cursor: Any, *, must: bool) -> bool:
    try:
        cursor.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError:
        if must:
            raise
        return False
    return True


def _begin_sqlite(connection: Connection) -> None:
    # SQLite refuses a transaction that reads first and then writes while another one writes; it would not
    # wait.
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that may write; committed at the end, rolled back by an exception."""
    with engine.connect() as connection:
        connection.execution_options(**{WRITES: True})
        with connection.begin():
            yield connection


def shrink(engine: Engine) -> None:
    """Return the space of deleted rows to the disk. PostgreSQL reuses it by itself."""
    if not is_sqlite(engine):
        return
    with contextlib.closing(engine.raw_connection()) as connection:
        # A script runs to its end; `execute` would make only the first step, which frees one page.
        driver: Any = connection.driver_connection
        driver.executescript(f"PRAGMA incremental_vacuum({SHRINK_PAGES}); PRAGMA wal_checkpoint(TRUNCATE);")


def erase(engine: Engine) -> None:
    """After a deletion that a person asked for: leave none of the deleted bytes in SQLite's files.

    Deleted rows are zeroed when they are deleted. Copies that SQLite left while it moved rows between pages, and rows
    that were deleted before secure_delete was switched on, go when the whole file is written anew.
    """
    if not is_sqlite(engine):
        return
    with contextlib.closing(engine.raw_connection()) as connection:
        driver: Any = connection.driver_connection
        size = driver.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        if size.fetchone()[0] > WHOLE_BYTES:
            shrink(engine)
        else:
            try:
                driver.executescript("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
            except sqlite3.OperationalError as error:  # no room for the new file, or a reader that stays
                log.warning(
                    "the archive's file was not written anew, so that copies of deleted rows may remain in it; "
                    "repeat the deletion",
                    reason=str(error),
                )


def archive_fault(error: DBAPIError, engine: Engine) -> ResearchError:
    """Translate a database error, with a message that says what to do."""
    shown = engine.url.render_as_string(hide_password=True)
    reason = str(error.orig).splitlines()[0] if str(error.orig) else type(error.orig).__name__
    if _is_full(error.orig, engine):
        return StorageFull(
            f"the archive's disk is full ({shown}); free some space (no confirmed data are lost)"
        )
    return NotStarted(f"the archive {shown} cannot be used ({reason}); check DATABASE_URL and RESEARCH_HOME")


def _is_full(original: BaseException | None, engine: Engine) -> bool:
    code = getattr(original, "sqlstate", "") or getattr(original, "sqlite_errorname", "")
    if code in ("53100", "SQLITE_FULL"):
        return True
    # A write-ahead log that cannot grow is reported as a failed write, not as a full disk.
    path = Path(engine.url.database or "") if is_sqlite(engine) else Path()
    is_io = str(code).startswith("SQLITE_IOERR") and path.parent.is_dir()
    return is_io and shutil.disk_usage(path.parent).free < NEARLY_FULL_BYTES


class GroupWriter:
    """Puts all writes that wait at the same time into one transaction, to save syncs to disk."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="archive-write")
        self._waiting: list[tuple[Write, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, write: Write) -> None:
        """Run `write` in a transaction, and return when it is on disk.

        Raises:
            StorageFull, NotStarted: this write failed; other writes of its group are not affected.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="archive writer")
        await done

    async def run(self, work: Callable[[Engine], None]) -> None:
        """Run work that needs no transaction, between two groups.

        Raises:
            StorageFull, NotStarted: the database refused.
        """
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, work, self._engine)
        except DBAPIError as error:
            raise archive_fault(error, self._engine) from error

    async def close(self) -> None:
        """Wait until all writes are on disk."""
        if self._task is not None:
            await self._task
        self._thread.shutdown(wait=False)

    async def _run(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
                await self._finish(group)
        finally:
            self._task = None

    async def _finish(self, group: list[tuple[Write, asyncio.Future[None]]]) -> None:
        writes = [write for write, _ in group]
        error = await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, writes)
        if error is not None and len(group) > 1:
            for entry in group:
                await self._finish([entry])
            return
        for _, done in group:
            if done.done():  # its caller was cancelled
                continue
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

    def _commit(self, writes: list[Write]) -> Exception | None:
        try:
            with writing(self._engine) as connection:
                for write in writes:
                    write(connection)
        except DBAPIError as error:
            fault = archive_fault(error, self._engine)
            fault.__cause__ = error
            return fault
        except Exception as error:
            return error
        return None
