"""Find what pages say differently about the same thing: another figure, date or version, or a plain denial."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from planner.evidence.evidence_statements import EvidenceStatement
from planner.evidence.parsed_sentence import ParsedSentence
from planner.evidence.quantities import Quantity
from planner.evidence.series import LikeSeries
from research_crawler.core.models.drafts import Contradiction, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.text.messages import Messages
from research_crawler.text.ranking import cosine
from research_crawler.text.statements import is_experience, is_personal
from research_crawler.text.words import terms

SAME_SUBJECT: Final = 0.65
"""Least cosine of two statements about the same thing; MiniLM gives two wordings of one fact 0.65 to 0.95, and it
hardly sees a negation or another number."""
CONFLICT_NEARNESS: Final = 0.35
"""Least cosine with the question of a statement whose contradiction is worth a reader's time."""
MOST_OWN_WORDS: Final = 1
"""Most words that the clause with a value has of its own, which neither the other statement nor the question has: they
mostly name another case ("in the winter", "the Max", "at the gate"). Of 246 pairs in eight languages, one word kept
half of the true disagreements and a twelfth of the others, two kept two thirds and a sixth."""
MOST_APART: Final = 2.0
"""Largest ratio of two values of one thing: what lies further apart mostly measures another part of it. Of the same
pairs, it told true disagreements from others better than any vector (area under the curve 0.80, cosines 0.57)."""
MOST: Final = 4
REPLACED_DAYS: Final = 180
"""A page that is so much newer than another one replaces its value; pages of one season contradict each other."""
_CLAUSES: Final = re.compile(r"(?<=\D),\s|,\s(?=\D)|[;:]\s|\s[–—-]\s")

Kind = Literal["contradiction", "replaced"]


@dataclass(frozen=True)
class Difference:
    """Two statements that cannot both hold now."""

    kind: Kind
    one: EvidenceStatement
    """Of a replaced value: the newer one."""
    other: EvidenceStatement


def contradictions(
    question: str, findings: Sequence[Finding], statements: Sequence[EvidenceStatement]
) -> list[Difference]:
    """What statements of different pages say differently, nearest to the question first; each pair of pages once.

    Args:
        question: the question of the job; what it names, both sides speak of.
        findings: the evidence; pages of one series, filled in alike for many days, do not contradict each other.
        statements: those of the findings, nearest to the question first.
    """
    series = LikeSeries(findings)
    asked = frozenset(terms(question))
    kept: list[Difference] = []
    for one, other in _near_pairs(statements):
        if not differ(one.parsed, other.parsed, asked) or series.has(one.finding, other.finding):
            continue
        if not any(_is_about_the_same(known, one, other) for known in kept):
            kept.append(_difference(one, other))
    return kept[:MOST]


def differ(one: ParsedSentence, other: ParsedSentence, asked: frozenset[str] = frozenset()) -> bool:
    """Whether two statements give another value for the same thing, or one plainly denies the other.

    Args:
        one: a statement.
        other: one that is near to it in meaning.
        asked: stems of the question that both answer: neither has these words to itself.
    """
    if not _names_are_known(one, other, asked) or (is_experience(one.text) or is_experience(other.text)):
        return False
    if one.is_negated != other.is_negated:
        return one.words == other.words and not one.quantities and not one.dates
    values = _differing_quantities(one, other) if _is_same_time(one, other, asked) else None
    values = values or _differing_dates(one, other)
    if values is None:
        return False
    mine, theirs = (_clause(said.text, value) for said, value in zip((one, other), values, strict=True))
    return max(len(mine - other.words - asked), len(theirs - one.words - asked)) <= MOST_OWN_WORDS


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


def _near_pairs(found: Sequence[EvidenceStatement]) -> Iterator[tuple[EvidenceStatement, EvidenceStatement]]:
    """The pairs of statements of two pages that are near to the question and to each other."""
    near = [one for one in found if one.nearness >= CONFLICT_NEARNESS]
    for one, other in combinations(near, 2):
        is_one_page = (one.finding.page_sha256, one.finding.url) == (
            other.finding.page_sha256,
            other.finding.url,
        )
        if not is_one_page and cosine(one.vector, other.vector) >= SAME_SUBJECT:
            yield one, other


def _names_are_known(one: ParsedSentence, other: ParsedSentence, asked: frozenset[str]) -> bool:
    """Whether each name of one statement is at least a word of the other or of the question."""
    return one.names <= other.words | other.names | asked and other.names <= one.words | one.names | asked


def _is_same_time(one: ParsedSentence, other: ParsedSentence, asked: frozenset[str]) -> bool:
    """Whether figures of two statements hold at one time: a year that only one of them names is in the question."""
    mine, theirs = ({str(date.year) for date in said.dates if date.year} for said in (one, other))
    return mine ^ theirs <= asked


def _differing_quantities(one: ParsedSentence, other: ParsedSentence) -> tuple[str, str] | None:
    """The quantities of one kind that two statements give differently, if they are the only ones that may differ.

    Statements with several numbers each tell of a case that they name ("40 MB for 1,000", "800 MB for 20,000").
    """
    apart = []
    for mine in one.quantities:
        theirs = [quantity for quantity in other.quantities if quantity.is_of(mine)]
        alike = [quantity for quantity in one.quantities if quantity.is_of(mine)]
        if len(theirs) > 1 or len(alike) > 1:
            return None
        apart += [(mine, quantity) for quantity in theirs if not quantity.meets(mine)]
    if len(apart) != 1 or not _is_plausible(*apart[0]):
        return None
    return apart[0][0].text, apart[0][1].text


def _is_plausible(one: Quantity, other: Quantity) -> bool:
    """Whether two values are near enough to be values of one thing."""
    low, high = sorted((one.size, other.size))
    return low > 0 and high <= low * MOST_APART


def _differing_dates(one: ParsedSentence, other: ParsedSentence) -> tuple[str, str] | None:
    """The dates that two statements give differently, if each gives one and their figures agree."""
    if len(one.dates) != 1 or len(other.dates) != 1 or one.dates[0].fits(other.dates[0]):
        return None
    for mine in one.quantities:
        if any(theirs.is_of(mine) and not theirs.meets(mine) for theirs in other.quantities):
            return None  # what is counted in two years
    return one.dates[0].text, other.dates[0].text


def _clause(text: str, value: str) -> frozenset[str]:
    """The stems of the part of a sentence that holds a value."""
    part = next((part for part in _CLAUSES.split(text) if value in part), text)
    return ParsedSentence(part).words


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
