"""One suite for what the SQL archive and the one in memory forget and keep."""

import random
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.archive.keeping import Removal, RetentionRule, Selection
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.web.pages import PageText, StoredPage
from tests.adapters.samples import event, finding, index_with_vectors, job
from tests.adapters.sql.test_archives import KINDS, empty, made, vectors_of

OLD, NEW, LIMIT = "2026-01-01T00:00:00+00:00", "2026-06-01T00:00:00+00:00", "2026-03-01T00:00:00+00:00"


@pytest.fixture(params=KINDS)
async def archive(request, tmp_path):
    archive = made(request.param, tmp_path)
    await archive.open()
    if request.param == "postgresql":
        empty(archive)
    yield archive
    await archive.close()


def stored(letter, *, url="", asked="", fetched_at=OLD, **more):
    url = url or f"https://example.org/{letter}"
    return StoredPage(
        sha=letter * 64,
        url=asked or url,
        final_url=url,
        fetched_at=fetched_at,
        page=PageText(markdown="Grass is green.", text="Grass is green.", **more),
    )


async def put(archive, letters, **more):
    for letter in letters:
        await archive.put_page(stored(letter, **more), b"raw bytes of the page")


async def cite(archive, command, letter, *, url=""):
    made_event = event(command)
    found = finding(command).model_copy(
        update={"page_sha256": letter * 64, "url": url or f"https://example.org/{letter}"}
    )
    await index_with_vectors(archive, made_event.model_copy(update={"findings": [found]}))


async def keep(archive, job_id, *read, completed_at=OLD):
    visits = [
        VisitRecord(n=n, command=f"{job_id}:{n}", url="", round=1, sha=a * 64) for n, a in enumerate(read)
    ]
    record = job(job_id, completed_at=completed_at).model_copy(update={"visits": visits})
    await archive.save_job(record, [], {"job": job_id})


async def pages_left(archive):
    return "".join([letter for letter in "abcdefgh" if await archive.get_page(letter * 64)])


async def raw_left(archive):
    return "".join([letter for letter in "abcdefgh" if await archive.raw_page(letter * 64)])


async def test_forgetting_a_job_deletes_its_record_findings_and_pages(archive):
    await put(archive, "abc")
    await cite(archive, "job1:1", "a")
    await cite(archive, "job2:1", "c")
    await keep(archive, "job1", "a", "b")
    removed = await archive.forget(Selection(jobs=["job1"]))
    assert removed == Removal(jobs=["job1"], pages=2, raw_pages=2, findings=1, commands=["job1:1"])
    assert await archive.get_job("job1") is None
    assert await pages_left(archive) == "c"
    assert [found.command for found, _ in (await vectors_of(archive)).values()] == ["job2:1"]


async def test_a_page_that_another_job_cites_or_works_with_stays(archive):
    await put(archive, "abc")
    await cite(archive, "job1:1", "a")
    await cite(archive, "job2:1", "a")
    await keep(archive, "job1", "a", "b", "c")
    removed = await archive.forget(Selection(jobs=["job1"]), in_use={"b" * 64})
    assert removed.pages == 1
    assert await pages_left(archive) == "ab"


async def test_pages_that_only_redis_knows_are_deleted_with_their_job(archive):
    await put(archive, "ab")
    removed = await archive.forget(Selection(jobs=["job1"], pages=["a" * 64]))
    assert (removed.jobs, removed.pages) == ([], 1)
    assert await pages_left(archive) == "b"


async def test_forgetting_twice_has_the_effect_of_forgetting_once(archive):
    await put(archive, "a")
    await cite(archive, "job1:1", "a")
    await keep(archive, "job1", "a")
    assert not (await archive.forget(Selection(jobs=["job1", "none"]))).is_empty
    assert (await archive.forget(Selection(jobs=["job1", "none"]))).is_empty


async def test_a_page_forgotten_by_url_is_deleted_even_if_cited_and_the_citing_jobs_are_named(archive):
    await put(archive, "ab")
    await put(archive, "c", url="https://example.org/end", asked="https://example.org/a")
    await cite(archive, "job1:1", "a")
    await cite(archive, "job2:1", "a")
    await cite(archive, "job2:2", "b")
    await keep(archive, "job1", "a")
    removed = await archive.forget(Selection(url="https://example.org/a"))
    assert removed == Removal(
        pages=2, raw_pages=2, findings=2, commands=["job1:1", "job2:1"], citing=["job1", "job2"]
    )
    assert await pages_left(archive) == "b"
    assert await archive.get_job("job1")


