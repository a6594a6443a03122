"""The part on request that checks facts: for each claim what speaks for it and against it, and what follows. Pure.

A reader tells what pages say about a claim. Without one, only a page that has the claim word for word speaks for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from planner.reports.sources.citations import NO_MARKS, Citations, Cited
from planner.reports.sources.ranked_evidence import source_label
from planner.reports.typed.part_readings import MOST_PAIRS, PartReadings
from planner.reports.typed.subject_statements import AskedSubject
from planner.reports.typed.typed_list import TypedEntry, TypedList
from planner.verify.cited_source import sentences_of
from planner.verify.verbatim import is_whole_sentence
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.core.web.urls import host_of, site_of
from research_crawler.text.languages.words import terms
from research_crawler.text.questions.wishes import claim_to_check
from research_crawler.text.writing.citation_marks import strip_citations
from research_crawler.text.writing.messages import Messages

FactVerdict = Literal["confirmed", "one_source", "disputed", "denied", "unproven", "could_not_check"]
MOST_CHECKED_CLAIMS, MOST_PIECES = 8, 3
"""Most claims that are checked, and most quotes for a claim or against it."""
MOST_SITES: Final = 4
"""Most sites that are read for a claim: those with most of its words."""


@dataclass(frozen=True)
class _Checked:
    claim: str
    supporting: tuple[int, ...]
    """Findings of different sites that say it."""
    against: tuple[int, ...]
    is_read: bool

    @property
    def verdict(self) -> FactVerdict:
        """What the evidence comes to: two sites that say the same confirm, as long as nobody says otherwise."""
        if self.against:
            return "disputed" if self.supporting else "denied"
        if self.supporting:
            return "confirmed" if len(self.supporting) > 1 else "one_source"
        return "unproven" if self.is_read else "could_not_check"


def checkable_claims(
    goal: str, answer: Sequence[Sentence], findings: Sequence[Finding], about: AskedSubject
) -> list[str]:
    """What is checked: the claim of the question itself, and the sentences of the answer.

    An excerpt is several sentences of a page: the first one about the subject stands for it.
    """
    given = [claim] if (claim := claim_to_check(goal)) else []
    statements = sorted(about.statements(findings), key=lambda one: not one.names_subject)
    written = [
        next((one.text for one in statements if one.index in sentence.evidence), "")
        if sentence.is_excerpt
        else strip_citations(sentence.text)
        for sentence in answer
    ]
    return list(dict.fromkeys(filter(None, [*given, *written])))[:MOST_CHECKED_CLAIMS]


def factcheck_pairs(claims: Sequence[str], findings: Sequence[Finding]) -> list[Pair]:
    """What a reader is asked: what the findings with most of a claim's words say about it, one a site."""
    pairs = [
        Pair(statement=claim, quotes=[findings[index].quote], sources=[source_label(findings[index])])
        for claim in claims
        for index in _nearest(claim, findings)
        if not _is_copied(claim, findings[index])
    ]
    return pairs[:MOST_PAIRS]


def factcheck_list(
    claims: Sequence[str],
    findings: Sequence[Finding],
    citations: Citations,
    translate: Messages,
    readings: PartReadings,
) -> tuple[TypedList, dict[str, Any]]:
    """The claims, each with its verdict and its evidence; `findings` in the order of their evidence ids."""
    checked = [_checked(claim, findings, readings) for claim in claims]
    entries = [entry for one in checked for entry in _entries(one, findings, citations, translate)]
    record = [
        {
            "claim": claim.claim,
            "verdict": claim.verdict,
            "for": [f"E{index + 1}" for index in claim.supporting],
            "against": [f"E{index + 1}" for index in claim.against],
        }
        for claim in checked
    ]
    return TypedList("factcheck", entries, "" if entries else translate("nothing_of_that")), {
        "claims": record
    }


def _nearest(claim: str, findings: Sequence[Finding]) -> list[int]:
    """The finding of each site that has most words of a claim, the best sites first."""
    shared = {index: len(_words(claim) & _words(one.quote)) for index, one in enumerate(findings)}
    best: dict[str, int] = {}
    for index in sorted(shared, key=lambda index: -shared[index]):
        if shared[index]:
            best.setdefault(site_of(findings[index].url), index)
    return list(best.values())[:MOST_SITES]


@lru_cache(maxsize=512)
def _words(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _is_copied(claim: str, finding: Finding) -> bool:
    return is_whole_sentence(claim, sentences_of(finding.quote))


def _checked(claim: str, findings: Sequence[Finding], readings: PartReadings) -> _Checked:
    verdicts = {
        index: "supported"
        if _is_copied(claim, findings[index])
        else readings.verdict(claim, findings[index].quote)
        for index in _nearest(claim, findings)
    }
    return _Checked(
        claim,
        tuple(index for index, verdict in verdicts.items() if verdict == "supported"),
        tuple(index for index, verdict in verdicts.items() if verdict == "contradicted"),
        is_read=not verdicts or any(verdict != "could_not_check" for verdict in verdicts.values()),
    )


def _entries(
    checked: _Checked, findings: Sequence[Finding], citations: Citations, translate: Messages
) -> Iterator[TypedEntry]:
    """The claim with its verdict and what says it, and under it the sentences that say otherwise."""
    verdict = translate(f"fact_{checked.verdict}", n=len(checked.supporting))
    indexes = list(checked.supporting[:MOST_PIECES])
    cited = (
        citations.cite([Sentence(text=checked.claim, evidence=indexes)])
        if indexes
        else [_uncited(checked.claim)]
    )
    for shown in cited:
        yield TypedEntry(shown, before=verdict, kind=checked.verdict)
    for index in checked.against[:MOST_PIECES]:
        for shown in citations.cite([Sentence(text=findings[index].quote, evidence=[index])]):
            host = host_of(findings[index].url).removeprefix("www.")
            yield TypedEntry(
                shown, before=translate("fact_against"), behind=host, kind="against", is_below=True
            )


def _uncited(claim: str) -> Cited:
    return Cited(text=claim, evidence_ids=[], marks=NO_MARKS, pages=(), verdict=None)
