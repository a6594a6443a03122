"""Find where pages answer the question by another figure or date.

Each statement gives at most one value of what is asked for, and each pair of values of two pages is compared once.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal

from planner.evidence.evidence_statements import EvidenceStatement, value_statements
from planner.evidence.quantities import Quantity
from planner.evidence.series import is_of_one_series
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Contradiction, Sentence
from research_crawler.core.web.urls import host_of
from research_crawler.text.languages.dates import Date, agree
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.numbers import dimensions
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.questions.question import Question, parse_question
from research_crawler.text.writing.messages import Messages

MOST_APART: Final = 3.0
"""Largest ratio of two values of one thing: what lies further apart mostly measures another part of it. At 2, one of
five planted disagreements is lost; without a limit, ten instead of eight of 50 other cases are called."""
SUBJECT_MIN_NAME_SHARE: Final = 0.5
"""Least share of the question's names on a page, or of its words around a statement, to be about its subject."""
_LEAST_SHARED: Final = 2
"""Two statements that give a date for what is asked are compared if they share so many words. Without this limit nine
reports tell of 13 contradictions instead of 8."""
MOST: Final = 4
"""Most contradictions that a report tells."""
REPLACED_DAYS: Final = 180
"""A page that is so much newer than another one replaces its value; pages of one season contradict each other."""

Kind = Literal["contradiction", "replaced"]


@dataclass(frozen=True)
class Difference:
    """Two statements that cannot both hold now."""

    kind: Kind
    one: EvidenceStatement
    """Of a replaced value: the newer one."""
    other: EvidenceStatement


def contradictions(question: str, findings: Sequence[Finding]) -> list[Difference]:
    """What statements of different pages say differently, nearest to the question first; each pair of pages once.

    Args:
        question: the question of the job; what it names, both sides speak of.
        findings: the evidence; pages of one series, filled in alike for many days, do not contradict each other.
    """
    return list(_found(question, tuple(findings)))


@lru_cache(maxsize=64)
def _found(question: str, findings: tuple[Finding, ...]) -> tuple[Difference, ...]:
    """Kept, because a job that ends is judged by the findings that its report is written from."""
    asked = parse_question(question, detect(question))
    # "How do I": no statement is read for values that nobody compares.
    if asked.answer_type not in ("date", "number") or len({finding.url for finding in findings}) < 2:
        return ()
    stated = _values(asked, value_statements(question, findings), _shares(asked, findings))
    apart = [
        (first, second)
        for (first, first_value), (second, second_value) in combinations(stated, 2)
        if first.finding.url != second.finding.url
        and _differ(first_value, second_value, first, second, asked)
        and not is_of_one_series(first.finding, second.finding)
    ]
    kept: list[Difference] = []
    for first, second in sorted(apart, key=lambda pair: -pair[0].nearness - pair[1].nearness):
        if len(kept) < MOST and not any(_tells(known, first, second) for known in kept):
            kept.append(_difference(first, second))
    return tuple(kept)


def replaced_findings(found: Sequence[Difference]) -> set[int]:
    """The findings that state a value that a newer page has replaced."""
    return {difference.other.index for difference in found if difference.kind == "replaced"}


def contradictions_as_written(found: Sequence[Difference], language: str) -> list[Contradiction]:
    """The differences as reports tell them: both statements in the words of their pages."""
    translate = Messages(language)
    return [
        Contradiction(
            about=translate(
                "newer_says",
                day=translate.day(difference.one.day),
                old=translate.day(difference.other.day),
            )
            if difference.kind == "replaced"
            else translate("values_differ"),
            one=_sentence(difference.one),
            other=_sentence(difference.other),
            is_replaced=difference.kind == "replaced",
            is_unread=True,
        )
        for difference in found
    ]


def days_between(day: str, earlier: str) -> int:
    """How many days the first day is later than the second; 0 if either is unknown."""
    years = [text[:4] for text in (day, earlier)]
    if not all(len(year) == 4 and year.isdecimal() for year in years):
        return 0
    return _count(day) - _count(earlier)


def _shares(asked: Question, findings: Sequence[Finding]) -> dict[str, float]:
    """The share of the question's names that each page has."""
    pages: defaultdict[str, str] = defaultdict(str)
    for finding in findings:
        pages[finding.url] += f" {finding.title}. {finding.heading}. {finding.quote}"
    return {url: asked.subject.share(f"{host_of(url)} {text}") for url, text in pages.items()}


