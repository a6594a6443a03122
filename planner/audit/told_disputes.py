"""Find disagreements that a page tells itself: "the restorer disagrees", "it denies that this killed the fish"."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from planner.audit.evidence_statements import EvidenceStatement
from planner.audit.same_case import is_other_case
from planner.audit.same_fact import Stated
from planner.outline.kinds import is_answer_kind
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import units
from research_crawler.text.subject import subject_of

DISPUTED_FINDINGS: Final = 30
"""Findings that are looked at, the best ones: as many as one or two pages give would leave out what others dispute."""
NAMED_NEARBY: Final = 0.5
"""Least share of the names of the question that a page has to have near its disagreement."""
DISPUTE_NEARNESS: Final = 0.45
"""Least cosine with the question of one of the two sentences, read with the title of its page."""
MEASURED_NEARNESS: Final = 0.38
"""The same where a claim and a measurement give different values of one unit, which is a dispute by itself."""
DISPUTE_REACH: Final = 3
"""How many sentences before or behind a disagreement it can be about."""
SHORT_DISPUTE: Final = 12
DISPUTES_OF_A_PAGE: Final = 2
_DISPUTES: Final = re.compile(
    r"(?:\bdisagree[sd]?|den(?:y|ies|ied) (?:that|this|it|any|having)|disput(?:es|ed)(?: the| this| that|\.|,)"
    r"|contradict(?:s|ed)|comes? to (?:another|a different) (?:conclusion|result)|came to (?:another|a different) \w+"
    r"|(?:do|does|did) not believe|at odds with|rejects? the (?:claim|figure|finding|accusation)s?"
    r"|count(?:s|ed)? (?:lower|higher)"
    r"|explains? the difference"
    r"|(?<![\d.,])\d[\d.,]*+\w{0,2}+,? (?:against|as opposed to|rather than|gegenüber|contre) (?:the |den |les )?\d"
    r"|widersprich\w*|bestreite[tn]|leugnet|kommt zu einem anderen|anderer meinung"
    r"|contredi\w*|conteste|nie que|d['’]un autre avis|contradice|niega que|discrepa"
    r"|contraddice|nega che|spreekt \w+ tegen|ontkent|betwist|contradiz|nega que|zaprzecza|kwestionuje)",
    re.I,
)
"""What people do who disagree. "But" and "however" are no signs: they mostly limit what was said."""
_CLAIMED: Final = re.compile(
    r"\b(?:promis\w+|claim\w*|advertis\w+|said to|supposed to|according to|states?|stated|specif\w+|rated|brochure"
    r"|data ?sheet|on the (?:box|label|sticker)|verspr\w+|angeblich|laut|angegeben\w*|selon|annonc\w+|según|anunci\w+"
    r"|secondo|dichiar\w+|volgens)\b",
    re.I,
)
_MEASURED: Final = re.compile(
    r"\b(?:we|i|our|my|meter|scales?|in practice|test(?:er)?s?|laborator\w+|wir|unser\w*|nous|notre|nosotros|noi"
    r"|wij)\b"
    r"[^.!?]{0,60}\b(?:measur\w+|found|counted|weighed|recorded|show\w+|got|read|gemessen|maßen|zeigt\w*|mesur\w+"
    r"|medi\w+|misur\w+|gemeten)\b",
    re.I,
)
"""What a maker claims, and what somebody found who tried it."""


async def told_disputes(
    question: str, findings: Sequence[Finding], embedder: Embedder
) -> list[tuple[EvidenceStatement, EvidenceStatement]]:
    """What is disputed, and the sentence with the disagreement, nearest to the question first.

    What is disputed is the sentence near the disagreement that answers best; a disagreement of a few words comes with
    the sentence before it.
    """
    subject = subject_of(question)
    told = [
        (place, finding, sentences, n)
        for place, finding in enumerate(findings[:DISPUTED_FINDINGS])
        if subject.share(f"{finding.title}. {finding.quote}") >= NAMED_NEARBY
        for sentences in [[unit for unit in units(finding.quote) if unit.form == "sentence"]]
        for n, unit in enumerate(sentences)
        if _DISPUTES.search(unit.text) or _MEASURED.search(unit.text)
    ]
    found: dict[str, list[tuple[float, tuple[EvidenceStatement, EvidenceStatement]]]] = {}
    for place, finding, sentences, n in told:
        near = range(max(0, n - DISPUTE_REACH), min(len(sentences), n + DISPUTE_REACH + 1))
        wanted, *vectors = await embedder.embed(
            [question, *(f"{finding.title}. {sentences[i].text}" for i in near)]
        )
        worth = dict(zip(near, (cosine(wanted, vector) for vector in vectors), strict=True))
        known = {pair[0].text for _, pair in found.get(finding.url, ())}
        others = [i for i in near if i != n and _may_be_disputed(sentences[i].text, known)]
        if not _DISPUTES.search(sentences[n].text):
            others = [i for i in others if _is_measured_otherwise(sentences[i].text, sentences[n].text)]
        about = max(
            others, key=lambda i: (is_answer_kind(question, sentences[i].text), worth[i]), default=None
        )
        needed = DISPUTE_NEARNESS if _DISPUTES.search(sentences[n].text) else MEASURED_NEARNESS
        if about is None or max(worth[about], worth[n]) < needed:
            continue
        first = n - 1 if n and about != n - 1 and len(sentences[n].text.split()) <= SHORT_DISPUTE else n
        sides = [
            EvidenceStatement(place, finding, Stated(text), (), 0.0)
            for text in (sentences[about].text, " ".join(one.text for one in sentences[first : n + 1]))
        ]
        found.setdefault(finding.url, []).append((worth[about] + worth[n], (sides[0], sides[1])))
    best = [
        one for pairs in found.values() for one in sorted(pairs, key=lambda one: -one[0])[:DISPUTES_OF_A_PAGE]
    ]
    return [pair for _, pair in sorted(best, key=lambda one: -one[0])]


def _is_measured_otherwise(claim: str, measured: str) -> bool:
    """Whether a sentence tells a value that somebody claims, and another one what was measured instead."""
    one, other = Stated(claim), Stated(measured)
    if not _CLAIMED.search(claim) or is_other_case(claim, measured):
        return False
    return any(
        mine.unit
        and mine.is_of_unit(theirs.unit)
        and not (mine.is_stated_by(theirs) or theirs.is_stated_by(mine))
        for mine in one.figures[:1]
        for theirs in other.figures[:1]
    )


def _may_be_disputed(text: str, known: Collection[str]) -> bool:
    """Whether a sentence states something that is not told as disputed already."""
    return text not in known and not text.endswith("?") and not _DISPUTES.search(text)