async def test_a_host_is_forgotten_with_its_subdomains_but_not_similar_hosts(archive):
    urls = {
        "a": "https://example.org/1",
        "b": "https://shop.example.org:8443/2",
        "c": "https://notexample.org/3",
        "d": "https://other.net/?from=example.org",
        "e": "https://example.org.evil.net/",
        "f": "https://www.example.org/",
    }
    for letter, url in urls.items():
        await put(archive, letter, url=url)
        await cite(archive, f"job1:{ord(letter)}", letter, url=url)
    await put(archive, "g", url="https://moved.net/", asked="https://example.org/old")
    removed = await archive.forget(Selection(host="example.org"))
    assert (removed.pages, removed.findings) == (4, 3)
    assert await pages_left(archive) == "cde"


async def test_www_means_the_bare_host_too_but_not_its_neighbours(archive):
    await put(archive, "a", url="https://www.example.org/")
    await put(archive, "b", url="https://example.org/")
    await put(archive, "c", url="https://shop.example.org/")
    await archive.forget(Selection(host="www.example.org"))
    assert await pages_left(archive) == "c"


async def test_a_finding_whose_page_is_gone_already_is_forgotten_by_its_own_url(archive):
    await cite(archive, "job1:1", "a")
    assert (await archive.forget(Selection(host="example.org"))).findings == 1


async def test_everything_before_a_day_is_deleted_except_pages_that_a_later_job_cites(archive):
    await put(archive, "abc")
    await put(archive, "d", fetched_at=NEW)
    await cite(archive, "job1:1", "a")
    await cite(archive, "job2:1", "b")
    await keep(archive, "job1", "a", "b", "d")
    await keep(archive, "job2", "b", completed_at=NEW)
    removed = await archive.forget(Selection(before="2026-03-01"))
    assert (removed.jobs, removed.pages, removed.findings) == (["job1"], 3, 1)
    assert await pages_left(archive) == "b"
    assert [kept.id for kept in await archive.list_jobs()] == ["job2"]


async def test_forgetting_before_a_day_spares_pages_of_running_jobs(archive):
    await put(archive, "ab")
    await archive.forget(Selection(before="2026-03-01"), in_use={"b" * 64})
    assert await pages_left(archive) == "b"


async def test_kept_pages_returns_the_stored_ones_of_a_list(archive):
    await put(archive, "ac")
    assert await archive.kept_pages({letter * 64 for letter in "abc"}) == {"a" * 64, "c" * 64}
    assert await archive.kept_pages(()) == set()


async def test_old_pages_lose_their_raw_bytes_and_are_deleted_unless_cited(archive):
    await put(archive, "abc")
    await put(archive, "d", fetched_at=NEW)
    await cite(archive, "job1:1", "a")
    rule = RetentionRule(pages_before=LIMIT, in_use=frozenset({"c" * 64}))
    due = await archive.due(rule)
    assert (due.raw_pages, due.pages) == (3, 1)
    assert due.raw_bytes > 0
    removed = await archive.retain(rule)
    assert (removed.raw_pages, removed.pages, removed.findings) == (3, 1, 0)
    assert (await pages_left(archive), await raw_left(archive)) == ("acd", "d")
    assert (await archive.retain(rule)).is_empty
    assert (await archive.due(rule)).pages == 0


async def test_above_the_limit_the_oldest_raw_bytes_go_first_and_no_more_than_needed(archive):
    for day, letter in enumerate("dcba", 1):
        await archive.put_page(stored(letter, fetched_at=f"2026-06-0{day}"), bytes(range(256)) * 2)
    held = (await archive.due(RetentionRule())).held_bytes
    rule = RetentionRule(max_bytes=held - 1)
    assert (await archive.due(rule)).over_bytes == 1
    await archive.retain(rule)
    assert (await pages_left(archive), await raw_left(archive)) == ("abcd", "abc")


