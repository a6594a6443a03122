"""Search the findings of all jobs: by meaning and words in the vector index, or by words alone in the archive."""

from collections.abc import Callable

from planner.text.ranking import Bm25
from planner.text.words import content_words, stem
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.memory import MemoryAnswer, MemoryHit, MemoryQuery
from research_crawler.core.ports.archives import Archive, VectorIndex
from research_crawler.core.ports.models import Embedder

_MAX_COMPARED = 2_000
"""Most findings that are compared by words alone; the newest come first."""
RANK_CONSTANT = 60
"""The usual constant of reciprocal rank fusion (Cormack et al., 2009)."""
_SPARE = 2
"""So many times the wanted hits are asked for, because retracted and deleted findings are dropped afterwards."""


class MemorySearch:
    """Searches the vector index of this process, if it has one open."""

    def __init__(
        self, archive: Archive, embedder: Embedder, index: Callable[[], VectorIndex | None] = lambda: None
    ) -> None:
        """`index` gives the vector index that this process has open now, or None."""
        self._archive, self._embedder, self._index = archive, embedder, index

    async def by_meaning(self, query: MemoryQuery) -> MemoryAnswer | None:
        """The findings that fit a query best; None if this process has no vector index that answers.

        Raises:
            NotStarted: the Qdrant server does not answer.
        """
        index = self._index()
        if index is None:
            return None
        (vector,) = await self._embedder.embed([query.text])
        matches = await index.recall(vector, query.text, limit=_SPARE * query.limit, where=query.where)
        known = {f.id: f for f in await self._archive.find_findings([match.id for match in matches])}
        hits = [
            hit_of(known[match.id], match.score, match.similarity)
            for match in matches
            if match.id in known and not known[match.id].retracted
        ]
        return MemoryAnswer(query=query.text, hits=hits[: query.limit])


async def by_words(archive: Archive, query: MemoryQuery, note: str = "") -> MemoryAnswer:
    """The findings that share the rarest words with a query, for a process without a vector index."""
    words = list(dict.fromkeys(stem(word.lower()) for word in content_words(query.text)))
    found = await archive.find_by_words(words, query.where, limit=_MAX_COMPARED)
    scores = Bm25([text_of_finding(finding) for finding in found]).scores(query.text)
    ranked = sorted(zip(scores, found, strict=True), key=lambda pair: -pair[0])
    hits = [hit_of(finding, score) for score, finding in ranked[: query.limit] if score > 0]
    return MemoryAnswer(query=query.text, by="words", hits=hits, note=note)


def hit_of(finding: Finding, score: float, similarity: float | None = None) -> MemoryHit:
    """A finding as the memory returns it."""
    job = finding.command.rpartition(":")[0]
    return MemoryHit(finding=finding, job=job, score=round(score, 5), similarity=similarity)


def text_of_finding(finding: Finding) -> str:
    """The words by which a finding is found: what it says and where it stands."""
    parts = dict.fromkeys(filter(None, (finding.title, finding.heading, finding.claim, finding.quote)))
    return "\n".join(parts)
