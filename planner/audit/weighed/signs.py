"""What speaks for and against two answers being about the same: signs that are weighed together."""

from typing import Final

from planner.audit.counts import counts_some, counts_those, is_of_many
from planner.audit.kinds_apart import modified_apart
from planner.audit.lexicon.contrasts import is_repeated, measures_apart
from planner.audit.restrictions import (
    are_placed_apart,
    is_of_other_moment,
    is_one_of,
    is_restricted,
    is_unreal,
    versions_of,
    without_lookalikes,
)
from planner.audit.same_case import is_other_case, is_same_time
from planner.audit.weighed.answers import Answer
from planner.audit.weighed.asked import Asked
from planner.audit.weighed.pieces import Piece
from planner.text.statements import is_experience
from planner.text.subject import subject_of
from planner.text.words import STOPWORDS, WORD, stem, terms
from planner.verify.polarity import is_limited

SIGNS: Final = (
    "near", "alike", "named", "told", "told_by_both", "sure", "rivals", "other_case", "restricted", "limited", "unreal",
    "moment", "some", "times", "titled", "experience", "apart", "versions",
)  # fmt: skip


def signs_of(asked: Asked, one: Answer, other: Answer, nears: tuple[float, float], alike: float) -> list[float]:
    """The signs of a pair, in the order of SIGNS.

    Args:
        asked: what they answer.
        one: the first answer.
        other: the second answer.
        nears: the cosines of their pieces with the question.
        alike: the cosine of their pieces with each other.
    """
    question = asked.question
    pieces, texts = (one.piece, other.piece), (one.piece.text, other.piece.text)
    subject = subject_of(question)
    told = [_told(asked, piece) for piece in pieces]
    knowns = [f"{question} {each.title} {each.text}" for each in pieces]
    versions = [versions_of(f"{piece.text} {piece.title}", subject) for piece in pieces]
    plain = [without_lookalikes(text) for text in texts]
    return [
        min(nears),
        alike,
        sum(subject.share(text) > 0 for text in texts) / 2 if subject.words else 1.0,
        sum(told) / 2,
        min(told),
        min(one.certainty, other.certainty),
        min(2, one.rivals + other.rivals) / 2,
        float(is_other_case(*texts, question=question, names_answer=asked.kind in ("who", "where", "thing"))),
        (is_restricted(texts[0], knowns[1]) + is_restricted(texts[1], knowns[0])) / 2,
        sum(is_limited(text, terms(text)) for text in plain) / 2,
        float(any(map(is_unreal, texts))),
        float(is_of_other_moment(*texts, question) or is_repeated(*texts)),
        float(_count_some(asked, one, other)),
        float(not is_same_time(one.piece.said.stated.dates, other.piece.said.stated.dates)) if asked.kind != "time" else 0.0,
        float(any(_is_titled_apart(asked, piece) for piece in pieces)),
        sum(map(is_experience, texts)) / 2,
        float(measures_apart(*texts) or modified_apart(*texts, question) or are_placed_apart(*texts, question)),
        float(versions[0] != versions[1]),
    ]


def _told(asked: Asked, piece: Piece) -> float:
    """The share of what is asked that a piece has in its own words."""
    wanted = asked.aspects
    return sum(is_one_of(word, piece.words) for word in wanted) / len(wanted) if wanted else 1.0


def _count_some(asked: Asked, one: Answer, other: Answer) -> bool:
    if asked.kind != "amount":
        return False
    some = [counts_some(each.piece.text, each.text) for each in (one, other)]
    those = [counts_those(each.piece.text, asked.question) for each in (one, other)]
    many = [is_of_many(each.piece.text) for each in (one, other)]
    return some[0] != some[1] or those[0] != those[1] or any(many)


def _is_titled_apart(asked: Asked, piece: Piece) -> bool:
    """Whether the title of a page names a variant, a model or a year of the subject: "Onda Solar", "Elstow 2021"."""
    known = {stem(word.lower().replace("’", "'").removesuffix("'s")) for word in WORD.findall(asked.question)}
    words = WORD.findall(piece.title)
    for before, word in zip(words, words[1:], strict=False):
        is_mark = word[0].isdigit() or (word[0].isupper() and word.lower() not in STOPWORDS)
        if stem(before.lower()) in asked.names and is_mark and stem(word.lower()) not in known:
            return True
    return False
