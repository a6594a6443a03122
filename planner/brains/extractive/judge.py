"""Judge the evidence of a job without a model, after each round: its scores, and the analysis of all findings."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from planner.analysis.advice import plain_analysis
from planner.analysis.scoring import Nearness, evaluated
from planner.brains.extractive.fill import FILLS, asked_texts, distinct_findings
from planner.brains.extractive.nearness import compared
from planner.brains.questions import question_of
from planner.evidence.contradictions import Difference, contradictions
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.outline import Outline
from research_crawler.core.models.quality import Judged
from research_crawler.core.ports.models import Embedder

MOST_COMPARED_FINDINGS: Final = 24
"""Most findings whose statements are compared with each other, the best ones."""


def differences_of(view: PlannerView) -> list[Difference]:
    """What pages say differently; statements of a single page are not compared."""
    best = sorted(distinct_findings(view.findings), key=lambda one: -one.score)[:MOST_COMPARED_FINDINGS]
    if len({one.page_sha256 or one.url for one in best}) < 2:
        return []
    return list(_differences(question_of(view.goal, view.task), tuple(best)))


@lru_cache(maxsize=64)
def _differences(question: str, findings: tuple[Finding, ...]) -> tuple[Difference, ...]:
    """Kept, because a job that ends is judged by its decision and once more at its end, on the same findings."""
    return tuple(contradictions(question, findings))


async def judgement_of(
    view: PlannerView,
    outline: Outline,
    embedder: Embedder,
    by: str,
    *,
    hop: str = "",
    found: Sequence[Difference] = (),
) -> Judged | None:
    """The evaluation and the analysis of all findings so far; None before anything was read or searched for.

    Args:
        view: what is known.
        outline: it names the findings that answer each sub-question.
        embedder: one that remembers, because findings are compared in every round.
        by: the brain that judges.
        hop: the search for a name that leads on.
        found: what pages say differently.
    """
    if not any(visit.what == "ok" for visit in view.visited) and not view.findings:
        return None
    question = question_of(view.goal, view.task)
    leaves = outline.leaves
    asked = list(dict.fromkeys([question, *asked_texts(outline, leaves, question)]))
    near = await compared(view.findings, question, embedder)
    rows = [
        near.with_question(text, vector)
        for text, vector in zip(asked, await embedder.embed(asked), strict=True)
    ]
    evaluation = evaluated(
        outline,
        {finding.id: finding for finding in view.findings},
        [Nearness(max((one.fit for one in row), default=0.0), FILLS) for row in rows],
        conflicts=sum(one.kind == "contradiction" for one in found),
        thresholds=view.quality,
    )
    analysis = plain_analysis(
        view,
        outline,
        evaluation,
        found=found,
        nearness=[max(of) for of in zip(*([one.cosine for one in row] for row in rows), strict=True)],
        hop=hop,
        by=by,
    )
    return evaluation, analysis
