"""Engines for the archive's database, its migrations, and writes in groups.

A synchronous engine, called in threads of ours: SQLite through SQLAlchemy's asynchronous side is half as fast
(8,200 against 3,400 rows of 20 kB a second in groups of 64, a read 0.21 against 0.58 ms; it hops between
threads at every statement, this once a transaction), and the same code serves PostgreSQL through psycopg.
"""

import asyncio
import contextlib
import importlib.util
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event, make_url, text
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError

from research_crawler.core.errors import ConfigError, NotStarted, ResearchError, StorageFull

WRITES = "research_writes"
"""Execution option of a connection that is going to write."""
BUSY_S = 30
"""How long a writer of one process waits for that of another."""
SAME_MIGRATION = 7_165_340
"""Key of PostgreSQL's advisory lock under which one process migrates; any number that is ours."""
LARGEST_GROUP = 256
NEARLY_FULL_BYTES = 1 << 20
SHRINK_PAGES = 50_000
"""Of 4 kB, at once: writes wait meanwhile. What is left goes next time, or is used again."""

Write = Callable[[Connection], None]


def database_url(configured: str, home: Path) -> URL:
    """The URL with its driver: SQLite in the data folder by default, or PostgreSQL.

    Raises:
        ConfigError: another database, or no URL at all.
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
    """An engine; on SQLite with write-ahead log and a lock taken when a writing transaction begins."""
    engine = create_engine(url)
    if is_sqlite(engine):
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def is_sqlite(engine: Engine) -> bool:
    """Whether the archive is a file of ours."""
    return engine.dialect.name == "sqlite"


def _prepare_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions are begun by _begin_sqlite
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_S * 1000}")
    cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")  # for a new file only; see `shrink`
    cursor.execute("PRAGMA journal_mode = WAL")
    # With NORMAL a power loss takes all commits since the last checkpoint, also those that Redis, which loses
    # a second at most, knows as done. In groups FULL costs one sync for many pages.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads and then writes could not wait for another writer: SQLite refuses it at once.
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
    """Give the room of deleted rows back to the disk; PostgreSQL does it by itself, for its own use."""
    if not is_sqlite(engine):
        return
    with contextlib.closing(engine.raw_connection()) as connection:
        # A script, for that runs to its end: `execute` would free one page, the statement's first step.
        driver: Any = connection.driver_connection
        driver.executescript(f"PRAGMA incremental_vacuum({SHRINK_PAGES}); PRAGMA wal_checkpoint(TRUNCATE);")


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest step; processes that open the archive together take turns."""
    with writing(engine) as connection:
        if not is_sqlite(engine):
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": SAME_MIGRATION})
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    # Imported here: alembic takes longer to import than a command like `research list` to answer.
    from alembic import command
    from alembic.config import Config as AlembicConfig
    from alembic.util import CommandError

    settings = AlembicConfig()
    settings.set_main_option("script_location", "research_crawler.adapters.sql:migrations")
    settings.attributes["connection"] = connection
    try:
        command.upgrade(settings, "head")
    except CommandError as error:
        raise NotStarted(
            f"the archive was written by a newer release ({error}); upgrade research-crawler on this machine"
        ) from error


def archive_fault(error: DBAPIError, engine: Engine) -> ResearchError:
    """A database's error as ours, with a line that says what to do."""
    shown = engine.url.render_as_string(hide_password=True)
    reason = str(error.orig).splitlines()[0] if str(error.orig) else type(error.orig).__name__
    if _is_full(error.orig, engine):
        return StorageFull(
            f"the archive's disk is full ({shown}); free some space, nothing that was confirmed is lost"
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
    """Puts all writes that wait at the same time into one transaction: one sync to disk instead of many."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="archive-write")
        self._waiting: list[tuple[Write, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, write: Write) -> None:
        """Run `write` in a transaction; returns when it is on disk.

        Raises:
            StorageFull, NotStarted: this write was not done; others of its group are not concerned.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="archive writer")
        await done

    async def run(self, work: Callable[[Engine], None]) -> None:
        """Do something between two groups that needs no transaction.

        Raises:
            StorageFull, NotStarted: the database refused.
        """
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, work, self._engine)
        except DBAPIError as error:
            raise archive_fault(error, self._engine) from error

    async def close(self) -> None:
        """Wait until everything that was handed in is on disk."""
        if self._task is not None:
            await self._task
        self._thread.shutdown(wait=False)

    async def _run(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
                await self._settle(group)
        finally:
            self._task = None

    async def _settle(self, group: list[tuple[Write, asyncio.Future[None]]]) -> None:
        writes = [write for write, _ in group]
        failed = await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, writes)
        if failed is not None and len(group) > 1:
            for one in group:
                await self._settle([one])
            return
        for _, done in group:
            if done.done():  # its caller was cancelled
                continue
            if failed is None:
                done.set_result(None)
            else:
                done.set_exception(failed)

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
