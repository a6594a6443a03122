"""Finds findings by meaning with Qdrant: a server by URL, else in memory of the process that owns the data
folder.

The synchronous client runs in threads, because the asynchronous client computes on the event loop in local
mode. With 20,000 points a search takes 140 ms there, a delete by filter 160 ms (measured; an upsert 0.05 ms a
point).
"""

import asyncio
import heapq
import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from planner.memory.memory_search import text_of_finding
from research_crawler.adapters.qdrant_points import (
    CANDIDATES,
    DENSE,
    MEAN_TERMS,
    SPARSE,
    by_rank,
    filter_of,
    fused,
    match_of,
    matching,
    point_of,
    rankings,
)
from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.core.models.archive.memory import EVERYTHING, FindingFilter, Match
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.ports.archives import Archive
from research_crawler.text.measures.sparse import sparse_query, sparse_text

if TYPE_CHECKING:  # its import takes 0.7 s, so it is delayed until the first use
    from qdrant_client import QdrantClient

T = TypeVar("T")

COLLECTION = "research_memory"
REBUILD_BATCH = 256
"""Findings that go into the index at once when it is made anew."""
_TIMEOUT_S = 10
"""How long the Qdrant server may take for an answer."""
SERVER_READERS = 4
"""Threads that ask a Qdrant server at once."""


class QdrantIndex:
    """The port `VectorIndex`. It connects at its first use."""

    def __init__(self, config: Config, *, dimensions: int, mean_terms: float = MEAN_TERMS) -> None:
        """`mean_terms`: how many terms a finding has on average, for the lengths in BM25."""
        self._mean_terms = mean_terms
        self._url = config.qdrant_url
        self._api_key = config.qdrant_api_key.get_secret_value() or None
        self._dimensions = dimensions
        self._collection = f"{COLLECTION}_{dimensions}"
        """Each vector size has a collection of its own, because another embedding model may have another
        size."""
        self._opened: QdrantClient | None = None
        # One thread writes, so that writes keep their order. Local mode allows only one thread at all.
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="qdrant-write")
        self._readers = ThreadPoolExecutor(SERVER_READERS, "qdrant-read") if self._url else self._writer
        self._replaced: set[str] = set()
        """Commands replaced since the last rebuild began: the rebuild must not add their old findings."""
        self._words = LocalWords(mean_terms)
        self._local_ids: dict[str, list[int | str | UUID]] = {}
        """Point ids by command, for local mode, where a delete by filter compares every point."""

    async def replace(
        self, command: str, findings: Sequence[Finding], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Delete the command's points, then insert these. Vectors of another size are left out.

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
        await self._write(lambda client: None)  # connects, and creates the collection if it is missing
        return await self._run(self._readers, lambda client: self._search(client, list(vector), limit, job))

    async def recall(
        self, vector: Sequence[float], text: str, *, limit: int = 10, where: FindingFilter = EVERYTHING
    ) -> list[Match]:
        """The findings that fit best: the rankings by meaning and by words, fused by rank in Qdrant.

        Raises:
            NotStarted: the server does not answer, or refuses the key.
        """
        await self._write(lambda client: None)
        return await self._run(
            self._readers, lambda client: self._recall(client, list(vector), text, limit, where)
        )

    async def count(self) -> int:
        """Number of points in the index."""
        return await self._write(lambda client: client.count(self._collection, exact=True).count)

    async def rebuild(self, archive: Archive) -> int:
        """Rebuild the index from the archive's vectors, and return the number of points added.

        `replace` may be called in the meantime.
        """
        self._replaced.clear()
        await self._write(self._recreate)
        batch: list[tuple[Finding, list[float]]] = []
        added = 0
        async for finding, vector in await archive.vectors():
            if len(vector) == self._dimensions:  # others come from another embedding model
                batch.append((finding, vector))
            if len(batch) == REBUILD_BATCH:
                added += await self._add(batch)
                batch = []
        return added + await self._add(batch)

    async def close(self) -> None:
        """Close the connection. In local mode the points are lost."""
        if self._opened is not None:
            await self._write(lambda client: client.close())
            self._opened = None
        self._writer.shutdown(wait=False)
        self._readers.shutdown(wait=False)

    async def _add(self, batch: list[tuple[Finding, list[float]]]) -> int:
        current = [entry for entry in batch if entry[0].command not in self._replaced]
        if current:
            await self._write(lambda client: self._insert(client, current))
        return len(current)

    async def _write(self, operation: Callable[["QdrantClient"], T]) -> T:
        return await self._run(self._writer, operation)

    async def _run(self, threads: ThreadPoolExecutor, operation: Callable[["QdrantClient"], T]) -> T:
        def in_thread() -> T:
            from qdrant_client.http.exceptions import ApiException

            try:
                return operation(self._client())
            except ApiException as error:
                raise NotStarted(_remedy(self._url, error)) from error

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
            # `research doctor` tells users; in a log it is noise.
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
                vectors_config={
                    DENSE: models.VectorParams(size=self._dimensions, distance=models.Distance.COSINE)
                },
                sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)}
                if self._url
                else None,
            )
        except UnexpectedResponse as error:
            if error.status_code != 409:  # another process was first
                raise
        if self._url:
            for field in ("command", "job", "kind", "hosts"):
                client.create_payload_index(self._collection, field, models.PayloadSchemaType.KEYWORD)
            client.create_payload_index(self._collection, "extractedAt", models.PayloadSchemaType.DATETIME)

    def _recreate(self, client: "QdrantClient") -> None:
        client.delete_collection(self._collection)
        self._local_ids.clear()
        self._words.clear()
        self._create(client)

    def _replace(
        self,
        client: "QdrantClient",
        command: str,
        points: Sequence[tuple[Finding, Sequence[float]]],
    ) -> None:
        if self._url:
            client.delete(self._collection, matching("command", command), wait=True)
        elif old_ids := self._local_ids.pop(command, []):
            client.delete(self._collection, old_ids)
            self._words.remove(old_ids)
        self._insert(client, points)

    def _search(
        self, client: "QdrantClient", vector: list[float], limit: int, job: str | None
    ) -> list[tuple[str, float]]:
        answer = client.query_points(
            self._collection,
            query=vector,
            using=DENSE,
            limit=limit,
            query_filter=None if job is None else matching("job", job),
            with_payload=False,
        )
        return [(str(point.id), point.score) for point in answer.points]

    def _recall(
        self, client: "QdrantClient", vector: list[float], text: str, limit: int, where: FindingFilter
    ) -> list[Match]:
        if not self._url:
            return self._recall_locally(client, vector, text, limit, where)
        answer = client.query_points(
            self._collection,
            prefetch=rankings(vector, text, filter_of(where)),
            query=by_rank(),
            limit=limit,
            with_payload=False,
            with_vectors=[DENSE],
        )
        return [match_of(point, point.vector, vector) for point in answer.points]

    def _recall_locally(
        self, client: "QdrantClient", vector: list[float], text: str, limit: int, where: FindingFilter
    ) -> list[Match]:
        """As on a server, by the same fusion, but with the words in an inverted index of ours."""
        dense = client.query_points(
            self._collection, query=vector, using=DENSE, limit=CANDIDATES, query_filter=filter_of(where)
        )
        by_words = self._words.rank(text, where, CANDIDATES)
        best = fused(dense.points, by_words, limit)
        found = client.retrieve(
            self._collection, [point.id for point in best], with_payload=False, with_vectors=[DENSE]
        )
        vectors = {point.id: point.vector for point in found}
        return [match_of(point, vectors.get(point.id), vector) for point in best]

    def _insert(self, client: "QdrantClient", points: Sequence[tuple[Finding, Sequence[float]]]) -> None:
        if not points:
            return
        mean_terms = self._mean_terms if self._url else None
        made = [point_of(finding, vector, mean_terms) for finding, vector in points]
        client.upsert(self._collection, made, wait=True)
        if not self._url:
            self._words.add(finding for finding, _ in points)
            for finding, _ in points:
                self._local_ids.setdefault(finding.command, []).append(finding.id)


