"""Find pairs of pages that answer a question differently, whatever words, labels or rows they do it by."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from planner.audit.any_wording.answer import SURELY_ASKED, ToldAnswer
from planner.audit.any_wording.answers import answer_of, differ
from planner.audit.any_wording.asked import AskedAnswer, asked_answer_of
from planner.audit.any_wording.gates import are_of_one_case, is_of_specific_unit, is_stated_plainly
from planner.audit.any_wording.pieces import Piece, pieces_of
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.restrictions import is_one_of
from planner.audit.told_events import tells_what_is_asked
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.ranking import cosine
from research_crawler.text.subject import subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

LEAST_NAMED: Final = 0.6
"""Least share of the question's names that a piece has with the title of its page."""
TELLS_ASPECT: Final = 0.5
"""Least cosine of a word of a piece with a word of the question that it stands for, on average over these: flames and
burn have 0.6. On two sets that ask for amounts, days and names it was reached by 17 of 31 pairs that disagree and 13
of 34 of which a page answers something else, which other gates leave out."""
LEAST_OF_KIND: Final = 0.35
"""Least cosine of a word with the kind of thing that is asked for: liver and organ have 0.5, goat and milk 0.4."""
OF_KIND_TOO: Final = 0.8
"""Share of the best word's cosine from which another word may be the thing as well: red and white."""
MOST_TOLD_WORDS: Final = 24
"""Most words that are embedded, at 1.3 ms each."""
MOST_LABEL_WORDS: Final = 8
"""Words of a label or a row, which its title explains."""
MOST_ANSWER_PAIRS: Final = 24
"""Most pairs of answers that are looked at."""


async def answers_in_any_wording(
    question: str, said: Sequence[EvidenceStatement], findings: Sequence[Finding], embedder: Embedder
) -> list[tuple[EvidenceStatement, EvidenceStatement]]:
    """Pairs of what different pages say that answer a question with different amounts, days, names or things.

    An answer counts where the piece, or the title of its page, names the subject, and where it tells what is asked: by
    a word of the question or one that means nearly the same, by the thing that is counted, or by a unit that measures
    nothing else.

    Args:
        question: what is asked.
        said: statements of the findings with their vectors.
        findings: the best first.
        embedder: compares words by their meaning.
    """
    asked = asked_answer_of(question)
    if asked is None or asked.kind == "yes_no":
        return []
    told = [
        answer
        for piece in pieces_of(findings, said)
        if _is_about(asked, piece) and (answer := answer_of(asked, piece))
    ]
    if asked.kind == "thing":
        told = await _with_things(asked, told, embedder)
    told = [one for one in told if is_stated_plainly(asked, one)]
    opposed = [
        (one, other)
        for one, other in combinations(told, 2)
        if one.piece.url != other.piece.url and differ(one, other) and are_of_one_case(asked, one, other)
    ][:MOST_ANSWER_PAIRS]
    answering = await _answering(asked, [each for pair in opposed for each in pair], embedder)
    return [
        (one.piece.said, other.piece.said)
        for one, other in opposed
        if id(one) in answering and id(other) in answering
    ]


def _is_about(asked: AskedAnswer, piece: Piece) -> bool:
    subject = subject_of(asked.question)
    about = f"{piece.title}. {piece.text}"
    if subject.words:
        return subject.share(about) >= LEAST_NAMED and not subject.is_neighbour(about)
    known = set(terms(about))
    return bool(asked.aspects) and all(stem(word) in known for word in asked.aspects)


async def _answering(asked: AskedAnswer, answers: Sequence[ToldAnswer], embedder: Embedder) -> set[int]:
    """The identities of those answers whose pieces tell what is asked."""
    distinct = list({id(one): one for one in answers}.values())
    sure = {id(one) for one in distinct if _is_sure(asked, one) or _tells_event(asked, one)}
    left = [one for one in distinct if id(one) not in sure]
    words = {id(one): _words_beside(asked, one) for one in left}
    every = list(dict.fromkeys([*asked.aspects, *(word for one in left for word in words[id(one)])]))[
        :MOST_TOLD_WORDS
    ]
    vectors = dict(zip(every, await embedder.embed(every), strict=True)) if left and asked.aspects else {}
    return sure | {id(one) for one in left if _tells(asked, words[id(one)], vectors) >= TELLS_ASPECT}


def _tells_event(asked: AskedAnswer, one: ToldAnswer) -> bool:
    """Whether a piece has a word for just what happened, or for what somebody is to the subject."""
    is_fact = asked.kind in ("time", "who", "where")
    return is_fact and tells_what_is_asked(asked.question, one.piece.text)


def _is_sure(asked: AskedAnswer, one: ToldAnswer) -> bool:
    return one.certainty >= SURELY_ASKED and (
        asked.kind != "amount" or asked.is_count or asked.is_age or is_of_specific_unit(asked)
    )


def _tells(asked: AskedAnswer, words: Sequence[str], vectors: dict[str, list[float]]) -> float:
    """How well the words of a piece tell those of the question, on average."""
    told = [
        max((_likeness(aspect, word, vectors) for word in words), default=0.0) for aspect in asked.aspects
    ]
    return sum(told) / len(told) if told else 0.0


def _likeness(one: str, other: str, vectors: dict[str, list[float]]) -> float:
    if is_one_of(stem(one), {stem(other)}):
        return 1.0
    return cosine(vectors[one], vectors[other]) if one in vectors and other in vectors else 0.0


def _words_beside(asked: AskedAnswer, answer: ToldAnswer) -> list[str]:
    """The words of a piece beside names, numbers and the answer itself."""
    own = set(_words(answer.text)) if asked.kind != "amount" else set[str]()
    text = answer.piece.text
    if len(text.split()) <= MOST_LABEL_WORDS:
        text = f"{answer.piece.title}. {text}"
    return [word for word in _words(text) if word not in own and stem(word) not in asked.names]


def _words(text: str) -> list[str]:
    found = (word.lower().replace("’", "'").removesuffix("'s") for word in WORD.findall(text))
    return list(dict.fromkeys(word for word in found if word not in STOPWORDS and not word[0].isdigit()))


async def _with_things(
    asked: AskedAnswer, told: Sequence[ToldAnswer], embedder: Embedder
) -> list[ToldAnswer]:
    """The answers whose words name a thing of the kind that is asked for, with that word."""
    words = list(dict.fromkeys(word for one in told for word in one.words))[:MOST_TOLD_WORDS]
    if not words:
        return []
    wanted, *vectors = await embedder.embed([asked.thing, *words])
    near = {word: cosine(wanted, vector) for word, vector in zip(words, vectors, strict=True)}
    found = []
    for one in told:
        best = max((word for word in one.words if word in near), key=lambda word: near[word], default="")
        if best and near[best] >= LEAST_OF_KIND:
            rivals = sum(near.get(word, 0.0) >= OF_KIND_TOO * near[best] for word in one.words) - 1
            found.append(
                replace(
                    one,
                    name=frozenset((stem(best),)),
                    text=best,
                    rivals=rivals,
                    start=one.piece.text.lower().find(best),
                )
            )
    return found
