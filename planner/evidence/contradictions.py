"""Find where pages answer the question by another figure or date.

Statements are compared in pairs; in each function `counter` is what the first one is compared with.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, Literal

from planner.evidence.evidence_statements import EvidenceStatement, value_statements
from planner.evidence.parsed_sentence import ParsedSentence
from planner.evidence.quantities import Quantity
from planner.evidence.series import LikeSeries
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Contradiction, Sentence
from research_crawler.core.web.urls import host_of, slot_of
from research_crawler.text.languages.dates import Date, agree
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.numbers import dimensions
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.questions.question import Question, parse_question
from research_crawler.text.writing.messages import Messages

MOST_APART: Final = 3.0
"""Largest ratio of two values of one thing: what lies further apart mostly measures another part of it. At 2, one of
five planted disagreements is lost; without a limit, ten instead of eight of 50 other cases are called."""
MOST_YEARS_APART: Final = 40
"""The same for two dates. Of 23 events that pages of the same pairs date differently, 22 have less between them."""
ABOUT: Final = 0.5
"""Least share of the question's names on a page, or of its words around a statement, to be about its subject."""
_LEAST_SHARED: Final = 2
"""Two statements that give a date for what is asked are compared if they share so many words. Without this limit nine
reports tell of 13 contradictions instead of 8."""
MOST: Final = 4
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
    if len({finding.url for finding in findings}) < 2:  # statements of a single page are not compared
        return ()
    asked = _ExpectedAnswer(parse_question(question, detect(question)))
    if asked.question.asks not in (
        "date",
        "number",
    ):  # "how do I": no statement is read for values that nobody compares
        return ()
    pages: defaultdict[str, str] = defaultdict(str)
    for finding in findings:
        pages[finding.url] += f" {finding.title}. {finding.heading}. {finding.quote}"
    subject = asked.question.subject
    shares = {url: subject.share(f"{host_of(url)} {text}") for url, text in pages.items()}
    another = {finding.title: subject.is_neighbour(finding.title) for finding in findings}
    found = [
        _Candidate(statement, asked, shares[statement.finding.url])
        for statement in value_statements(question, findings)
        if not another[statement.finding.title] and not subject.is_neighbour(statement.text)
    ]
    apart = [
        (one.statement, counter.statement)
        for one, counter in combinations([one for one in found if one.values], 2)
        if one.statement.finding.url != counter.statement.finding.url
        and _answer_differently(one, counter, asked)
    ]
    hosts = [(slot_of(statement.finding.url), slot_of(counter.finding.url)) for statement, counter in apart]
    same = {host for host, counter_host in hosts if host == counter_host}
    series = LikeSeries([finding for finding in findings if slot_of(finding.url) in same])
    kept: list[Difference] = []
    for statement, counter in sorted(apart, key=lambda pair: -pair[0].nearness - pair[1].nearness):
        if len(kept) == MOST:
            break
        if series.has(statement.finding, counter.finding):
            continue
        if not any(_is_about_the_same(known, statement, counter) for known in kept):
            kept.append(_difference(statement, counter))
    return tuple(kept)


def replaced_places(found: Sequence[Difference]) -> set[int]:
    """The findings that state a value that a newer page has replaced."""
    return {difference.other.place for difference in found if difference.kind == "replaced"}


