"""Say whether two answers are to the same: what shows that one is of another thing, case, time, part or measure."""

import re
from itertools import pairwise
from typing import Final

from planner.audit.any_wording.answer import SURELY_ASKED, ToldAnswer
from planner.audit.any_wording.asked import AskedAnswer
from planner.audit.any_wording.pieces import Piece
from planner.audit.asked_numbers import asks_least, asks_limit
from planner.audit.conditions import has_condition
from planner.audit.counts import counts_some, counts_those, is_of_many
from planner.audit.kinds_apart import groups_apart, modified_apart
from planner.audit.lexicon.contrasts import is_repeated, measures_apart
from planner.audit.other_subjects import is_of_another_subject
from planner.audit.restrictions import (
    are_placed_apart,
    is_of_other_moment,
    is_unreal,
    versions_of,
    without_lookalikes,
)
from planner.audit.same_case import is_distance, is_other_case, is_other_measure, is_same_time, year_of_figure
from planner.audit.same_fact import VARIES, Stated, are_of_other_cases
from planner.verify.polarity import is_limited
from research_crawler.text.agreement import is_negated, stems_of
from research_crawler.text.statements import is_experience, is_personal
from research_crawler.text.subject import subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_SPECIFIC: Final = (
    frozenset("g"),
    frozenset("l"),
    frozenset(("db",)),
    frozenset(("byte",)),
    frozenset(("°", "°c", "°f")),
)
"""Units that measure one thing each: what a piece gives in kilograms is a weight."""
_PARTS: Final = re.compile(
    r"[;:—–()]|,(?!\d)|\b(?:who|whom|which|where|although|though|because|until|before|after|since|while"
    r"|so that|but|and(?= (?:no|not|never|it|he|she|they)\b)"
    r"|der|die|das|weil|obwohl|bis|nachdem|bevor|qui|dont|où|parce que|jusqu|avant|mais|que|porque|hasta|pero"
    r"|che|perché|ma"
    r"|omdat|tot|maar)(?=\s)",
    re.I,
)
_MANNER: Final = re.compile(
    r"\bonly(?=\s(?:[\d£$€]|[a-z-]{3,12}teen|twenty|thirty|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve))"
    r"|\bby default\b|\bwithout(?=\s(?:a |an |any )?\w+)|\bwhen\b(?=\s(?:he|she|they|it|the|his|her|[A-Z]))",
    re.I,
)
"""Words that would be a limit, and say how or when something is."""
_NO_NEGATION: Final = re.compile(
    r"\b(?:nothing but|not only|not least|not just|no fewer than|no less than|not yet|without)\b", re.I
)
_YEAR: Final = re.compile(r"1\d{3}|20\d\d")


def is_of_specific_unit(asked: AskedAnswer) -> bool:
    """Whether the unit alone says what is measured."""
    return asked.units in _SPECIFIC


def is_stated_plainly(asked: AskedAnswer, answer: ToldAnswer) -> bool:
    """Whether an answer holds without a limit, of the subject itself; what other clauses say limits it only by "if"."""
    text, part = answer.piece.text, answering_part(answer.piece.text, answer.start)
    if (
        VARIES.search(part)
        or is_unreal(_without_known(part, asked))
        or is_of_another_subject(text, asked.question)
    ):
        return False
    if asked.kind == "amount" and (
        is_of_many(part) or counts_some(text, answer.text) or counts_those(text, asked.question)
    ):
        return False
    is_label = not asked.subject_words.isdisjoint(terms(text.partition(":")[0])) and ":" in text
    if asked.kind == "thing" and not is_label and asked.subject_words.isdisjoint(terms(part)):
        return False
    if not _is_asked_measure(asked, answer):
        return False
    if is_negated(_NO_NEGATION.sub(" ", part)) or (answer.rivals and answer.certainty < SURELY_ASKED):
        return False
    if answer.rivals and asked.kind != "amount":
        return False
    if has_condition(text, asked.question):
        return False
    return not is_limited(_MANNER.sub(" ", without_lookalikes(part)), terms(part))


def _without_known(part: str, asked: AskedAnswer) -> str:
    """A part without the words of the question: a bill that the question names is no mere plan."""
    known = {word.lower() for word in WORD.findall(asked.question)}
    return WORD.sub(lambda word: " " if word[0].lower() in known else word[0], part)


