"""Judge the evidence of a job without a model, after each round: its scores, and the analysis of all findings."""

from collections.abc import Sequence

from planner.analysis.advice import plain_analysis
from planner.analysis.scoring import Nearness, evaluated
from planner.audit.contradictions import Difference, differences
from planner.audit.evidence_statements import evidence_statements
from planner.brains.extractive.filling import distinct_findings, needed_nearness, stems_in
from planner.brains.extractive.passages import finding_text
from planner.brains.extractive.queries import question_of
from planner.outline.making import leaf_texts
from planner.text.ranking import cosine
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.outline import Outline
from research_crawler.core.models.quality import Analysis, Evaluation
from research_crawler.core.ports.models import Embedder

MOST_COMPARED_FINDINGS = 24
"""Most findings whose statements are compared with each other, the best ones: 0.3 s of one core once."""


async def judgement_of(
    view: PlannerView, outline: Outline, embedder: Embedder, by: str
) -> tuple[Evaluation, Analysis] | None:
    """The evaluation and the analysis of all findings so far; None before anything was read or searched for.

    Args:
        view: what is known.
        outline: it names the findings that answer each sub-question.
        embedder: one that remembers, because findings are compared in every round.
        by: the brain that judges.
    """
    if not any(visit.what == "ok" for visit in view.visited) and not view.findings:
        return None
    question = question_of(view.goal, view.task)
    leaves = outline.leaves
    asked = [question, *(leaf_texts(leaves) if len(leaves) > 1 else [])]
    texts = [finding_text(finding) for finding in view.findings]
    vectors = await embedder.embed([*asked, *texts])
    wanted, said = vectors[: len(asked)], vectors[len(asked) :]
    known = stems_in(texts)
    nearness = [
        Nearness(max((cosine(one, other) for other in said), default=0.0), needed_nearness(text, known))
        for one, text in zip(wanted, asked, strict=True)
    ]
    found = await _differences(question, view.findings, embedder)
    evaluation = evaluated(
        outline,
        {finding.id: finding for finding in view.findings},
        nearness,
        conflicts=sum(one.kind == "contradiction" for one in found),
        thresholds=view.quality,
    )
    near = [max((cosine(one, other) for one in wanted), default=0.0) for other in said]
    analysis = plain_analysis(view, outline, evaluation, found=found, nearness=near, by=by)
    return evaluation, analysis


async def _differences(question: str, findings: Sequence[Finding], embedder: Embedder) -> list[Difference]:
    """What pages say differently; statements of a single page are not compared."""
    best = sorted(distinct_findings(findings), key=lambda finding: -finding.score)[:MOST_COMPARED_FINDINGS]
    if len({finding.page_sha256 or finding.url for finding in best}) < 2:
        return []
    return differences(await evidence_statements(question, best, embedder))
