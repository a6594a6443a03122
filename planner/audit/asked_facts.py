"""Find different days and names that pages give for what a question asks: when it was opened, who designed it."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Final

from babel import Locale

from planner.audit.asked_values import VALUED_FINDINGS
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.lexicon.contrasts import is_repeated
from planner.audit.same_case import is_other_case, is_same_time
from planner.audit.same_fact import VARIES, Stated
from planner.audit.told_events import event_in, tells_what_is_asked
from planner.goal.language import report_language
from planner.text.agreement import is_negated
from planner.text.messages import REPORT_LANGUAGES
from planner.text.sentences import units
from planner.text.subject import subject_of
from planner.text.words import STOPWORDS, WORD, stem, terms
from planner.verify.dates import Date, dates_of
from planner.verify.polarity import is_limited
from research_crawler.core.models.findings import Finding

_ASKS_WHEN: Final = re.compile(
    r"\b(?:when|(?:which|what) (?:year|month|day|date)|wann|welche[mns]? (?:jahr|monat|tag)|quand"
    r"|quelle (?:année|date)|cu[aá]ndo|qu[eé] (?:año|fecha|ano)|quando|(?:che|quale) anno|wanneer|welk jaar|kiedy"
    r"|którym roku)\b",
    re.I,
)
_ASKS_WHO: Final = re.compile(
    r"\bwho\b(?! (?:can|could|should|may|must|would|do|does)\b)"
    r"|\b(?:wer|von wem|qui|qui[eé]n|chi|wie(?= (?:heeft|is|was|schreef|ontwierp|bouwde|won)\b)|kto|quem)\b",
    re.I,
)
_ASKS_WHERE: Final = re.compile(
    r"\b(?:where|wo|où|d[oó]nde|dove|waar|gdzie|onde)\b"
    r"|\b(?:which|what) (?:[^\W\d_]{2,15} ){0,2}?(?:language|country|city|town|village|region|state|county|company|firm"
    r"|university|school|team|club|party|framework|engine|format|protocol|material|licen[cs]e)\b"
    r"|\b(?:in|aus|bei|unter) welche[mnrs]? |\b(?:dans|en|sous) quel(?:le)? |\ben qué |\bin (?:che|quale) |\bin welke? "
    r"|\bem que |\bw jakim |\bw którym ",
    re.I,
)
"""A question for a place, or for something else that has a name and stands behind a preposition."""
_ARTICLES: Final = frozenset(
    "the a an der die das ein eine le la les un une el los il lo gli het een o os de".split()  # noqa: SIM905
)
_PLACED: Final = frozenset("in at near from to of bei aus à au en a de w em nel nella te".split())  # noqa: SIM905
_GAP_BEHIND: Final = 3
"""Most words between what happened and the name behind it: "invented by the plumber Karl Lindell"."""
_GAP_BEFORE: Final = 1
"""The same for a name before it: "Karl Lindell has invented"."""
_PARTICLES: Final = frozenset("de del della der den di du da dos la le van von ter of".split())  # noqa: SIM905
_LONGEST_RUN: Final = 6


@dataclass(frozen=True)
class AskedFact:
    """A sentence that tells what a question asks, with the day or the name that answers it."""

    said: EvidenceStatement
    date: Date | None = None
    name: frozenset[str] = frozenset()
    """The stems of the name."""
    is_country: bool = False


def differing_facts(
    questions: Sequence[str], findings: Sequence[Finding]
) -> list[tuple[EvidenceStatement, EvidenceStatement]]:
    """Pairs of sentences of different pages that answer one of the questions with different days, people or places.

    A name counts only where it stands right beside what happened, and where the other page does not have it at all: a
    page that names a second author, or the country of a town, denies nothing.

    Args:
        questions: the question and its parts.
        findings: the best first.
    """
    found: list[tuple[EvidenceStatement, EvidenceStatement]] = []
    for question in questions:
        if read := _reader(question):
            facts = list(_facts(question, findings[:VALUED_FINDINGS], read))
            found += [
                (one.said, other.said)
                for one, other in combinations(facts, 2)
                if _differ(one, other)
                and not is_other_case(one.said.text, other.said.text, question=question)
                and not is_repeated(one.said.text, other.said.text)
            ]
    return found


Reader = Callable[[str, EvidenceStatement], AskedFact | None]


def _reader(question: str) -> Reader | None:
    """What reads the kind of answer that a question asks for; None if it asks for another kind."""
    if _ASKS_WHEN.search(question):
        return _dated
    if _ASKS_WHO.search(question):
        return _named
    return _placed if _ASKS_WHERE.search(question) else None


def _facts(question: str, findings: Sequence[Finding], read: Reader) -> Iterator[AskedFact]:
    subject = subject_of(question)
    for place, finding in enumerate(findings):
        for unit in units(finding.quote):
            about = f"{finding.title}. {unit.text}"
            if unit.form == "row" or unit.text.endswith("?") or VARIES.search(unit.text):
                continue
            if not subject.words or subject.share(about) < 1 or not subject.share(unit.text):
                continue
            if subject.is_neighbour(unit.text) or is_limited(unit.text, terms(question)):
                continue
            if tells_what_is_asked(question, unit.text):
                said = EvidenceStatement(place, finding, Stated(unit.text), (), 0.0)
                if fact := read(question, said):
                    yield fact


def _dated(question: str, said: EvidenceStatement) -> AskedFact | None:
    """The only day or year of a sentence, unless it is denied."""
    dates = [date for date in said.stated.dates if date.year or (date.month and date.day)]
    if len(dates) != 1 or is_negated(said.text.partition(dates[0].text)[0]):
        return None
    asked = dates_of(question)[0]
    return None if any(dates[0].text == one.text for one in asked) else AskedFact(said, date=dates[0])


def _named(question: str, said: EvidenceStatement) -> AskedFact | None:
    """The only name of a sentence beside what happened that the question does not have."""
    event = event_in(question, said.text)
    if event is None or is_negated(said.text):
        return None
    new = list(_new_names(question, said.text))
    if len(new) != 1:
        return None
    start, end, name = new[0]
    known = set(terms(question))
    if start >= event[1]:
        between = [
            word for word in WORD.findall(said.text[event[1] : start]) if stem(word.lower()) not in known
        ]
        is_beside = len(between) <= _GAP_BEHIND
    else:
        between = WORD.findall(said.text[end : event[0]])
        is_beside = len(between) <= _GAP_BEFORE and _ARTICLES.isdisjoint(word.lower() for word in between)
    return AskedFact(said, name=name) if is_beside else None


def _placed(question: str, said: EvidenceStatement) -> AskedFact | None:
    """The same for a place, which has a preposition and knows whether it is a country."""
    fact = _named(question, said)
    if fact is None:
        return None
    [(start, end, _)] = _new_names(question, said.text)
    before = WORD.findall(said.text[max(0, start - 20) : start])[-1:]
    is_country = said.text[start:end].lower() in _countries()
    placed = replace(fact, is_country=is_country)
    return placed if before and before[0].lower() in _PLACED else None


def _new_names(question: str, text: str) -> Iterator[tuple[int, int, frozenset[str]]]:
    """The names of a text that have a word which the question lacks: start, end, and the stems of these words."""
    known = {_stem(word) for word in WORD.findall(question)}
    is_german = report_language(text) == "de"
    for whole in _runs(dates_of(text)[1]):
        run = whole[1:] if whole[0][1] == 0 and whole[0][0].lower() in STOPWORDS else whole
        words = [word for word in run if word[0].lower() not in _PARTICLES]
        new = frozenset(_stem(word) for word, _, _ in words) - known
        if run and new and (len(words) > 1 or not is_german):
            yield run[0][1], run[-1][2], new


def _runs(text: str) -> Iterator[list[tuple[str, int, int]]]:
    """Words with capitals in a row, the first word of the sentence only where another one follows it."""
    run: list[tuple[str, int, int]] = []
    for match in [*WORD.finditer(text), None]:
        is_next = match is not None and (not run or not text[run[-1][2] : match.start()].strip())
        may_follow = match is not None and (match[0][0].isupper() or (bool(run) and match[0] in _PARTICLES))
        if match is not None and is_next and may_follow and len(run) < _LONGEST_RUN:
            run.append((match[0], match.start(), match.end()))
            continue
        while run and run[-1][0] in _PARTICLES:
            run.pop()
        if run and (len(run) > 1 or run[0][1] > 0):
            yield run
        is_name = match is not None and match[0][0].isupper()
        run = [(match[0], match.start(), match.end())] if match is not None and is_name else []


def _differ(one: AskedFact, other: AskedFact) -> bool:
    mine, theirs = one.said.finding, other.said.finding
    if mine.url == theirs.url:
        return False
    if one.date and other.date:
        return not one.date.fits(other.date)
    if not is_same_time(one.said.stated.dates, other.said.stated.dates):
        return False
    if one.is_country != other.is_country:  # a town lies in one
        return False
    if _scripts(one.name).isdisjoint(_scripts(other.name)):  # one name in two scripts may be the same
        return False
    return not (one.name & _stems(theirs) or other.name & _stems(mine))


def _scripts(name: frozenset[str]) -> set[str]:
    """The scripts of a name's letters: LATIN, CYRILLIC."""
    return {unicodedata.name(char, "").partition(" ")[0] for word in name for char in word if char.isalpha()}


def _stems(finding: Finding) -> set[str]:
    return {_stem(word) for word in WORD.findall(f"{finding.title}. {finding.quote}")}


def _stem(word: str) -> str:
    return stem(word.lower().replace("’", "'").removesuffix("'s"))


@cache
def _countries() -> frozenset[str]:
    """The names of countries in the languages of reports."""
    return frozenset(
        name.lower() for language in REPORT_LANGUAGES for name in Locale(language).territories.values()
    )
