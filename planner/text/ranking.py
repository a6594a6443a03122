"""Ranking passages for a question: BM25 chooses which are worth a vector, then both are fused."""

import math
from collections import Counter
from collections.abc import Sequence

from planner.text.words import terms
from research_crawler.core.model_ports import Embedder
from research_crawler.core.models.pages import Passage

K1, B = 1.2, 0.75
"""Robertson's usual constants."""
DENSE_TOP = 24
"""Passages of a page that get a vector; 24 of 110 words cost 0.4 s of one core in bfloat16."""
DENSE_WEIGHT = 0.6
"""Share of the cosine in a fused score; see `fuse`."""


class Bm25:
    """Okapi BM25 over a small collection held in memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts; each is one document."""
        self._counts = [Counter(terms(text)) for text in texts]
        self._lengths = [count.total() for count in self._counts]
        self._mean = (sum(self._lengths) / len(texts) if texts else 0.0) or 1.0
        self._having = Counter(term for count in self._counts for term in count)

    def idf(self, term: str) -> float:
        """Weight of a stem: high where few documents have it, never negative."""
        having = self._having[term]
        return math.log(1 + (len(self._counts) - having + 0.5) / (having + 0.5))

    def scores(self, query: str) -> list[float]:
        """One score per document, 0 where no word of the query occurs."""
        wanted = {term: self.idf(term) for term in dict.fromkeys(terms(query))}
        return [
            sum(idf * self._saturated(count[term], length) for term, idf in wanted.items() if term in count)
            for count, length in zip(self._counts, self._lengths, strict=True)
        ]

    def _saturated(self, count: int, length: int) -> float:
        return count * (K1 + 1) / (count + K1 * (1 - B + B * length / self._mean))


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Similarity of two vectors of unit length."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def normalised(scores: Sequence[float]) -> list[float]:
    """Scores divided by their largest: 0 to 1; all 0 where none is positive."""
    top = max(scores, default=0.0)
    return [score / top if top > 0 else 0.0 for score in scores]


def fuse(dense: Sequence[float], lexical: Sequence[float]) -> list[float]:
    """Cosines and BM25 scores as one score, 0 to 1: a weighted sum, BM25 scaled by its largest."""
    return [
        DENSE_WEIGHT * max(0.0, similarity) + (1 - DENSE_WEIGHT) * share
        for similarity, share in zip(dense, normalised(lexical), strict=True)
    ]


async def rank_passages(
    query: str, passages: Sequence[Passage], embedder: Embedder, *, dense_top: int = DENSE_TOP
) -> list[float]:
    """How much each passage is about the query, 0 to 1, in the order given.

    Only the `dense_top` passages best by BM25 are embedded; the others stand below all of these, in BM25's
    order. Where BM25 finds fewer, the rest of the places goes to the first passages of the page.
    """
    texts = [
        f"{passage.heading}\n{passage.text}" if passage.heading else passage.text for passage in passages
    ]
    lexical = Bm25(texts).scores(query)
    chosen = sorted(range(len(texts)), key=lambda i: (-lexical[i], i))[:dense_top]
    if not chosen:
        return []
    asked, *vectors = await embedder.embed([query, *(texts[i] for i in chosen)])
    shares = normalised(lexical)
    fused = fuse([cosine(asked, vector) for vector in vectors], [lexical[i] for i in chosen])
    floor = min(fused)
    ranked = [floor * 0.5 * share for share in shares]
    for place, score in zip(chosen, fused, strict=True):
        ranked[place] = score
    return ranked
