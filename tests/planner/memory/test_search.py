"""Searching the findings of all jobs: in the vector index, and by words in either archive."""

import pytest

from planner.memory.search import MemorySearch, by_words
from research_crawler.adapters.memory.archive import MemoryArchive
from research_crawler.adapters.memory.embedder import HashEmbedder
from research_crawler.adapters.memory.vector_index import MemoryIndex
from research_crawler.adapters.sql.archive import SqlArchive
from research_crawler.core.config import load_config
from research_crawler.core.models.memory import FindingFilter, MemoryQuery
from tests.adapters.samples import event

CLAIMS = ("Grass is green because of chlorophyll", "Snow is white", "Moss is green too, and soft")


@pytest.fixture(params=["sql", "memory"])
async def archive(request, tmp_path):
    archive = MemoryArchive() if request.param == "memory" else SqlArchive(load_config(home=tmp_path))
    await archive.open()
    await archive.index_event(event("job1:1", CLAIMS))
    await archive.index_event(event("job2:1", ("Chlorophyll absorbs red light 100%",)))
    yield archive
    await archive.close()


async def found(archive, text, limit=10, **where):
    answer = await by_words(archive, MemoryQuery(text=text, where=FindingFilter(**where), limit=limit))
    return [hit.finding.claim for hit in answer.hits]


async def test_words_find_the_findings_with_the_rarest_of_them_first(archive):
    assert await found(archive, "Is chlorophyll why moss is soft?", limit=1) == [CLAIMS[2]]
    assert await found(archive, "nothing of this") == []
    assert await found(archive, "the of and") == []


async def test_words_are_no_patterns(archive):
    assert await found(archive, "_0% absorbing") == ["Chlorophyll absorbs red light 100%"]
    assert await found(archive, "%") == []


async def test_a_search_by_words_is_narrowed_like_one_by_meaning(archive):
    assert await found(archive, "chlorophyll", job="job2") == ["Chlorophyll absorbs red light 100%"]
    assert await found(archive, "chlorophyll", host="org") == await found(archive, "chlorophyll")
    assert await found(archive, "chlorophyll", host="ample.org") == []
    assert await found(archive, "chlorophyll", kind="warning") == []
    assert await found(archive, "chlorophyll", since="2026-01-01") == []


async def test_what_a_person_rejected_is_found_neither_by_words_nor_by_meaning(archive):
    index = MemoryIndex()
    await index.rebuild(archive)
    search = MemorySearch(archive, HashEmbedder(dimensions=8), lambda: index)
    query = MemoryQuery(text="chlorophyll in grass")
    hits = (await search.by_meaning(query)).hits
    assert CLAIMS[0] in [hit.finding.claim for hit in hits]
    await archive.retract("job1", [hit.finding.id for hit in hits if hit.finding.claim == CLAIMS[0]])
    assert CLAIMS[0] not in [hit.finding.claim for hit in (await search.by_meaning(query)).hits]
    assert CLAIMS[0] not in await found(archive, "chlorophyll in grass")


async def test_a_process_without_an_index_says_so(archive):
    assert await MemorySearch(archive, HashEmbedder()).by_meaning(MemoryQuery(text="grass")) is None
