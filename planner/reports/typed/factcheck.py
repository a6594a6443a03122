"""The part on request that checks facts: for each claim what speaks for it and against it, and what follows. Pure.

Only code that compares words, numbers, dates, names and negations decides; that two sentences are near in meaning
proves nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from planner.evidence.contradictions import differ
from planner.evidence.parsed_sentence import SAME_WORDS, ParsedSentence, is_same_fact, shared_words
from planner.reports.sources.citations import Citations, Cited
from planner.reports.typed.about import About, Told, is_page_furniture
from planner.reports.typed.shown import TypedEntry, TypedList
from planner.verify.cited_text import CitedText, sentences_of
from planner.verify.coverage import WordWeights, word_set
from planner.verify.ladder import judge_statement
from planner.verify.statement import Statement
from research_crawler.core.models.drafts import Contradiction, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.web.urls import host_of, site_of
from research_crawler.text.agreement import figures_in
from research_crawler.text.messages import Messages

FactVerdict = Literal["confirmed", "one_source", "disputed", "denied", "unproven"]
MOST_CHECKED_CLAIMS, MOST_PIECES = 8, 3
LEAST_COVERED: Final = 0.95
"""Share of a claim's wording that one sentence of another page must have to state it. Chosen near all of it, not swept:
a confirmation that is none does more harm than one that is missed."""
_CLAIM: Final = re.compile(
    r"\s*(?:is it (?:really )?(?:true|correct|a fact) that|is it the case that|fact[- ]?check"
    r"(?: (?:that|whether|if))?:?|(?:check|verify|confirm) (?:that|whether|if)|stimmt es,? dass|ist es wahr,? dass"
    r"|est-(?:il|ce) vrai que|"
    r"¿?es (?:cierto|verdad) que|è vero che|is het waar dat|é verdade que"
    r"|czy to prawda,? że)\s+(?P<claim>[^?]{10,400})",
    re.I,
)
"""A question that gives the claim itself."""


@dataclass(frozen=True)
class _Piece:
    """A sentence that speaks for a claim or against it."""

    place: int
    url: str
    text: str

    @property
    def site(self) -> str:
        """Whose word it is: pages of one site confirm each other as little as one page does."""
        return site_of(self.url)


@dataclass(frozen=True)
class _Checked:
    claim: str
    supporting: tuple[_Piece, ...]
    against: tuple[_Piece, ...]

    @property
    def verdict(self) -> FactVerdict:
        """What the evidence comes to: two sites that say the same confirm, as long as nobody says otherwise."""
        if self.against:
            return "disputed" if self.supporting else "denied"
        return "confirmed" if len(self.supporting) > 1 else "one_source" if self.supporting else "unproven"


def factcheck_list(
    goal: str,
    answer: Sequence[Cited],
    contradictions: Sequence[Contradiction],
    findings: Sequence[Finding],
    about: About,
    citations: Citations,
    say: Messages,
) -> tuple[TypedList, dict[str, Any]]:
    """The claims, each with its verdict and its evidence.

    Args:
        goal: a claim of its own is checked first: `is it true that …`.
        answer: its sentences are claims.
        contradictions: what a brain found to be said differently.
        findings: in the order of their evidence ids.
        about: what the question is about.
        citations: numbers what is cited.
        say: the language of the report.
    """
    told = about.told(findings)
    pieces = [_Piece(one.place, one.finding.url, one.text) for one in told]
    weights = WordWeights(word_set(one.text) for one in pieces)
    checking = _Checking(pieces, weights, findings, contradictions)
    checked = [checking.given(claim) for claim in _given(goal)]
    claims = [claim for one in answer for claim in _claims_of(one, told)]
    checked += [checking.written(*claim) for claim in claims[: MOST_CHECKED_CLAIMS - len(checked)]]
    entries = [entry for one in checked for entry in _entries(one, citations, say)]
    record = [
        {
            "claim": one.claim,
            "verdict": one.verdict,
            "for": [f"E{piece.place + 1}" for piece in one.supporting],
            "against": [f"E{piece.place + 1}" for piece in one.against],
        }
        for one in checked
    ]
    return TypedList("factcheck", entries, "" if entries else say("nothing_of_that")), {"claims": record}


def _given(goal: str) -> list[str]:
    match = _CLAIM.match(goal)
    return [match["claim"].strip(" .")] if match else []


def _claims_of(sentence: Cited, told: Sequence[Told]) -> list[tuple[str, list[int]]]:
    """The claims of a sentence of the answer, with the findings that it cites.

    An excerpt is several sentences of a page: what is checked is the first one about the subject, one with a number
    before others.
    """
    own = [int(id_[1:]) - 1 for id_ in sentence.evidence_ids]
    if not sentence.excerpt:
        return [] if is_page_furniture(sentence.text) else [(sentence.text, own)]
    of_excerpt = [one for one in told if one.place in own and not one.is_speech]
    best = sorted(of_excerpt, key=lambda one: (not one.names_subject, not figures_in(one.text)))
    return [(one.text, own) for one in best[:1]]


@dataclass(frozen=True)
class _Checking:
    """Compares claims with all sentences about the subject."""

    pieces: Sequence[_Piece]
    weights: WordWeights
    findings: Sequence[Finding]
    contradictions: Sequence[Contradiction]

    def given(self, claim: str) -> _Checked:
        """A claim of the person who asks."""
        return self._compared(claim, {}, frozenset())

    def written(self, claim: str, own: Sequence[int]) -> _Checked:
        """A sentence of the answer, for which its own quotes speak as far as they say it."""
        supporting: dict[str, _Piece] = {}
        for place in own:
            finding = self.findings[place]
            said = sentences_of(finding.quote)
            judged = judge_statement(Statement(claim, CitedText(said, [finding.title]), self.weights))
            if judged.verdict in ("supported", "qualified") and not judged.is_wrong:
                supporting.setdefault(site_of(finding.url), _Piece(place, finding.url, finding.quote))
        return self._compared(claim, supporting, frozenset(own))

    def _compared(self, claim: str, supporting: dict[str, _Piece], own: frozenset[int]) -> _Checked:
        stated = ParsedSentence(claim)
        against: dict[str, _Piece] = {}
        disputing = self._disputing(stated, own)
        for one in self.pieces:
            if one.place in disputing or (one.place not in own and _is_against(stated, one.text)):
                against.setdefault(one.site, one)
            elif one.place not in own and self._says(stated, one):
                supporting.setdefault(one.site, one)
        return _Checked(claim, tuple(supporting.values()), tuple(against.values()))

    def _disputing(self, stated: ParsedSentence, own: frozenset[int]) -> set[int]:
        """The findings that the brain found to contradict what the claim's own ones say."""
        return {
            place
            for pair in self.contradictions
            if not pair.is_replaced
            for mine, theirs in ((pair.one, pair.other), (pair.other, pair.one))
            if own & set(mine.evidence) and is_same_fact(stated, ParsedSentence(mine.text))
            for place in theirs.evidence
        }

    def _says(self, stated: ParsedSentence, one: _Piece) -> bool:
        """Whether a sentence states the claim, by its words, numbers, dates and names."""
        if is_same_fact(stated, ParsedSentence(one.text)):
            return True
        judged = judge_statement(Statement(stated.text, CitedText([one.text]), self.weights))
        return judged.verdict == "supported" and judged.covered >= LEAST_COVERED


def _is_against(stated: ParsedSentence, text: str) -> bool:
    """Whether a sentence says the opposite, or gives another number or date for the same thing."""
    other = ParsedSentence(text)
    return shared_words(stated, other) >= SAME_WORDS and differ(stated, other)


def _entries(one: _Checked, citations: Citations, say: Messages) -> Iterator[TypedEntry]:
    """The claim with its verdict and what says it, and under it the sentences that say otherwise."""
    verdict = say(f"fact_{one.verdict}", n=len(one.supporting))
    places = [piece.place for piece in one.supporting[:MOST_PIECES]]
    cited = citations.keep([Sentence(text=one.claim, evidence=places)]) if places else [_uncited(one.claim)]
    for shown in cited:
        yield TypedEntry(shown, before=verdict, kind=one.verdict)
    for piece in one.against[:MOST_PIECES]:
        for shown in citations.keep([Sentence(text=piece.text, evidence=[piece.place])]):
            host = host_of(piece.url).removeprefix("www.")
            yield TypedEntry(shown, before=say("fact_against"), behind=host, kind="against", is_below=True)


def _uncited(claim: str) -> Cited:
    return Cited(text=claim, evidence_ids=[], marks="", pages=(), verdict=None)
