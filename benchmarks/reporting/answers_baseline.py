"""The baselines of `answers`: sentences of the search engine's first five pages, without any planning.

Eight sentences by BM25, eight by the cosine of the packaged MiniLM among the hundred best by BM25, and all text of
the pages, which says how many facts stand there at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.reporting.recall_baseline import bm25, results, sentences_of
from planner.text.ranking import cosine
from research_crawler.core.ports.models import Embedder

PAGES, SENTENCES, EMBEDDED = 5, 8, 100


@dataclass(frozen=True)
class Baselines:
    """Three answers to one question."""

    by_bm25: str
    by_minilm: str
    all_text: str


async def baselines(search: str, question: str, embedder: Embedder) -> Baselines:
    """The answers that need no more than a search engine, trafilatura and a ranking.

    Args:
        search: base URL of a SearXNG-shaped search.
    """
    sentences = [text for url in results(search, question)[:PAGES] for text in sentences_of(url)]
    ranked = bm25(question, sentences)
    lexical = sorted(range(len(sentences)), key=lambda place: -ranked[place])[:EMBEDDED]
    wanted, *vectors = await embedder.embed([question, *(sentences[place] for place in lexical)])
    near = {place: cosine(wanted, vector) for place, vector in zip(lexical, vectors, strict=True)}
    dense = sorted(lexical, key=lambda place: -near[place])
    return Baselines(
        by_bm25=_joined(sentences, lexical[:SENTENCES]),
        by_minilm=_joined(sentences, dense[:SENTENCES]),
        all_text=" ".join(sentences),
    )


def _joined(sentences: Sequence[str], places: Sequence[int]) -> str:
    """The sentences in the order of the pages."""
    return " ".join(sentences[place] for place in sorted(places))
