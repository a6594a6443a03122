"""An inverted index of findings beside a local Qdrant, which compares a sparse query with every point.

With 5,000 abstracts, local mode needs 370 ms for a sparse query where the lists of this index need 6 ms (both measured
under load). A server has such lists itself. The scores are those of Qdrant's sparse vectors with inverse frequencies.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from planner.memory.memory_search import text_of_finding
from research_crawler.core.models.archive.memory import FindingFilter
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.text.measures.sparse import sparse_query, sparse_text


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
