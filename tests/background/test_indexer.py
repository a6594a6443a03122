import asyncio
import os
import signal
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar

import pytest

from planner.brains.extractive.extractive_brain import RememberingEmbedder
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.memory_outbox import MemoryOutbox
from research_crawler.adapters.in_memory.vector_index import MemoryIndex
from research_crawler.adapters.qdrant_index import QdrantIndex
from research_crawler.adapters.redis import redis_outbox
from research_crawler.adapters.redis.redis_outbox import RedisOutbox
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.background import index_writer, indexer
from research_crawler.background.indexer import Indexer
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import NotStarted, StorageFull
from research_crawler.core.models.archive.keeping import Selection
from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.text.measures.embedded_text import embedded
from tests import warm
from tests.adapters.samples import DIMENSIONS, axis, event, finding

PROGRAM = Path(__file__).with_name("indexer_process.py")
PROJECT = Path(__file__).parents[2]


class Faulty:
    """Wraps a part, and raises the given errors in the first calls of one of its methods."""

    def __init__(self, part, method, errors):
        self._part, self._method, self._errors = part, method, list(errors)

    def __getattr__(self, name):
        found = getattr(self._part, name)
        if name != self._method:
            return found

        async def call(*arguments, **more):
            if self._errors:
                raise self._errors.pop(0)
            return await found(*arguments, **more)

        return call


@pytest.fixture
def outbox():
    return MemoryOutbox()


@pytest.fixture
def archive():
    return MemoryArchive()


