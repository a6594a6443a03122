"""Find what pages say differently about the same thing: another figure, date or version."""

import math
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, Literal

from planner.evidence.evidence_statements import EvidenceStatement, value_statements
from planner.evidence.parsed_sentence import ParsedSentence
from planner.evidence.quantities import Quantity
from planner.evidence.series import LikeSeries
from research_crawler.core.models.drafts import Contradiction, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.web.urls import host_of, slot_of
from research_crawler.text.dates import Date, agree
from research_crawler.text.language import detect
from research_crawler.text.likeness import coverage, shared
from research_crawler.text.messages import Messages
from research_crawler.text.numbers import dimensions
from research_crawler.text.question import Question, parse_question
from research_crawler.text.statements import is_personal

MOST_APART: Final = 2.0
"""Largest ratio of two values of one thing: what lies further apart mostly measures another part of it. At 2.5, two of
231 disagreements more are found, and five of 188 other cases more are called."""
MOST_APART_ASKED, MOST_APART_ALONE = 3.0, 1.5
"""The same for two values of what the question asks for: where it tells the unit and both statements have a word of it,
and where not."""
MOST_YEARS_APART: Final = 40
"""The same for two dates. Of 23 events that pages of the same pairs date differently, 22 have less between them."""
ABOUT: Final = 0.5
"""Least share of the question's names on a page, or of its words around a statement, to be about its subject."""
_LEAST_SHARED: Final = 2
"""Fewest words that two statements share which date what is asked for, or give bare numbers or versions."""
TELLS, _SAME = 0.5, 0.5
"""Least share of the question's words that each statement has with its title, and of the words of the shorter one that
the other has, to speak of one thing. On the pages of 50 questions, 0.4 and less called two more pairs, both wrong."""
_ALIKE: Final = frozenset(("time", "length", "area"))
"""What "how long" and "how large" ask for without telling which."""
_OPEN: Final = parse_question("")
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
    asked = _AskedValue(parse_question(question, detect(question)))
    pages: defaultdict[str, str] = defaultdict(str)
    for finding in findings:
        pages[finding.url] += f" {finding.title}. {finding.heading}. {finding.quote}"
    subject = asked.question.subject
    shares = {url: subject.share(f"{host_of(url)} {text}") for url, text in pages.items()}
    found = [
        (one, asked.values_in(one, shares[one.finding.url]))
        for one in value_statements(question, findings)
        if not any(map(subject.is_neighbour, (one.text, one.finding.title)))
    ]
    apart = [
        (one, other)
        for (one, mine), (other, theirs) in combinations(found, 2)
        if one.finding.url != other.finding.url
        and (
            _answer_differently(one, other, mine, theirs, asked)
            or (
                _are_of_one_thing(one, other, asked.words)
                and differ(one.parsed, other.parsed, asked.question, one.subject & other.subject)
            )
        )
    ]
    hosts = [(slot_of(one.finding.url), slot_of(other.finding.url)) for one, other in apart]
    same = {one for one, other in hosts if one == other}
    series = LikeSeries([finding for finding in findings if slot_of(finding.url) in same])
    kept: list[Difference] = []
    for one, other in sorted(apart, key=lambda pair: -pair[0].nearness - pair[1].nearness):
        if len(kept) == MOST:
            break
        if series.has(one.finding, other.finding):
            continue
        if not any(_is_about_the_same(told, one, other) for told in kept):
            kept.append(_difference(one, other))
    return tuple(kept)


def differ(
    one: ParsedSentence, other: ParsedSentence, question: Question = _OPEN, titles: Set[str] = frozenset()
) -> bool:
    """Whether two statements about the same give another figure or version.

    Args:
        one: a statement.
        other: one about the same.
        question: what both answer: it may give a name or a year that one of them leaves out.
        titles: stems of what stands above both; they may do so too.
    """
    asked = frozenset(question.terms) | titles
    if question.asks == "date" or not _names_are_known(one, other, asked):
        return False
    if one.is_negated != other.is_negated:
        return False
    return _is_same_time(one, other, asked) and _differ_in_a_quantity(one, other, question.unit)


def replaced_places(found: Sequence[Difference]) -> set[int]:
    """The findings that state a value that a newer page has replaced."""
    return {one.other.place for one in found if one.kind == "replaced"}