def in_words(found: Sequence[Difference], language: str) -> list[Contradiction]:
    """The differences as reports tell them: both statements in the words of their pages."""
    say = Messages(language)
    return [
        Contradiction(
            about=say("newer_says", day=difference.one.day, old=difference.other.day)
            if difference.kind == "replaced"
            else say("values_differ"),
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


@dataclass(frozen=True)
class _Candidate:
    """A statement with what is compared of it, each read once and not once a pair."""

    statement: EvidenceStatement
    asked: "_ExpectedAnswer"
    about: float
    """The share of what the question names that stands on its page."""

    @cached_property
    def values(self) -> list[Quantity] | list[Date]:
        """Its values that can be what is asked for."""
        return self.asked.values_in(self.statement, self.about)


@dataclass(frozen=True)
class _ExpectedAnswer:
    """What the question asks for, to find it in statements."""

    question: Question

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its words."""
        return frozenset(self.question.terms)

    def _is_of_another(self, statement: EvidenceStatement) -> bool:
        """Whether a statement has a name of several words and none of the question's: a row about another product."""
        names, own = self.question.subject.words, statement.parsed
        return bool(names) and len(own.names) > 1 and names.isdisjoint(own.names | own.words)

    def values_in(self, statement: EvidenceStatement, about: float) -> list[Quantity] | list[Date]:
        """The values of a statement that can be what is asked for, if its page is about the subject."""
        unit = self.question.unit
        if max(about, statement.nearness) < ABOUT or self._is_of_another(statement):
            return []
        if self.question.asks == "date":
            return statement.parsed.dates
        quantities = [
            replace(each, dimension=unit) if (each.dimension, unit) == ("angle", "temperature") else each
            for each in statement.parsed.quantities
        ]
        if not unit:  # "how much does it weigh"
            return [each for each in quantities if each.dimension]
        named = [each for each in quantities if unit in (each.dimension, each.counted)]
        if named or unit in dimensions():
            return named
        return [each for each in quantities if not each.dimension and each.counted]


def _answer_differently(candidate: _Candidate, counter: _Candidate, asked: _ExpectedAnswer) -> bool:
    """Whether two statements answer the question differently, each by its first value that can be an answer."""
    statement, opposed = candidate.statement.parsed, counter.statement.parsed
    for first, second in zip(candidate.values[:1], counter.values[:1], strict=False):
        if isinstance(first, Date) and isinstance(second, Date):
            return _date_differently(statement, opposed)
        if isinstance(first, Quantity) and isinstance(second, Quantity):
            return _count_differently(statement, opposed, first, second, asked)
    return False


def _date_differently(sentence: ParsedSentence, counter: ParsedSentence) -> bool:
    """Whether two statements about one thing give one date each, and these differ."""
    if len(sentence.dates) != 1 or len(counter.dates) != 1:
        return False
    return len(sentence.words & counter.words) >= _LEAST_SHARED and _are_apart(
        sentence.dates[0], counter.dates[0]
    )


def _count_differently(
    sentence: ParsedSentence,
    counter: ParsedSentence,
    first: Quantity,
    second: Quantity,
    asked: _ExpectedAnswer,
) -> bool:
    """Whether two values of what is asked for cannot both hold; two bounds can ("up to 38 mm", "up to 45 mm")."""
    return (
        _count_alike(first, second, asked.question.unit)
        and not ((first.is_bound and second.is_bound) or first.meets(second))
        and _is_within(first, second)
        and _is_same_time(sentence, counter, asked.stems)
    )


def _count_alike(quantity: Quantity, counter: Quantity, unit: str) -> bool:
    """Whether two values can be compared: of one dimension, or counting the same thing or what is asked for."""
    if quantity.dimension or counter.dimension:
        return quantity.dimension == counter.dimension
    return quantity.counted == counter.counted or unit in (quantity.counted, counter.counted)


def _is_same_time(sentence: ParsedSentence, counter: ParsedSentence, asked: frozenset[str]) -> bool:
    """Whether figures of two statements hold at one time: a year that only one of them names is in the question."""
    mine, theirs = ({str(date.year) for date in side.dates if date.year} for side in (sentence, counter))
    return mine ^ theirs <= asked


def _is_within(quantity: Quantity, counter: Quantity) -> bool:
    """Whether two values are near enough to be values of one thing."""
    low, high = sorted((quantity.size, counter.size))
    return low > 0 and (high <= low * MOST_APART or math.isclose(high, low * MOST_APART))


def _are_apart(date: Date, counter: Date) -> bool:
    """Whether two dates differ, and are near enough to be dates of one event."""
    years = abs((date.year or 0) - (counter.year or 0)) if date.year and counter.year else 0
    return not agree(date, counter) and years <= MOST_YEARS_APART


def _is_about_the_same(known: Difference, statement: EvidenceStatement, counter: EvidenceStatement) -> bool:
    pair = {known.one.finding.url, known.other.finding.url}
    texts = {known.one.text, known.other.text}
    return pair == {statement.finding.url, counter.finding.url} or {statement.text, counter.text} <= texts


def _difference(statement: EvidenceStatement, counter: EvidenceStatement) -> Difference:
    """Two statements that cannot both hold; one has replaced the other if its page is much newer."""
    apart = days_between(statement.day, counter.day)
    if apart >= REPLACED_DAYS:
        return Difference("replaced", statement, counter)
    if -apart >= REPLACED_DAYS:
        return Difference("replaced", counter, statement)
    return Difference("contradiction", statement, counter)


def _sentence(statement: EvidenceStatement) -> Sentence:
    speaker = statement.host if is_personal(statement.text) else ""
    return Sentence(text=statement.text, evidence=[statement.place], speaker=speaker)


def _count(day: str) -> int:
    """A day as a number, from an ISO date that may lack its month or day; near enough to compare."""
    parts = [int(part) if part.isdecimal() else 1 for part in day.split("-")[:3]]
    year, month, of_month = [*parts, 1, 1][:3]
    return 365 * year + 30 * month + of_month
