"""One suite for the SQL archive and the one in memory."""

import asyncio
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import load_core_config
from research_crawler.core.models.archive.keeping import Selection
from tests.adapters.samples import axis, event, finding, index_with_vectors, job, page

POSTGRESQL = os.environ.get("TEST_POSTGRESQL_URL", "")
"""An empty PostgreSQL database for these tests, if there is one."""
KINDS = ["sqlite", "memory", *(["postgresql"] if POSTGRESQL else [])]


def made(kind, home):
    if kind == "memory":
        return MemoryArchive()
    return SqlArchive(load_core_config(home=home, database_url=POSTGRESQL if kind == "postgresql" else ""))


@pytest.fixture(params=KINDS)
async def archive(request, tmp_path):
    archive = made(request.param, tmp_path)
    await archive.open()
    if request.param == "postgresql":
        empty(archive)
    yield archive
    await archive.close()


def empty(archive):
    from research_crawler.adapters.sql.tables.archive_tables import METADATA

    with archive._engine.begin() as connection:
        for table in METADATA.sorted_tables:
            connection.execute(table.delete())


async def vectors_of(archive):
    return {found.id: (found, vector) async for found, vector in await archive.vectors()}


async def test_a_page_comes_back_as_it_was(archive):
    stored = page(fetched_at="2026-01-01T00:00:00+00:00", tokens=4)
    await archive.put_page(stored, b"<p>Grass is green.")
    assert await archive.get_page(stored.sha) == stored
    assert await archive.raw_page(stored.sha) == b"<p>Grass is green."


async def test_an_unknown_page_or_job_is_none(archive):
    assert await archive.get_page("none") is None
    assert await archive.raw_page("none") is None
    assert await archive.get_job("none") is None


async def test_a_page_that_is_stored_again_is_replaced_and_keeps_its_raw_bytes(archive):
    await archive.put_page(page(fetched_at="2026-01-01"), b"raw")
    await archive.put_page(page(fetched_at="2026-01-02"), None)
    assert (await archive.get_page("a" * 64)).fetched_at == "2026-01-02"
    assert await archive.raw_page("a" * 64) == b"raw"


async def test_a_page_without_raw_bytes_has_none(archive):
    await archive.put_page(page(), None)
    assert await archive.raw_page("a" * 64) is None
    await archive.put_page(page(), b"")
    assert await archive.raw_page("a" * 64) == b""


async def test_a_page_of_any_characters_comes_back(archive):
    text = "Grün 草 \N{SEEDLING} \x00\u2028 " * 1000
    await archive.put_page(page(text=text), None)
    assert (await archive.get_page("a" * 64)).page.markdown == text


async def test_findings_come_back_with_their_vectors(archive):
    await index_with_vectors(archive, event(claims=["a", "b"]))
    found = await vectors_of(archive)
    assert found == {
        finding(ordinal=n).id: (finding(ordinal=n, claim=claim), axis(n)) for n, claim in enumerate("ab")
    }


async def test_findings_without_vectors_are_kept_but_not_given_to_the_index(archive):
    await archive.index_event(event())
    assert await vectors_of(archive) == {}
    assert (await archive.sizes())["findings"] == 1


async def test_an_event_of_a_command_replaces_the_one_before(archive):
    await index_with_vectors(archive, event(claims=["a", "b", "c"]))
    await index_with_vectors(archive, event(claims=["d"]))
    assert [found.claim for found, _ in (await vectors_of(archive)).values()] == ["d"]


async def test_events_without_a_command_leave_nothing(archive):
    await archive.index_event(event().model_copy(update={"command": ""}))
    assert (await archive.sizes())["findings"] == 0


async def test_all_vectors_are_read_even_in_several_portions(archive):
    await asyncio.gather(
        *(index_with_vectors(archive, event(f"job1:{n}", ["claim"] * 11)) for n in range(100))
    )
    assert len(await vectors_of(archive)) == 1_100


async def test_a_finished_job_comes_back_with_findings_in_their_order_and_its_report(archive):
    findings = [finding("job1:2"), finding("job1:1")]
    report = {"report_markdown": "# Grün\n", "claims": [{"text": "a", "evidence": ["E1"]}], "offers": None}
    await archive.save_job(job(), findings, report)
    assert await archive.get_job("job1") == (job(), findings, report)


async def test_a_job_and_its_report_are_read_without_its_findings(archive):
    kept, findings = job("one"), event("one").findings
    await archive.save_job(kept, findings, {"answer": "42"})
    assert await archive.get_record(kept.id) == kept
    assert await archive.get_report(kept.id) == (kept, {"answer": "42"})
    assert await archive.get_job(kept.id) == (kept, findings, {"answer": "42"})
    assert (await archive.get_record("none"), await archive.get_report("none")) == (None, None)


async def test_a_job_that_is_saved_again_is_replaced(archive):
    await archive.save_job(job(), [finding()], {"n": 1})
    await archive.save_job(job(goal="Why?"), [], {"n": 2})
    assert await archive.get_job("job1") == (job(goal="Why?"), [], {"n": 2})
    assert len(await archive.list_jobs()) == 1


