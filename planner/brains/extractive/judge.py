"""Judge the evidence of a job without a model, after each round: its scores, and the analysis of all findings."""

from planner.analysis.advice import lexical_analysis
from planner.analysis.scoring import Nearness, evaluated
from planner.brains.extractive.fill import ANSWER_MIN_FIT, asked_texts
from planner.brains.extractive.nearness import similarity_index
from planner.brains.question_and_outline import question_to_answer
from research_crawler.core.models.evidence.quality import Judged
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.ports.models import Embedder


async def judgement_of(
    view: PlannerView,
    outline: Outline,
    embedder: Embedder,
    by: str,
    *,
    hop_query: str = "",
) -> Judged | None:
    """The evaluation and the analysis of all findings so far; None before anything was read or searched for.

    Args:
        view: what is known.
        outline: it names the findings that answer each sub-question.
        embedder: one that remembers, because findings are compared in every round.
        by: the brain that judges.
        hop: the search for a name that leads on.
    """
    if not any(visit.outcome == "ok" for visit in view.visited) and not view.findings:
        return None
    question = question_to_answer(view.goal, view.task)
    leaves = outline.leaves
    asked = list(dict.fromkeys([question, *asked_texts(outline, leaves, question)]))
    index = await similarity_index(view.findings, question, embedder)
    rows = [
        index.similarities_to(text, vector)
        for text, vector in zip(asked, await embedder.embed(asked), strict=True)
    ]
    evaluation = evaluated(
        outline,
        {finding.id: finding for finding in view.findings},
        [Nearness(max((one.fit for one in row), default=0.0), ANSWER_MIN_FIT) for row in rows],
        thresholds=view.quality,
    )
    analysis = lexical_analysis(
        view,
        outline,
        evaluation,
        nearness=[max(of) for of in zip(*([one.cosine for one in row] for row in rows), strict=True)],
        hop_query=hop_query,
        by=by,
    )
    return evaluation, analysis
