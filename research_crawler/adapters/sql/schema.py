"""Makes the tables of a new archive, and brings those of an older one up to date."""

import contextlib
import os
import re
from pathlib import Path

from sqlalchemy import Column, MetaData, PrimaryKeyConstraint, String, Table, inspect, select, text
from sqlalchemy.engine import Connection, Engine

from research_crawler.adapters.private_files import private_file
from research_crawler.adapters.sql.database_engine import is_sqlite, writing
from research_crawler.adapters.sql.tables import archive_tables, batch_tables, watch_tables
from research_crawler.core.errors import NotStarted

VERSIONS = Path(__file__).with_name("migrations") / "versions"
MIGRATION_LOCK = 7_165_340
"""Key of PostgreSQL's advisory lock for migrations; any fixed number."""

REVISION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where alembic keeps the revision of the schema, declared as it declares it."""


def migrate(engine: Engine) -> None:
    """Make the tables, or bring them up to date. Processes that open the archive at the same time take turns.

    Raises:
        NotStarted: a newer release wrote the archive.
    """
    _make_file(engine)
    with writing(engine) as connection:
        if not is_sqlite(engine):
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        tables = inspect(connection).get_table_names()
        if not tables:
            create(connection)
        elif REVISION.name not in tables or _revision(connection) != newest_revision():
            upgrade(connection)


def create(connection: Connection) -> None:
    """Make all tables at once, as they are after the last migration.

    Each new archive would run all migrations otherwise, and importing alembic alone takes 0.3 s of the first job.
    """
    for tables in (archive_tables, batch_tables, watch_tables):  # each declares its own when it is imported
        tables.METADATA.create_all(connection)
    REVISION.create(connection)
    connection.execute(REVISION.insert(), {"version_num": newest_revision()})


def upgrade(connection: Connection) -> None:
    """Run the migrations that the database has not had.

    Raises:
        NotStarted: a newer release wrote the archive.
    """
    # Imported here, because importing alembic takes longer than a command like `research list`.
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


def newest_revision() -> str:
    """The newest revision of the schema that this release knows; the names of their files are in order."""
    newest = max(VERSIONS.glob("[0-9]*.py"), key=lambda path: path.name)
    found = re.search(r'^revision = "([^"\n]+)"$', newest.read_text(encoding="utf-8"), re.M)
    return found[1] if found else ""


def _revision(connection: Connection) -> str | None:
    return connection.execute(select(REVISION.c.version_num)).scalar()


def _make_file(engine: Engine) -> None:
    """Create SQLite's file so that only its owner can read it; SQLite gives its other files the same rights."""
    name = engine.url.database or ""
    if is_sqlite(engine) and name not in ("", ":memory:") and not name.startswith("file:"):
        with contextlib.suppress(OSError):  # SQLite's own attempt has the message
            os.close(private_file(Path(name), os.O_RDWR | os.O_CREAT))
