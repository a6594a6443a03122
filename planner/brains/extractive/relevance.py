"""How much each sentence of a page helps: what answers the question, and what tells more of the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.brains.extractive.kinds import specificity
from planner.brains.extractive.queries import aspects, question_of
from planner.text.ranking import Bm25, cosine, normalised
from planner.text.sentences import Unit
from planner.text.subject import Subject, names_in, subject_of
from planner.text.words import overlap, terms
from research_crawler.core.model_ports import Embedder
from research_crawler.core.models.decisions import PageView

DENSE_UNITS = 64
"""Sentences of a page that get a vector, chosen by BM25: 0.25 s of one core."""
_DENSE_FLOOR, _DENSE_CEILING = 0.05, 0.75
"""MiniLM's cosines of a question with unrelated and with answering sentences."""
_DENSE_SHARE, _LEXICAL_SHARE, AROUND_SHARE = 0.62, 0.24, 0.14
ASPECT_SHARE = 0.9
"""What answers one part of a question counts nearly as much as what answers the whole."""
MAX_ASPECTS = 4
LEADERS = 3
"""Sentences whose names and mean vector stand for the answer (pseudo-relevance feedback within the page)."""
ANSWER_SHARE, FEEDBACK_SHARE, NAME_SHARE, SPECIFIC_SHARE = 0.6, 0.16, 0.1, 0.14
NEIGHBOUR_FACTOR = 0.5
"""What is left of a score where title or sentence name only the sibling of the subject."""
QUESTION_FACTOR = 0.7
"""A sentence that asks rarely tells."""
ECHO_FACTORS = (0.4, 0.4, 0.6, 0.8)
"""By how many words a sentence adds to question, title and heading: a title said again tells nothing."""
PIECE_SHARE = 0.8
"""Items and rows are compared under their heading, which makes them look more alike than they are."""
SHORT_FACTOR, _SHORT_WORDS = 0.7, 6
"""So does a very short one, unless it has a figure or is an item of a list."""


@dataclass
class Scored:
    """A sentence with its score, 0 to 1, and its vector."""

    unit: Unit
    score: float
    vector: Sequence[float]


async def score_units(page: PageView, pieces: list[Unit], embedder: Embedder) -> list[Scored]:
    """Scores of the pieces that get a vector, in page order."""
    question = question_of(page.purpose.goal, page.purpose.task)
    texts = [f"{unit.heading}: {unit.text}" if unit.form != "sentence" else unit.text for unit in pieces]
    lexical = Bm25(texts).scores(question)
    kept = sorted(sorted(range(len(pieces)), key=lambda i: (-_with_neighbours(lexical, i), i))[:DENSE_UNITS])
    parts = aspects(question)[:MAX_ASPECTS]
    vectors = await embedder.embed([question, *parts, *(texts[i] for i in kept)])
    asked, vectors = vectors[: 1 + len(parts)], vectors[1 + len(parts) :]
    answers = _answers(asked, vectors, [pieces[i] for i in kept], [lexical[i] for i in kept], terms(question))
    subject = subject_of(page.purpose.goal, page.purpose.task)
    scores = _with_feedback(answers, vectors, [pieces[i] for i in kept], subject)
    off_subject = subject.is_neighbour(page.title)
    known = {*terms(question), *terms(page.title)}
    factors = [_factor(pieces[i], subject, off_subject=off_subject) * _echo(pieces[i], known) for i in kept]
    return [
        Scored(pieces[i], round(min(1.0, score * factor), 3), vector)
        for i, score, factor, vector in zip(kept, scores, factors, vectors, strict=True)
    ]


def _answers(
    asked: Sequence[Sequence[float]],
    vectors: Sequence[Sequence[float]],
    pieces: Sequence[Unit],
    lexical: Sequence[float],
    wanted: Sequence[str],
) -> list[float]:
    """How well each piece answers the question by itself and in its paragraph, 0 to 1."""
    dense = [
        _similarity(asked, vector) * (1.0 if piece.form == "sentence" else PIECE_SHARE)
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
    """The same with what the best pieces tell: who asks for the best grinder wants to know what it weighs."""
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


def _similarity(asked: Sequence[Sequence[float]], vector: Sequence[float]) -> float:
    whole, *parts = (cosine(one, vector) for one in asked)
    best = max([whole, *(ASPECT_SHARE * part for part in parts)])
    return min(1.0, max(0.0, (best - _DENSE_FLOOR) / (_DENSE_CEILING - _DENSE_FLOOR)))


def _around(dense: Sequence[float], pieces: Sequence[Unit], place: int) -> float:
    """How well the pieces beside it in its paragraph fit: an answer stands beside its subject."""
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
    short = unit.form == "sentence" and len(unit.text.split()) < _SHORT_WORDS
    return factor * (SHORT_FACTOR if short and not any(c.isdigit() for c in unit.text) else 1.0)


def _echo(unit: Unit, known: set[str]) -> float:
    new = len({*terms(unit.text)} - known - {*terms(unit.heading)})
    return ECHO_FACTORS[new] if new < len(ECHO_FACTORS) else 1.0


def _with_neighbours(scores: Sequence[float], i: int) -> float:
    around = (scores[j] for j in (i - 1, i + 1) if 0 <= j < len(scores))
    return scores[i] + 0.5 * max(around, default=0.0)