def _values(
    asked: Question, statements: Sequence[EvidenceStatement], shares: dict[str, float]
) -> list[tuple[EvidenceStatement, Quantity | Date]]:
    """The statements about the subject with the value of each that can be what is asked for."""
    subject, found = asked.subject, list[tuple[EvidenceStatement, Quantity | Date]]()
    for statement in statements:
        own = statement.parsed
        # A row about another product has a name of several words, and none of the question's.
        is_of_another = len(own.names) > 1 and subject.words.isdisjoint(own.names | own.words)
        is_about = max(shares[statement.finding.url], statement.nearness) >= SUBJECT_MIN_NAME_SHARE
        if not is_about or (subject.words and is_of_another):
            continue
        if subject.is_neighbour(statement.text) or subject.is_neighbour(statement.finding.title):
            continue
        dates = own.dates if len(own.dates) == 1 else []
        found += [
            (statement, one)
            for one in (dates if asked.answer_type == "date" else _amounts(asked, own.quantities))[:1]
        ]
    return found


def _amounts(asked: Question, quantities: Sequence[Quantity]) -> list[Quantity]:
    """The quantities of a statement of the unit that is asked for; of a counted thing also what is counted else."""
    if not asked.unit:  # "how much does it weigh"
        return [each for each in quantities if each.dimension]
    named = [each for each in quantities if asked.unit in (each.dimension, each.counted)]
    if named or asked.unit in dimensions():
        return named
    return [each for each in quantities if not each.dimension and each.counted]


def _differ(
    first: Quantity | Date,
    second: Quantity | Date,
    statement: EvidenceStatement,
    rival: EvidenceStatement,
    asked: Question,
) -> bool:
    """Whether two values of what is asked for cannot both hold, and are near enough to be values of one thing."""
    if isinstance(first, Date) and isinstance(second, Date):
        shared = statement.parsed.words & rival.parsed.words
        return not agree(first, second) and len(shared) >= _LEAST_SHARED
    if not (isinstance(first, Quantity) and isinstance(second, Quantity)):
        return False
    is_alike = first.dimension == second.dimension and (
        first.dimension or first.counted == second.counted or asked.unit in (first.counted, second.counted)
    )
    low, high = sorted((first.size, second.size))
    is_near = low > 0 and (high <= low * MOST_APART or math.isclose(high, low * MOST_APART))
    are_bounds = first.is_bound and second.is_bound  # both can hold: "up to 38 mm", "up to 45 mm"
    # Figures hold at one time if a year that only one of them names is in the question.
    mine, theirs = (
        {str(date.year) for date in side.parsed.dates if date.year} for side in (statement, rival)
    )
    is_same_time = mine ^ theirs <= set(asked.terms)
    return bool(is_alike) and is_near and is_same_time and not are_bounds and not first.meets(second)


def _tells(known: Difference, statement: EvidenceStatement, rival: EvidenceStatement) -> bool:
    """Whether a difference is of the same two pages, or of the same words."""
    pair = {known.one.finding.url, known.other.finding.url}
    return pair == {statement.finding.url, rival.finding.url} or {statement.text, rival.text} <= {
        known.one.text,
        known.other.text,
    }


def _difference(statement: EvidenceStatement, rival: EvidenceStatement) -> Difference:
    """Two statements that cannot both hold; one has replaced the other if its page is much newer."""
    apart = days_between(statement.day, rival.day)
    if abs(apart) < REPLACED_DAYS:
        return Difference("contradiction", statement, rival)
    return Difference("replaced", statement, rival) if apart > 0 else Difference("replaced", rival, statement)


def _sentence(statement: EvidenceStatement) -> Sentence:
    speaker = statement.host if is_personal(statement.text) else ""
    return Sentence(text=statement.text, evidence=[statement.index], speaker=speaker)


def _count(day: str) -> int:
    """A day as a number, from an ISO date that may lack its month or day; near enough to compare."""
    parts = [int(part) if part.isdecimal() else 1 for part in day.split("-")[:3]]
    year, month, of_month = [*parts, 1, 1][:3]
    return 365 * year + 30 * month + of_month