async def test_jobs_are_listed_newest_first(archive):
    for n in (2, 3, 1):
        await archive.save_job(job(f"job{n}", completed_at=f"2026-01-0{n}"), [], {})
    assert [listed.id for listed in await archive.list_jobs()] == ["job3", "job2", "job1"]
    assert [listed.id for listed in await archive.list_jobs(limit=1)] == ["job3"]


async def test_sizes_count_what_is_kept(archive):
    await archive.put_page(page("a" * 64), b"raw")
    await archive.put_page(page("b" * 64), None)
    await archive.index_event(event(claims=["a", "b"]))
    sizes = await archive.sizes()
    assert sizes.pop("bytes") > 0
    assert sizes == {"pages": 2, "raw_pages": 1, "findings": 2, "jobs": 0}


replays = st.lists(st.tuples(st.integers(1, 3), st.integers(0, 4)), max_size=12)


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
@given(replays)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.long
def test_any_sequence_of_replays_leaves_one_row_per_finding_of_the_last_event(
    kind, tmp_path_factory, sequence
):
    async def replay():
        archive = made(kind, tmp_path_factory.mktemp("home"))
        await archive.open()
        for command, claims in sequence:
            await index_with_vectors(archive, event(f"job1:{command}", ["claim"] * claims))
        found = await vectors_of(archive)
        sizes = await archive.sizes()
        await archive.close()
        return found, sizes["findings"]

    found, rows = asyncio.run(replay())
    last = dict(sequence)
    assert set(found) == {
        finding(f"job1:{command}", n).id for command, claims in last.items() for n in range(claims)
    }
    assert rows == len(found)


async def test_vectors_may_come_later_and_only_to_findings_that_are_still_there(archive):
    await archive.index_event(event("job1:1", ["Grass is blue", "Grass is green"]))
    assert [vector for _, vector in await archive.findings_of(["job1:1", "job9:1"])] == [None, None]
    late = {finding("job1:1", 1).id: axis(1), finding("job9:1").id: axis(2)}
    await archive.put_vectors(late)
    known = {found.id: vector for found, vector in await archive.findings_of(["job1:1"])}
    assert known == {finding("job1:1", 0).id: None, finding("job1:1", 1).id: axis(1)}
    assert set(await vectors_of(archive)) == {finding("job1:1", 1).id}


async def test_a_finding_that_a_person_rejected_stays_marked_when_its_event_is_indexed_again_or_later(
    archive,
):
    rejected, kept, late = finding("job1:1", 0).id, finding("job1:1", 1).id, finding("job1:2", 0).id
    both = event("job1:1", ["Grass is blue", "Grass is green"])
    await index_with_vectors(archive, both)
    await archive.retract("job1", [rejected, late])
    for _ in range(2):
        marks = [found.retracted for found in await archive.find_findings([rejected, kept])]
        assert marks == [True, False]
        assert set(await vectors_of(archive)) == {kept}
        assert {found.id: found.retracted for found, _ in await archive.findings_of(["job1:1"])}[rejected]
        await index_with_vectors(archive, both)
    await archive.index_event(event("job1:2"))
    assert [found.retracted for found in await archive.find_findings([late])] == [True]


async def test_what_a_person_rejected_in_a_job_is_forgotten_with_the_job(archive):
    await archive.retract("job1", [finding("job1:1", 0).id])
    await archive.forget(Selection(jobs=["job1"]))
    await archive.index_event(event("job1:1"))
    assert [found.retracted for found in await archive.find_findings([finding("job1:1", 0).id])] == [False]


async def test_the_events_of_a_job_come_back_in_their_order(archive):
    for command in ("job1:3", "job1:1", "job2:1", "job1:2"):
        await archive.index_event(event(command))
    await archive.index_event(event("job1:1", ["seen again"]))
    recorded = await archive.recorded_events("job1")
    assert [one.command for one in recorded] == ["job1:3", "job1:1", "job1:2"]
    assert recorded[1].findings[0].claim == "seen again"


async def test_recorded_events_are_forgotten_with_their_job_and_with_their_findings(archive):
    await archive.save_job(job(), [finding()], {})
    for command in ("job1:1", "job1:2", "job2:1"):
        await archive.index_event(event(command, [] if command == "job1:2" else ["Grass"]))
    await archive.forget(Selection(jobs=["job1"]))
    assert await archive.recorded_events("job1") == []
    assert len(await archive.recorded_events("job2")) == 1
    await archive.forget(Selection(url="https://example.org/a"))
    assert await archive.recorded_events("job2") == []


async def test_a_finding_keeps_its_headings_and_its_page_in_a_pdf(archive):
    whole = finding(heading="Plants > Grass", page_number=7)
    await archive.index_event(event().model_copy(update={"findings": [whole]}))
    assert await archive.find_findings([whole.id]) == [whole]
