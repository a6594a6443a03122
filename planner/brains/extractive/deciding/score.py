"""Label search results without a model: by similarity to the goal, kind of source, and sibling products."""

from collections import defaultdict
from collections.abc import Sequence

from planner.brains.extractive.asking.queries import aspects, question_of
from planner.brains.extractive.reading.relevance import ASPECT_SHARE, MAX_ASPECTS
from research_crawler.core.models.decisions import ResultLabel, ScoreRequest
from research_crawler.core.models.events import Priority, ResultType, SearchResult
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import slot_of
from research_crawler.text.manual_words import with_manual_words
from research_crawler.text.ranking import Bm25, cosine, normalised
from research_crawler.text.source_types import source_type
from research_crawler.text.subject import Subject, subject_of
from research_crawler.text.words import overlap, terms

_DENSE_FLOOR, _DENSE_CEILING = 0.1, 0.75
"""MiniLM's cosines of a question with unrelated and with well-matching titles and snippets."""
_DENSE_SHARE, _LEXICAL_SHARE, SUBJECT_SHARE = 0.5, 0.25, 0.25
RANK_SHARE = 0.3
"""By what share the first place in an engine's list raises a score, the second by half of it, and so on: the engine
has read the whole page, and we its title and some words of it. Of 25 questions about manuals, 17 have their page in the
first place, and five of these pages were not among our first three without this."""
NEIGHBOUR_PENALTY = 0.35
"""How much the score of a page is lowered that names only a sibling of the model, or another year."""
BANDS: tuple[tuple[float, Priority], ...] = ((0.62, "must_visit"), (0.42, "should_visit"), (0.25, "maybe"))
COMMERCE_SHIFT: dict[ResultType, float] = {"forum": 0.12, "review": 0.12, "vendor": -0.15}
"""For commerce, forums and reviews rank above vendors."""
INFORMATIONAL_SHIFT: dict[ResultType, float] = {"official": 0.04, "vendor": -0.15}
"""A shop only describes what it sells; people who have tried it answer a question better."""


async def label_results(request: ScoreRequest, embedder: Embedder) -> list[ResultLabel]:
    """One label per result, best first."""
    question = question_of(request.goal, request.task)
    texts = [_text(result) for result in request.results]
    if not texts:
        return []
    asked = [with_manual_words(question), *aspects(question)[:MAX_ASPECTS]]
    vectors = await embedder.embed([*asked, *texts])
    asked_vectors, vectors = vectors[: len(asked)], vectors[len(asked) :]
    lexical = normalised(Bm25(texts).scores(f"{question} {request.query}"))
    subject = subject_of(request.goal, request.task, request.topic)
    wanted = terms(question)
    labels = []
    shares = _subject_shares(request.results, texts, subject)
    for result, text, vector, words, share in zip(
        request.results, texts, vectors, lexical, shares, strict=True
    ):
        base = (
            _DENSE_SHARE * _scaled(_nearness(asked_vectors, vector))
            + _LEXICAL_SHARE * (words + overlap(wanted, text)) / 2
            + SUBJECT_SHARE * share
        )
        base *= 1 + (RANK_SHARE / result.rank if result.rank else 0.0)
        kind = source_type(result.url, result.title, result.snippet)
        labels.append(_label(result, base, kind, request, subject))
    return sorted(labels, key=lambda label: -label.score)


def _subject_shares(results: Sequence[SearchResult], texts: Sequence[str], subject: Subject) -> list[float]:
    """How much of the subject each result names, or its site on average: a manual of Orlo names it on few pages."""
    own = [subject.share(text) for text in texts]
    of_site: defaultdict[str, list[float]] = defaultdict(list)
    for result, share in zip(results, own, strict=True):
        of_site[slot_of(result.url)].append(share)
    means = {site: sum(found) / len(found) for site, found in of_site.items()}
    return [max(share, means[slot_of(result.url)]) for result, share in zip(results, own, strict=True)]


def priority_of(score: float) -> Priority:
    """The priority for a score."""
    return next((priority for least, priority in BANDS if score >= least), "skip")


def _label(
    result: SearchResult, base: float, kind: ResultType, request: ScoreRequest, subject: Subject
) -> ResultLabel:
    shift = (COMMERCE_SHIFT if request.intent == "commerce" else INFORMATIONAL_SHIFT).get(kind, 0.0)
    if subject.is_neighbour(result.title) or subject.is_neighbour(_text(result)):
        shift -= NEIGHBOUR_PENALTY
    score = round(min(1.0, max(0.0, base + shift)), 3)
    return ResultLabel(url=result.url, score=score, type=kind, priority=priority_of(score))


def _nearness(asked: Sequence[Sequence[float]], vector: Sequence[float]) -> float:
    """The cosine of a result with the question, or a little less than that with the part it fits best."""
    whole, *parts = (cosine(one, vector) for one in asked)
    return max([whole, *(ASPECT_SHARE * part for part in parts)])


def _text(result: SearchResult) -> str:
    return f"{result.title}. {result.snippet}".strip()


def _scaled(similarity: float) -> float:
    return min(1.0, max(0.0, (similarity - _DENSE_FLOOR) / (_DENSE_CEILING - _DENSE_FLOOR)))
