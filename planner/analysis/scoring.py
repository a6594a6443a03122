"""Score the evidence of a job without a model: relevance, coverage and confidence."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from planner.quality.quality_policy import is_enough
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import Evaluation, QualityThresholds
from research_crawler.core.models.jobs.outline import Leaf, Outline
from research_crawler.core.text.counting import count
from research_crawler.core.web.urls import slot_of
from research_crawler.text.source_types import source_type

ANSWER_MIN_RELEVANCE: Final = 0.6
"""Relevance of a finding that just answers a sub-question, and of what is near enough to be shown; what is nearer is
worth more, up to 1. Of 100 questions, seven with an answer and none without one had evidence that was only near; the
reports of three of these showed the answer."""
CERTAIN_COSINE_MARGIN: Final = 0.22
"""How much nearer than needed a finding is that certainly is about what was asked (cosine of MiniLM)."""
SAME_HOST_WEIGHT: Final = 0.5
"""Weight of another page of a host that is known already, beside that of a new host."""
_OFFICIAL, _PERSONAL = 0.1, -0.1
"""How much more or less sure a sub-question is that official documentation or only people in forums answer."""
NEAR_ONLY_FACTOR: Final = 0.5
"""How much less sure a sub-question is whose evidence is near to it and does not state what it asks."""


@dataclass(frozen=True)
class Nearness:
    """How near the best finding comes to a sub-question, and how near it must come to answer it (cosines)."""

    best: float
    needed: float

    @property
    def relevance(self) -> float:
        """Relevance from 0 to 1; a finding that only just answers has ANSWER_MIN_RELEVANCE."""
        if self.best < self.needed:
            return ANSWER_MIN_RELEVANCE * max(0.0, self.best) / self.needed
        return min(
            1.0,
            ANSWER_MIN_RELEVANCE
            + (1 - ANSWER_MIN_RELEVANCE) * (self.best - self.needed) / CERTAIN_COSINE_MARGIN,
        )


def evaluated(
    outline: Outline,
    findings: Mapping[str, Finding],
    nearness: Collection[Nearness],
    *,
    thresholds: QualityThresholds,
) -> Evaluation:
    """How good the evidence of an outline is.

    Args:
        outline: its leaves name the findings that answer them.
        findings: by id.
        nearness: that of the question and of each sub-question.
        thresholds: those of the job.
    """
    leaves = outline.leaves
    filled = [leaf for leaf in leaves if leaf.state == "filled"]
    coverage = len(filled) / len(leaves) if leaves else 0.0
    relevance = max((near.relevance for near in nearness), default=0.0)
    if any(leaf.evidence for leaf in leaves):
        relevance = max(relevance, ANSWER_MIN_RELEVANCE)
    confidence = _confidence(leaves, findings)
    found = Evaluation(
        relevance=round(relevance, 1),
        confidence=round(confidence, 1),
        coverage=round(coverage, 1),
        reasons=_reasons(filled, leaves, findings),
    )
    return Evaluation(**found.model_dump() | {"should_retry": not is_enough(found, thresholds)})


def _confidence(leaves: Sequence[Leaf], findings: Mapping[str, Finding]) -> float:
    """The mean over all sub-questions of how many pages and hosts answer each, and of what kind these are."""
    if not leaves:
        return 0.0
    return sum(
        _sureness([findings[id_] for id_ in leaf.evidence if id_ in findings])
        * (1.0 if leaf.state == "filled" else NEAR_ONLY_FACTOR)
        for leaf in leaves
    ) / len(leaves)


def _sureness(evidence: Sequence[Finding]) -> float:
    if not evidence:
        return 0.0
    hosts = {slot_of(finding.url) for finding in evidence}
    pages = {finding.page_sha256 or finding.url for finding in evidence}
    amount = 1.0 - math.pow(0.5, len(hosts) + SAME_HOST_WEIGHT * (len(pages) - len(hosts)))
    kinds = {source_type(finding.url, finding.title) for finding in evidence}
    kind = _OFFICIAL if "official" in kinds else _PERSONAL if kinds == {"forum"} else 0.0
    return min(1.0, max(0.0, amount + kind))


def _reasons(
    filled: Sequence[Leaf],
    leaves: Sequence[Leaf],
    findings: Mapping[str, Finding],
) -> str:
    used = {id_ for leaf in filled for id_ in leaf.evidence if id_ in findings}
    hosts = len({slot_of(findings[id_].url) for id_ in used})
    parts = [
        f"{len(filled)} of {count(len(leaves), 'sub-question')} with evidence: "
        f"{count(len(used), 'finding')} of {count(hosts, 'host')}"
    ]
    if open_ := [leaf.question.rstrip("?") for leaf in leaves if leaf.state != "filled"]:
        parts.append(f"without: {'; '.join(open_)}")
    return "; ".join(parts)
