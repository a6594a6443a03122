"""Find what pages say differently about the same thing: contradictions, and values that a newer page has replaced."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from planner.audit.counts import counts_some, counts_those
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.kinds_apart import groups_apart, modified_apart
from planner.audit.lexicon.contrasts import is_repeated, measures_apart
from planner.audit.other_subjects import are_of_two_subjects, is_of_another_subject
from planner.audit.restrictions import (
    are_placed_apart,
    is_of_other_moment,
    is_restricted,
    is_unreal,
    versions_of,
)
from planner.audit.same_case import is_other_case, is_titled_otherwise, year_of_figure
from planner.audit.same_fact import differing, differing_dates, is_contrary
from planner.audit.series import LikeSeries
from research_crawler.core.models.drafts import Contradiction, Sentence
from research_crawler.text.messages import Messages
from research_crawler.text.ranking import cosine
from research_crawler.text.statements import is_experience, is_personal
from research_crawler.text.subject import subject_of

SAME_SUBJECT: Final = 0.7
"""Least cosine of two statements about the same thing; MiniLM gives two wordings of one fact 0.75 to 0.95, and it
hardly sees a negation or another number."""
CONFLICT_NEARNESS: Final = 0.35
"""Least cosine with the question of a statement whose contradiction is worth a reader's time."""
MOST: Final = 4
REPLACED_DAYS: Final = 180
"""A page that is so much newer than another one replaces its value; pages of one season contradict each other."""

Kind = Literal["contradiction", "replaced", "told"]
"""`told`: a page reports that others disagree."""


@dataclass(frozen=True)
class Difference:
    """Two statements that cannot both hold now."""

    kind: Kind
    one: EvidenceStatement
    """Of a replaced value: the newer one."""
    other: EvidenceStatement


def differences(
    found: Sequence[EvidenceStatement], question: str = "", series: LikeSeries | None = None
) -> list[Difference]:
    """What statements of different pages say differently, nearest to the question first; each pair of pages once.

    A limit ("may", "usually", "up to") that another page does not set is a qualification, and no difference;
    neither is what holds in a case that the other page does not speak of, unless the question asks about it.
    """
    kept: list[Difference] = []
    series = series or LikeSeries([one.finding for one in found])
    for one, other in _candidates(found):
        if not (
            differing(one.stated, other.stated)
            or differing_dates(one.stated, other.stated)
            or is_contrary(one.stated, other.stated)
        ):
            continue
        if is_experience(one.text) and is_experience(other.text):  # each has his own
            continue
        if any(is_titled_otherwise(each.finding.title, each.text, question) for each in (one, other)):
            continue
        if series.has(one.finding, other.finding) or is_other_case(one.text, other.text, question=question):
            continue
        if is_contrary(one.stated, other.stated) and is_own_case(question, one, other):
            continue
        if differing_dates(one.stated, other.stated) and is_repeated(one.text, other.text):
            continue
        if _is_of_some(question, one, other):
            continue
        if not any(_is_about_the_same(known, one, other) for known in kept):
            kept.append(difference_of(one, other))
    return kept[:MOST]


def _is_of_some(question: str, one: EvidenceStatement, other: EvidenceStatement) -> bool:
    """Whether one of two numbers that differ holds at a moment of its own, or counts a part or some."""
    figures = differing(one.stated, other.stated)
    if figures is None:
        return False
    if any(is_of_another_subject(said.text, question) for said in (one, other)):
        return True
    if groups_apart(one.text, other.text, question):
        return True
    years = [year_of_figure(figure, said.text) for said, figure in zip((one, other), figures, strict=True)]
    if bool(years[0]) != bool(years[1]) and (years[0] or years[1]) not in question:
        return True
    some = [counts_some(said.text, figure.text) for said, figure in zip((one, other), figures, strict=True)]
    those = [counts_those(said.text, question) for said in (one, other)]
    return some[0] != some[1] or those[0] != those[1] or is_of_other_moment(one.text, other.text, question)


