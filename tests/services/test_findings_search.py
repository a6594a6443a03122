"""A search of the memory in a process without the vector index, beside one that has it and beside none."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from research_crawler.adapters.redis.memory_queries import MemoryQueries
from research_crawler.adapters.redis.presence import INDEX, Presence
from research_crawler.configuration import load_system_config
from research_crawler.core.errors import NotStarted
from research_crawler.core.models.archive.memory import MemoryAnswer
from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.runtime.runtime import Runtime, running
from research_crawler.services.findings_search import (
    NO_INDEX_NOTE,
    memory_query,
    rebuild_memory,
    search_memory,
)

QUERY = memory_query("how loud is a heat pump")


@pytest.fixture
async def reader(tmp_path) -> AsyncIterator[Runtime]:
    """A process that joins another one's Redis, as `research serve` does."""
    config = load_system_config(home=tmp_path / "home")
    async with (
        running(config, crawl=False, plan=False),
        running(config, crawl=False, plan=False, may_own=False) as runtime,
    ):
        yield runtime


async def questions_asked(reader) -> int:
    """How many questions were ever put to the memory of another process."""
    told = await reader.container.folder.redis.info("commandstats")
    return int(told.get("cmdstat_rpush", {}).get("calls", 0))


async def test_nobody_is_asked_where_no_process_has_the_index_open(reader):
    before = await questions_asked(reader)
    answer = await search_memory(reader, QUERY)
    assert (answer.by, answer.note) == ("words", NO_INDEX_NOTE)
    assert await reader.container.memory.ask(QUERY) is None
    with pytest.raises(NotStarted, match="no process has the vector index open"):
        await rebuild_memory(reader)
    assert await questions_asked(reader) == before


async def test_the_process_that_says_that_it_has_the_index_is_asked(reader):
    async def answer(query):
        return MemoryAnswer(query=f"heard: {query.text}", hits=[])

    redis, prefix = reader.container.folder.redis, reader.config.redis_prefix
    await Presence(redis, prefix=prefix).enter(INDEX)
    answering = asyncio.create_task(MemoryQueries(redis, prefix=prefix).answer_all(answer))
    try:
        found = await reader.container.memory.ask(QUERY)
        assert found is not None
        assert found.query == f"heard: {QUERY.text}"
    finally:
        await end_tasks([answering])
