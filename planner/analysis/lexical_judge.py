"""Fill the outline and judge the evidence of a job by words alone, where its model ended without doing either.

A job with a model makes no vectors on its way: they cost more processor time than all else that it does.
"""

from collections.abc import Sequence
from typing import Final

from planner.analysis.advice import lexical_analysis
from planner.analysis.scoring import Nearness, evaluated
from planner.outline.making import first_outline
from planner.outline.states import with_evidence
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.evidence.quality import Judged
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE, Outline
from research_crawler.core.tasks.offload import offload_call
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import word_coverage
from research_crawler.text.writing.messages import Messages

ANSWER_MIN_WORD_SHARE: Final = 0.6
"""Least share of the words of a sub-question in a finding that counts as its answer: a model chose the finding."""
CHOSEN_MIN_SCORE: Final = 0.6
"""Score from which a model has called a finding relevant when it took it."""


class LexicalJudge:
    """Fills the outline and scores the evidence by words, for jobs whose model ended without doing so."""

    name: Final = "words"

    async def outlined(self, view: PlannerView) -> Outline:
        """The outline with findings for the sub-questions of which the model has said nothing."""
        return await offload_call(self._filled, view)

    def _filled(self, view: PlannerView) -> Outline:
        outline = view.outline
        if (
            not outline.sections and view.intent != "commerce"
        ):  # the model has never changed the one it was shown
            outline = first_outline(view.goal, by=self.name)
        silent = [leaf for leaf in outline.leaves if not (leaf.evidence or leaf.reason)]
        evidence = {
            leaf.id: nearest_ids(leaf.question, view.findings, view.language, least=ANSWER_MIN_WORD_SHARE)
            for leaf in silent
        }
        if len(outline.leaves) == len(silent) == 1 and not any(evidence.values()):
            evidence = {silent[0].id: _chosen_ids(view.findings)}
        translate = Messages(view.language)
        return with_evidence(outline, evidence, view.searches, view.visited, translate=translate)

    async def judged(self, view: PlannerView) -> Judged | None:
        """The scores of the evidence, and what it lacks; None before anything was read."""
        return await offload_call(self._scored, view) if view.findings else None

    def _scored(self, view: PlannerView) -> Judged:
        asked = [view.goal, *(leaf.question for leaf in view.outline.leaves)]
        shares = [
            [
                word_coverage(terms(text, view.language), told, view.language)
                for told in map(_text, view.findings)
            ]
            for text in asked
        ]
        known = {finding.id: finding for finding in view.findings}
        near = [Nearness(max(row), ANSWER_MIN_WORD_SHARE) for row in shares]
        if _chosen_ids(view.findings):
            near.append(Nearness(ANSWER_MIN_WORD_SHARE, ANSWER_MIN_WORD_SHARE))
        evaluation = evaluated(view.outline, known, near, thresholds=view.quality)
        nearness = [max(column) for column in zip(*shares, strict=True)]
        return evaluation, lexical_analysis(
            view, view.outline, evaluation, nearness=nearness, hop_query="", by=self.name
        )


def _chosen_ids(findings: Sequence[Finding]) -> list[str]:
    """The findings of pages that a model has called relevant for the question when it took them, the best first."""
    chosen = sorted((one for one in findings if one.score >= CHOSEN_MIN_SCORE), key=lambda one: -one.score)
    return [one.id for one in chosen[:MOST_EVIDENCE]]


def nearest_ids(
    question: str,
    findings: Sequence[Finding],
    language: str,
    *,
    least: float = 0.0,
    most: int = MOST_EVIDENCE,
) -> list[str]:
    """The findings with the largest share of a question's words, which is at least `least`, the best first."""
    wanted = terms(question, language)
    shares = [
        (word_coverage(wanted, _text(finding), language), finding.score, finding.id) for finding in findings
    ]
    best = sorted((share for share in shares if share[0] >= least), key=lambda one: (-one[0], -one[1]))
    return [id_ for *_, id_ in best[:most]]


def _text(finding: Finding) -> str:
    return f"{finding.heading} {finding.claim} {finding.quote}"
