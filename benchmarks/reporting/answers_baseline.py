"""The baselines of `answers`: sentences of the search engine's first five pages, without any planning.

Eight sentences by BM25, eight by the cosine of the packaged MiniLM among the hundred best by BM25, and all text of
the pages, which says how many facts stand there at all.
"""

import re
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass

import lxml.html

from benchmarks.reporting.recall_baseline import results
from research_crawler.core.ports.models import Embedder
from research_crawler.text.measures.likeness import Bm25, cosine

PAGES, SENTENCES, EMBEDDED = 5, 8, 100
LEAST_WORDS, MOST_WORDS = 6, 80
PAGE_TIMEOUT_S = 30.0
_FRAME = "//script|//style|//nav|//header|//footer|//noscript|//*[@class='navheader' or @class='navfooter']"


@dataclass(frozen=True)
class Baselines:
    """Three answers to one question."""

    by_bm25: str
    by_minilm: str
    all_text: str


async def baselines(search: str, question: str, embedder: Embedder) -> Baselines:
    """The answers that need no more than a search engine, the text of pages and a ranking.

    Args:
        search: base URL of a SearXNG-shaped search.
    """
    sentences = _sentences(search, question)
    ranked = Bm25(sentences).scores(question)
    lexical = sorted(range(len(sentences)), key=lambda place: -ranked[place])[:EMBEDDED]
    wanted, *vectors = await embedder.embed([question, *(sentences[place] for place in lexical)])
    near = {place: cosine(wanted, vector) for place, vector in zip(lexical, vectors, strict=True)}
    dense = sorted(lexical, key=lambda place: -near[place])
    return Baselines(
        by_bm25=_joined(sentences, lexical[:SENTENCES]),
        by_minilm=_joined(sentences, dense[:SENTENCES]),
        all_text=" ".join(sentences),
    )


def best_sentences(search: str, question: str) -> str:
    """The eight best sentences by BM25 alone."""
    sentences = _sentences(search, question)
    ranked = Bm25(sentences).scores(question)
    best = sorted(range(len(sentences)), key=lambda place: -ranked[place])[:SENTENCES]
    return _joined(sentences, best)


def _sentences(search: str, question: str) -> list[str]:
    """The sentences of the first pages that are neither a crumb nor a wall of text."""
    found = (text for url in results(search, question)[:PAGES] for text in _sentences_of(url))
    return [text for text in found if LEAST_WORDS <= len(text.split()) <= MOST_WORDS]


def _sentences_of(url: str) -> list[str]:
    """The sentences of all visible text of a page; what stands between two full stops is one."""
    with urllib.request.urlopen(url, timeout=PAGE_TIMEOUT_S) as response:
        tree = lxml.html.fromstring(response.read())
    for node in tree.xpath(_FRAME):
        if node.getparent() is not None:
            node.drop_tree()
    return re.split(r"(?<=[.!?])\s+(?=[A-Z\"“(])", " ".join(tree.text_content().split()))


def _joined(sentences: Sequence[str], places: Sequence[int]) -> str:
    """The sentences in the order of the pages."""
    return " ".join(sentences[place] for place in sorted(places))
