import asyncio
import importlib
import json
import pkgutil
import random
import sqlite3
import sys
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from research_crawler.adapters import sql
from research_crawler.adapters.redis.job_fields import job_from
from research_crawler.adapters.sql.database_engine import database_url, open_engine, writing
from research_crawler.adapters.sql.open_jobs import SqlOpenJobs
from research_crawler.adapters.sql.schema import create, upgrade
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.tables.archive_tables import METADATA, OPEN_JOBS, compress
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import ConfigError, NotStarted, StorageFull
from research_crawler.core.models.base import OLDEST_READ, WIRE_VERSION
from tests.adapters.samples import event, index_with_vectors, job, page

UNNUMBERED = json.loads((Path(__file__).parents[2] / "data/unnumbered_jobs.json").read_text(encoding="utf-8"))
"""Jobs of the last release whose records in Redis had no number, as `tests/adapters/redis/test_jobs.py` describes."""


@pytest.fixture
async def archive(tmp_path):
    archive = SqlArchive(load_core_config(home=tmp_path))
    await archive.open()
    yield archive
    await archive.close()


def database(folder, name):
    """The engine of an empty database."""
    return open_engine(database_url(f"sqlite:///{folder / name}.sqlite3", folder))


def described(connection):
    """All that the database knows of its tables, in an order of its own, and the revision."""
    seen = inspect(connection)
    revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return revision, {
        name: (
            sorted(str(sorted(column.items(), key=str)) for column in seen.get_columns(name)),
            sorted(str(index) for index in seen.get_indexes(name)),
            seen.get_pk_constraint(name),
            sorted(str(unique) for unique in seen.get_unique_constraints(name)),
        )
        for name in seen.get_table_names()
    }


def limit_pages(archive, pages):
    """Let the database file grow to this many pages and no further, on every connection."""
    from sqlalchemy import event as sqlalchemy_event

    archive._engine.dispose()
    sqlalchemy_event.listen(
        archive._engine,
        "connect",
        lambda connection, _: connection.execute(f"PRAGMA max_page_count = {pages}"),
    )


def test_the_migrations_make_the_tables_that_the_code_uses(tmp_path):
    with writing(database(tmp_path, "migrated")) as connection:
        upgrade(connection)
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_a_new_archive_is_as_if_all_migrations_had_made_it(tmp_path):
    with writing(database(tmp_path, "new")) as connection:
        create(connection)
        new = described(connection)
    with writing(database(tmp_path, "migrated")) as connection:
        upgrade(connection)
        migrated = described(connection)
    assert new == migrated


def test_no_table_is_declared_where_a_new_archive_does_not_look(tmp_path):
    known = set(METADATA.tables)
    for module in pkgutil.iter_modules(sql.__path__, f"{sql.__name__}."):
        importlib.import_module(module.name)
    assert set(METADATA.tables) == known


async def test_an_archive_keeps_its_contents_when_it_is_opened_again(archive, tmp_path):
    await archive.put_page(page(), None)
    second = SqlArchive(load_core_config(home=tmp_path))
    await second.open()
    assert await second.get_page("a" * 64) == page()
    await second.close()


async def test_archives_that_open_together_migrate_once(tmp_path):
    archives = [SqlArchive(load_core_config(home=tmp_path)) for _ in range(4)]
    await asyncio.gather(*(archive.open() for archive in archives))
    await asyncio.gather(*(archive.save_job(job(), [], {}) for archive in archives))
    for archive in archives:
        await archive.close()


async def test_commits_are_synced_to_disk(archive):
    with archive._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


async def test_a_full_disk_gives_one_line_and_loses_no_confirmed_data(archive):
    await archive.put_page(page(), b"first")
    limit_pages(archive, 60)
    big = random.Random(0).randbytes(400_000)
    with pytest.raises(StorageFull, match="free some space"):
        await archive.put_page(page("b" * 64), big)
    with pytest.raises(StorageFull):
        await archive.save_job(job(), [], {"report": big.hex()})
    assert await archive.raw_page("a" * 64) == b"first"


