"""Fill the outline of a job without a model: which findings answer which sub-question."""

from collections.abc import Sequence
from typing import Final

from planner.brains.extractive.nearness import Similarity, similarity_index
from planner.brains.extractive.policy.commerce import offer_evidence
from planner.brains.question_and_outline import planned_outline, question_to_answer
from planner.outline.making import leaf_texts
from planner.outline.rewriting import fitted_outline
from planner.outline.states import with_evidence
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE, Leaf, Outline
from research_crawler.core.ports.models import Embedder
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.normal_quote import normal_quote
from research_crawler.text.writing.messages import Messages

ANSWER_MIN_FIT: Final = 0.5
"""Fit of a finding with a sub-question from which it answers it."""
EVIDENCE_MIN_FIT: Final = 0.4
"""Fit of a finding with a sub-question from which it counts as evidence about it. Of questions on manuals that have no
answer, the nearest findings have 0.22 to 0.46; of those that have one, 0.55 to 0.87."""
EVIDENCE_MIN_SHARE_OF_BEST: Final = 0.75
"""Least fit of a finding in the evidence of a sub-question, as a share of the best one."""


async def filled_outline(view: PlannerView, embedder: Embedder, *, gaps: Sequence[str] = ()) -> Outline:
    """The outline of a job with the findings that answer each sub-question, and what is still open.

    Evidence that a model has named stays; everything else is assigned anew each time, because later pages may have
    something better.

    Args:
        gaps: for an offer, what is still missing.
    """
    findings = distinct_findings(view.findings)
    outline = view.outline if view.outline.sections else planned_outline(view)
    near: frozenset[str] = frozenset()
    if view.intent == "commerce" and not outline.is_given:
        evidence = offer_evidence(outline, findings, gaps)
    else:
        evidence, near = await _by_nearness(view, outline, findings, embedder)
    # What a model has left open beside the evidence that it named stays open.
    near |= {leaf.id for leaf in outline.unanswered if leaf.evidence and leaf.id not in evidence}
    translate = Messages(view.language)
    return fitted_outline(
        with_evidence(outline, evidence, view.searches, view.visited, near=near, translate=translate)
    )


async def _by_nearness(
    view: PlannerView, outline: Outline, findings: Sequence[Finding], embedder: Embedder
) -> tuple[dict[str, list[str]], frozenset[str]]:
    """Ids of the findings that answer each leaf, best first, and the leaves to which they are near and no more."""
    question = question_to_answer(view.goal, view.task)
    leaves = [
        leaf
        for leaf in outline.leaves
        if leaf.id not in view.answered_before
        and (outline.by != "model" or not (leaf.evidence or leaf.reason))
    ]
    if not leaves or not findings:
        return {leaf.id: [] for leaf in leaves}, frozenset()
    texts = asked_texts(outline, leaves, question)
    index = await similarity_index(findings, question, embedder)
    found: dict[str, list[str]] = {}
    open_: set[str] = set()
    for leaf, text, vector in zip(leaves, texts, await embedder.embed(texts), strict=True):
        fits = index.similarities_to(text, vector)
        # "Who painted its ceiling? (Skelder lighthouse)" is near to any sentence about the lighthouse.
        own = set(terms(leaf.question, detect(question)))
        has_words = not own or bool(index.known & own)
        found[leaf.id] = [findings[number].id for number in best_findings(fits)] if has_words else []
        if max((one.fit for one in fits), default=0.0) < ANSWER_MIN_FIT:
            open_.add(leaf.id)
    return found, frozenset(open_)


def asked_texts(outline: Outline, leaves: Sequence[Leaf], question: str) -> list[str]:
    """What each leaf asks, as findings are compared with it; a question of one part as it was asked."""
    return [question] if len(outline.leaves) == 1 and not outline.is_given else leaf_texts(leaves)


def best_findings(fits: Sequence[Similarity]) -> list[int]:
    """The indexes of the findings that come nearest, best first; none that is far behind the best."""
    order = sorted(range(len(fits)), key=lambda index: -fits[index].fit)[:MOST_EVIDENCE]
    least = (
        max(EVIDENCE_MIN_FIT, EVIDENCE_MIN_SHARE_OF_BEST * fits[order[0]].fit) if order else EVIDENCE_MIN_FIT
    )
    return [index for index in order if fits[index].fit >= least]


def distinct_findings(findings: Sequence[Finding]) -> list[Finding]:
    """The first finding of each quote: a report's evidence has each quote once."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        kept.setdefault(normal_quote(finding.quote), finding)
    return list(kept.values())
