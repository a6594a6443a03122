"""The overview of all watches, on a real archive."""

import pytest

from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.adapters.sql.stores.watch_store import SqlWatches
from research_crawler.core.config import Config
from research_crawler.core.models.watches.watch import RunEntry
from research_crawler.services.watch_control import Overview, overview
from tests.planner.watches.watch_samples import NOW, a_watch


@pytest.fixture
async def watches(tmp_path):
    archive = SqlArchive(Config(home=tmp_path))
    await archive.open()
    yield SqlWatches(archive)
    await archive.close()


async def ran(watches: SqlWatches, watch: str, slot_ms: int, state: str, note: str = "") -> None:
    run = RunEntry(id=f"{watch}{slot_ms - NOW}"[-12:], watch=watch, slot_ms=slot_ms, state=state, note=note)
    await watches.put_run(run)


async def test_the_overview_names_the_next_watch_and_those_whose_last_run_failed(watches):
    for letter, due_ms in (("a", NOW + 9), ("b", NOW + 5), ("c", NOW), ("d", NOW + 1)):
        await watches.add(a_watch(id=letter * 12, name=f"watch {letter}"), next_due_ms=due_ms)
    await watches.set_state("c" * 12, "paused", next_due_ms=None)
    await watches.set_state("d" * 12, "removed", next_due_ms=None)
    await ran(watches, "a" * 12, NOW, "failed", "late")
    await ran(watches, "a" * 12, NOW + 1, "done")
    await ran(watches, "b" * 12, NOW, "done")
    await ran(watches, "b" * 12, NOW + 1, "failed", "too long")
    await ran(watches, "c" * 12, NOW, "failed")
    seen = await overview(watches)
    assert (seen.active, seen.paused) == (2, 1)
    assert seen.next_watch is not None
    assert seen.next_watch.watch.name == "watch b"
    assert [(watch.name, run.note) for watch, run in seen.failed] == [("watch b", "too long")]


async def test_without_watches_the_overview_is_empty(watches):
    assert await overview(watches) == Overview()