def _remedy(url: str, error: Any) -> str:
    status = getattr(error, "status_code", None)
    if status in (401, 403):
        return f"Qdrant at {url} refuses the key; correct QDRANT_API_KEY"
    reason = f"status {status}" if status else str(error).splitlines()[0]
    return f"Qdrant at {url} does not answer ({reason}); start it, or correct QDRANT_URL"


# An inverted index of findings beside a local Qdrant, which compares a sparse query with every point.
#
# With 5,000 abstracts, local mode needs 370 ms for a sparse query where the lists of this index need 6 ms (both
# measured under load). A server has such lists itself. The scores are those of Qdrant's sparse vectors with
# inverse frequencies.


class LocalWords:
    """Ranks the findings of a process's own index by BM25. One thread at a time may use it."""

    def __init__(self, mean_terms: float) -> None:
        """`mean_terms`: how many terms a finding has on average."""
        self._mean_terms = mean_terms
        self._findings: dict[str, Finding] = {}
        self._terms: dict[str, list[int]] = {}
        self._postings: defaultdict[int, dict[str, float]] = defaultdict(dict)

    def add(self, findings: Iterable[Finding]) -> None:
        """Add findings, or replace those that are there."""
        for finding in findings:
            self.remove([finding.id])
            weights = sparse_text(text_of_finding(finding), mean_terms=self._mean_terms)
            self._findings[finding.id] = finding
            self._terms[finding.id] = list(weights)
            for term, weight in weights.items():
                self._postings[term][finding.id] = weight

    def remove(self, ids: Iterable[object]) -> None:
        """Remove findings; unknown ones are passed over."""
        for id_ in map(str, ids):
            if self._findings.pop(id_, None):
                for term in self._terms.pop(id_):
                    del self._postings[term][id_]

    def clear(self) -> None:
        """Remove all findings."""
        self._findings.clear()
        self._terms.clear()
        self._postings.clear()

    def rank(self, text: str, where: FindingFilter, limit: int) -> Sequence[tuple[str, float]]:
        """(finding id, BM25 score) of the findings that share a word with the text, best first."""
        scores: defaultdict[str, float] = defaultdict(float)
        for term in sparse_query(text):
            found = self._postings.get(term, {})
            idf = math.log(1 + (len(self._findings) - len(found) + 0.5) / (len(found) + 0.5))
            for id_, weight in found.items():
                scores[id_] += idf * weight
        wanted = ((id_, score) for id_, score in scores.items() if where.covers(self._findings[id_]))
        return heapq.nlargest(limit, wanted, key=lambda entry: entry[1])
