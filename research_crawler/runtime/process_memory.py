"""The memory of one process: the vector index of findings, or questions to the process that holds it."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from research_crawler.adapters.redis.presence import INDEX
from research_crawler.core.log import get_log
from research_crawler.core.tasks.end_tasks import end_tasks

if TYPE_CHECKING:
    from planner.brains.extractive.extractive_brain import RememberingEmbedder
    from research_crawler.adapters.data_folder import DataFolder
    from research_crawler.adapters.models.embedder import SentenceEmbedder
    from research_crawler.adapters.redis.memory_queries import MemoryQueries
    from research_crawler.adapters.redis.presence import Presence
    from research_crawler.adapters.redis.redis_jobs import RedisJobs
    from research_crawler.adapters.redis.redis_outbox import RedisOutbox
    from research_crawler.adapters.sql.sql_archive import SqlArchive
    from research_crawler.background.indexer import Indexer
    from research_crawler.core.config import Config
    from research_crawler.core.models.archive.memory import MemoryAnswer, MemoryQuery
    from research_crawler.core.ports.archives import VectorIndex


LAST_INDEXING_S = 5.0
"""How long a process that ends goes on indexing. The findings of a job of twelve pages take under a second."""

log = get_log(__name__)


class MemoryHolder(Protocol):
    """What the memory needs of its process (`runtime.container.Container`)."""

    config: "Config"
    folder: "DataFolder"
    embedder: "SentenceEmbedder"
    remembering: "RememberingEmbedder"
    jobs: "RedisJobs"
    outbox: "RedisOutbox"
    presence: "Presence"
    warming: asyncio.Task[None] | None
    """Loads the embedding model; None where that is done at its first use."""

    @property
    def archive(self) -> "SqlArchive":
        """The archive."""
        ...

    @property
    def works(self) -> bool:
        """Whether this process crawls or plans, and does not end after a single command."""
        ...

    def close_with(self, closing: Callable[[], Awaitable[object]]) -> None:
        """Call a function before everything that is there already is closed."""
        ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background until the process ends."""
        ...


class ProcessMemory:
    """Holds the vector index and keeps it filled, in the process whose part that is."""

    def __init__(self, container: "MemoryHolder") -> None:
        self._container = container
        self._vectors: VectorIndex | None = None
        self._indexer: Indexer | None = None
        self._ready = asyncio.Event()
        """The indexer, which starts behind the embedding model, is there."""

    def start(self) -> None:
        """Start the indexer if this process owns the data folder, or if findings go to a Qdrant server.

        The local index has a single owner. A process that becomes the owner later starts the indexer then.
        """
        folder = self._container.folder
        if folder.owner or self._container.config.qdrant_url:
            self._become_indexer()
        else:
            folder.on_owner(self._become_owner)

    @property
    def index(self) -> "VectorIndex | None":
        """The vector index of findings, while this process holds it open and it answers."""
        return self._vectors if self._indexer and self._indexer.index_answers else None

    @property
    def exists(self) -> bool:
        """Whether there may be a vector index: a Qdrant server, or one in the memory of this or another process."""
        container = self._container
        return bool(container.config.qdrant_url) or not container.folder.owner or container.works

    @property
    def queries(self) -> "MemoryQueries":
        """Questions to the memory of another process, or from one."""
        from research_crawler.adapters.redis.memory_queries import MemoryQueries

        return MemoryQueries(self._container.folder.redis, prefix=self._container.config.redis_prefix)

    async def ask(self, query: "MemoryQuery") -> "MemoryAnswer | None":
        """Search the memory in this process, or in the one with the vector index; None if neither is possible now."""
        if self.index is not None:
            return await self._answer(query)
        return await self.queries.ask(query) if await self.is_held_elsewhere() else None

    async def is_held_elsewhere(self) -> bool:
        """Whether another process says that it answers questions to its vector index.

        Without one, a question would wait for its whole time for an answer that nobody gives.
        """
        return not self._container.folder.owner and await self._container.presence.others(INDEX) > 0

    async def _answer(self, query: "MemoryQuery") -> "MemoryAnswer | None":
        """The answer to a question of another process; None while this one has no index that answers."""
        from planner.memory.memory_search import MemorySearch
        from research_crawler.core.models.archive.memory import MemoryAnswer

        archive = self._container.archive
        if query.rebuild and (index := self.index) is not None:
            return MemoryAnswer(query="", points=await index.rebuild(archive))
        return await MemorySearch(archive, self._container.embedder, lambda: self.index).by_meaning(query)

    async def _become_owner(self) -> None:
        self._become_indexer()

    def _become_indexer(self) -> None:
        container = self._container
        container.spawn(self._run())
        container.close_with(self._finish)
        from research_crawler.background.retention_sweep import Retention

        retention = Retention(container.config, container.jobs, container.archive)
        container.close_with(retention.sweep_last)
        container.spawn(retention.run())

    async def _finish(self) -> None:
        """Give archive and index what this process's jobs have found; the next process does what is left then."""
        try:
            async with asyncio.timeout(LAST_INDEXING_S):
                if self._indexer is None and await self._container.outbox.has_work():
                    await self._ready.wait()
                if self._indexer:
                    await self._indexer.finish()
        except Exception as error:
            log.info("the vector index is given the rest by the next process", reason=repr(error))

    async def _run(self) -> None:
        from research_crawler.adapters.qdrant_index import QdrantIndex
        from research_crawler.background.indexer import Indexer

        container = self._container
        if container.warming:  # Load torch first: pages wait for the embedding model, none for the index.
            await asyncio.wait({container.warming})
        index = QdrantIndex(container.config, dimensions=container.embedder.dimensions)

        async def fill_if_empty() -> None:
            if await index.count() == 0:
                await index.rebuild(container.archive)

        self._vectors, self._indexer = (
            index,
            Indexer(
                container.outbox, container.archive, index, fill_if_empty, embedder=container.remembering
            ),
        )
        self._ready.set()
        answering = [
            asyncio.create_task(self.queries.answer_all(self._answer)),
            asyncio.create_task(container.presence.announce(INDEX)),
        ]
        try:
            await self._indexer.run()
        finally:
            await end_tasks(answering)
            self._vectors = self._indexer = None
            await index.close()
