"""The baseline of `recall`: top results of the same engine, trafilatura, the best sentences by BM25."""

import json
import math
import re
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Sequence

import trafilatura

from research_crawler.demo.demo_questions import DemoQuestion, Recall, score

K1, B = 1.5, 0.75
"""Okapi BM25 with its usual constants."""
PAGE_TIMEOUT_S = 30.0
"""Long, so that a busy machine does not make the reference worse than it is."""
MOST_BYTES = 2_000_000

_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(search: str, question: DemoQuestion, *, pages: int, quotes: int) -> Recall:
    """Score the `quotes` best sentences of the first `pages` results for the unchanged question."""
    urls = results(search, question.goal)[:pages]
    sentences = [(url, sentence) for url in urls for sentence in sentences_of(url)]
    ranked = bm25(question.goal, [sentence for _, sentence in sentences])
    best = sorted(range(len(sentences)), key=lambda place: -ranked[place])[:quotes]
    return score(question, [{"url": sentences[place][0], "quote": sentences[place][1]} for place in best])


def results(search: str, query: str) -> list[str]:
    """The URLs of two pages of results, best first."""
    urls: list[str] = []
    for page in (1, 2):
        arguments = urllib.parse.urlencode({"q": query, "format": "json", "pageno": page})
        with _opener.open(f"{search}/search?{arguments}", timeout=PAGE_TIMEOUT_S) as response:
            urls += [result["url"] for result in json.loads(response.read())["results"]]
    return list(dict.fromkeys(urls))


def sentences_of(url: str) -> list[str]:
    """The sentences of the page's main text; none if the page cannot be read."""
    try:
        with _opener.open(url, timeout=PAGE_TIMEOUT_S) as response:
            text = trafilatura.extract(response.read(MOST_BYTES), output_format="markdown") or ""
    except OSError:
        return []
    return [piece for piece in re.split(r"(?<=[.!?])\s+|\n+", text) if piece.strip()]


def bm25(query: str, documents: Sequence[str]) -> list[float]:
    """A score per document."""
    counts = [Counter(words(document)) for document in documents]
    mean = sum(sum(count.values()) for count in counts) / max(1, len(counts))
    holding = Counter(word for count in counts for word in count)
    weights = {
        word: math.log(1 + (len(counts) - holding[word] + 0.5) / (holding[word] + 0.5))
        for word in set(words(query))
    }
    return [
        sum(
            weight * count[word] * (K1 + 1) / (count[word] + K1 * (1 - B + B * sum(count.values()) / mean))
            for word, weight in weights.items()
        )
        for count in counts
    ]


def words(text: str) -> list[str]:
    """Lower-case words."""
    return re.findall(r"\w+", text.lower())
