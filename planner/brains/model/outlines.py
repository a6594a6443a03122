"""The outline as the planner's prompt shows it, and the outline that its answer makes of it."""

from collections.abc import Sequence
from itertools import zip_longest

from planner.brains.extractive.filling import planned_outline
from planner.brains.model.document_parts import shortened
from planner.brains.model.evidence_ids import place_of
from planner.outline.rewriting import rewritten
from planner.outline.states import with_evidence
from prompts.answers import OutlineEntry
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.outline import Leaf, Outline, Section
from research_crawler.core.web.urls import dedupe_key

EVIDENCE_SHOWN = 60
"""Most findings shown to the planner; the report is written from more."""
FILLING = 30
"""At most so many of them because the outline names them: there is always room for what is new."""


def shown_evidence(view: PlannerView) -> list[Finding]:
    """The findings that the planner is shown as E1, E2 …, best first.

    A model gives all findings of a page much the same score, so that the best ones of a long job would always be those
    of the same few pages. Shown are what fills the outline, then what the last round has brought, then the others, of
    each page in turn.
    """
    by_id = {finding.id: finding for finding in view.findings}
    filling = _by_turns(
        [[by_id[id_] for id_ in leaf.evidence if id_ in by_id] for leaf in view.outline.leaves]
    )
    new = new_evidence(view)
    others = [finding for finding in view.findings if finding.id not in new]
    pages = [_of_pages([one for one in view.findings if one.id in new]), _of_pages(others)]
    chosen = {one.id: one for part in (filling[:FILLING], *map(_by_turns, pages)) for one in part}
    return sorted(list(chosen.values())[:EVIDENCE_SHOWN], key=lambda finding: -finding.score)


def new_evidence(view: PlannerView) -> set[str]:
    """Ids of the findings of the pages that were read in the last round, where there was more than one."""
    rounds = {visit.round for visit in view.visited if visit.findings}
    if len(rounds) < 2:
        return set()
    last = [visit for visit in view.visited if visit.round == max(rounds)]
    urls = {dedupe_key(url) for visit in last for url in (visit.url, visit.final_url) if url}
    return {finding.id for finding in view.findings if dedupe_key(finding.url) in urls}


def _of_pages(findings: Sequence[Finding]) -> list[list[Finding]]:
    """The findings of each page, the best page first."""
    pages: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: -finding.score):
        pages.setdefault(finding.url, []).append(finding)
    return list(pages.values())


def _by_turns(groups: Sequence[Sequence[Finding]]) -> list[Finding]:
    """The first of each group, then the second of each …"""
    return [finding for turn in zip_longest(*groups) for finding in turn if finding is not None]


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
            title = " ".join(entry.section.split()) or titles.get(leaf.id) or leaf.question
            sections.setdefault(title, []).append(leaf)
    proposed = Outline(
        by=by, sections=[Section(id="", title=title, leaves=leaves) for title, leaves in sections.items()]
    )
    known = {finding.id for finding in view.findings}
    named = {entry.id.strip() for entry in entries}
    made = rewritten(current, proposed, known)
    # What code found to be near to a question and no answer to it stays so where the model says nothing of it, and what
    # the model calls open stays open, though it names what was found for it so far.
    near = {leaf.id for leaf in current.unanswered if leaf.evidence and leaf.id not in named}
    near |= {leaf.id for leaf in made.leaves if leaf.state == "open" and leaf.evidence}
    return with_evidence(made, {}, view.searches, view.visited, near=near)


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
