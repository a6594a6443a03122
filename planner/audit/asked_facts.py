"""Find different days and names that pages give for what a question asks: when it was opened, who designed it."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from typing import Final

from babel import Locale

from planner.audit.asked_names import name_beside
from planner.audit.asked_values import VALUED_FINDINGS
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.lexicon.classes import class_asked
from planner.audit.lexicon.contrasts import is_repeated
from planner.audit.lexicon.opposites import without_words
from planner.audit.lexicon.word_lists import WordList
from planner.audit.other_subjects import is_of_another_subject
from planner.audit.restrictions import is_one_of, without_lookalikes
from planner.audit.same_case import is_other_case, is_same_time
from planner.audit.same_fact import VARIES, Stated
from planner.audit.told_events import tells_what_is_asked
from planner.verify.dates import Date, dates_of
from planner.verify.polarity import is_limited
from research_crawler.core.models.findings import Finding
from research_crawler.text.agreement import is_negated, stem_of, stems_of
from research_crawler.text.messages import REPORT_LANGUAGES
from research_crawler.text.sentences import units
from research_crawler.text.subject import subject_of
from research_crawler.text.words import WORD, stem, terms

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
    r"|\b(?:which|what) (?:[^\W\d_]{2,15} ){0,2}?(?:language|country|city|town|village|region|state|county"
    r"|company|firm"
    r"|university|school|team|club|party)\b"
    r"|\b(?:in|aus|bei|unter) welche[mnrs]? |\b(?:dans|en|sous) quel(?:le)? |\ben qué |\bin (?:che|quale) "
    r"|\bin welke? "
    r"|\bem que |\bw jakim |\bw którym ",
    re.I,
)
"""A question for a place, or for something else that has a name and stands behind a preposition."""
_ASKS_NAME: Final = re.compile(
    r"\b(?:which|what) (?:[^\W\d_]{2,15} ){0,2}?(?:language|framework|engine|format|protocol|licen[cs]e|database"
    r"|library|shell"
    r"|currency|brand|maker|manufacturer|publisher|label|algorithm|toolkit)\b"
    r"|\b(?:which|what) (?:is|was|are) the (?:[^\W\d_]{2,15} ){0,2}?(?:capital|currency|language|licen[cs]e|name"
    r"|engine"
    r"|motto|patron|predecessor|successor|mascot|anthem|format|protocol)\b"
    r"|\bwie hei(?:ß|ss)t|\bwelche (?:sprache|lizenz|währung)\b|\bquelle (?:langue|licence|monnaie)\b"
    r"|\bqué (?:lengua\w*|licencia|moneda)\b|\bcuál es la capital\b|\bquelle est la capitale\b",
    re.I,
)
"""A question for something that has a name and may stand anywhere beside what is asked about it."""
_ASKS_VERSION: Final = re.compile(r"\b(?:which|what|since which|welcher|welche) (?:version|release)\b", re.I)
_VERSIONS: Final = re.compile(r"(?<![\w.])v?(?P<mark>\d{1,4}(?:\.\d{1,5}){1,3})(?![\w%])")
_PLACED: Final = frozenset("in at near from to of bei aus à au en a de w em nel nella te".split())  # noqa: SIM905
_ASIDE: Final = re.compile(r",\s(?:when|where|which|who)\b[^,;.]{0,200}", re.I)
"""What a sentence adds to a day or a name limits neither."""
_PART: Final = re.compile(
    r"^\W{0,3}(?:[Tt]he )?(?P<owner>[^\W\d_][\w-]{1,30})['’]s (?P<owned>[a-z][a-z-]{2,30})(?:"
    r" (?P<more>[a-z]{3,20}))?(?= (?:is|are|was|were|has|have)\b)"
    r"|^\W{0,3}[Tt]he (?:[a-z-]{3,20} )?(?P<part>[a-z][a-z-]{2,30}) of (?:the )?(?P<whole>[^\W\d_][\w-]{1,30})"
)
"""A part of something by its name: "Ferrum's tools are", "the core of Ferrum"."""
_ITS: Final = re.compile(r"\b(?:its|their|ihre?|seine?|sa|son|su|sua|suo)\b")
"""What stands behind it is told of the whole: "the government of Estrava sits in its capital"."""


@dataclass(frozen=True)
class AskedFact:
    """A sentence that tells what a question asks, with the day or the name that answers it."""

    said: EvidenceStatement
    date: Date | None = None
    name: frozenset[str] = frozenset()
    """The stems of the name."""
    is_country: bool = False
    context: str = ""
    """Its sentence without the answer."""


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
                and not is_other_case(
                    one.context or one.said.text, other.context or other.said.text, question=question
                )
                and not (one.name and _parts(question, one) | _parts(question, other))
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
    if _ASKS_NAME.search(question):
        return _named
    if _ASKS_WHERE.search(question):
        return _placed
    if _ASKS_VERSION.search(question):
        return _versioned
    members = class_asked(question)
    return partial(_member, members) if members else None


def _facts(question: str, findings: Sequence[Finding], read: Reader) -> Iterator[AskedFact]:
    subject = subject_of(question)
    for place, finding in enumerate(findings):
        for unit in units(finding.quote):
            about = f"{finding.title}. {unit.text}"
            if unit.form == "row" or unit.text.endswith("?") or VARIES.search(unit.text):
                continue
            if not subject.words or subject.share(about) < 1 or not subject.share(unit.text):
                continue
            if is_of_another_subject(unit.text, question):
                continue
            if subject.is_neighbour(unit.text) or is_limited(
                _ASIDE.sub("", without_lookalikes(unit.text)), terms(question)
            ):
                continue
            if isinstance(read, partial) or tells_what_is_asked(_ASKS_VERSION.sub(" ", question), unit.text):
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
    near = name_beside(question, said.text)
    return AskedFact(said, name=near[2]) if near else None


def _placed(question: str, said: EvidenceStatement) -> AskedFact | None:
    """The same for a place, which has a preposition and knows whether it is a country."""
    near = name_beside(question, said.text)
    if near is None:
        return None
    start, end, name = near
    before = WORD.findall(said.text[max(0, start - 20) : start])[-1:]
    is_country = said.text[start:end].lower() in _countries()
    is_place = bool(before) and before[0].lower() in _PLACED
    return AskedFact(said, name=name, is_country=is_country) if is_place else None


def _member(members: WordList, question: str, said: EvidenceStatement) -> AskedFact | None:
    """The only member of a class in a sentence that has a word of the question for what it belongs to."""
    told = list(members.found(said.text))
    found = set(map(stem, told))
    about = set(terms(question)) - subject_of(question).words
    is_about = not about or any(is_one_of(word, terms(said.text)) for word in about)
    is_told = len(found) == 1 and is_about and not is_negated(said.text)
    context = without_words(said.text, told)
    return AskedFact(said, name=frozenset(found), context=context) if is_told else None


def _versioned(question: str, said: EvidenceStatement) -> AskedFact | None:
    """The only version of a sentence."""
    found = {match["mark"] for match in _VERSIONS.finditer(said.text)}
    if len(found) != 1 or is_negated(said.text):
        return None
    return AskedFact(said, name=frozenset(found), context=_VERSIONS.sub(" ", said.text))


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
    scripts = _scripts(one.name), _scripts(other.name)
    if all(scripts) and scripts[0].isdisjoint(scripts[1]):  # one name in two scripts may be the same
        return False
    return not (one.name & _stems(theirs) or other.name & _stems(mine))


def _parts(question: str, fact: AskedFact) -> set[str]:
    """The parts of what a question is about of which a sentence tells something, and the question asks nothing."""
    subject, known = subject_of(question), set(terms(question))
    found = set()
    for match in () if _ITS.search(fact.said.text) else _PART.finditer(fact.said.text):
        is_of_subject = stem_of(match["owner"] or match["whole"]) in subject.words
        words = {stem(match[name]) for name in ("owned", "more", "part") if match[name]}
        if is_of_subject and not words & known and not tells_what_is_asked(question, match[0]):
            found |= words
    return found


def _scripts(name: frozenset[str]) -> set[str]:
    """The scripts of a name's letters: LATIN, CYRILLIC."""
    return {unicodedata.name(char, "").partition(" ")[0] for word in name for char in word if char.isalpha()}


def _stems(finding: Finding) -> set[str]:
    return stems_of(f"{finding.title}. {finding.quote}")


@cache
def _countries() -> frozenset[str]:
    """The names of countries in the languages of reports."""
    return frozenset(
        name.lower() for language in REPORT_LANGUAGES for name in Locale(language).territories.values()
    )
