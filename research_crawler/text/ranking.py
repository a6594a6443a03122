"""Rank passages for a question: BM25 chooses the passages to embed, then both scores are fused."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from research_crawler.core.models.pages import Passage
from research_crawler.core.ports.models import Embedder
from research_crawler.text.words import terms

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
        self._lengths: list[int] = []
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, text in enumerate(texts):
            counts = Counter(terms(text))
            self._lengths.append(counts.total())
            for term, count in counts.items():
                self._postings[term].append((place, count))
        self._mean_length = (sum(self._lengths) / len(texts) if texts else 0.0) or 1.0

    def idf(self, term: str) -> float:
        """Weight of a stem: high if few documents contain it, never negative."""
        documents = len(self._postings.get(term, ()))
        return math.log(1 + (len(self._lengths) - documents + 0.5) / (documents + 0.5))

    def scores(self, query: str) -> list[float]:
        """One score per document, 0 if it contains no word of the query."""
        scores = [0.0] * len(self._lengths)
        for term in dict.fromkeys(terms(query)):
            idf = self.idf(term)
            for place, count in self._postings.get(term, ()):
                scores[place] += idf * self._saturated(count, self._lengths[place])
        return scores

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


def passage_scores(query: str, passages: Sequence[Passage]) -> list[float]:
    """The BM25 score of each passage, with its headings."""
    return Bm25([_with_heading(passage) for passage in passages]).scores(query)


def _with_heading(passage: Passage) -> str:
    return f"{passage.heading}\n{passage.text}" if passage.heading else passage.text


async def rank_passages(
    query: str, passages: Sequence[Passage], embedder: Embedder, *, dense_top: int = DENSE_TOP
) -> list[float]:
    """The relevance of each passage to the query, 0 to 1, in the order of `passages`.

    Only the `dense_top` best passages by BM25 are embedded. The others get lower scores than all of these, in
    BM25's order. If BM25 finds fewer than `dense_top`, the first passages of the page fill up the number.
    """
    texts = [_with_heading(passage) for passage in passages]
    lexical = passage_scores(query, passages)
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
