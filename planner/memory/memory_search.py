"""Search the findings of all jobs: by meaning and words in the vector index, or by words alone in the archive."""

import asyncio
from collections.abc import Callable, Collection, Sequence

from research_crawler.core.models.archive.memory import MemoryAnswer, MemoryHit, MemoryQuery
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.ports.archives import Archive, VectorIndex
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import content_words, stem
from research_crawler.text.measures.likeness import Bm25, word_coverage
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.questions.subject import Subject, subject_of

_MAX_COMPARED = 2_000
"""Most findings that are compared by words alone; the newest come first."""
RANK_CONSTANT = 60
"""The usual constant of reciprocal rank fusion (Cormack et al., 2009)."""
_SPARE = 4
"""So many times the wanted hits are asked for: retracted and deleted findings, repeated ones and those that have
nothing to do with the query are dropped afterwards."""
_LEAST_SIMILARITY = 0.25
"""Least cosine of a hit that has not half of the query's words: letters without sense and questions about something
else have up to 0.2 with the nearest finding, and short queries 0.3 or more with a finding that answers them."""
_LEAST_SHARED = 0.5
"""Without an index, a finding is a hit if it has at least this share of the query's words."""
_LEAST_SHARED_BY_WORDS = 1 / 3
"""Least share of a query's words in a hit, beside vectors and where words alone are compared."""

MEMORY_SIBLING_FACTOR = 0.5
"""What is left of the score of a finding about a sibling of what is asked about, such as another model: as in an answer
without a model. Of 12 pairs of siblings where the other one's sentence has more of the question's words, the one that
is asked about is first in 12 by words and by meaning; without it in 3 and 1."""


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
        language = detect(query.text)
        words = _words_of(query.text, language)
        hits = [
            hit_of(known[match.id], match.score, match.similarity)
            for match in matches
            if match.id in known
            and not known[match.id].retracted
            and (
                match.similarity >= _LEAST_SIMILARITY
                or _shared(words, known[match.id], language) >= _LEAST_SHARED
            )
        ]
        hits = _siblings_behind(hits, query.text, language)
        return MemoryAnswer(query=query.text, hits=_distinct(hits)[: query.limit])


async def by_words(archive: Archive, query: MemoryQuery, note: str = "") -> MemoryAnswer:
    """The findings that share the rarest words with a query, for a process without a vector index."""
    language = detect(query.text)
    words = _words_of(query.text, language)
    found = await archive.find_by_words(words, query.where, limit=_MAX_COMPARED)
    hits = await asyncio.to_thread(_best_by_words, query, language, words, found)
    return MemoryAnswer(query=query.text, by="words", hits=hits, note=note)


def _best_by_words(
    query: MemoryQuery, language: str, words: Sequence[str], found: Sequence[Finding]
) -> list[MemoryHit]:
    """The best of the findings that the archive has found, each quote once."""
    scores = Bm25([text_of_finding(finding) for finding in found], language).scores(query.text)
    ranked = sorted(zip(scores, found, strict=True), key=lambda pair: -pair[0])
    hits = [
        hit_of(finding, score)
        for score, finding in ranked
        if score > 0 and _shared(words, finding, language) >= _LEAST_SHARED_BY_WORDS
    ]
    return _distinct(_siblings_behind(hits, query.text, language))[: query.limit]


def hit_of(finding: Finding, score: float, similarity: float | None = None) -> MemoryHit:
    """A finding as the memory returns it."""
    job = finding.command.rpartition(":")[0]
    return MemoryHit(finding=finding, job=job, score=round(score, 5), similarity=similarity)


def _siblings_behind(hits: Sequence[MemoryHit], text: str, language: str) -> list[MemoryHit]:
    """The hits, those about a sibling of what is asked about behind the others: they have its words too."""
    subject = subject_of(text, language=language).numbered
    ranked = [
        hit.changed(score=round(MEMORY_SIBLING_FACTOR * hit.score, 5))
        if is_of_sibling(subject, hit.finding)
        else hit
        for hit in hits
    ]
    return sorted(ranked, key=lambda hit: -hit.score)


def is_of_sibling(subject: Subject, finding: Finding) -> bool:
    """Whether a finding is about a sibling of a subject: its page's title, or what it says, names that one instead."""
    return subject.is_neighbour(finding.title) or subject.is_neighbour(finding.claim)


def text_of_finding(finding: Finding) -> str:
    """The words by which a finding is found: what it says and where it stands."""
    parts = dict.fromkeys(filter(None, (finding.title, finding.heading, finding.claim, finding.quote)))
    return "\n".join(parts)


def _distinct(hits: Sequence[MemoryHit]) -> list[MemoryHit]:
    """The hits with each quote of a page once: jobs that read the same page found it again."""
    kept: dict[tuple[str, str], MemoryHit] = {}
    for hit in hits:
        key = (normal_quote(hit.finding.quote), hit.finding.url)
        first = kept.setdefault(key, hit)
        if hit.job not in (first.job, *first.other_jobs):
            kept[key] = first.changed(other_jobs=[*first.other_jobs, hit.job])
    return list(kept.values())


def _words_of(text: str, language: str) -> list[str]:
    return list(dict.fromkeys(stem(word, language) for word in content_words(text, language)))


def _shared(words: Collection[str], finding: Finding, language: str) -> float:
    """The share of a query's words that a finding has, with its title and its heading."""
    return word_coverage(words, text_of_finding(finding), language) if words else 0.0
