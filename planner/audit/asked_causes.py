"""Find different causes that pages give for something that happened once: a cigarette, a short circuit."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from planner.audit.asked_values import VALUED_FINDINGS
from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.restrictions import is_one_of, is_unreal
from planner.audit.same_case import is_same_time
from planner.audit.same_fact import Stated
from planner.verify.dates import dates_of
from planner.verify.polarity import is_limited
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.agreement import is_negated
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import units
from research_crawler.text.subject import subject_of
from research_crawler.text.words import terms

LIKE_CAUSES: Final = 0.4
"""Least cosine of two causes that may be one: "a short circuit" and "an electrical fault" have 0.55."""
MOST_CAUSES: Final = 10
_ASKS: Final = re.compile(
    r"\bwhat (?:caused|led to|started|triggered|destroyed|killed|brought)\b|\bwhy (?:did|was|were|had)\b|\bcause of\b"
    r"|\bwas (?:hat|verursachte|führte)\b|\bwodurch\b|\b(?:warum|weshalb) (?:wurde|war|ist|brach|kam|fiel)\b"
    r"|\bursache\b"
    r"|\bqu['’]est-ce qui a\b|\bpourquoi\b.{1,40}\ba-t-|\bcause d[eu]\b|\bqué (?:causó|provocó)\b"
    r"|\bpor qué (?:se )?\w+ó\b"
    r"|\bcosa ha (?:causato|provocato)\b|\bwat veroorzaakte\b|\bo que causou\b|\bco (?:spowodowało|było przyczyną)\b",
    re.I,
)
"""A question why something has happened. What happens again and again has many causes."""
_BEHIND: Final = re.compile(
    r"\b(?:caused by|due to|because of|owing to|as a (?:result|consequence) of|resulted from|(?:was"
    r"|were) the result of"
    r"|triggered by|sparked by|started by|set off by|brought about by|destroyed by|put down to"
    r"|traced (?:back )?to|attributed to"
    r"|stemmed from|blamed? (?:it )?on|the (?:cause|reason) (?:of [^.,;]{2,60} )?was|verursacht durch"
    r"|ausgelöst durch|wegen"
    r"|infolge|die ursache war|à cause d[eu]|d[ûu]e? à|provoqué par|causée? par|debido a|causad[oa] por"
    r"|provocad[oa] por|a causa d[ei]l?"
    r"|causat[oa] da|provocat[oa] da|veroorzaakt door|causad[oa] pel[oa]"
    r"|spowodowan[yae] przez)\s(?P<cause>[^.,;:()]{3,90})",
    re.I,
)
_BEFORE: Final = re.compile(
    r"(?:^|[,;:]|\bthat\b|\bwas it\b|\bbut\b)(?P<cause>[^.,;:()]{3,80}?)\s(?:caused|led to|triggered|sparked"
    r"|set off|started|brought down|destroyed"
    r"|(?:is|are|was|were) (?:to blame|responsible) for|(?:is|are|was|were) behind|drove"
    r"|set (?=[^.;]{2,60} on fire\b)"
    r"|verursachte|löste|führte zu|a (?:causé|provoqué)|causó|provocó|ha (?:causato|provocato)|veroorzaakte"
    r"|causou|spowodował[ao]?)\b",
    re.I,
)
_ENDS: Final = re.compile(r"\b(?:which|that|who|when|while|after|die|der|das|qui|que|che)\b", re.I)
_INTRODUCES: Final = re.compile(r"\b(?:but|it (?:is|was)|sondern)\b", re.I)
_ONE_OF_MANY: Final = re.compile(
    r"\b(?:one of|among|also|partly|in part|part of|contribut\w*|add(?:s|ed)? to|help(?:s|ed)? to|together with"
    r"|as well as|both"
    r"|factors?|unter anderem|auch|teils|mit schuld|trug dazu bei|en partie|aussi|también|en parte|anche|in parte"
    r"|ook)\b",
    re.I,
)


@dataclass(frozen=True)
class ToldCause:
    """A sentence that tells why something happened."""

    said: EvidenceStatement
    cause: str


async def differing_causes(
    question: str, findings: Sequence[Finding], embedder: Embedder
) -> list[tuple[EvidenceStatement, EvidenceStatement]]:
    """Pairs of sentences of different pages that give causes of one event which have nothing in common.

    A cause among others, one that is guessed, and one of which the other page speaks too make no difference.

    Args:
        question: what is asked.
        findings: the best first.
        embedder: compares causes by their meaning.
    """
    if not _ASKS.search(question):
        return []
    told = list(_causes(question, findings[:VALUED_FINDINGS]))[:MOST_CAUSES]
    pairs = [(one, other) for one, other in combinations(told, 2) if _may_differ(one, other)]
    if not pairs:
        return []
    vectors = dict(zip(told, await embedder.embed([one.cause for one in told]), strict=True))
    return [
        (one.said, other.said) for one, other in pairs if cosine(vectors[one], vectors[other]) < LIKE_CAUSES
    ]


def _causes(question: str, findings: Sequence[Finding]) -> Iterator[ToldCause]:
    subject, known = subject_of(dates_of(question)[1]), set(terms(question))
    for place, finding in enumerate(findings):
        for unit in units(finding.quote):
            text = unit.text
            if not subject.words or unit.form == "row" or text.endswith("?") or not subject.share(text):
                continue
            if subject.share(f"{finding.title}. {text}") < 1 or subject.is_neighbour(text):
                continue
            if _ONE_OF_MANY.search(text) or is_unreal(text) or is_limited(text, known):
                continue
            effect = known - subject.words
            cause = _cause_in(text)
            is_told = any(is_one_of(word, terms(text)) for word in effect)
            if is_told and set(terms(cause)) - known and not is_negated(cause):
                yield ToldCause(EvidenceStatement(place, finding, Stated(text), (), 0.0), cause)


def _cause_in(text: str) -> str:
    """What a sentence names as the cause of something; empty if it names none."""
    if behind := _BEHIND.search(text):
        return _ENDS.split(behind["cause"], maxsplit=1)[0].strip()
    if before := _BEFORE.search(text):
        parts = [part for part in _ENDS.split(before["cause"]) if part.strip()]
        return _INTRODUCES.split(parts[-1])[-1].strip() if parts else ""
    return ""


def _may_differ(one: ToldCause, other: ToldCause) -> bool:
    """Whether neither page speaks of the other one's cause."""
    mine, theirs = one.said.finding, other.said.finding
    if mine.url == theirs.url or not is_same_time(one.said.stated.dates, other.said.stated.dates):
        return False
    causes = (set(terms(one.cause)), set(terms(other.cause)))
    pages = (set(terms(f"{finding.title}. {finding.quote}")) for finding in (theirs, mine))
    about = [
        cause - set(terms(said.said.text.replace(said.cause, " ")))
        for cause, said in zip(causes, (one, other), strict=True)
    ]
    return all(cause and not cause & page for cause, page in zip(about, pages, strict=True))
