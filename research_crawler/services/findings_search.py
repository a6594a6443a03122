"""Searches the findings of all jobs, and makes the vector index anew, for every interface.

A local Qdrant lives in the memory of the process that owns the data folder, so other processes ask that one over Redis.
A process that owns the folder itself and has no index open, as `research memory search` alone, makes one for its
question. Where neither is possible, words are compared in the archive, and the answer says so.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from planner.job.factory import MAX_GOAL_BYTES, encoded
from planner.memory.memory_search import MemorySearch, by_words
from research_crawler.background.index_writer import IndexWriter
from research_crawler.core.errors import NotStarted, UsageError
from research_crawler.core.models.archive.memory import EVERYTHING, FindingFilter, MemoryAnswer, MemoryQuery
from research_crawler.core.ports.archives import VectorIndex
from research_crawler.core.ports.models import Embedder
from research_crawler.core.text.translatable import translatable
from research_crawler.core.web.urls import ascii_host
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.doctor.store_checks import LOCAL_INDEX_POINTS

REBUILD_WITHIN_S = 600.0
"""How long the vector index may take to be made anew."""
BUSY_NOTE = "the process with the vector index did not answer in 2 s, so only words were compared"
NO_INDEX_NOTE = "no process has the vector index open, so only words were compared; `research up` opens it"
LARGE_NOTE = "the archive is large and no process has its vector index open, so only words were compared"


def memory_query(text: str, *, where: FindingFilter = EVERYTHING, limit: int = 10) -> MemoryQuery:
    """A checked search of the memory.

    Raises:
        UsageError: the query is empty or too long, or the host is no host name.
    """
    if not text.strip():
        raise UsageError(translatable("the query is empty; say what to look for in the memory"))
    if len(encoded("query", text)) > MAX_GOAL_BYTES:
        raise UsageError(
            translatable(
                "the query is longer than %(most)s bytes; say it in fewer words", most=MAX_GOAL_BYTES
            )
        )
    host = ascii_host(where.host) if where.host else ""
    if where.host and not host:
        raise UsageError(
            translatable("%(host)r is not a host name such as docs.example.org", host=where.host)
        )
    filled = FindingFilter(since=where.since, host=host, kind=where.kind, job=where.job)
    return MemoryQuery(text=text.strip(), where=filled, limit=limit)


async def search_memory(runtime: Runtime, query: MemoryQuery) -> MemoryAnswer:
    """The findings of all jobs that fit a query best, by meaning where that is possible, else by words."""
    container, note = runtime.container, ""
    answer: MemoryAnswer | None = None
    if (index := container.memory.index) is not None:
        answer = await MemorySearch(container.archive, container.embedder, lambda: index).by_meaning(query)
    elif await container.memory.is_held_elsewhere():
        answer = await container.memory.queries.ask(query)
        note = "" if answer else BUSY_NOTE
    elif not container.folder.owner:
        note = NO_INDEX_NOTE
    if answer is None:
        try:
            answer = await _with_own_index(runtime, query)
            note = note if answer is None else ""
        except NotStarted as error:
            note = f"{error}; only words were compared"
    if answer is not None and answer.hits:
        return answer
    # Findings may have no vector: those of another model, and those that were stored without one.
    words = await by_words(container.archive, query, note or ("" if answer else LARGE_NOTE))
    return words if words.hits or answer is None else answer


async def search_memory_by_words(runtime: Runtime, query: MemoryQuery, note: str = "") -> MemoryAnswer:
    """The findings of all jobs that share the rarest words with a query; `note` says why meaning is not compared."""
    return await by_words(runtime.container.archive, query, note)


async def rebuild_memory(runtime: Runtime) -> int:
    """Make the vector index anew from the archive, and return how many findings it has.

    Raises:
        NotStarted: the Qdrant server does not answer, or no process has a local index open.
    """
    container = runtime.container
    if container.memory.index is not None:
        return await container.memory.index.rebuild(container.archive)
    if runtime.config.qdrant_url or container.folder.owner:
        async with _own_index(runtime) as (index, _):
            return await index.rebuild(container.archive)
    if not await container.memory.is_held_elsewhere():
        raise NotStarted("no process has the vector index open; start `research up`, or end all processes")
    answer = await container.memory.queries.ask(MemoryQuery(rebuild=True), wait_s=REBUILD_WITHIN_S)
    if answer is None or answer.points is None:
        raise NotStarted(
            "the process that has the vector index did not rebuild it; see its log, and try again"
        )
    return answer.points


async def _with_own_index(runtime: Runtime, query: MemoryQuery) -> MemoryAnswer | None:
    """Search in an index that is opened, or made, for this question; None if that would take too long."""
    archive, has_server = runtime.container.archive, bool(runtime.config.qdrant_url)
    if not has_server and not runtime.container.folder.owner:
        return None
    if not has_server and (await archive.sizes())["findings"] > LOCAL_INDEX_POINTS:
        return None
    async with _own_index(runtime) as (index, embedder):
        if not await index.count():
            await index.rebuild(archive)
        # Findings of jobs that ended with their process may have no vectors yet.
        await IndexWriter(runtime.container.outbox, archive, index, embedder=embedder).catch_up()
        if not await index.count():
            return MemoryAnswer(query=query.text)  # no finding has a vector: the model need not be loaded
        return await MemorySearch(archive, embedder, lambda: index).by_meaning(query)


@asynccontextmanager
async def _own_index(runtime: Runtime) -> AsyncIterator[tuple[VectorIndex, Embedder]]:
    from research_crawler.adapters.models.embedder import SentenceEmbedder
    from research_crawler.adapters.qdrant_index import QdrantIndex

    embedder = SentenceEmbedder(runtime.config.embedding_model)
    index = QdrantIndex(runtime.config, dimensions=embedder.dimensions)
    try:
        yield index, embedder
    finally:
        await index.close()
        await embedder.close()
