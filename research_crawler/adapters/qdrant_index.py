"""Findings by meaning, in Qdrant: a server by URL, else in memory of the process that owns the data folder.

The synchronous client in threads of ours: local mode's asynchronous side computes on the event loop, and with
20,000 points a search takes 140 ms there, a delete by filter 160 ms (measured; an upsert 0.05 ms a point).
"""

import asyncio
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports import Archive

if TYPE_CHECKING:  # its import takes 0.7 s: it waits for the first use
    from qdrant_client import QdrantClient
    from qdrant_client.models import Filter, PointStruct

T = TypeVar("T")

COLLECTION = "research_findings"
CONTENT_TYPE = "web_research"
REBUILD_BATCH = 256
_TIMEOUT_S = 10
SERVER_READERS = 4


class QdrantIndex:
    """The port `VectorIndex`; connects at its first use."""

    def __init__(self, config: Config, *, dimensions: int) -> None:
        self._url = config.qdrant_url
        self._api_key = config.qdrant_api_key.get_secret_value() or None
        self._dimensions = dimensions
        self._collection = f"{COLLECTION}_{dimensions}"
        """Another embedding model makes another collection, so that no two sizes meet in one."""
        self._opened: QdrantClient | None = None
        # One thread writes, so that writes keep their order; local mode knows no second thread at all.
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="qdrant-write")
        self._readers = ThreadPoolExecutor(SERVER_READERS, "qdrant-read") if self._url else self._writer
        self._replaced: set[str] = set()
        """Commands replaced since the last rebuild began: what it has read of them is out of date."""
        self._local_ids: dict[str, list[int | str | UUID]] = {}
        """Points by command in local mode, where a delete by filter looks at every point."""

    async def replace(
        self, command: str, findings: Sequence[Finding], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Delete the command's points, then insert these; vectors of another embedding model are left out.

        Raises:
            NotStarted: the server does not answer, or refuses the key.
        """
        self._replaced.add(command)
        points = [pair for pair in zip(findings, vectors, strict=True) if len(pair[1]) == self._dimensions]
        await self._write(lambda client: self._replace(client, command, points))

    async def search(
        self, vector: Sequence[float], *, limit: int = 10, job: str | None = None
    ) -> list[tuple[str, float]]:
        """(finding id, cosine similarity), best first.

        Raises:
            NotStarted: the server does not answer, or refuses the key.
        """
        await self._write(lambda client: None)  # connected, and the collection is there
        return await self._run(self._readers, lambda client: self._search(client, list(vector), limit, job))

    async def count(self) -> int:
        """Points in the index."""
        return await self._write(lambda client: client.count(self._collection, exact=True).count)

    async def rebuild(self, archive: Archive) -> int:
        """Make the index anew from the archive's vectors, which are the truth; how many points it has then.

        `replace` may go on meanwhile.
        """
        self._replaced.clear()
        await self._write(self._start_anew)
        batch: list[tuple[Finding, list[float]]] = []
        added = 0
        async for finding, vector in await archive.vectors():
            if len(vector) == self._dimensions:  # others are of another embedding model
                batch.append((finding, vector))
            if len(batch) == REBUILD_BATCH:
                added += await self._add(batch)
                batch = []
        return added + await self._add(batch)

    async def close(self) -> None:
        """Free the connection, and in local mode the points."""
        if self._opened is not None:
            await self._write(lambda client: client.close())
            self._opened = None
        self._writer.shutdown(wait=False)
        self._readers.shutdown(wait=False)

    async def _add(self, found: list[tuple[Finding, list[float]]]) -> int:
        current = [entry for entry in found if entry[0].command not in self._replaced]
        if current:
            await self._write(lambda client: self._insert(client, current))
        return len(current)

    async def _write(self, work: Callable[["QdrantClient"], T]) -> T:
        return await self._run(self._writer, work)

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[["QdrantClient"], T]) -> T:
        def in_thread() -> T:
            from qdrant_client.http.exceptions import ApiException

            try:
                return work(self._client())
            except ApiException as error:
                raise NotStarted(_what_to_do(self._url, error)) from error

        return await asyncio.get_running_loop().run_in_executor(threads, in_thread)

    def _client(self) -> "QdrantClient":
        if self._opened is None:
            client = self._connect()
            self._prepare(client)
            self._opened = client
        return self._opened

    def _connect(self) -> "QdrantClient":
        from qdrant_client import QdrantClient

        if not self._url:
            # `doctor` says it to people; to a log it is noise.
            warnings.filterwarnings("ignore", message="Local mode is not recommended", category=UserWarning)
            return QdrantClient(":memory:")
        return QdrantClient(
            url=self._url, api_key=self._api_key, timeout=_TIMEOUT_S, check_compatibility=False
        )

    def _prepare(self, client: "QdrantClient") -> None:
        if not client.collection_exists(self._collection):
            self._create(client)

    def _create(self, client: "QdrantClient") -> None:
        from qdrant_client import models
        from qdrant_client.http.exceptions import UnexpectedResponse

        try:
            client.create_collection(
                self._collection,
                vectors_config=models.VectorParams(size=self._dimensions, distance=models.Distance.COSINE),
            )
        except UnexpectedResponse as error:
            if error.status_code != 409:  # another process was first
                raise
        if self._url:
            for field in ("command", "job"):
                client.create_payload_index(self._collection, field, models.PayloadSchemaType.KEYWORD)

    def _start_anew(self, client: "QdrantClient") -> None:
        client.delete_collection(self._collection)
        self._local_ids.clear()
        self._create(client)

    def _replace(
        self,
        client: "QdrantClient",
        command: str,
        found: Sequence[tuple[Finding, Sequence[float]]],
    ) -> None:
        if self._url:
            client.delete(self._collection, _matching("command", command), wait=True)
        elif known := self._local_ids.pop(command, []):
            client.delete(self._collection, known)
        self._insert(client, found)

    def _search(
        self, client: "QdrantClient", vector: list[float], limit: int, job: str | None
    ) -> list[tuple[str, float]]:
        found = client.query_points(
            self._collection,
            query=vector,
            limit=limit,
            query_filter=None if job is None else _matching("job", job),
            with_payload=False,
        )
        return [(str(point.id), point.score) for point in found.points]

    def _insert(self, client: "QdrantClient", found: Sequence[tuple[Finding, Sequence[float]]]) -> None:
        if not found:
            return
        client.upsert(self._collection, [_point(finding, vector) for finding, vector in found], wait=True)
        if not self._url:
            for finding, _ in found:
                self._local_ids.setdefault(finding.command, []).append(finding.id)


def _matching(field: str, value: str) -> "Filter":
    from qdrant_client import models

    return models.Filter(must=[models.FieldCondition(key=field, match=models.MatchValue(value=value))])


def _point(finding: Finding, vector: Sequence[float]) -> "PointStruct":
    from qdrant_client import models

    payload = {
        "contentType": CONTENT_TYPE,
        "sourceURL": finding.url,
        "extractedAt": finding.fetched_at,
        "job": finding.command.rpartition(":")[0],
        "command": finding.command,
        "finding": finding.id,
    }
    return models.PointStruct(id=finding.id, vector=list(vector), payload=payload)


def _what_to_do(url: str, error: Any) -> str:
    status = getattr(error, "status_code", None)
    if status in (401, 403):
        return f"Qdrant at {url} refuses the key; correct QDRANT_API_KEY"
    reason = f"status {status}" if status else str(error).splitlines()[0]
    return f"Qdrant at {url} does not answer ({reason}); start it, or correct QDRANT_URL"
