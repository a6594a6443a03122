"""The audit of the evidence without a model: which findings say the same, and which section each belongs to."""

from collections.abc import Sequence
from dataclasses import replace

from planner.evidence.evidence_allocation import EvidenceAllocation
from planner.evidence.evidence_plan import (
    AuditedClaim,
    EvidencePlan,
    SectionPlan,
    disjoint,
    open_questions,
    sections_of,
)
from research_crawler.core.models.reports.drafts import ReportView
from research_crawler.text.measures.likeness import cosine, says_the_same_of

SAME_CLAIM_MIN_COSINE = 0.72
"""Cosine from which findings with the same names, figures and negations are one claim."""
SECTION_MIN_COSINE = 0.35
"""Least cosine of a finding with a section's questions for it to be assigned to that section."""
COMPARED = 60
"""Most findings that are compared with each other."""


async def plan_without_model(
    view: ReportView, allocation: EvidenceAllocation, planned: Sequence[SectionPlan] | None = None
) -> EvidencePlan:
    """The audit by similarity; the sections come from the outline unless they are given."""
    plans = sections_of(view) if planned is None else list(planned)
    return EvidencePlan(
        by="code",
        sections=tuple(await assigned(plans, allocation)),
        claims=tuple(await _claims(view, allocation)),
        missing=tuple(dict.fromkeys([*open_questions(view.outline.leaves), *view.missing])),
    )


async def assigned(plans: Sequence[SectionPlan], allocation: EvidenceAllocation) -> list[SectionPlan]:
    """The sections with each finding that none of them names in the one that it is nearest to, if it is near.

    What an auditor has passed over stays out.
    """
    plans = disjoint(plans)
    named = allocation.passed_over | {index for plan in plans for index in plan.evidence}
    nearness = [await allocation.nearness(plan) for plan in plans]
    more: list[list[int]] = [[] for _ in plans]
    for index in range(len(allocation.findings)) if plans else ():
        best = max(range(len(plans)), key=lambda n: nearness[n][index])
        if index not in named and nearness[best][index] >= SECTION_MIN_COSINE:
            more[best].append(index)
    return [
        replace(plan, evidence=(*plan.evidence, *sorted(more[n], key=lambda index: -nearness[n][index])))
        for n, plan in enumerate(plans)
    ]


async def _claims(view: ReportView, allocation: EvidenceAllocation) -> list[AuditedClaim]:
    """One claim for all findings that say the same, the one that most findings agree on first."""
    vectors, findings = await allocation.vectors(), view.findings[:COMPARED]
    groups: list[list[int]] = []
    for index, finding in enumerate(findings):
        same = next(
            (
                group
                for group in groups
                if cosine(vectors[group[0]], vectors[index]) >= SAME_CLAIM_MIN_COSINE
                and says_the_same_of(findings[group[0]].claim, finding.claim)
            ),
            None,
        )
        if same is None:
            groups.append([index])
        else:
            same.append(index)
    groups.sort(key=lambda group: -len({findings[index].url for index in group}))
    return [AuditedClaim(findings[group[0]].claim, tuple(group)) for group in groups]