async def test_a_failed_write_does_not_affect_the_others_of_its_group(archive):
    limit_pages(archive, 60)
    big = random.Random(0).randbytes(400_000)
    results = await asyncio.gather(
        archive.put_page(page("a" * 64), b"small"),
        archive.put_page(page("b" * 64), big),
        archive.index_event(event()),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), StorageFull, type(None)]
    assert await archive.raw_page("a" * 64) == b"small"
    assert await archive.get_page("b" * 64) is None


async def test_a_cancelled_caller_does_not_disturb_the_others(archive):
    first = asyncio.create_task(archive.put_page(page("a" * 64), None))
    second = asyncio.create_task(archive.put_page(page("b" * 64), None))
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert await archive.get_page("b" * 64)


async def test_closing_waits_for_pending_writes(tmp_path):
    archive = SqlArchive(load_core_config(home=tmp_path))
    await archive.open()
    writes = [asyncio.create_task(archive.index_event(event(f"job1:{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    await archive.close()
    await asyncio.gather(*writes)


async def test_pages_are_written_at_over_three_hundred_a_second(archive):
    text = "Grass is green because of chlorophyll. " * 500
    started = time.process_time()
    await asyncio.gather(*(archive.put_page(page(f"{n:064}", text=text), text.encode()) for n in range(600)))
    assert 600 / (time.process_time() - started) > 300


async def test_a_file_that_is_not_a_database_gives_one_line(tmp_path):
    (tmp_path / "archive.sqlite3").write_text("nonsense" * 200)
    archive = SqlArchive(load_core_config(home=tmp_path))
    with pytest.raises(NotStarted, match="not a database"):
        await archive.open()
    await archive.close()


async def test_a_folder_that_is_not_there_gives_one_line(tmp_path):
    archive = SqlArchive(load_core_config(home=tmp_path / "missing"))
    with pytest.raises(NotStarted, match="RESEARCH_HOME"):
        await archive.open()
    await archive.close()


async def test_a_database_of_a_newer_release_is_left_alone(archive, tmp_path):
    with sqlite3.connect(tmp_path / "archive.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    older = SqlArchive(load_core_config(home=tmp_path))
    with pytest.raises(NotStarted, match="newer release"):
        await older.open()
    await older.close()


@pytest.mark.parametrize("url", ["nonsense", "mysql://host/name"])
def test_an_unsupported_database_is_a_config_error(tmp_path, url):
    with pytest.raises(ConfigError, match="DATABASE_URL"):
        SqlArchive(load_core_config(home=tmp_path, database_url=url))


def test_postgresql_without_its_driver_gives_the_install_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(NotStarted, match="pip install"):
        SqlArchive(load_core_config(home=tmp_path, database_url="postgresql://user:secret@host/name"))


async def test_a_nul_in_a_title_or_claim_is_replaced_where_databases_cannot_hold_it(archive):
    await index_with_vectors(archive, event(claims=["gr\0ass"]))
    found = [found.claim async for found, _ in await archive.vectors()]
    assert found == ["gr\N{REPLACEMENT CHARACTER}ass"]


@pytest.mark.parametrize("job_id", UNNUMBERED["archive"])
async def test_jobs_that_the_release_before_kept_are_read_and_kept_with_the_version_of_this_one(
    archive, job_id
):
    kept = UNNUMBERED["archive"][job_id]
    row = {"id": job_id, "created_at": "2026-01-01", "job": compress(kept.encode())}
    await archive.change(lambda connection: connection.execute(OPEN_JOBS.insert().values(row)))
    as_kept, as_run = await SqlOpenJobs(archive).get(job_id), job_from(UNNUMBERED["redis"][job_id])
    assert as_run.v == OLDEST_READ
    # Redis has no value that was the default then: a threshold of that release is this one's.
    limits = as_kept.limits.changed(quality=as_run.limits.quality)
    assert as_kept.changed(limits=limits, v=as_run.v, version=as_run.version) == as_run
    await archive.save_job(as_run.changed(state="completed"), [], {})
    again, _, _ = await archive.get_job(job_id)
    assert again == as_run.changed(state="completed", v=WIRE_VERSION)