def in_words(found: Sequence[Difference], language: str) -> list[Contradiction]:
    """The differences as reports tell them: both statements in the words of their pages."""
    say = Messages(language)
    return [
        Contradiction(
            about=say("newer_says", day=one.one.day, old=one.other.day) if one.kind == "replaced" else "",
            one=_sentence(one.one),
            other=_sentence(one.other),
            is_replaced=one.kind == "replaced",
        )
        for one in found
    ]


def days_between(day: str, other: str) -> int:
    """By how many days the first is later; 0 if either is unknown."""
    years = [text[:4] for text in (day, other)]
    if not all(len(year) == 4 and year.isdecimal() for year in years):
        return 0
    return _count(day) - _count(other)


def _are_of_one_thing(one: EvidenceStatement, other: EvidenceStatement, asked: frozenset[str]) -> bool:
    """Whether two statements speak of one thing, by what both share of their words and of the question's above them."""
    mine, theirs = (said.parsed.words | said.subject & asked for said in (one, other))
    tells = min(coverage(asked, mine), coverage(asked, theirs)) >= TELLS
    return tells and (shared(mine, theirs) >= _SAME or not (mine and theirs))


@dataclass(frozen=True)
class _AskedValue:
    """What the question asks for, to find it in statements."""

    question: Question

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its words."""
        return frozenset(self.question.terms)

    @cached_property
    def words(self) -> frozenset[str]:
        """Those of them that are no numbers."""
        return frozenset(stem for stem in self.stems if not stem[0].isdigit())

    @cached_property
    def own(self) -> ParsedSentence:
        """The question itself: a value that it names is not what it asks for."""
        return ParsedSentence(self.question.text, self.question.language)

    def _is_of_another(self, one: EvidenceStatement) -> bool:
        """Whether a statement has a name of several words and none of the question's: a row about another product."""
        names, own = self.question.subject.words, one.parsed
        return bool(names) and len(own.names) > 1 and names.isdisjoint(own.names | own.words)

    def values_in(self, one: EvidenceStatement, about: float) -> list[Quantity] | list[Date]:
        """The values of a statement that can be what is asked for, if its page is about the subject.

        `about` is the share of what the question names that stands on its page.
        """
        unit = self.question.unit
        is_about = max(about, one.nearness) >= ABOUT and not self._is_of_another(one)
        if self.question.asks == "date" and is_about:
            return [day for day in one.parsed.dates if not any(agree(day, each) for each in self.own.dates)]
        if self.question.asks not in ("number", "other", "definition") or not is_about:
            return []
        quantities = [
            replace(each, dimension=unit) if (each.dimension, unit) == ("angle", "temperature") else each
            for each in one.parsed.quantities
            if not any(each.is_of(known) and each.meets(known) for known in self.own.quantities)
        ]
        if not unit:  # "what is the fine", "how much does it weigh"
            return [each for each in quantities if each.dimension]
        named = [each for each in quantities if unit in (each.dimension, each.counted, each.numbered)]
        if named or unit in dimensions():
            return named
        return [each for each in quantities if not each.dimension and each.counted]


def _answer_differently(
    one: EvidenceStatement,
    other: EvidenceStatement,
    mine: Sequence[Quantity | Date],
    theirs: Sequence[Quantity | Date],
    asked: _AskedValue,
) -> bool:
    """Whether the first values of two statements that can be what is asked for give it differently."""
    for first, second in zip(mine[:1], theirs[:1], strict=False):
        if isinstance(first, Date) and isinstance(second, Date):
            return _date_differently(one.parsed, other.parsed)
        if isinstance(first, Quantity) and isinstance(second, Quantity):
            return _count_differently(one.parsed, other.parsed, first, second, asked)
    return False


def _date_differently(one: ParsedSentence, other: ParsedSentence) -> bool:
    """Whether two statements about one thing give a date each, and another; each of several has an event of its own."""
    if len(one.dates) != 1 or len(other.dates) != 1:
        return False
    return len(one.words & other.words) >= _LEAST_SHARED and _are_apart(one.dates[0], other.dates[0])


def _count_differently(
    one: ParsedSentence, other: ParsedSentence, first: Quantity, second: Quantity, asked: _AskedValue
) -> bool:
    """Whether two values of what is asked for cannot both hold; two bounds can ("up to 38 mm", "up to 45 mm").

    The less tells that both are of what is asked, the nearer to each other they must be.
    """
    unit = asked.question.unit
    tells = bool(unit and asked.words & one.words and asked.words & other.words)
    return (
        _count_alike(first, second, unit)
        and not ((first.is_bound and second.is_bound) or first.meets(second))
        and _is_within(first, second, MOST_APART_ASKED if tells else MOST_APART_ALONE)
        and _is_same_time(one, other, asked.stems)
    )