def is_own_case(
    question: str,
    one: EvidenceStatement,
    other: EvidenceStatement,
    *,
    known: str = "",
    parts: tuple[str, str] | None = None,
) -> bool:
    """Whether a yes and a no hold for a case, a version or a kind of their own, so that neither denies the other.

    Args:
        question: what they answer.
        one: the first of them.
        other: the second.
        known: words of theirs by which they answer, which restrict nothing.
        parts: those parts of both that answer; None: all of them.
    """
    mine, theirs = one.text, other.text
    if is_other_case(mine, theirs, question=question) or measures_apart(mine, theirs):
        return True
    if are_of_two_subjects(mine, theirs, question):
        return True
    if modified_apart(mine, theirs, question) or are_placed_apart(mine, theirs, question):
        return True
    if is_unreal(mine) or is_unreal(theirs):
        return True
    subject = subject_of(question)
    versions = [versions_of(f"{said.text} {said.finding.title}", subject) for said in (one, other)]
    is_newer = (
        abs(days_between(one.day, other.day)) >= REPLACED_DAYS
    )  # what a version brought replaces what was
    if versions[0] != versions[1] and not is_newer:
        return True
    asked = f"{question} {known}"
    first, second = parts or (mine, theirs)
    return is_restricted(first, f"{asked} {theirs}") or is_restricted(second, f"{asked} {mine}")


def replaced_places(found: Sequence[Difference]) -> set[int]:
    """The findings that state a value that a newer page has replaced."""
    return {one.other.place for one in found if one.kind == "replaced"}


def told_apart(found: Sequence[Difference], language: str) -> list[Contradiction]:
    """The differences as reports tell them: both statements in the words of their pages."""
    say = Messages(language)
    return [
        Contradiction(
            about=_about(one, say),
            one=_told(one.one),
            other=_told(one.other),
            is_replaced=one.kind == "replaced",
        )
        for one in found
    ]


def _about(found: Difference, say: Messages) -> str:
    if found.kind == "replaced":
        return say("newer_says", day=found.one.day, old=found.other.day)
    return say("page_tells_dispute", host=found.one.host) if found.kind == "told" else ""


def _told(said: EvidenceStatement) -> Sentence:
    speaker = said.host if is_personal(said.text) else ""
    return Sentence(text=said.text, evidence=[said.place], speaker=speaker)


def _candidates(found: Sequence[EvidenceStatement]) -> Iterator[tuple[EvidenceStatement, EvidenceStatement]]:
    near = [one for one in found if one.nearness >= CONFLICT_NEARNESS]
    for one, other in combinations(near, 2):
        if one.finding.page_sha256 == other.finding.page_sha256 and one.finding.url == other.finding.url:
            continue
        if cosine(one.vector, other.vector) >= SAME_SUBJECT:
            yield one, other


def _is_about_the_same(known: Difference, one: EvidenceStatement, other: EvidenceStatement) -> bool:
    pair = {known.one.finding.url, known.other.finding.url}
    texts = {known.one.text, known.other.text}
    return pair == {one.finding.url, other.finding.url} or {one.text, other.text} <= texts


def difference_of(one: EvidenceStatement, other: EvidenceStatement) -> Difference:
    """Two statements that cannot both hold; one has replaced the other if its page is much newer."""
    apart = days_between(one.day, other.day)
    if apart >= REPLACED_DAYS:
        return Difference("replaced", one, other)
    if -apart >= REPLACED_DAYS:
        return Difference("replaced", other, one)
    return Difference("contradiction", one, other)


def days_between(day: str, other: str) -> int:
    """By how many days the first is later; 0 if either is unknown."""
    years = [text[:4] for text in (day, other)]
    if not all(len(year) == 4 and year.isdecimal() for year in years):
        return 0
    return _count(day) - _count(other)


def _count(day: str) -> int:
    """A day as a number, from an ISO date that may lack its month or day; near enough to compare."""
    parts = [int(part) if part.isdecimal() else 1 for part in day.split("-")[:3]]
    year, month, of_month = [*parts, 1, 1][:3]
    return 365 * year + 30 * month + of_month
