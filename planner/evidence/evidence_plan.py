"""What the evidence says, for those who write from it: claims, contradictions, gaps, sections with their evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from planner.outline.making import leaf_texts
from research_crawler.core.models.jobs.outline import Leaf
from research_crawler.core.models.reports.drafts import Contradiction, ReportView


@dataclass(frozen=True)
class AuditedClaim:
    """Something that the evidence says, with 0-based indexes of findings."""

    text: str
    evidence: tuple[int, ...]
    is_inference: bool = False
    """It follows from the evidence, which does not say it itself."""


@dataclass(frozen=True)
class SectionPlan:
    """A section that is going to be written."""

    id: str
    title: str
    sub_questions: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()
    """Indexes of findings, the best first; no finding is assigned to two sections."""
    needs: tuple[str, ...] = ()
    """Ids of sections that are written before it, because it builds on them."""
    wanted: tuple[str, ...] = ()
    """The texts that its evidence is compared with: its questions, with names in place of words that only point to them
("Why did it stop?")."""


@dataclass(frozen=True)
class EvidencePlan:
    """The evidence of a report, put in order."""

    by: str
    sections: tuple[SectionPlan, ...] = ()
    """In the order of the report, which is that of their importance."""
    claims: tuple[AuditedClaim, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    missing: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()


def sections_of(view: ReportView) -> list[SectionPlan]:
    """The sections that the outline asks for, S1, S2 …; none if it has at most one sub-question.

    An outline of a single section gives one section for each of its sub-questions.
    """
    outline = view.outline
    if len(outline.leaves) < 2:
        return []
    indexes = {finding.id: index for index, finding in enumerate(view.findings)}
    wanted = dict(zip((leaf.id for leaf in outline.leaves), leaf_texts(outline.leaves), strict=True))
    if len(outline.sections) == 1:
        plans = [_plan(leaf.id, leaf.question, [leaf], indexes, wanted) for leaf in outline.leaves]
    else:
        plans = [
            _plan(section.id, section.title, section.leaves, indexes, wanted, section.needs)
            for section in outline.sections
        ]
    plans = [plan for plan in plans if plan.sub_questions]
    ids = {plan.id: f"S{n}" for n, plan in enumerate(plans, start=1)}
    return disjoint(
        [
            replace(plan, id=ids[plan.id], needs=tuple(ids[need] for need in plan.needs if need in ids))
            for plan in plans
        ]
    )


def disjoint(plans: Sequence[SectionPlan]) -> list[SectionPlan]:
    """The plans with each finding in the first section that names it, and with needs that can be met."""
    taken: set[int] = set()
    ids = {plan.id for plan in plans}
    found = []
    for plan in plans:
        own = tuple(index for index in dict.fromkeys(plan.evidence) if index not in taken)
        taken.update(own)
        needs = tuple(need for need in dict.fromkeys(plan.needs) if need in ids and need != plan.id)
        found.append(replace(plan, evidence=own, needs=needs))
    return found


def with_further_evidence(plans: Sequence[SectionPlan], further: Sequence[SectionPlan]) -> list[SectionPlan]:
    """Add to each plan the evidence that its namesake in `further` has, unless a plan names it already."""
    named = {index for plan in plans for index in plan.evidence}
    more = {plan.id: [index for index in plan.evidence if index not in named] for plan in further}
    return disjoint([replace(plan, evidence=(*plan.evidence, *more.get(plan.id, ()))) for plan in plans])


def in_waves(plans: Sequence[SectionPlan]) -> list[list[SectionPlan]]:
    """The sections in the order of their needs: those of one wave can be written at the same time.

    Sections that need each other in a circle are one wave.
    """
    waves: list[list[SectionPlan]] = []
    waiting, done = list(plans), set[str]()
    while waiting:
        ready = [plan for plan in waiting if done.issuperset(plan.needs)] or waiting
        waves.append(ready)
        done |= {plan.id for plan in ready}
        waiting = [plan for plan in waiting if plan not in ready]
    return waves


def open_questions(leaves: Sequence[Leaf]) -> list[str]:
    """The sub-questions that nothing answers, with the reason where there is one; what is only near answers none.

    A single question with something near it is the goal itself: the answer says how sure it is.
    """
    if len(leaves) == 1 and leaves[0].evidence:
        return []
    unanswered = (leaf for leaf in leaves if leaf.state != "filled")
    return [f"{leaf.question} ({leaf.reason})" if leaf.reason else leaf.question for leaf in unanswered]


def _plan(
    id_: str,
    title: str,
    leaves: Sequence[Leaf],
    indexes: Mapping[str, int],
    wanted: Mapping[str, str],
    needs: Sequence[str] = (),
) -> SectionPlan:
    named = (indexes[id_] for leaf in leaves for id_ in leaf.evidence if id_ in indexes)
    questions = tuple(leaf.question for leaf in leaves)
    near_to = tuple(wanted[leaf.id] for leaf in leaves)
    return SectionPlan(id_, title, questions, tuple(dict.fromkeys(named)), tuple(needs), near_to)
