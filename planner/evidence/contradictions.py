"""Find what pages say differently about the same thing: another figure, date or version.

Statements are compared in pairs; in each function `counter` is what the first one is compared with.
"""

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
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Contradiction, Sentence
from research_crawler.core.web.urls import host_of, slot_of
from research_crawler.text.languages.dates import Date, agree
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.numbers import dimensions
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.measures.likeness import coverage, shared
from research_crawler.text.questions.question import Question, parse_question
from research_crawler.text.writing.messages import Messages

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
_SAME_STEP: Final = 1.0
"""The same share where the question asks how to do something: its steps have many of its words, and each a time or an
amount of its own. Of 24 pairs about such questions that can both be true, 14 were called contradictions at 0.5, three
are at 0.8 and one is now; of 8 others 6 are found at each."""
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
    asked = _ExpectedAnswer(parse_question(question, detect(question)))
    pages: defaultdict[str, str] = defaultdict(str)
    for finding in findings:
        pages[finding.url] += f" {finding.title}. {finding.heading}. {finding.quote}"
    subject = asked.question.subject
    shares = {url: subject.share(f"{host_of(url)} {text}") for url, text in pages.items()}
    another = {finding.title: subject.is_neighbour(finding.title) for finding in findings}
    found = [
        _Candidate(statement, asked, shares[statement.finding.url])
        for statement in value_statements(question, findings)
        if not another[statement.finding.title]
        and not statement.names_sections
        and not subject.is_neighbour(statement.text)
    ]
    apart = [
        (one.statement, counter.statement)
        for one, counter in combinations([one for one in found if one.values or one.tells], 2)
        if one.statement.finding.url != counter.statement.finding.url and _differ(one, counter, asked)
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


def differ(
    sentence: ParsedSentence,
    counter: ParsedSentence,
    question: Question = _OPEN,
    titles: Set[str] = frozenset(),
) -> bool:
    """Whether two statements about the same give another figure or version.

    Args:
        sentence: a statement.
        counter: one about the same.
        question: what both answer: it may give a name or a year that one of them leaves out.
        titles: stems of what stands above both; they may do so too.
    """
    asked = frozenset(question.terms) | titles
    if question.asks == "date" or not _names_are_known(sentence, counter, asked):
        return False
    if sentence.is_negated != counter.is_negated:
        return False
    return _is_same_time(sentence, counter, asked) and _differ_in_a_quantity(sentence, counter, question.unit)


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

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of what it is about, with those of the question that stand in its headings."""
        return self.statement.parsed.words | self.statement.subject & self.asked.words

    @cached_property
    def tells(self) -> bool:
        """Whether it has enough words of the question to be compared by its words."""
        return self.asked.question.asks != "date" and coverage(self.asked.words, self.words) >= TELLS


def _differ(one: _Candidate, counter: _Candidate, asked: "_ExpectedAnswer") -> bool:
    """Whether two statements answer the question differently, or are about one thing and differ in what they say."""
    statement, other = one.statement, counter.statement
    if (
        one.values
        and counter.values
        and _answer_differently(statement, other, one.values, counter.values, asked)
    ):
        return True
    if not (one.tells and counter.tells) or not _are_of_one_thing(one, counter, asked):
        return False
    return differ(statement.parsed, other.parsed, asked.question, statement.subject & other.subject)


def _are_of_one_thing(one: _Candidate, counter: _Candidate, asked: "_ExpectedAnswer") -> bool:
    """Whether two statements share enough words, with those of their headings."""
    least = _SAME_STEP if asked.question.asks == "how_to" else _SAME
    return shared(one.words, counter.words) >= least or not (one.words and counter.words)


@dataclass(frozen=True)
class _ExpectedAnswer:
    """What the question asks for, to find it in statements."""

    question: Question

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its words."""
        return frozenset(self.question.terms)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems that are not numbers."""
        return frozenset(stem for stem in self.stems if not stem[0].isdigit())

    @cached_property
    def own(self) -> ParsedSentence:
        """The question itself: a value that it names is not what it asks for."""
        return ParsedSentence(self.question.text, self.question.language)

    def _is_of_another(self, statement: EvidenceStatement) -> bool:
        """Whether a statement has a name of several words and none of the question's: a row about another product."""
        names, own = self.question.subject.words, statement.parsed
        return bool(names) and len(own.names) > 1 and names.isdisjoint(own.names | own.words)

    def values_in(self, statement: EvidenceStatement, about: float) -> list[Quantity] | list[Date]:
        """The values of a statement that can be what is asked for, if its page is about the subject."""
        unit = self.question.unit
        is_about = max(about, statement.nearness) >= ABOUT and not self._is_of_another(statement)
        if self.question.asks == "date" and is_about:
            return [
                day for day in statement.parsed.dates if not any(agree(day, each) for each in self.own.dates)
            ]
        if self.question.asks not in ("number", "other", "definition") or not is_about:
            return []
        quantities = [
            replace(each, dimension=unit) if (each.dimension, unit) == ("angle", "temperature") else each
            for each in statement.parsed.quantities
            if not any(each.is_of(known) and each.meets(known) for known in self.own.quantities)
        ]
        if not unit:  # "what is the fine", "how much does it weigh"
            return [each for each in quantities if each.dimension]
        named = [each for each in quantities if unit in (each.dimension, each.counted, each.numbered)]
        if named or unit in dimensions():
            return named
        return [each for each in quantities if not each.dimension and each.counted]


def _answer_differently(
    statement: EvidenceStatement,
    counter: EvidenceStatement,
    mine: Sequence[Quantity | Date],
    theirs: Sequence[Quantity | Date],
    asked: _ExpectedAnswer,
) -> bool:
    """Whether two statements answer the question differently, each by its first value that can be an answer."""
    for first, second in zip(mine[:1], theirs[:1], strict=False):
        if isinstance(first, Date) and isinstance(second, Date):
            return _date_differently(statement.parsed, counter.parsed)
        if isinstance(first, Quantity) and isinstance(second, Quantity):
            return _count_differently(statement.parsed, counter.parsed, first, second, asked)
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
    """Whether two values of what is asked for cannot both hold; two bounds can ("up to 38 mm", "up to 45 mm").

    The less tells that both are of what is asked, the nearer to each other they must be.
    """
    unit = asked.question.unit
    tells = bool(unit and asked.words & sentence.words and asked.words & counter.words)
    return (
        _count_alike(first, second, unit)
        and not ((first.is_bound and second.is_bound) or first.meets(second))
        and _is_within(first, second, MOST_APART_ASKED if tells else MOST_APART_ALONE)
        and _is_same_time(sentence, counter, asked.stems)
    )


def _count_alike(quantity: Quantity, counter: Quantity, unit: str) -> bool:
    """Whether two values can be compared: of one dimension, or counting the same thing or what is asked for."""
    if quantity.dimension or counter.dimension:
        return quantity.dimension == counter.dimension
    return quantity.counted == counter.counted or unit in (quantity.counted, counter.counted)


def _names_are_known(sentence: ParsedSentence, counter: ParsedSentence, asked: frozenset[str]) -> bool:
    """Whether each name of one statement is at least a word of the other or of the question."""
    return (
        sentence.names <= counter.words | counter.names | asked
        and counter.names <= sentence.words | sentence.names | asked
    )


def _is_same_time(sentence: ParsedSentence, counter: ParsedSentence, asked: frozenset[str]) -> bool:
    """Whether figures of two statements hold at one time: a year that only one of them names is in the question."""
    mine, theirs = ({str(date.year) for date in side.dates if date.year} for side in (sentence, counter))
    return mine ^ theirs <= asked


def _differ_in_a_quantity(sentence: ParsedSentence, counter: ParsedSentence, unit: str) -> bool:
    """Whether two statements give one quantity differently.

    If several of a kind differ, each statement tells of a case of its own ("40 MB for 1,000", "800 MB for 20,000").
    """
    mine, theirs = _unshared(sentence, counter, unit), _unshared(counter, sentence, unit)
    apart = [(a, b) for a in mine for b in theirs if a.is_of(b) and not a.meets(b)]
    # Pages name versions and bare numbers to say what they speak of: "9.1 and earlier", "12 support".
    tells_same = len(sentence.words & counter.words) >= _LEAST_SHARED
    if not apart and len(mine) == len(theirs) == 1:
        (a,), (b,) = mine, theirs
        return tells_same and not (a.dimension or b.dimension or a.meets(b)) and _is_within(a, b, MOST_APART)
    if len(apart) != 1:
        return False
    ((a, b),) = apart
    return tells_same if a.is_version else _is_within(a, b, MOST_APART)


def _unshared(sentence: ParsedSentence, counter: ParsedSentence, unit: str) -> list[Quantity]:
    """The quantities of a statement that the other one does not give too."""
    return [
        mine
        for mine in sentence.quantities
        if _may_answer(mine, unit)
        and not any(mine.is_same_thing(theirs) and mine.meets(theirs) for theirs in counter.quantities)
    ]


def _may_answer(quantity: Quantity, unit: str) -> bool:
    """Whether a quantity can be the answer: it must not measure something else than what is asked for."""
    if not quantity.dimension or unit not in dimensions():
        return True
    return quantity.dimension == unit or {quantity.dimension, unit} <= _ALIKE


def _is_within(quantity: Quantity, counter: Quantity, ratio: float) -> bool:
    """Whether two values are near enough to be values of one thing."""
    low, high = sorted((quantity.size, counter.size))
    return low > 0 and (high <= low * ratio or math.isclose(high, low * ratio))


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
