"""The retention sweep, on a real archive and a real Redis."""

from datetime import UTC, datetime, timedelta

import pytest

from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.background.retention_sweep import Retention
from research_crawler.core.config import load_core_config
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.watches.watch import RunEntry
from research_crawler.core.models.web.pages import PageText, StoredPage
from tests.adapters.samples import event


@pytest.fixture
async def archive(tmp_path):
    archive = SqlArchive(load_core_config(home=tmp_path))
    await archive.open()
    yield archive
    await archive.close()


@pytest.fixture
async def jobs(redis_client):
    jobs = RedisJobs(redis_client)
    yield jobs
    await jobs.close()


async def put(archive, letter, *, days_ago=0.0, **more):
    at = (datetime.now(UTC) - timedelta(days=days_ago)).isoformat(timespec="seconds")
    url = f"https://example.org/{letter}"
    page = PageText(markdown="Grass is green.", text="Grass is green.", **more)
    await archive.put_page(
        StoredPage(sha=letter * 64, url=url, final_url=url, fetched_at=at, page=page), b"raw" * 100
    )


async def remaining(archive):
    return "".join([letter for letter in "abcdef" if await archive.get_page(letter * 64)])


async def run_a_job(jobs, job_id, *letters):
    """A job that is not over and has read these pages."""
    await jobs.submit(Job(id=job_id, inputs=JobInputs(goal="why")))
    taken = await jobs.take(max_active=9)
    visits = [VisitRecord(n=1, command=f"{job_id}:1", url="", round=1, sha=letter * 64) for letter in letters]
    new = taken.job.model_copy(update={"state": "waiting_for_human", "visits": visits})
    assert await jobs.commit(taken, new) == "ok"


async def test_pages_are_kept_for_the_number_of_days_in_the_setting(archive, jobs, tmp_path):
    await put(archive, "a", days_ago=31)
    await put(archive, "b", days_ago=29)
    await put(archive, "c", days_ago=31)
    await run_a_job(jobs, "j1", "c")
    await archive.index_event(event("job1:1", []))
    retention = Retention(load_core_config(home=tmp_path, keep_pages_days=30), jobs, archive)
    removed = await retention.sweep()
    assert (removed.pages, removed.raw_pages) == (1, 2)
    assert await remaining(archive) == "bc"
    assert await archive.raw_page("c" * 64) is None
    assert (await retention.sweep()).is_empty


async def test_a_page_that_forbids_archiving_is_deleted_when_its_job_is_over(archive, jobs, tmp_path):
    retention = Retention(load_core_config(home=tmp_path), jobs, archive)
    await put(archive, "a", days_ago=0.1, noarchive=True)
    await put(archive, "b", noarchive=True)
    await put(archive, "c", days_ago=0.1)
    await put(archive, "d", days_ago=0.1, noarchive=True)
    await run_a_job(jobs, "j1", "a")
    assert (await retention.sweep(full=False)).pages == 1
    assert await remaining(archive) == "abc"  # b is so new that a job may use it without a record.
    await jobs.cancel("j1")
    await retention.sweep_last()
    assert await remaining(archive) == "c"


async def test_an_archive_that_is_too_large_with_cited_pages_alone_is_warned_of_once(
    archive, jobs, tmp_path, caplog
):
    await put(archive, "a")
    await archive.index_event(event("job1:1"))
    retention = Retention(load_core_config(home=tmp_path, archive_max_gb=1e-9), jobs, archive)
    await retention.sweep()
    await retention.sweep()
    assert await remaining(archive) == "a"
    said = [entry.levelname for entry in caplog.records if "RESEARCH_ARCHIVE_MAX_GB" in entry.message]
    assert said == ["WARNING"]


async def test_without_a_limit_of_size_no_new_page_is_deleted(archive, jobs, tmp_path):
    await put(archive, "a")
    assert (
        await Retention(load_core_config(home=tmp_path, archive_max_gb=0), jobs, archive).sweep()
    ).is_empty


async def test_finished_runs_of_watches_are_deleted_after_ninety_days(archive, jobs, tmp_path):
    watches, retention = SqlWatches(archive), Retention(load_core_config(home=tmp_path), jobs, archive)
    for days in (91, 90.5, 89, 1):
        slot_ms = int((datetime.now(UTC) - timedelta(days=days)).timestamp() * 1000)
        await watches.put_run(RunEntry(id=f"days{days}", watch="w", slot_ms=slot_ms, state="done"))
    assert (await retention.sweep(full=False)).is_empty
    assert (await retention.sweep()).runs == 2
    assert [run.id for run in await watches.runs_of("w")] == ["days1", "days89"]
