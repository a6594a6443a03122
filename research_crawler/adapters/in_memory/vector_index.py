"""A vector index in memory, for tests and small runs."""

import math
from collections.abc import Sequence

from planner.memory.memory_search import RANK_CONSTANT, text_of_finding
from research_crawler.adapters.in_memory.memory_archive import job_of_command
from research_crawler.core.models.archive.memory import EVERYTHING, FindingFilter, Match
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.ports.archives import Archive
from research_crawler.text.measures.likeness import Bm25


class MemoryIndex:
    """The port `VectorIndex`. Every search compares every point."""

    def __init__(self) -> None:
        self._points: dict[str, tuple[str, list[float]]] = {}
        self._findings: dict[str, Finding] = {}

    async def replace(
        self, command: str, findings: Sequence[Finding], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Delete the command's points, then insert these."""
        self._points = {key: point for key, point in self._points.items() if point[0] != command}
        for finding, vector in zip(findings, vectors, strict=True):
            self._points[finding.id] = (command, _unit(vector))
            self._findings[finding.id] = finding

    async def search(
        self, vector: Sequence[float], *, limit: int = 10, job: str | None = None
    ) -> list[tuple[str, float]]:
        """(finding id, cosine similarity), best first."""
        wanted = _unit(vector)
        of_job = (
            point for point in self._points.items() if job is None or job_of_command(point[1][0]) == job
        )
        found = [(key, _dot(wanted, unit)) for key, (_, unit) in of_job]
        return sorted(found, key=lambda entry: -entry[1])[:limit]

    async def recall(
        self, vector: Sequence[float], text: str, *, limit: int = 10, where: FindingFilter = EVERYTHING
    ) -> list[Match]:
        """The findings that fit best: the rankings by meaning and by words, fused by rank."""
        chosen = [key for key in self._points if where.covers(self._findings[key])]
        wanted = _unit(vector)
        nearest = sorted(chosen, key=lambda key: -_dot(wanted, self._points[key][1]))
        lexical = Bm25([text_of_finding(self._findings[key]) for key in chosen]).scores(text)
        by_words = [key for score, key in sorted(zip(lexical, chosen, strict=True), reverse=True) if score]
        scores: dict[str, float] = {}
        for ranking in (nearest, by_words):
            for rank, key in enumerate(ranking, 1):
                scores[key] = scores.get(key, 0.0) + 1 / (RANK_CONSTANT + rank)
        best = sorted(scores.items(), key=lambda entry: -entry[1])[:limit]
        return [
            Match(id=key, score=score, similarity=_dot(wanted, self._points[key][1])) for key, score in best
        ]

    async def rebuild(self, archive: Archive) -> int:
        """Make the index anew from the archive's vectors; returns how many points it has then."""
        self._points.clear()
        async for finding, vector in await archive.vectors():
            self._points[finding.id], self._findings[finding.id] = (finding.command, _unit(vector)), finding
        return len(self._points)

    async def count(self) -> int:
        """Points in the index."""
        return len(self._points)

    async def close(self) -> None:
        """Nothing to free."""


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.sqrt(_dot(vector, vector)) or 1.0
    return [x / length for x in vector]