@pytest.fixture
def index():
    return MemoryIndex()


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    monkeypatch.setattr(indexer, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(indexer, "LONGEST_WAIT_S", 0.02)
    monkeypatch.setattr(index_writer, "GATHER_COMMANDS_S", 0.01)
    monkeypatch.setattr(index_writer, "ASK_AGAIN_S", 0.01)
    monkeypatch.setattr(index_writer, "ASK_AGAIN_MOST_S", 0.02)


def indexer_of(*parts):
    return Indexer(*parts, embedder=HashEmbedder(DIMENSIONS))


@asynccontextmanager
async def running(*parts):
    task = asyncio.create_task(indexer_of(*parts).run())
    try:
        yield task
    finally:
        await end_tasks([task])


async def until_empty(outbox):
    async with asyncio.timeout(5):
        while outbox._entries or outbox.lacking:
            await asyncio.sleep(0.005)


async def test_an_event_is_stored_in_archive_and_index_and_removed_from_the_outbox(outbox, archive, index):
    outbox.add(event("job1:1", ["a", "b"]))
    async with running(outbox, archive, index):
        await until_empty(outbox)
        outbox.add(event("job1:2"))
        await until_empty(outbox)
    assert (await archive.sizes())["findings"] == 3
    assert await index.count() == 3


async def test_an_event_that_is_delivered_again_changes_nothing(outbox, archive, index):
    for _ in range(3):
        outbox.add(event("job1:1", ["a", "b"]))
    async with running(outbox, archive, index):
        await until_empty(outbox)
    assert await index.count() == 2


async def test_an_event_without_a_command_is_acknowledged(outbox, archive, index):
    outbox.add(event().model_copy(update={"command": "", "findings": []}))
    async with running(outbox, archive, index):
        await until_empty(outbox)
    assert ((await archive.sizes())["findings"], await index.count()) == (0, 0)


@pytest.mark.parametrize("broken", ["archive", "index", "outbox read", "outbox postpone"])
async def test_an_entry_that_failed_is_tried_again_and_nothing_is_lost(
    outbox, archive, index, broken, caplog
):
    outbox.add(event("job1:1", ["a", "b"]))
    faults = [NotStarted("away"), RuntimeError("unforeseen")]
    parts = {
        "archive": (outbox, Faulty(archive, "index_event", faults), index),
        "index": (outbox, archive, Faulty(index, "replace", faults)),
        "outbox read": (Faulty(outbox, "read", faults), archive, index),
        "outbox postpone": (Faulty(outbox, "postpone", faults), archive, index),
    }[broken]
    caplog.set_level("INFO")
    async with running(*parts):
        await until_empty(outbox)
    assert await index.count() == 2
    assert len([entry for entry in caplog.records if entry.levelname in ("WARNING", "ERROR")]) == 2


async def test_an_event_that_always_fails_does_not_hold_up_the_others(outbox, archive, index):
    class Picky(MemoryIndex):
        async def replace(self, command, findings, vectors):
            if command == "job1:1":
                raise RuntimeError("never")
            await super().replace(command, findings, vectors)

    picky = Picky()
    outbox.add(event("job1:1"))
    async with running(outbox, archive, picky):
        for n in range(2, 5):
            outbox.add(event(f"job1:{n}"))
            async with asyncio.timeout(5):
                while await picky.count() < n - 1:
                    await asyncio.sleep(0.005)
    assert (outbox._entries, list(outbox.lacking)) == ({}, ["job1:1"])
    assert (await archive.sizes())["findings"] == 4


class Away(MemoryIndex):
    """A vector index whose server does not answer until it is started."""

    def __init__(self):
        super().__init__()
        self.is_up, self.calls = False, 0

    def _check(self):
        self.calls += 1
        if not self.is_up:
            raise NotStarted("Qdrant at http://127.0.0.1:9 does not answer")

    async def replace(self, command, findings, vectors):
        self._check()
        await super().replace(command, findings, vectors)

    async def count(self):
        self._check()
        return await super().count()


async def test_findings_reach_the_archive_while_the_index_is_away_and_the_index_catches_up(
    outbox, archive, caplog
):
    away = Away()
    caplog.set_level("INFO")
    async with running(outbox, archive, away, away.count):
        for n in range(20):
            outbox.add(event(f"job1:{n}", ["a", "b"]))
        async with asyncio.timeout(5):
            while outbox._entries:
                await asyncio.sleep(0.005)
        assert (await archive.sizes())["findings"] == 40
        assert len(outbox.lacking) == 20
        away.is_up = True
        await until_empty(outbox)
        assert await away.count() == 40
        outbox.add(event("job2:1"))
        await until_empty(outbox)
    assert await away.count() == 41
    assert len([line for line in caplog.messages if "does not answer; findings are kept" in line]) == 1


async def test_a_process_that_ends_first_gives_archive_and_index_what_its_jobs_have_found(
    outbox, archive, index, monkeypatch
):
    monkeypatch.setattr(index_writer, "GATHER_COMMANDS_S", 60)  # longer than the process lives
    for n in range(60):
        outbox.add(event(f"job{n}:1", ["Grass is green"]))
    indexer_ = indexer_of(outbox, archive, index)
    task = asyncio.create_task(indexer_.run())
    await asyncio.wait_for(indexer_.finish(), 5)
    await end_tasks([task])
    assert (outbox._entries, list(outbox.lacking), await index.count()) == ({}, [], 60)


async def test_a_process_that_ends_does_not_wait_for_an_index_that_is_away(outbox, archive):
    for n in range(5):
        outbox.add(event(f"job{n}:1"))
    indexer_ = indexer_of(outbox, archive, Away())
    task = asyncio.create_task(indexer_.run())
    await asyncio.wait_for(indexer_.finish(), 1)
    await end_tasks([task])
    assert (outbox._entries, len(outbox.lacking)) == ({}, 5)
    assert (await archive.sizes())["findings"] == 5


async def test_what_the_index_missed_is_caught_up_by_the_next_process(outbox, archive):
    outbox.add(event("job1:1", ["a", "b"]))
    await indexer_of(outbox, archive, Away()).index_some()
    assert (outbox._entries, list(outbox.lacking)) == ({}, ["job1:1"])
    index = MemoryIndex()
    async with running(outbox, archive, index):
        await until_empty(outbox)
    assert await index.count() == 2


async def test_a_command_that_is_forgotten_before_the_index_is_back_never_reaches_it(outbox, archive):
    away = Away()
    indexer_ = indexer_of(outbox, archive, away)
    for command in ("job1:1", "job2:1"):
        outbox.add(event(command))
    await indexer_.index_some()
    await archive.forget(Selection(jobs=["job1"]))
    away.is_up = True
    async with running(outbox, archive, away):
        await until_empty(outbox)
    assert [key for key, _ in await away.search(axis(0))] == [finding("job2:1").id]


async def test_a_qdrant_that_does_not_answer_costs_no_finding(redis_client, tmp_path):
    config = load_core_config(home=tmp_path, qdrant_url="http://127.0.0.1:9")
    outbox, archive = RedisOutbox(redis_client), SqlArchive(config)
    await archive.open()
    index = QdrantIndex(config, dimensions=DIMENSIONS)
    for n in range(5):
        await redis_client.xadd(outbox.keys.outbox, {"event": event(f"job1:{n}", ["a", "b"]).to_wire()})
    assert await indexer_of(outbox, archive, index).index_some() == 5
    assert (await archive.sizes())["findings"] == 10
    assert await redis_client.xlen(outbox.keys.outbox) == 0
    assert await outbox.count_postponed() == 5
    local = QdrantIndex(load_core_config(home=tmp_path), dimensions=DIMENSIONS)
    async with running(outbox, archive, local), asyncio.timeout(20):
        while await outbox.count_postponed():
            await asyncio.sleep(0.01)
    assert await local.count() == 10
    await local.close()
    await archive.close()


async def test_a_full_disk_is_warned_of_once_and_the_entries_stay(outbox, archive, index, caplog):
    outbox.add(event())
    full = Faulty(archive, "index_event", [StorageFull("free some space")] * 5)
    caplog.set_level("INFO")
    async with running(outbox, full, index):
        await asyncio.sleep(0.02)
        assert outbox._entries
        await until_empty(outbox)
    assert [line.partition(" (")[0] for line in caplog.messages] == [
        "indexing waits for free disk space; nothing is lost"
    ]


async def test_a_cancelled_indexer_ends_at_once_and_unfinished_entries_stay(outbox, archive, index):
    class Slow(MemoryIndex):
        async def replace(self, command, findings, vectors):
            await asyncio.sleep(60)

    outbox.add(event(claims=[]))
    async with running(outbox, archive, Slow()) as task:
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 1)
    assert outbox._entries


