"""Measures of how like two texts are, by their words and by their vectors."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set

from research_crawler.text.languages.language import detect
from research_crawler.text.languages.names import names_in
from research_crawler.text.languages.negation import is_negated
from research_crawler.text.languages.numbers import figures
from research_crawler.text.languages.words import stems_of, terms

K1, B = 1.2, 0.75
"""The usual BM25 constants (Robertson)."""
DENSE_WEIGHT = 0.6
"""Weight of the cosine in a fused score; see `fused_scores`."""


class Bm25:
    """Okapi BM25 over a small collection held in memory."""

    def __init__(self, texts: Sequence[str], language: str = "en") -> None:
        """Index the texts; each is one document."""
        self._language = language
        self._lengths: list[int] = []
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, text in enumerate(texts):
            counts = Counter(terms(text, language))
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
        for term in dict.fromkeys(terms(query, self._language)):
            idf = self.idf(term)
            for place, count in self._postings.get(term, ()):
                scores[place] += idf * saturated_count(count, self._lengths[place] / self._mean_length)
        return scores


def saturated_count(count: int, relative_length: float) -> float:
    """How much a term counts that a text has so many times (BM25); `relative_length` is that of the text beside the
    mean of its collection."""
    return count * (K1 + 1) / (count + K1 * (1 - B + B * relative_length))


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine similarity of two vectors of unit length."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def normalised(scores: Sequence[float]) -> list[float]:
    """Scores divided by the largest of them: 0 to 1; all 0 if none is positive."""
    top = max(scores, default=0.0)
    return [score / top if top > 0 else 0.0 for score in scores]


def fused_scores(dense: Sequence[float], lexical: Sequence[float]) -> list[float]:
    """One score from 0 to 1 per text: the weighted sum of its cosine and its BM25 score.

    BM25 scores are divided by the largest of them first.
    """
    return [
        DENSE_WEIGHT * max(0.0, similarity) + (1 - DENSE_WEIGHT) * share
        for similarity, share in zip(dense, normalised(lexical), strict=True)
    ]


def coverage(
    wanted: Iterable[str], known: Collection[str], weights: Mapping[str, float] | None = None
) -> float:
    """The weight of those wanted stems that are known, 0 to 1; 1 if none is wanted.

    Args:
        wanted: stems of a text, as `terms` gives them.
        known: stems of another one; a set is fast.
        weights: the weight of each wanted stem (its idf); without them all count alike.
    """
    need = set(wanted)
    whole = sum(weights[term] for term in need) if weights else float(len(need))
    if not whole:
        return 1.0
    return sum(weights[term] if weights else 1.0 for term in need if term in known) / whole


def word_coverage(wanted: Iterable[str], text: str, language: str = "en") -> float:
    """`coverage` by the words of a text: the share of the wanted stems that it contains."""
    return coverage(wanted, set(terms(text, language)))


def shared(first: Set[str], second: Set[str]) -> float:
    """The share of the words of the shorter text that the other one has too, 0 to 1; 0 if one has none."""
    fewer = min(len(first), len(second))
    return len(first & second) / fewer if fewer else 0.0


def in_common(first: Set[str], second: Set[str]) -> float:
    """The share of the words of two texts that both have (Jaccard), 0 to 1; 0 if neither has any."""
    common = len(first & second)
    return common / (len(first) + len(second) - common) if first or second else 0.0


def says_the_same_of(first: str, second: str) -> bool:
    """Whether two sentences have the same figures, each the other's names, and both or neither a negation.

    A vector hardly shows these. The language is that which the first shows.
    """
    code = detect(first)
    if is_negated(first, code) != is_negated(second, code) or _amounts(first, code) != _amounts(second, code):
        return False
    return _names(first, code) <= stems_of(second, code) and _names(second, code) <= stems_of(first, code)


def _amounts(text: str, code: str) -> set[tuple[float, str]]:
    return {(figure.base, figure.dimension) for figure in figures(text, code)}


def _names(text: str, code: str) -> set[str]:
    return {name for name in names_in(text, code) if not name.replace(".", "").isdecimal()}
