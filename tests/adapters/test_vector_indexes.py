"""One suite for the vector index in Qdrant and the one in memory."""

import math
import subprocess
import sys

import pytest

from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.vector_index import MemoryIndex
from research_crawler.adapters.qdrant_index import QdrantIndex
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import NotStarted
from research_crawler.core.models.archive.memory import FindingFilter
from tests.adapters.samples import DIMENSIONS, axis, event, finding, index_with_vectors
from tests.cases import each_case

pytestmark = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect"
)  # of a server that is not one


class AsOnAServer(QdrantIndex):
    """What is sent to a server, answered by Qdrant's local mode, which has the same vectors, filters and fusion."""

    def _connect(self):
        from qdrant_client import QdrantClient  # not by every process that collects tests, for a second

        return QdrantClient(":memory:")


@pytest.fixture(params=["qdrant", "server", "memory"])
async def index(request, tmp_path):
    index = MemoryIndex()
    if request.param == "qdrant":
        index = QdrantIndex(load_core_config(home=tmp_path), dimensions=DIMENSIONS)
    elif request.param == "server":
        config = load_core_config(home=tmp_path, qdrant_url="http://127.0.0.1:1")
        index = AsOnAServer(config, dimensions=DIMENSIONS)
    yield index
    await index.close()


@pytest.fixture
async def local(tmp_path):
    index = QdrantIndex(load_core_config(home=tmp_path), dimensions=DIMENSIONS)
    yield index
    await index.close()


async def replace(index, command, vectors):
    await index.replace(command, [finding(command, n) for n in range(len(vectors))], vectors)


async def test_an_index_starts_empty(index):
    assert await index.count() == 0
    assert await index.search(axis(0)) == []


async def test_the_nearest_findings_come_first_with_their_cosine(index):
    between = [math.sqrt(0.5), math.sqrt(0.5), *[0.0] * (DIMENSIONS - 2)]
    await replace(index, "job1:1", [axis(1), between, axis(0)])
    found = await index.search(axis(0), limit=2)
    assert [key for key, _ in found] == [finding("job1:1", 2).id, finding("job1:1", 1).id]
    assert [score for _, score in found] == pytest.approx([1.0, math.sqrt(0.5)], abs=1e-5)


async def test_the_length_of_a_vector_does_not_matter(index):
    await replace(index, "job1:1", [[3 * x for x in axis(0)]])
    assert (await index.search([5 * x for x in axis(0)]))[0][1] == pytest.approx(1.0, abs=1e-5)


async def test_a_command_is_replaced_as_a_whole(index):
    await replace(index, "job1:1", [axis(0), axis(1), axis(2)])
    await replace(index, "job1:2", [axis(3)])
    await replace(index, "job1:1", [axis(4)])
    assert await index.count() == 2
    assert {key for key, _ in await index.search(axis(4))} == {finding("job1:1").id, finding("job1:2").id}


async def test_repeating_a_replace_changes_nothing(index):
    for _ in range(3):
        await replace(index, "job1:1", [axis(0), axis(1)])
    assert await index.count() == 2


async def test_a_command_without_findings_leaves_nothing(index):
    await replace(index, "job1:1", [axis(0)])
    await replace(index, "job1:1", [])
    assert await index.count() == 0


async def test_a_search_can_be_limited_to_one_job(index):
    await replace(index, "job1:1", [axis(0)])
    await replace(index, "job2:1", [axis(0)])
    assert [key for key, _ in await index.search(axis(0), job="job2")] == [finding("job2:1").id]


async def spoken(index, *claims, command="job1:1", **more):
    """Index these claims, each on an axis of its own."""
    found = [finding(command, n, claim=claim, **more) for n, claim in enumerate(claims)]
    await index.replace(command, found, [axis(n) for n in range(len(claims))])
    return [one.id for one in found]


async def test_what_only_the_words_or_only_the_meaning_finds_is_found(index):
    grass, snow, hail = await spoken(
        index, "Chlorophyll colours grass", "Snow is white", "Hail is frozen rain"
    )
    found = await index.recall(axis(2), "the colour of chlorophyll", limit=2)
    assert {match.id for match in found} == {grass, hail}
    assert {match.id: round(match.similarity, 3) for match in found} == {grass: 0.0, hail: 1.0}
    assert await index.recall(axis(1), "of the", limit=1) == await index.recall(axis(1), "", limit=1)
    assert (await index.recall(axis(1), "snow", limit=1))[0].id == snow