def _count_alike(one: Quantity, other: Quantity, unit: str) -> bool:
    """Whether two values that may answer measure in one dimension, or count what is asked or the same."""
    if one.dimension or other.dimension:
        return one.dimension == other.dimension
    return one.counted == other.counted or unit in (one.counted, other.counted)


def _names_are_known(one: ParsedSentence, other: ParsedSentence, asked: frozenset[str]) -> bool:
    """Whether each name of one statement is at least a word of the other or of the question."""
    return one.names <= other.words | other.names | asked and other.names <= one.words | one.names | asked


def _is_same_time(one: ParsedSentence, other: ParsedSentence, asked: frozenset[str]) -> bool:
    """Whether figures of two statements hold at one time: a year that only one of them names is in the question."""
    mine, theirs = ({str(date.year) for date in said.dates if date.year} for said in (one, other))
    return mine ^ theirs <= asked


def _differ_in_a_quantity(one: ParsedSentence, other: ParsedSentence, unit: str) -> bool:
    """Whether two statements give one quantity differently.

    If several of a kind differ, each statement tells of a case of its own ("40 MB for 1,000", "800 MB for 20,000").
    """
    mine, theirs = _unshared(one, other, unit), _unshared(other, one, unit)
    apart = [(a, b) for a in mine for b in theirs if a.is_of(b) and not a.meets(b)]
    # Pages name versions and bare numbers to say what they speak of: "9.1 and earlier", "12 support".
    tells_same = len(one.words & other.words) >= _LEAST_SHARED
    if not apart and len(mine) == len(theirs) == 1:
        (a,), (b,) = mine, theirs
        return tells_same and not (a.dimension or b.dimension or a.meets(b)) and _is_within(a, b, MOST_APART)
    if len(apart) != 1:
        return False
    ((a, b),) = apart
    return tells_same if a.is_version else _is_within(a, b, MOST_APART)


def _unshared(one: ParsedSentence, other: ParsedSentence, unit: str) -> list[Quantity]:
    """The quantities of a statement that the other one does not give too."""
    return [
        mine
        for mine in one.quantities
        if _may_answer(mine, unit)
        and not any(mine.is_same_thing(theirs) and mine.meets(theirs) for theirs in other.quantities)
    ]


def _may_answer(one: Quantity, unit: str) -> bool:
    """Whether a quantity can be what is asked for: not if it measures something else."""
    if not one.dimension or unit not in dimensions():
        return True
    return one.dimension == unit or {one.dimension, unit} <= _ALIKE


def _is_within(one: Quantity, other: Quantity, ratio: float) -> bool:
    """Whether two values are near enough to be values of one thing."""
    low, high = sorted((one.size, other.size))
    return low > 0 and (high <= low * ratio or math.isclose(high, low * ratio))


def _are_apart(one: Date, other: Date) -> bool:
    """Whether two dates differ, and are near enough to be dates of one event."""
    years = abs((one.year or 0) - (other.year or 0)) if one.year and other.year else 0
    return not agree(one, other) and years <= MOST_YEARS_APART


def _is_about_the_same(known: Difference, one: EvidenceStatement, other: EvidenceStatement) -> bool:
    pair = {known.one.finding.url, known.other.finding.url}
    texts = {known.one.text, known.other.text}
    return pair == {one.finding.url, other.finding.url} or {one.text, other.text} <= texts


def _difference(one: EvidenceStatement, other: EvidenceStatement) -> Difference:
    """Two statements that cannot both hold; one has replaced the other if its page is much newer."""
    apart = days_between(one.day, other.day)
    if apart >= REPLACED_DAYS:
        return Difference("replaced", one, other)
    if -apart >= REPLACED_DAYS:
        return Difference("replaced", other, one)
    return Difference("contradiction", one, other)


def _sentence(said: EvidenceStatement) -> Sentence:
    speaker = said.host if is_personal(said.text) else ""
    return Sentence(text=said.text, evidence=[said.place], speaker=speaker)


def _count(day: str) -> int:
    """A day as a number, from an ISO date that may lack its month or day; near enough to compare."""
    parts = [int(part) if part.isdecimal() else 1 for part in day.split("-")[:3]]
    year, month, of_month = [*parts, 1, 1][:3]
    return 365 * year + 30 * month + of_month
