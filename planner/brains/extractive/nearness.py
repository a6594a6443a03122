"""How near texts come to what is asked, by meaning and by words: one measure for the whole brain."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.embedded_text import embedded
from research_crawler.text.measures.likeness import Bm25, cosine, coverage

COSINE_WEIGHT: Final = 0.6
"""Weight of the cosine in the fit of a text; the rest is the share of the question's words that it has, by rarity."""


@dataclass(frozen=True)
class Similarity:
    """How near one text comes to one question."""

    cosine: float
    coverage: float
    """The share of the question's words that the text has, 0 to 1; a rare word counts more."""

    @property
    def fit(self) -> float:
        """Both in one figure, about 0 to 1."""
        return COSINE_WEIGHT * max(0.0, self.cosine) + (1 - COSINE_WEIGHT) * self.coverage


class SimilarityIndex:
    """Texts that are compared with questions."""

    def __init__(
        self, texts: Sequence[str], vectors: Sequence[Sequence[float]], language: str = "en"
    ) -> None:
        """`vectors` are those of the texts; words are compared as the questions' language has them."""
        self.vectors, self._bm25, self._language = vectors, Bm25(texts, language), language
        self._words = [frozenset(terms(text, language)) for text in texts]
        self.known = frozenset().union(*self._words)

    def similarities_to(self, question: str, vector: Sequence[float]) -> list[Similarity]:
        """How near each text comes to a question, in the order of the texts."""
        weights = self._weights(question)
        return [
            Similarity(cosine(vector, own), coverage(weights, words, weights) if weights else 0.0)
            for own, words in zip(self.vectors, self._words, strict=True)
        ]

    def words_of(self, index: int) -> frozenset[str]:
        """The words of one of the texts."""
        return self._words[index]

    def coverage(self, question: str) -> float:
        """The share of a question's words that stand in any of the texts; a rare one counts more."""
        return self._share(question, self.known)

    def share(self, question: str, text: str) -> float:
        """The share of a question's words that another text has, weighed by these texts."""
        return self._share(question, frozenset(terms(text, self._language)))

    def _share(self, question: str, known: frozenset[str]) -> float:
        weights = self._weights(question)
        return coverage(weights, known, weights) if weights else 0.0

    def _weights(self, question: str) -> dict[str, float]:
        return {word: self._bm25.idf(word) for word in terms(question, self._language)}


async def similarity_index(findings: Sequence[Finding], question: str, embedder: Embedder) -> SimilarityIndex:
    """Findings as texts to compare with a question and its parts, with their titles and headings."""
    texts = [excerpt_in_context(finding.title, finding.heading, finding.claim) for finding in findings]
    vectors = await embedder.embed([embedded(finding.claim) for finding in findings])
    return SimilarityIndex(texts, vectors, detect(question))


def excerpt_in_context(title: str, heading: str, text: str) -> str:
    """An excerpt as its words are compared: with the page's title and its headings, which say what it is about."""
    above = " > ".join(part for part in (title, heading) if part)
    return f"{above}\n{text}" if above else text
