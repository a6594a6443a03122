"""Find different values that pages give for what a question asks: "46 passengers", "52 people were in the cabins"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from typing import Final

from planner.audit.asked_numbers import (
    LIMITING,
    asks_count,
    asks_least,
    asks_limit,
    asks_number,
    counted_word,
    counted_words,
    is_of_asked_kind,
    is_of_asked_unit,
)
from planner.audit.conditions import has_condition
from planner.audit.counts import counts_some, counts_those, is_of_many
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.kinds_apart import groups_apart
from planner.audit.lexicon.classes import OCCUPATIONS, PERSONS
from planner.audit.other_subjects import is_of_another_subject
from planner.audit.restrictions import is_of_other_moment
from planner.audit.same_case import (
    is_distance,
    is_other_case,
    is_other_measure,
    is_same_time,
    is_titled_otherwise,
    year_of_figure,
)
from planner.audit.same_fact import Stated
from planner.audit.spans import span_of
from planner.verify.figures import BOUNDS, Figure
from planner.verify.names import names_of
from planner.verify.units import POWERS, UNITS
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import Unit, units
from research_crawler.text.statements import is_personal
from research_crawler.text.subject import Subject, subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

VALUED_FINDINGS: Final = 30
"""Findings whose numbers are compared, the best ones."""
MOST_VALUES: Final = 30
"""Most numbers whose sentences are embedded, alone and with their context, in 0.3 s of one core."""
VALUE_ANSWERS: Final = 0.5
"""Least cosine with the question of a number's sentence, alone or with its title and the sentence before it. On a web
of invented things, numbers that answer have 0.50 to 0.86."""
VALUE_OF_KIND: Final = 0.38
"""The same for a number whose unit is of the kind that the question asks for: decibels for "how loud"."""
ALONE_ANSWERS: Final = 0.28
"""Least cosine with the question of a number's sentence alone, without title and context, which all sentences of a page
share: without it, any two lengths of two pages about a lighthouse contradict each other."""
ALONE_COUNTED: Final = 0.2
"""The same for a question that names what is to be counted, which tells more than the vectors do."""
_LONGEST_COUNTED: Final = 3
FARTHEST_APART: Final = 10.0
"""Values that differ by more than this factor are of different things: how high a tower is, and how far away."""
SAME_VALUE: Final = 0.45
"""Least cosine of two such sentences for them to be about the same thing."""
COUNTED_ALIKE: Final = 0.45
"""Least cosine of what is counted with what the question wants counted: people and passengers have 0.5, people and
cabins 0.2."""

_OF: Final = frozenset(("of", "von", "de", "di", "van"))
_AGE: Final = re.compile(
    r"\b(?:age|aged|at the age of|im alter von|à l['’]âge de|a la edad de|all['’]età di)\s$", re.I
)


@dataclass(frozen=True)
class AskedValue:
    """A number that answers a question, with the sentence that gives it."""

    said: EvidenceStatement
    figure: Figure
    measures: str
    """Its unit, or what it counts."""
    stands_by: str
    """Title, the sentence before, and its own."""
    head: str = ""
    """What it counts without the words between: "connections" in "1,024 simultaneous connections"."""
    is_labelled: bool = False
    """The word before it says what it is: "port 7311", "a population of 4,120"."""


async def differing_values(
    questions: Sequence[str], findings: Sequence[Finding], embedder: Embedder
) -> list[tuple[EvidenceStatement, EvidenceStatement]]:
    """Pairs of sentences of different pages that answer one of the questions with different numbers.

    Bounds and averages are no answers here, and neither are prices, which differ from shop to shop, unless one page is
    much older (which the caller looks at). A value of another case ("in boost mode") is no other one. Each pair of
    pages is named once.

    Args:
        questions: the question and its parts.
        findings: the best first.
        embedder: compares sentences by their meaning.
    """
    asked = [question for question in questions if asks_number(question)]
    values = list(_values(findings[:VALUED_FINDINGS]))[:MOST_VALUES] if asked else []
    if not values:
        return []
    texts = [*(value.stands_by for value in values), *(value.said.text for value in values)]
    vectors = await embedder.embed([*asked, *texts])
    wanted, placed, alone = (
        vectors[: len(asked)],
        vectors[len(asked) : -len(values)],
        vectors[-len(values) :],
    )
    found = []
    for question, vector in zip(asked, wanted, strict=True):
        near = [
            (value, place)
            for value, place, own in zip(values, placed, alone, strict=True)
            if max(cosine(vector, place), cosine(vector, own)) >= _needed(question, value)
            and cosine(vector, own) >= (ALONE_COUNTED if asks_count(question) else ALONE_ANSWERS)
            and not (asks_count(question) and is_personal(value.said.text))
            and is_of_asked_unit(value.measures, question)
            and _may_answer(value, question)
            and _is_of_asked_bound(value, question)
            and not is_titled_otherwise(value.said.finding.title, value.said.text, questions[0])
        ]
        scope = {one.values for one in Stated(question).figures}
        if any(scope & {one.values for one in value.said.stated.figures} for value, _ in near):
            near = [one for one in near if scope & {figure.values for figure in one[0].said.stated.figures}]
        alike = await _alike(counted_word(question), {value.measures for value, _ in near}, embedder)
        if asks_count(question):
            heads = {stem(word) for word in counted_words(question)}
            alike |= {value.measures for value, _ in near if stem(value.head) in heads}
            near = [one for one in near if one[0].measures in alike]
        for (one, mine), (other, theirs) in combinations(near, 2):
            is_same = {one.measures, other.measures} <= alike or stem(one.measures) == stem(other.measures)
            is_same = is_same or bool(one.figure.unit and one.figure.is_of_unit(other.figure.unit))
            is_near = is_same and cosine(mine, theirs) >= SAME_VALUE and _differ(one, other, question)
            if is_near and not _is_of_other_case(one, other, question):
                found.append((one.said, other.said))
    return found


def _values(findings: Sequence[Finding]) -> Iterator[AskedValue]:
    """The numbers of the findings that stand alone with their unit in a sentence."""
    for place, finding in enumerate(findings):
        before: Unit | None = None
        for unit in units(finding.quote):
            stated = Stated(unit.text)
            context = f"{finding.title}. {before.text if before else ''} {unit.text}"
            before = unit
            if unit.form == "row" or unit.text.endswith("?") or is_of_many(unit.text):
                continue
            said = EvidenceStatement(place, finding, stated, (), 0.0)
            told = [one for one in stated.figures if one.values and (one.kind in BOUNDS or not one.is_slight)]
            measured = [(figure, what) for figure in told if (what := _measures(figure, unit.text))]
            labelled = [
                (figure, label)
                for figure in told
                if not figure.unit and not figure.spelled and (label := _label_of(figure, unit.text))
            ]
            for of_kind, is_labelled in ((measured, False), (labelled, True)):
                for figure, what in of_kind:
                    if sum(other == what for _, other in of_kind) == 1:
                        yield AskedValue(
                            said, figure, what, context, _head_of(figure, unit.text), is_labelled
                        )


def _measures(figure: Figure, text: str) -> str:
    """The unit of a number, or the word behind it, which names what it counts."""
    if figure.unit:
        return figure.unit
    if _AGE.search(text.partition(figure.text)[0]):
        return "age"
    behind = WORD.findall(text.partition(figure.text)[2])[:2]
    words = behind if figure.spelled else [*WORD.findall(figure.text)[1:], *behind[:1]]
    counted = next((word.lower() for word in words if word.lower() not in POWERS and word.isalpha()), "")
    return "" if counted in STOPWORDS or counted in UNITS or len(counted) < 2 else counted


def _head_of(figure: Figure, text: str) -> str:
    """The last of the words behind a number that belong to it."""
    behind = [] if figure.spelled else [word for word in WORD.findall(figure.text) if word.isalpha()]
    behind += WORD.findall(text.partition(figure.text)[2].partition(",")[0])[:_LONGEST_COUNTED]
    return next(reversed(list(takewhile(_may_be_counted, behind))), "").lower()


def _may_be_counted(word: str) -> bool:
    return word.isalpha() and word.lower() not in STOPWORDS


def _label_of(figure: Figure, text: str) -> str:
    """The word right before a number, which may name it; "of" may stand between them."""
    before = [word.lower() for word in WORD.findall(text.partition(figure.text)[0])[-2:]]
    if len(before) == 2 and before[1] in _OF:
        before.pop()
    label = before[-1] if before else ""
    return label if label.isalpha() and label not in STOPWORDS and len(label) > 2 else ""


def _may_answer(value: AskedValue, question: str) -> bool:
    """Whether a number is one of the subject of the question: not of a sibling, or of something with its own name."""
    are_people = PERSONS.is_in(value.measures) and PERSONS.is_in(counted_word(question))
    if value.is_labelled and not are_people and stem(value.measures) not in terms(question):
        return False
    subject: Subject = subject_of(question)
    around = f"{value.said.finding.title}. {value.said.finding.quote}"
    if subject.is_neighbour(f"{value.said.finding.title}. {value.said.text}"):
        return False
    if any(value.figure.values == one.values for one in Stated(question).figures):
        return False
    if is_distance(value.figure, value.said.text, question):
        return False
    names = names_of(value.said.text) - set(terms(question))
    about = subject.share(value.said.text) > 0 if subject.words else True
    return about or (not names and bool(set(terms(question)) & set(terms(around))))


def _is_of_asked_bound(value: AskedValue, question: str) -> bool:
    """Whether a number is as a question wants it: a limit where it asks for one, and else none that is only an offer
    ("up to 30"). What something may do, a plain number says as well ("it carries 45 kg")."""
    if not LIMITING.search(question) and asks_limit(question):
        return value.figure.kind != "over"
    if asks_least(question) and value.figure.kind in ("over", "at_least"):
        return True
    if asks_limit(question):
        return value.figure.kind in ("under", "at_most") or bool(LIMITING.search(value.stands_by))
    return value.figure.kind not in ("under", "over")


def _needed(question: str, value: AskedValue) -> float:
    """How near the sentence of a number must be to the question."""
    return VALUE_OF_KIND if is_of_asked_kind(value.measures, question) else VALUE_ANSWERS


async def _alike(asked: str, measured: set[str], embedder: Embedder) -> set[str]:
    """Those of the counted things that are what is asked for."""
    words = sorted(measured - {""})
    if not words or not asked:
        return set()
    wanted, *vectors = await embedder.embed([asked, *words])
    are_people = PERSONS.is_in(asked)
    return {
        word
        for word, vector in zip(words, vectors, strict=True)
        if (are_people and PERSONS.is_in(word))
        or (cosine(wanted, vector) >= COUNTED_ALIKE and not _is_occupation(word))
    }


def _is_occupation(word: str) -> bool:
    return OCCUPATIONS.is_in(word)


def _is_of_other_case(one: AskedValue, other: AskedValue, question: str) -> bool:
    """Whether two values hold in cases or years of their own."""
    years, other_years = (year_of_figure(value.figure, value.said.text) for value in (one, other))
    if bool(years) != bool(other_years) and (years or other_years) not in question:
        return True
    texts = one.said.text, other.said.text
    if groups_apart(*texts, question) or any(is_of_another_subject(text, question) for text in texts):
        return True
    if has_condition(texts[0], f"{question} {texts[1]}") or has_condition(texts[1], f"{question} {texts[0]}"):
        return True
    some = [counts_some(value.said.text, value.figure.text) for value in (one, other)]
    those = [counts_those(value.said.text, question) for value in (one, other)]
    if those[0] != those[1] or some[0] != some[1] or is_of_other_moment(*texts, question):
        return True
    return is_other_case(*texts, question=question)


def _differ(one: AskedValue, other: AskedValue, question: str) -> bool:
    if one.said.finding.url == other.said.finding.url:
        return False
    mine, theirs = one.figure, other.figure
    if mine.is_stated_by(theirs) or theirs.is_stated_by(mine) or mine.is_converted(theirs):
        return False
    sizes = sorted(abs(figure.values[0]) for figure in (mine, theirs))
    if sizes[1] > FARTHEST_APART * sizes[0]:
        return False
    kinds = {mine.kind, theirs.kind}
    are_limits = asks_limit(question) and kinds <= {"exact", "under", "at_most"}
    are_limits = are_limits or (asks_least(question) and kinds <= {"exact", "over", "at_least"})
    if not are_limits and span_of(mine, one.said.text).meets(span_of(theirs, other.said.text)):
        return False
    if is_other_measure(mine, one.said.text, theirs, other.said.text, question):
        return False
    return is_same_time(one.said.stated.dates, other.said.stated.dates)