async def test_a_finding_that_both_rankings_have_comes_before_one_that_only_one_has(index):
    _, both, _ = await spoken(index, "Rare word: zeugma", "A zeugma joins two nouns", "Nothing")
    assert (await index.recall(axis(1), "zeugma", limit=3))[0].id == both


@each_case(
    ("where", "expected"),
    [
        ({}, {"a", "b", "c"}),
        ({"job": "job2"}, {"b", "c"}),
        ({"kind": "warning"}, {"c"}),
        ({"host": "example.org"}, {"a", "b"}),
        ({"host": "docs.example.org"}, {"b"}),
        ({"since": "2026-03-01"}, {"b"}),
        ({"since": "2026-03-01", "host": "example.com"}, set()),
    ],
)
async def test_a_search_of_the_memory_can_be_narrowed(index, where, expected):
    samples = {
        "a": ("job1:1", "https://example.org/a", "2026-01-05T10:00:00+00:00", "key_fact"),
        "b": ("job2:1", "https://docs.example.org/b", "2026-03-01T00:00:00+00:00", "key_fact"),
        "c": ("job2:2", "https://example.com/c", "2026-02-27T23:59:59+00:00", "warning"),
    }
    for name, (command, url, day, kind) in samples.items():
        found = finding(command, claim=name).model_copy(update={"url": url, "fetched_at": day, "kind": kind})
        await index.replace(command, [found], [axis(0)])
    ids = {finding(command).id: name for name, (command, *_) in samples.items()}
    found = await index.recall(axis(0), "grass", where=FindingFilter(**where))
    assert {ids[match.id] for match in found} == expected


async def test_the_index_is_rebuilt_from_the_archive(local):
    archive = MemoryArchive()
    for n in range(60):
        await index_with_vectors(archive, event(f"job1:{n}", ["claim"] * 5))
    await replace(local, "gone:1", [axis(0)])
    assert await local.rebuild(archive) == 300
    assert await local.count() == 300
    await replace(local, "job1:7", [axis(1)])
    assert await local.count() == 296


class ChangingArchive(MemoryArchive):
    """An archive where a command is indexed again while the index is being rebuilt."""

    def __init__(self, index):
        super().__init__()
        self.index = index

    async def vectors(self):
        async def read():
            found = [entry async for entry in await super(ChangingArchive, self).vectors()]
            await replace(self.index, "job1:1", [axis(7)])
            for entry in found:
                yield entry

        return read()


async def test_a_command_that_is_indexed_during_a_rebuild_keeps_its_newest_findings(local):
    archive = ChangingArchive(local)
    await index_with_vectors(archive, event("job1:1", ["a", "b", "c"]))
    await index_with_vectors(archive, event("job1:2", ["a"]))
    await local.rebuild(archive)
    assert await local.count() == 2
    assert (await local.search(axis(7), limit=1))[0] == (finding("job1:1").id, pytest.approx(1.0))


async def test_vectors_of_another_embedding_model_are_left_out(local):
    await local.replace("job1:1", [finding()], [[1.0, 0.0]])
    assert await local.count() == 0
    archive = MemoryArchive()
    await index_with_vectors(archive, event())
    other = QdrantIndex(load_core_config(), dimensions=DIMENSIONS + 1)
    assert await other.rebuild(archive) == 0
    await other.close()


async def test_points_have_the_payload_that_other_readers_of_the_collection_need(local):
    await local.replace("job1:1", [finding(fetched_at="2026-01-01")], [axis(0)])
    points, _ = local._opened.scroll(local._collection)
    assert points[0].payload == {
        "sourceURL": "https://example.org/a",
        "extractedAt": "2026-01-01",
        "contentType": "web_research",
        "job": "job1",
        "command": "job1:1",
        "finding": finding().id,
        "kind": "key_fact",
        "hosts": ["example.org", "org"],
    }


async def test_a_server_that_does_not_answer_gives_one_line_that_says_what_to_do(tmp_path):
    index = QdrantIndex(
        load_core_config(home=tmp_path, qdrant_url="http://127.0.0.1:1"), dimensions=DIMENSIONS
    )
    with pytest.raises(NotStarted, match="QDRANT_URL"):
        await index.search(axis(0))
    await index.close()


def test_importing_the_adapter_does_not_import_the_client():
    program = "import sys, research_crawler.adapters.qdrant_index; sys.exit('qdrant_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
