"""Observations of watches are kept with the pages that prove them, and forgotten on request."""

from datetime import UTC, datetime

import pytest

from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.core.config import Config
from research_crawler.core.models.archive.keeping import RetentionRule, Selection
from research_crawler.core.models.watches.watch import RunEntry
from tests.adapters.samples import page
from tests.planner.watches.watch_samples import NOW, a_reading, a_watch

PROOF, OTHER, LAST = "a" * 64, "b" * 64, "c" * 64


@pytest.fixture
async def archive(tmp_path):
    archive = SqlArchive(Config(home=tmp_path))
    await archive.open()
    yield archive
    await archive.close()


@pytest.fixture
async def watches(archive) -> SqlWatches:
    """One watch that saw a confirmed price, and then the same price again."""
    watches = SqlWatches(archive)
    await watches.add(a_watch(), next_due_ms=NOW)
    for number, sha in enumerate((PROOF, OTHER, LAST), 1):
        await archive.put_page(page(sha), b"raw")
        await watches.settle("watchaaaaaaa", "run", [a_reading(number, page_sha=sha)])
    return watches


async def test_the_pages_that_prove_a_change_outlive_all_others(archive, watches):
    await archive.retain(RetentionRule(pages_before="2100-01-01"))
    assert await archive.kept_pages([PROOF, OTHER, LAST]) == {PROOF, OTHER}
    kept = await watches.observations(watch="watchaaaaaaa")
    assert [one.page_sha for one in kept if one.proves] == [PROOF, OTHER]
    assert [one.confirmed for one in kept] == [True, True, True]


async def test_prices_of_a_page_are_forgotten_with_it(archive, watches):
    kept = await watches.observations()
    removed = await archive.forget(Selection(url="https://other.example/p"))
    assert removed.observations == 0
    removed = await archive.forget(Selection(url=kept[0].url))
    assert removed.observations == 3
    assert await watches.observations() == []


async def test_prices_from_before_a_day_are_forgotten(archive, watches):
    day = datetime.fromtimestamp(NOW / 1000, UTC)
    assert (await archive.forget(Selection(before=f"{day:%Y-%m-%d}"))).observations == 0
    assert (await archive.forget(Selection(before=f"{day.year + 1}-01-01"))).observations == 3


async def test_a_watch_is_forgotten_with_all_its_observations(watches):
    await watches.forget("watchaaaaaaa")
    assert await watches.get("watchaaaaaaa") is None
    assert await watches.observations() == []
    assert await watches.products("watchaaaaaaa") == []


async def test_a_second_claim_of_a_slot_does_nothing(watches):
    (entry,) = await watches.due(NOW)
    run = RunEntry(id="run1", watch=entry.watch.id, slot_ms=NOW, state="due", created_ms=NOW)
    assert await watches.claim([(entry, run, NOW + 1)]) == 1
    assert await watches.claim([(entry, run.model_copy(update={"id": "run2"}), NOW + 2)]) == 0
    assert [one.id for one in await watches.runs_of(entry.watch.id)] == ["run1"]
    assert (await watches.get(entry.watch.id)).next_due_ms == NOW + 1


def a_run(run: str, *, watch: str = "watchaaaaaaa", slot_ms: int = NOW, state: str = "done") -> RunEntry:
    return RunEntry(id=run, watch=watch, slot_ms=slot_ms, state=state)


async def test_old_runs_are_deleted_except_open_ones_and_the_newest_of_each_watch(archive, watches):
    await watches.put_run(a_run("old1", slot_ms=NOW - 3))
    await watches.put_run(a_run("old2", slot_ms=NOW - 2, state="failed"))
    await watches.put_run(a_run("open", slot_ms=NOW - 1, state="submitted"))
    await watches.put_run(a_run("new", slot_ms=NOW))
    await watches.put_run(a_run("only", watch="watchbbbbbbb", slot_ms=NOW - 4))
    seen = await watches.observations()
    rule = RetentionRule(runs_before_ms=NOW)
    assert (await archive.due(rule)).runs == 2
    assert (await archive.retain(rule)).runs == 2
    assert [run.id for run in await watches.runs_of("watchaaaaaaa")] == ["new", "open"]
    assert [run.id for run in await watches.runs_of("watchbbbbbbb")] == ["only"]
    assert await watches.observations() == seen
    assert (await archive.retain(rule)).is_empty


async def test_a_watch_whose_runs_are_all_old_keeps_its_last(archive, watches):
    for number in range(1_200):
        await watches.put_run(a_run(f"run{number}", slot_ms=NOW + number))
    assert (await archive.retain(RetentionRule())).is_empty
    assert (await archive.retain(RetentionRule(runs_before_ms=NOW + 10_000))).runs == 1_199
    assert [run.id for run in await watches.runs_of("watchaaaaaaa")] == ["run1199"]


async def test_a_slot_whose_run_is_no_longer_kept_is_not_run_again(archive, watches):
    for slot in (NOW, NOW + 1):
        (entry,) = await watches.due(NOW + 1)
        run = a_run(f"run{slot}", slot_ms=slot, state="due")
        assert await watches.claim([(entry, run, slot + 1)]) == 1
        await watches.mark_runs([run.id], "done", now_ms=slot)
    stale = entry
    assert (await archive.retain(RetentionRule(runs_before_ms=NOW + 5))).runs == 1
    assert await watches.claim([(stale, a_run("again", slot_ms=NOW, state="due"), NOW + 9)]) == 0
    assert await watches.get_run("again") is None


async def test_the_last_run_of_a_watch_is_the_newest_that_has_ended(watches):
    await watches.put_run(a_run("a1", slot_ms=NOW, state="done"))
    await watches.put_run(a_run("a2", slot_ms=NOW + 1, state="failed"))
    await watches.put_run(a_run("a3", slot_ms=NOW + 2, state="due"))
    await watches.put_run(a_run("b1", watch="watchbbbbbbb", state="submitted"))
    assert {watch: run.id for watch, run in (await watches.last_runs()).items()} == {"watchaaaaaaa": "a2"}


async def test_a_run_that_has_ended_stays_as_it_ended(watches):
    await watches.put_run(RunEntry(id="run1", watch="watchaaaaaaa", slot_ms=NOW, state="submitted"))
    await watches.mark_runs(["run1"], "done", now_ms=NOW + 5)
    await watches.mark_runs(["run1"], "failed", now_ms=NOW + 9, note="late")
    run = await watches.get_run("run1")
    assert (run.state, run.ended_ms, run.note) == ("done", NOW + 5, "")