def _is_asked_measure(asked: AskedAnswer, answer: ToldAnswer) -> bool:
    """Whether an amount is no distance from elsewhere, no bound but the one that is asked for, and no one's own."""
    if asked.kind != "amount" or answer.figure is None:
        return True
    text, kind = answer.piece.text, answer.figure.kind
    if is_distance(answer.figure, text, asked.question) or (asked.is_count and is_personal(text)):
        return False
    if asks_limit(asked.question):
        return kind != "over"
    if asks_least(asked.question):
        return kind != "under"
    return kind not in ("under", "over")


def answering_part(text: str, start: int) -> str:
    """The part of a sentence in which an answer stands: without what another clause adds."""
    ends = [match.span() for match in _PARTS.finditer(text)]
    left = max((end for _, end in ends if end <= start), default=0)
    right = min((begin for begin, _ in ends if begin >= start), default=len(text))
    return text[left:right]


def are_of_one_case(asked: AskedAnswer, one: ToldAnswer, other: ToldAnswer) -> bool:
    """Whether nothing shows that two answers are of two cases, times, kinds or versions."""
    question, texts = asked.question, (_without_answer(one), _without_answer(other))
    parts = [answering_part(each.piece.text, each.start) for each in (one, other)]
    is_named = asked.kind in ("who", "where", "thing")
    if is_other_case(*texts, question=question, names_answer=is_named):
        return False
    if is_of_other_moment(parts[0], parts[1], question) or is_repeated(*texts):
        return False
    if all(map(is_experience, texts)) or groups_apart(parts[0], parts[1], question):
        return False
    if asked.kind != "time" and not _are_of_one_measure_and_time(asked, one, other):
        return False
    if measures_apart(*texts) or modified_apart(*texts, question) or are_placed_apart(*texts, question):
        return False
    if any(_is_titled_apart(asked, each.piece) for each in (one, other)):
        return False
    return _versions(asked, one) == _versions(asked, other)


def _without_answer(answer: ToldAnswer) -> str:
    text = answer.piece.text
    return f"{text[: answer.start]} {text[answer.start + len(answer.text) :]}" if answer.start >= 0 else text


def _versions(asked: AskedAnswer, answer: ToldAnswer) -> set[str]:
    """The versions that a piece or its title names, without years and what belongs to the answer."""
    known = set(WORD.findall(f"{asked.question} {answer.text}"))
    found = versions_of(f"{answer.piece.text}. {answer.piece.title}", subject_of(asked.question))
    return {mark for mark in found - known if not _YEAR.fullmatch(mark)}


def _are_of_one_measure_and_time(asked: AskedAnswer, one: ToldAnswer, other: ToldAnswer) -> bool:
    if not is_same_time(one.piece.said.stated.dates, other.piece.said.stated.dates):
        return False
    if one.figure is None or other.figure is None:
        return True
    if is_other_measure(one.figure, one.piece.text, other.figure, other.piece.text, asked.question):
        return False
    if _are_of_two_scopes(asked, one, other):
        return False
    years = [year_of_figure(each.figure, each.piece.text) for each in (one, other) if each.figure]
    return bool(years[0]) == bool(years[1]) or (years[0] or years[1]) in asked.question


def _are_of_two_scopes(asked: AskedAnswer, one: ToldAnswer, other: ToldAnswer) -> bool:
    """Whether two amounts come with other numbers that differ, or one lacks that of the question: "per 1,000 users"."""
    every = [one.piece.said.stated.figures, other.piece.said.stated.figures]
    scopes = Stated(asked.question).figures
    in_scope = [any(scope.is_stated_by(figure) for scope in scopes for figure in told) for told in every]
    if in_scope[0] != in_scope[1]:
        return True
    own = [each.figure for each in (one, other) if each.figure]
    rest = [
        [figure for figure in told if all(figure.values != mine.values for mine in own)] for told in every
    ]
    return are_of_other_cases(rest[0], rest[1], ())


def _is_titled_apart(asked: AskedAnswer, piece: Piece) -> bool:
    """Whether the title of a page names a variant, a model or a year of the subject: "Onda Solar", "Elstow 2021"."""
    known = stems_of(f"{asked.question} {piece.text}")
    words = WORD.findall(piece.title)
    for before, word in pairwise(words):
        is_mark = word[0].isdigit() or (word[0].isupper() and word.lower() not in STOPWORDS)
        if stem(before.lower()) in asked.names and is_mark and stem(word.lower()) not in known:
            return True
    return False
