"""Rank passages for a question: BM25 chooses the passages to embed, then both scores are fused."""

import math
from collections import Counter
from collections.abc import Sequence

from planner.text.words import terms
from research_crawler.core.models.pages import Passage
from research_crawler.core.ports.models import Embedder

K1, B = 1.2, 0.75
"""The usual BM25 constants (Robertson)."""
DENSE_TOP = 24
"""Most passages of a page that are embedded; 24 passages of 110 words take 0.4 s of one core in bfloat16."""
DENSE_WEIGHT = 0.6
"""Weight of the cosine in a fused score; see `fuse`."""


class Bm25:
    """Okapi BM25 over a small collection held in memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts; each is one document."""
        self._counts = [Counter(terms(text)) for text in texts]
        self._lengths = [count.total() for count in self._counts]
        self._mean_length = (sum(self._lengths) / len(texts) if texts else 0.0) or 1.0
        self._document_counts = Counter(term for count in self._counts for term in count)

    def idf(self, term: str) -> float:
        """Weight of a stem: high if few documents contain it, never negative."""
        documents = self._document_counts[term]
        return math.log(1 + (len(self._counts) - documents + 0.5) / (documents + 0.5))

    def scores(self, query: str) -> list[float]:
        """One score per document, 0 if it contains no word of the query."""
        weights = {term: self.idf(term) for term in dict.fromkeys(terms(query))}
        return [
            sum(idf * self._saturated(count[term], length) for term, idf in weights.items() if term in count)
            for count, length in zip(self._counts, self._lengths, strict=True)
        ]

    def _saturated(self, count: int, length: int) -> float:
        return count * (K1 + 1) / (count + K1 * (1 - B + B * length / self._mean_length))


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine similarity of two vectors of unit length."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def normalised(scores: Sequence[float]) -> list[float]:
    """Scores divided by the largest of them: 0 to 1; all 0 if none is positive."""
    top = max(scores, default=0.0)
    return [score / top if top > 0 else 0.0 for score in scores]


def fuse(dense: Sequence[float], lexical: Sequence[float]) -> list[float]:
    """One score from 0 to 1 per text: the weighted sum of its cosine and its BM25 score.

    BM25 scores are divided by the largest of them first.
    """
    return [
        DENSE_WEIGHT * max(0.0, similarity) + (1 - DENSE_WEIGHT) * share
        for similarity, share in zip(dense, normalised(lexical), strict=True)
    ]


async def rank_passages(
    query: str, passages: Sequence[Passage], embedder: Embedder, *, dense_top: int = DENSE_TOP
) -> list[float]:
    """The relevance of each passage to the query, 0 to 1, in the order of `passages`.

    Only the `dense_top` best passages by BM25 are embedded. The others get lower scores than all of these, in
    BM25's order. If BM25 finds fewer than `dense_top`, the first passages of the page fill up the number.
    """
    texts = [
        f"{passage.heading}\n{passage.text}" if passage.heading else passage.text for passage in passages
    ]
    lexical = Bm25(texts).scores(query)
    chosen = sorted(range(len(texts)), key=lambda i: (-lexical[i], i))[:dense_top]
    if not chosen:
        return []
    query_vector, *vectors = await embedder.embed([query, *(texts[i] for i in chosen)])
    shares = normalised(lexical)
    fused = fuse([cosine(query_vector, vector) for vector in vectors], [lexical[i] for i in chosen])
    floor = min(fused)
    ranked = [floor * 0.5 * share for share in shares]
    for place, score in zip(chosen, fused, strict=True):
        ranked[place] = score
    return ranked
