"""Find pairs of pieces of different pages that answer a question differently, and weigh the signs of each pair."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.weighed.answers import Answer, answer_of, differ
from planner.audit.weighed.asked import Asked, asked_of
from planner.audit.weighed.pieces import Piece, pieces_of
from planner.audit.weighed.signs import signs_of
from planner.audit.weighed.yes_no import polarity_signs
from planner.text.ranking import cosine
from planner.text.subject import subject_of
from planner.text.words import stem, terms
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder

LEAST_NAMED: Final = 0.5
"""Least share of the question's names that a piece has with the title of its page."""
MOST_EMBEDDED: Final = 12
"""Most pieces without a vector that get one."""
LEAST_NEAR: Final = 0.25
"""Least cosine of a piece with the question."""
MOST_PAIRS: Final = 60
LEAST_OF_KIND: Final = 0.22
"""Least cosine of a word with the kind of thing that is asked for: goat and milk have 0.4."""
MOST_WORDS: Final = 16


@dataclass(frozen=True)
class AnswerPair:
    """Two answers of different pages with the signs of the pair."""

    asked: Asked
    one: Answer
    other: Answer
    signs: tuple[float, ...]


async def answer_pairs(
    question: str, said: Sequence[EvidenceStatement], findings: Sequence[Finding], embedder: Embedder
) -> list[AnswerPair]:
    """The pairs of answers to a question that differ, with their signs.

    Args:
        question: what is asked.
        said: statements of the findings with their vectors.
        findings: the best first.
        embedder: compares pieces by their meaning.
    """
    asked = asked_of(question)
    if asked is None:
        return []
    told = [
        answer
        for piece in pieces_of(findings, said)
        if _is_about(asked, piece) and (answer := answer_of(asked, piece)) is not None
    ]
    if asked.kind == "thing":
        told = await _with_things(asked, told, embedder)
    opposed = [
        (one, other) for one, other in combinations(told, 2) if one.piece.url != other.piece.url and differ(one, other)
    ]
    if not opposed:
        return []
    placed = await _placed(question, [each for pair in opposed for each in pair], embedder)
    return [
        AnswerPair(asked, one, other, tuple(_signs(asked, one, other, placed)))
        for one, other in opposed
        if id(one) in placed and id(other) in placed and min(placed[id(one)][0], placed[id(other)][0]) >= LEAST_NEAR
    ][:MOST_PAIRS]


Placed = dict[int, tuple[float, Sequence[float]]]
"""By the identity of an answer, how near its piece is to the question, and the vector of the piece."""


def _signs(asked: Asked, one: Answer, other: Answer, placed: Placed) -> list[float]:
    (near, mine), (other_near, theirs) = placed[id(one)], placed[id(other)]
    found = signs_of(asked, one, other, (near, other_near), cosine(mine, theirs))
    return found + polarity_signs(asked, one.piece, other.piece) if asked.kind == "yes_no" else found


def _is_about(asked: Asked, piece: Piece) -> bool:
    subject = subject_of(asked.question)
    about = f"{piece.title}. {piece.text}"
    if subject.words:
        return subject.share(about) >= LEAST_NAMED and not subject.is_neighbour(about)
    return len(asked.aspects & set(terms(about))) >= LEAST_NAMED * len(asked.aspects)


async def _placed(question: str, answers: Sequence[Answer], embedder: Embedder) -> Placed:
    """The nearness and the vectors of answers; what has no vector is embedded with its title, at most MOST_EMBEDDED."""
    distinct = list({id(one): one for one in answers}.values())
    placed: Placed = {
        id(one): (one.piece.said.nearness, one.piece.said.vector) for one in distinct if one.piece.said.vector
    }
    left = [one for one in distinct if id(one) not in placed][:MOST_EMBEDDED]
    if left:
        wanted, *vectors = await embedder.embed([question, *(_situated(one.piece) for one in left)])
        placed |= {id(one): (cosine(wanted, vector), vector) for one, vector in zip(left, vectors, strict=True)}
    return placed


def _situated(piece: Piece) -> str:
    return f"{piece.title}: {piece.text}"


async def _with_things(asked: Asked, told: Sequence[Answer], embedder: Embedder) -> list[Answer]:
    """The answers whose words name a thing of the kind that is asked for, with that word."""
    words = list(dict.fromkeys(word for one in told for word in one.words))[: MOST_WORDS * 3]
    if not words:
        return []
    wanted, *vectors = await embedder.embed([asked.thing, *words])
    near = {word: cosine(wanted, vector) for word, vector in zip(words, vectors, strict=True)}
    found = []
    for one in told:
        best = max((word for word in one.words if word in near), key=lambda word: near[word], default="")
        if best and near[best] >= LEAST_OF_KIND:
            found.append(replace(one, name=frozenset((stem(best),)), text=best, certainty=near[best]))
    return found
