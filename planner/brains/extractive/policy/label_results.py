"""Label search results without a model: by nearness to the goal, the engine's rank and the kind of source."""

from collections.abc import Collection
from typing import Final

from planner.brains.extractive.nearness import SimilarityIndex
from planner.brains.question_and_outline import question_to_answer
from planner.brains.result_labels import priority_of
from research_crawler.core.models.jobs.decisions import LabelRequest, ResultLabel
from research_crawler.core.models.messages.events import ResultType, SearchResult
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect, function_words
from research_crawler.text.languages.words import WORD
from research_crawler.text.source_types import source_type

RANK_SHARE = 0.3
"""By what share the first place in an engine's list raises a score, the second by half of it, and so on: the engine
has read the whole page, and we its title and some words of it."""
SOURCE_SHIFT = 0.12
"""How much a shop's page loses, and for a purchase one of people who have used the thing wins: a shop only describes
what it sells. Where the question is what something costs, a shop loses nothing: it says so."""
NAMED_MIN_WORDS: Final = 2
"""Words of a question in another language than English that a result has as they are written, one of them in its title,
from which its page is read: names and codes, for texts of two languages share hardly anything else."""
NAMED_MIN_SCORE: Final = 0.42
"""Least score of such a page: that of one that should be read."""


async def label_results(request: LabelRequest, embedder: Embedder) -> list[ResultLabel]:
    """One label per result, best first."""
    if not request.results:
        return []
    question = question_to_answer(request.goal, request.task)
    texts = [f"{result.title}. {result.snippet}".strip() for result in request.results]
    wanted, *vectors = await embedder.embed([question, *texts])
    fits = SimilarityIndex(texts, vectors, detect(question)).similarities_to(question, wanted)
    # The packaged model knows English, and words alone compare only texts of one language.
    names = frozenset() if detect(question) == "en" else _words_of(question)
    labels = [
        _label(result, near.fit, request, names) for result, near in zip(request.results, fits, strict=True)
    ]
    return sorted(labels, key=lambda label: -label.score)


def _is_named(result: SearchResult, names: Collection[str]) -> bool:
    """Whether a result has so many of these words that it is about what they name."""
    in_title = _words_of(result.title).intersection(names)
    return bool(in_title) and len(in_title | _words_of(result.snippet).intersection(names)) >= NAMED_MIN_WORDS


def _words_of(text: str) -> frozenset[str]:
    """The words of a text that are not function words, as they are written but for capitals."""
    return frozenset(word.lower() for word in WORD.findall(text.replace("-", " "))) - function_words()


def _label(
    result: SearchResult, fit: float, request: LabelRequest, names: Collection[str] = ()
) -> ResultLabel:
    kind = source_type(result.url, result.title, result.snippet)
    score = fit * (1 + (RANK_SHARE / result.rank if result.rank else 0.0)) + _shift(kind, request)
    if _is_named(result, names):
        score = max(score, NAMED_MIN_SCORE)
    score = round(min(1.0, max(0.0, score)), 3)
    return ResultLabel(url=result.url, score=score, type=kind, priority=priority_of(score))


def _shift(kind: ResultType, request: LabelRequest) -> float:
    if kind == "vendor":
        return 0.0 if request.asks_offer else -SOURCE_SHIFT
    return SOURCE_SHIFT if request.intent == "commerce" and kind in ("forum", "review") else 0.0
