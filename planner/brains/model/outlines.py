"""The outline as the planner's prompt shows it, and the outline that its answer makes of it."""

from collections.abc import Sequence

from planner.brains.extractive.filling import planned_outline
from planner.brains.model.document_parts import shortened
from planner.brains.model.evidence_ids import place_of
from planner.outline.rewriting import rewritten
from planner.outline.states import with_evidence
from prompts.answers import OutlineEntry
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.outline import Leaf, Outline, Section

EVIDENCE_SHOWN = 40
"""Most findings shown to the planner; the report is written from more."""


def shown_evidence(view: PlannerView) -> list[Finding]:
    """The findings that the planner is shown as E1, E2 …, best first."""
    return sorted(view.findings, key=lambda finding: -finding.score)[:EVIDENCE_SHOWN]


def current_outline(view: PlannerView) -> Outline:
    """The outline so far; before the first decision, the one that the question itself gives."""
    return view.outline if view.outline.sections else planned_outline(view)


def outline_lines(outline: Outline, shown: Sequence[Finding]) -> list[str]:
    """Each section with its sub-questions, one a line."""
    names = {finding.id: f"E{n}" for n, finding in enumerate(shown, 1)}
    lines = []
    for section in outline.sections:
        lines.append(f"{section.id}. {shortened(section.title)}")
        lines += [f"  {leaf.id} {_told(leaf, names)}" for leaf in section.leaves]
    return lines


def outline_from(
    entries: Sequence[OutlineEntry], view: PlannerView, shown: Sequence[Finding], by: str
) -> Outline:
    """The current outline with the changes that the model's entries make, and the searches made for each leaf."""
    current = current_outline(view)
    sections: dict[str, list[Leaf]] = {}
    titles = {leaf.id: section.title for section in current.sections for leaf in section.leaves}
    for entry in entries:
        evidence = [
            shown[place].id for id_ in entry.evidence if (place := place_of(id_, "E", len(shown))) is not None
        ]
        leaf = Leaf(
            id=entry.id.strip(),
            question=" ".join(entry.question.split()),
            query=" ".join(entry.query.split()),
            evidence=evidence,
            state="open" if entry.state == "filled" and not evidence else entry.state,
            reason=" ".join(entry.reason.split()),
        )
        if leaf.question or leaf.id in titles:
            title = titles.get(leaf.id) or " ".join(entry.section.split()) or leaf.question
            sections.setdefault(title, []).append(leaf)
    proposed = Outline(
        by=by, sections=[Section(id="", title=title, leaves=leaves) for title, leaves in sections.items()]
    )
    known = {finding.id for finding in view.findings}
    return with_evidence(rewritten(current, proposed, known), {}, view.searches, view.visited)


def _told(leaf: Leaf, names: dict[str, str]) -> str:
    evidence = " ".join(names[id_] for id_ in leaf.evidence if id_ in names)
    parts = [f"[{leaf.state}] {shortened(leaf.question)}"]
    if evidence:
        parts.append(f"evidence: {evidence}")
    if leaf.state == "open" and leaf.query:
        parts.append(f"search: {shortened(leaf.query)}")
    if leaf.searches:
        parts.append(f"searched {leaf.searches} time{'s' * (leaf.searches != 1)}")
    if leaf.reason:
        parts.append(shortened(leaf.reason))
    return " | ".join(parts)