async def test_the_real_parts_work_together(redis_client, tmp_path):
    outbox = RedisOutbox(redis_client)
    archive = SqlArchive(load_core_config(home=tmp_path))
    await archive.open()
    index = QdrantIndex(load_core_config(home=tmp_path), dimensions=DIMENSIONS)
    for n in range(30):
        await redis_client.xadd(outbox.keys.outbox, {"event": event(f"job1:{n}", ["a", "b"]).to_wire()})
    async with running(outbox, archive, index), asyncio.timeout(20):
        while await redis_client.xlen(outbox.keys.outbox) or await outbox.count_postponed():
            await asyncio.sleep(0.01)
    assert (await archive.sizes())["findings"] == 60
    assert await index.count() == 60
    await index.close()
    await archive.close()


async def test_an_indexer_that_talks_to_redis_ends_when_it_is_cancelled_once(redis_client, archive, index):
    """Its two loops are a task group, which hands on one cancellation and no second one."""
    for turns in range(120):
        task = asyncio.create_task(indexer_of(RedisOutbox(redis_client), archive, index).run())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=5)
        assert done, f"lost a cancellation after {turns} turns of the loop"


@pytest.mark.parametrize("failpoint", ["before-index:1", "before-index:3", "mid-index:1", "mid-index:4"])
async def test_another_indexer_finishes_what_a_killed_one_had_begun(
    redis_client, redis_url, tmp_path, monkeypatch, failpoint
):
    outbox = RedisOutbox(redis_client)
    for n in range(5):
        await redis_client.xadd(outbox.keys.outbox, {"event": event(f"job1:{n}", ["a", "b"]).to_wire()})
    environment = os.environ | {"PYTHONPATH": str(PROJECT), "RESEARCH_FAILPOINT": failpoint}
    killed = await asyncio.to_thread(
        warm.run, [PROGRAM, redis_url, tmp_path], cwd=tmp_path, env=environment, timeout=60
    )
    assert killed.returncode == -signal.SIGKILL
    assert await redis_client.xlen(outbox.keys.outbox) == 5

    monkeypatch.setattr(redis_outbox, "IDLE_MS", 0)
    archive, index = SqlArchive(load_core_config(home=tmp_path)), MemoryIndex()
    await archive.open()
    indexer_ = indexer_of(outbox, archive, index)
    await indexer_.index_some()
    assert await redis_client.xlen(outbox.keys.outbox) == 0
    await indexer_.finish()
    assert (await archive.sizes())["findings"] == await index.count() == 10
    await archive.close()


def forgetting(kind, method, outbox, command):
    """A part during whose first writes a user forgets a command."""

    async def write(self, *arguments):
        await getattr(kind, method)(self, *arguments)
        outbox.gone.add(command)

    return type(kind.__name__, (kind,), {method: write})()


@pytest.mark.parametrize("written", ["archive", "index"])
async def test_a_command_that_is_forgotten_while_it_is_indexed_is_removed_again(outbox, written):
    archive, index = MemoryArchive(), MemoryIndex()
    if written == "archive":
        archive = forgetting(MemoryArchive, "index_event", outbox, "job1:1")
    else:
        index = forgetting(MemoryIndex, "replace", outbox, "job1:1")
    outbox.add(event("job1:1", ["a", "b"]))
    outbox.add(event("job2:1", ["c"]))
    async with running(outbox, archive, index):
        await until_empty(outbox)
    assert await index.count() == 1
    if written == "archive":  # what it had written before, the user's own command deletes
        assert [found.command async for found, _ in await archive.vectors()] == ["job2:1"]