async def test_when_no_raw_bytes_are_left_uncited_pages_make_room_and_cited_ones_stay(archive):
    for day, letter in enumerate("abcd", 1):
        await archive.put_page(stored(letter, fetched_at=f"2026-06-0{day}"), b"raw")
    await cite(archive, "job1:1", "a")
    await archive.retain(RetentionRule(max_bytes=1, in_use=frozenset({"c" * 64})))
    assert (await pages_left(archive), await raw_left(archive)) == ("ac", "")


async def test_pages_that_forbid_archiving_are_deleted_even_if_cited_once_no_job_uses_them(archive):
    await put(archive, "ab", noarchive=True)
    await put(archive, "c", noarchive=True, fetched_at=NEW)
    await put(archive, "d")
    await cite(archive, "job1:1", "a")
    rule = RetentionRule(noarchive_before=LIMIT, in_use=frozenset({"b" * 64}))
    assert (await archive.due(rule)).noarchive == 1
    assert (await archive.retain(rule)).pages == 1
    assert await pages_left(archive) == "bcd"
    assert len(await vectors_of(archive)) == 1


async def test_a_rule_without_limits_deletes_nothing(archive):
    await put(archive, "a", fetched_at="", noarchive=True)
    assert (await archive.retain(RetentionRule())).is_empty


async def test_many_old_pages_are_deleted_in_several_portions(tmp_path):
    archive = made("sqlite", tmp_path)
    await archive.open()
    for n in range(450):
        await archive.put_page(stored("a").model_copy(update={"sha": f"{n:064}"}), None)
    assert (await archive.retain(RetentionRule(pages_before=LIMIT))).pages == 450
    await archive.close()


async def test_the_space_of_forgotten_pages_is_returned_to_the_disk(tmp_path):
    archive = made("sqlite", tmp_path)
    await archive.open()
    noise = b"".join(n.to_bytes(4, "big") * 3 + bytes([n * 7 % 251]) for n in range(100_000))
    for n in range(10):
        await archive.put_page(stored("a").model_copy(update={"sha": f"{n:064}"}), noise + bytes([n]))
    before = (await archive.sizes())["bytes"]
    await archive.forget(Selection(host="example.org"))
    after = (await archive.sizes())["bytes"]
    await archive.close()
    assert after < before / 4
    [file] = [path for path in tmp_path.rglob("*") if path.suffix in (".db", ".sqlite", ".sqlite3")]
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)


@given(st.text("abc.", min_size=1, max_size=12), st.text("abc.", min_size=1, max_size=12))
def test_a_host_covers_itself_and_its_subdomains(host, other):
    covered = Selection(host=host).covers(f"http://{other}/")
    assert not covered or other.strip(".").endswith(host.removeprefix("www.").strip("."))


@pytest.mark.long
async def test_no_byte_of_the_database_files_holds_a_forgotten_finding_or_page(tmp_path):
    archive = made("sqlite", tmp_path)
    await archive.open()
    rng, mark = random.Random(9), "kessebohmer"
    for n in range(400):
        job_id, words = ("secret", f"{mark} {n}") if n % 2 else ("other", f"Granite {n}")
        claims = [f"{words} claim {i} " + "x" * rng.randrange(400) for i in range(3)]
        await index_with_vectors(archive, event(f"{job_id}:{n}", claims))
        if n % 5 == 0:  # written again with other findings, as a repeated delivery may
            await index_with_vectors(archive, event(f"{job_id}:{n}", claims[:1]))
        url = f"https://{mark if n % 2 else 'granite'}.example/{n}/" + "y" * rng.randrange(300)
        await archive.put_page(
            stored(f"{n:04x}"[-1], url=url).model_copy(update={"sha": f"{n:064x}"}), rng.randbytes(3000)
        )
    assert await archive.sizes()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(mark.encode() in path.read_bytes() for path in files)
    await archive.forget(Selection(jobs=["secret"]))
    await archive.forget(Selection(host=f"{mark}.example"))
    held = [
        path.name for path in tmp_path.rglob("*") if path.is_file() and mark.encode() in path.read_bytes()
    ]
    assert held == []
    kept = [found async for found, _ in await archive.vectors()]
    assert kept and all(found.command.startswith("other:") for found in kept)
    await archive.close()
