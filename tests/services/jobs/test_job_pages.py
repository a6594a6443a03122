"""Lists of jobs, with hundreds of large records in the stores."""

import json

from planner.job.factory import make_job
from research_crawler.core.config import load_core_config
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.core.models.messages.events import JobResumed
from research_crawler.runtime.runtime import running
from research_crawler.services.jobs.listed_jobs import found_jobs, newest_jobs, page_of_jobs
from research_crawler.services.jobs.waiting import waits_of_all

JOBS, RECORD_BYTES = 60, 30_000


def large_job(number: int) -> Job:
    text = "https://a.example/" + "x" * 270
    lines = [TimelineEntry(at_ms=n, iteration=1, action="visit", text=text) for n in range(90)]
    return make_job(JobInputs(goal=f"question {number}"), Limits()).changed(timeline=lines)


async def test_a_page_reads_no_more_than_its_own_jobs_and_of_those_only_what_lists_show(tmp_path):
    async with running(load_core_config(home=tmp_path), crawl=False, plan=False) as runtime:
        parts = runtime.container
        made = [
            large_job(n) for n in range(JOBS)
        ]  # all in the same second or two, as a batch submits its rows
        for job in made:
            await parts.jobs.submit(job)
        assert len(json.dumps(made[0].model_dump(mode="json"))) > RECORD_BYTES
        before = (await parts.folder.redis.info("stats"))["total_net_output_bytes"]
        page = await page_of_jobs(runtime, limit=5)
        read = (await parts.folder.redis.info("stats"))["total_net_output_bytes"] - before
        assert (len(page.jobs), bool(page.next)) == (5, True)
        assert read < 5 * RECORD_BYTES
        assert {job.id for job in await newest_jobs(runtime, JOBS + 1)} == {job.id for job in made}


async def test_a_search_by_words_reads_the_records_of_what_it_finds_alone(tmp_path, monkeypatch):
    async with running(load_core_config(home=tmp_path), crawl=False, plan=False) as runtime:
        archive = runtime.container.archive
        for number in range(JOBS):
            ended = large_job(number).changed(state="completed", completed_at="2026-01-01T00:00:00+00:00")
            inputs = ended.inputs.changed(goal=f"Straße Nummer {number}")
            await archive.save_job(ended.changed(inputs=inputs), [], {})
        read: list[str] = []
        listed = archive.listed

        async def counted(ids):
            read.extend(ids)
            return await listed(ids)

        monkeypatch.setattr(archive, "listed", counted)
        found = await found_jobs(runtime, limit=100, words="STRASSE 33")
        assert [entry.topic for entry in found.entries] == ["Straße Nummer 33"]
        assert (len(read), found.next) == (1, None)
        first = await found_jobs(runtime, limit=4, words="nummer 5")
        rest = await found_jobs(runtime, limit=100, words="nummer 5", after=first.next or "")
        assert sorted(int(entry.topic.split()[-1]) for entry in first.entries + rest.entries) == sorted(
            n for n in range(JOBS) if "5" in str(n)
        )


async def test_a_job_that_was_brought_back_is_listed_as_it_stands_now(tmp_path):
    async with running(load_core_config(home=tmp_path), crawl=False, plan=False) as runtime:
        parts = runtime.container
        ended = large_job(1).changed(state="completed", completed_at="2026-01-01T00:00:00+00:00")
        await parts.archive.save_job(ended, [], {})
        assert [job.state for job in await newest_jobs(runtime, 5)] == ["completed"]
        await parts.jobs.reopen(
            ended.changed(state="waiting_for_human"), [], JobResumed(uid="a:1", job=ended.id)
        )
        assert [(job.id, job.state) for job in await newest_jobs(runtime, 5)] == [
            (ended.id, "waiting_for_human")
        ]


async def test_what_many_jobs_wait_for_is_looked_up_together(tmp_path):
    async with running(load_core_config(home=tmp_path), crawl=False, plan=False) as runtime:
        for number in range(JOBS):
            await runtime.container.jobs.submit(large_job(number))
        jobs = await newest_jobs(runtime, JOBS)
        before = (await runtime.container.folder.redis.info("commandstats"))["cmdstat_time"]["calls"]
        waits = await waits_of_all(runtime, jobs)
        asked = (await runtime.container.folder.redis.info("commandstats"))["cmdstat_time"]["calls"] - before
        assert waits == [["waits for a planner: none is running"]] * JOBS
        assert asked <= 4