async def test_the_index_in_memory_of_a_running_process_drops_what_another_one_forgets(
    redis_client, tmp_path
):
    outbox, archive = RedisOutbox(redis_client), SqlArchive(load_core_config(home=tmp_path))
    index = QdrantIndex(load_core_config(home=tmp_path), dimensions=DIMENSIONS)
    await archive.open()
    for command in ("job1:1", "job2:1"):
        await redis_client.xadd("research:outbox", {"event": event(command).to_wire()})
    indexer = indexer_of(outbox, archive, index)
    assert await indexer.index_some() == 2
    await indexer.finish()
    removal = await archive.forget(Selection(jobs=["job1"]))
    await outbox.put_empty(removal.commands)
    assert await index.count() == 2
    assert await indexer.index_some() == 1
    assert [key for key, _ in await index.search(axis(0))] == [finding("job2:1").id]
    await index.close()
    await archive.close()


async def test_findings_that_come_without_vectors_get_theirs_behind_the_jobs_in_one_call(
    outbox, archive, index
):
    embedder, asked = HashEmbedder(DIMENSIONS), []
    embed = embedder.embed

    async def counted(texts):
        asked.append(len(texts))
        return await embed(texts)

    embedder.embed = counted
    for n in range(20):
        outbox.add(event(f"job{n}:1", ["Grass is green", "Snow is white"]))
    indexer_ = Indexer(outbox, archive, index, embedder=embedder)
    task = asyncio.create_task(indexer_.run())
    await until_empty(outbox)
    await end_tasks([task])
    assert (await index.count(), asked) == (40, [40])
    [wanted] = await embed(["Snow is white\nGrass is green."])
    assert (await index.search(wanted))[0][1] == pytest.approx(1.0, abs=1e-3)
    assert len([vector async for _, vector in await archive.vectors()]) == 40


async def test_a_text_that_cannot_be_embedded_holds_up_no_vectors_of_others(outbox, archive, index):
    embedder = HashEmbedder(DIMENSIONS)
    embed = embedder.embed

    async def refusing(texts):
        if any("unreadable" in text for text in texts):
            raise TypeError("this text has no tokens")
        return await embed(texts)

    embedder.embed = refusing
    for n in range(5):
        outbox.add(event(f"job{n}:1", ["unreadable" if n == 3 else "Grass is green"]))
    task = asyncio.create_task(Indexer(outbox, archive, index, embedder=embedder).run())
    async with asyncio.timeout(10):
        while await index.count() < 4:
            await asyncio.sleep(0.02)
    await end_tasks([task])
    assert (await archive.sizes())["findings"] == 5


async def test_findings_without_vectors_are_kept_while_no_vectors_can_be_made(outbox, archive, index):
    embedder = Faulty(HashEmbedder(DIMENSIONS), "embed", [NotStarted("no model")] * 3)
    outbox.add(event())
    task = asyncio.create_task(Indexer(outbox, archive, index, embedder=embedder).run())
    await until_empty(outbox)
    await end_tasks([task])
    assert ((await archive.sizes())["findings"], await index.count()) == (1, 1)


class Counting(HashEmbedder):
    """Knows what it was asked for."""

    asked: ClassVar[list[str]] = []

    async def embed(self, texts):
        self.asked.extend(texts)
        return await super().embed(texts)


async def test_the_vector_of_an_excerpt_is_that_by_which_it_was_compared(outbox, archive, index):
    remembering = RememberingEmbedder(Counting(DIMENSIONS))
    excerpt = finding(claim="It is 43 m tall.").model_copy(update={"quote": "It is 43 m tall."})
    await remembering.embed([embedded(excerpt.claim)])
    outbox.add(event().model_copy(update={"findings": [excerpt]}))
    task = asyncio.create_task(Indexer(outbox, archive, index, embedder=remembering).run())
    await until_empty(outbox)
    await end_tasks([task])
    assert Counting.asked == [embedded(excerpt.claim)]
    assert await index.count() == 1


def test_a_quote_and_its_own_words_are_embedded_once():
    listing = finding(claim="Run this: git push").model_copy(
        update={"quote": "Run this:\n\n```\ngit push\n```"}
    )
    assert index_writer.embedded_text(listing) == "Run this: git push"
    inside = finding(claim="It runs.").model_copy(update={"quote": "Yes. It runs."})
    assert index_writer.embedded_text(inside) == "Yes. It runs."
    reworded = finding(claim="The pump is loud.").model_copy(update={"quote": "It makes a lot of noise."})
    assert index_writer.embedded_text(reworded) == "The pump is loud.\nIt makes a lot of noise."
