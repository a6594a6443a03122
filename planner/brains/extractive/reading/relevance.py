"""Score the sentences of a page: those that answer the question, and those that add to the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.brains.extractive.asking.queries import aspects, question_of
from planner.brains.extractive.reading.kinds import specificity
from research_crawler.core.models.decisions import PageView
from research_crawler.core.ports.models import Embedder
from research_crawler.text.ranking import Bm25, cosine, normalised
from research_crawler.text.sentences import Unit
from research_crawler.text.subject import Subject, names_in, subject_of
from research_crawler.text.words import overlap, terms

DENSE_UNITS = 64
"""Most sentences of a page that are embedded, chosen by BM25; they take 0.25 s of one core."""
_DENSE_FLOOR, _DENSE_CEILING = 0.05, 0.75
"""MiniLM's cosines of a question with unrelated and with answering sentences."""
_DENSE_SHARE, _LEXICAL_SHARE, AROUND_SHARE = 0.62, 0.24, 0.14
ASPECT_SHARE = 0.9
"""Weight of a sentence that answers one part of the question, compared with one that answers all of it."""
MAX_ASPECTS = 4
LEADERS = 3
"""Number of best sentences whose names and mean vector represent the answer (pseudo-relevance feedback in a page)."""
ANSWER_SHARE, FEEDBACK_SHARE, NAME_SHARE, SPECIFIC_SHARE = 0.6, 0.16, 0.1, 0.14
NEIGHBOUR_FACTOR = 0.5
"""Factor for a sentence if it or the page's title names only a sibling of the subject."""
QUESTION_FACTOR = 0.7
"""Factor for a sentence that is a question."""
ECHO_FACTORS = (0.4, 0.4, 0.6, 0.8)
"""Factors for sentences that add 0, 1, 2 or 3 words to the question, title and heading: they say little new."""
PIECE_SHARE = 0.8
"""Factor for list items and table rows: they are compared with their heading, which makes them too similar."""
SHORT_FACTOR, _SHORT_WORDS = 0.7, 6
"""Factor for a sentence of fewer words, unless it has a figure."""


@dataclass
class Scored:
    """A sentence with its score, 0 to 1, and its vector."""

    unit: Unit
    score: float
    vector: Sequence[float]


async def score_units(page: PageView, pieces: list[Unit], embedder: Embedder) -> list[Scored]:
    """The scores of the DENSE_UNITS best pieces by BM25, in page order."""
    question = question_of(page.purpose.goal, page.purpose.task)
    texts = [f"{unit.heading}: {unit.text}" if unit.form != "sentence" else unit.text for unit in pieces]
    lexical = Bm25(texts).scores(question)
    best = sorted(sorted(range(len(pieces)), key=lambda i: (-_with_neighbours(lexical, i), i))[:DENSE_UNITS])
    chosen = [pieces[i] for i in best]
    parts = aspects(question)[:MAX_ASPECTS]
    vectors = await embedder.embed([question, *parts, *(texts[i] for i in best)])
    question_vectors, vectors = vectors[: 1 + len(parts)], vectors[1 + len(parts) :]
    answers = _answers(question_vectors, vectors, chosen, [lexical[i] for i in best], terms(question))
    subject = subject_of(page.purpose.goal, page.purpose.task)
    scores = _with_feedback(answers, vectors, chosen, subject)
    off_subject = subject.is_neighbour(page.title)
    known = {*terms(question), *terms(page.title)}
    factors = [_factor(piece, subject, off_subject=off_subject) * _echo(piece, known) for piece in chosen]
    return [
        Scored(piece, round(min(1.0, score * factor), 3), vector)
        for piece, score, factor, vector in zip(chosen, scores, factors, vectors, strict=True)
    ]


def _answers(
    question_vectors: Sequence[Sequence[float]],
    vectors: Sequence[Sequence[float]],
    pieces: Sequence[Unit],
    lexical: Sequence[float],
    wanted: Sequence[str],
) -> list[float]:
    """How well each piece answers the question, by itself and with its paragraph, 0 to 1.

    Args:
        question_vectors: those of the question and its parts.
        wanted: stems of the question.
    """
    dense = [
        _similarity(question_vectors, vector) * (1.0 if piece.form == "sentence" else PIECE_SHARE)
        for vector, piece in zip(vectors, pieces, strict=True)
    ]
    shares = normalised(lexical)
    return [
        _DENSE_SHARE * dense[i]
        + _LEXICAL_SHARE * (shares[i] + overlap(wanted, piece.text)) / 2
        + AROUND_SHARE * _around(dense, pieces, i)
        for i, piece in enumerate(pieces)
    ]


def _with_feedback(
    answers: list[float], vectors: Sequence[Sequence[float]], pieces: Sequence[Unit], subject: Subject
) -> list[float]:
    """The scores, raised for pieces that share names and meaning with the best ones, and for concrete pieces.

    For a question about the best grinder, a sentence about the weight of the grinder that pages recommend helps too.
    """
    leaders = sorted(range(len(answers)), key=lambda i: -answers[i])[:LEADERS]
    centre = [sum(column) / len(leaders) for column in zip(*(vectors[i] for i in leaders), strict=True)]
    names = subject.words | {name for i in leaders for name in names_in(pieces[i].text)}
    scores = []
    for answer, vector, piece in zip(answers, vectors, pieces, strict=True):
        own = names_in(f"{piece.heading}. {piece.text}")
        scores.append(
            ANSWER_SHARE * answer
            + FEEDBACK_SHARE * min(1.0, max(0.0, cosine(centre, vector)))
            + NAME_SHARE * bool(own & names)
            + SPECIFIC_SHARE * specificity(piece.text, named=bool(own))
        )
    return scores


def _similarity(question_vectors: Sequence[Sequence[float]], vector: Sequence[float]) -> float:
    whole, *parts = (cosine(question, vector) for question in question_vectors)
    best = max([whole, *(ASPECT_SHARE * part for part in parts)])
    return min(1.0, max(0.0, (best - _DENSE_FLOOR) / (_DENSE_CEILING - _DENSE_FLOOR)))


def _around(dense: Sequence[float], pieces: Sequence[Unit], place: int) -> float:
    """How well the neighbours of a piece in its paragraph fit, because an answer often stands beside its subject."""
    near = [
        dense[other]
        for other in (place - 1, place + 1)
        if 0 <= other < len(pieces) and pieces[other].block == pieces[place].block
    ]
    return max(near, default=dense[place] * 0.5)


def _factor(unit: Unit, subject: Subject, *, off_subject: bool) -> float:
    factor = NEIGHBOUR_FACTOR if off_subject and subject.share(unit.text) < 1 else 1.0
    if subject.is_neighbour(f"{unit.heading}. {unit.text}"):
        factor = min(factor, NEIGHBOUR_FACTOR)
    if unit.text.endswith("?"):
        factor *= QUESTION_FACTOR
    is_short = unit.form == "sentence" and len(unit.text.split()) < _SHORT_WORDS
    return factor * (SHORT_FACTOR if is_short and not any(c.isdigit() for c in unit.text) else 1.0)


def _echo(unit: Unit, known: set[str]) -> float:
    """The factor for how many words a unit adds to the known ones."""
    new = len({*terms(unit.text)} - known - {*terms(unit.heading)})
    return ECHO_FACTORS[new] if new < len(ECHO_FACTORS) else 1.0


def _with_neighbours(scores: Sequence[float], i: int) -> float:
    around = (scores[j] for j in (i - 1, i + 1) if 0 <= j < len(scores))
    return scores[i] + 0.5 * max(around, default=0.0)
