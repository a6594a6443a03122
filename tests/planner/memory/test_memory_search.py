"""Searching the findings of all jobs: in the vector index, and by words in either archive."""

import pytest

from planner.memory.memory_search import MemorySearch, by_words
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.vector_index import MemoryIndex
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.core.config import load_core_config
from research_crawler.core.models.archive.memory import FindingFilter, MemoryQuery
from tests.adapters import samples

CLAIMS = ("Grass is green because of chlorophyll", "Snow is white", "Moss is green too, and soft")


def event(command, claims):
    """A page that says these sentences."""
    made = samples.event(command, claims)
    return made.model_copy(
        update={"findings": [f.model_copy(update={"quote": f.claim}) for f in made.findings]}
    )


@pytest.fixture(params=["sql", "memory"])
async def archive(request, tmp_path):
    archive = MemoryArchive() if request.param == "memory" else SqlArchive(load_core_config(home=tmp_path))
    await archive.open()
    await samples.index_with_vectors(archive, event("job1:1", CLAIMS))
    await samples.index_with_vectors(archive, event("job2:1", ("Chlorophyll absorbs red light 100%",)))
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
    search = MemorySearch(archive, HashEmbedder(dimensions=samples.DIMENSIONS), lambda: index)
    query = MemoryQuery(text="chlorophyll in grass")
    hits = (await search.by_meaning(query)).hits
    assert CLAIMS[0] in [hit.finding.claim for hit in hits]
    await archive.retract("job1", [hit.finding.id for hit in hits if hit.finding.claim == CLAIMS[0]])
    assert CLAIMS[0] not in [hit.finding.claim for hit in (await search.by_meaning(query)).hits]
    assert CLAIMS[0] not in await found(archive, "chlorophyll in grass")


async def test_a_process_without_an_index_says_so(archive):
    assert await MemorySearch(archive, HashEmbedder()).by_meaning(MemoryQuery(text="grass")) is None


async def test_the_same_quote_of_a_page_is_one_hit_that_names_the_other_jobs_too(archive):
    await samples.index_with_vectors(archive, event("job3:1", CLAIMS))
    index = MemoryIndex()
    await index.rebuild(archive)
    search = MemorySearch(archive, HashEmbedder(dimensions=samples.DIMENSIONS), lambda: index)
    query = MemoryQuery(text="snow is white")
    for answer in (await search.by_meaning(query), await by_words(archive, query)):
        hits = [hit for hit in answer.hits if hit.finding.claim == CLAIMS[1]]
        assert [{hit.job, *hit.other_jobs} for hit in hits] == [{"job1", "job3"}]


@pytest.mark.parametrize("text", ["xqzt blorf wibble", "the of and", "green elephants dance on mars"])
async def test_a_query_about_nothing_that_is_known_finds_nothing(archive, embedder, text):
    index = MemoryIndex()
    findings = [
        event("job1:1", CLAIMS).findings,
        event("job2:1", ("Chlorophyll absorbs red light",)).findings,
    ]
    for command, some in zip(("job1:1", "job2:1"), findings, strict=True):
        await index.replace(command, some, await embedder.embed([one.claim for one in some]))
    search = MemorySearch(archive, embedder, lambda: index)
    assert (await search.by_meaning(MemoryQuery(text=text))).hits == []
    assert (await by_words(archive, MemoryQuery(text=text))).hits == []
    assert (await search.by_meaning(MemoryQuery(text="why are plants green"))).hits


@pytest.mark.parametrize(("asked", "other"), [("C1", "Duo"), ("Duo", "C1")])
async def test_what_is_said_of_a_sibling_stands_behind(archive, asked, other):
    said = {
        asked: f"Descale the Corva {asked} with one sachet and a litre of water.",
        other: f"To descale the Brunholt Corva {other}, descale it with the descaler in its tank.",
    }
    for name in (other, asked):
        await samples.index_with_vectors(archive, event(f"{name}:1", (said[name],)))
    question = f"How do I descale the Brunholt Corva {asked}?"
    assert (await found(archive, question))[0] == said[asked]
