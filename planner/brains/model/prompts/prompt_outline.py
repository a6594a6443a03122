"""The outline as the planner's prompt shows it, and the outline that its answer makes of it."""

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest

from planner.brains.model.answers.evidence_ids import normal_id
from planner.brains.model.prompts.document_parts import shortened_text
from planner.brains.question_and_outline import planned_outline
from planner.outline.rewriting import rewritten
from planner.outline.states import with_evidence
from planner.reports.sources.ranked_evidence import evidence_id
from prompts.answers import OutlineEntry
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.web.urls import dedupe_key
from research_crawler.text.writing.messages import Messages

EVIDENCE_SHOWN, EVIDENCE_SHOWN_WHOLE = 60, 72
"""Most findings shown to the planner, and up to how many all are; the report is written from more. To leave out one
of a few more costs more than its line, because a provider can keep nothing of what stands behind the gap."""
MOST_OF_ANSWERED_LEAF, MOST_OF_ANSWERED_LEAVES = 3, 20
"""Most findings of an answered sub-question, and of all of them, as long as there are others: the model has judged them
already, and names them by their ids."""


def shown_evidence(view: PlannerView) -> dict[str, Finding]:
    """The findings that the planner is shown, by their ids E1, E2 …: their indexes among all findings of the job.

    A finding keeps its id from round to round, so that what a model has said of E12 stays true.

    A model gives all findings of a page much the same score, so that the best ones of a long job would always be those
    of the same few pages. Shown are what the last round has brought, what stands at open sub-questions, and what none
    names, of each page in turn; then the best of what answers the others.
    """
    if len(view.findings) <= EVIDENCE_SHOWN_WHOLE:
        return _numbered(view)
    by_id = {finding.id: finding for finding in view.findings}
    of_leaf = {leaf.id: [by_id[id_] for id_ in leaf.evidence if id_ in by_id] for leaf in view.outline.leaves}
    settled = [of_leaf[leaf.id] for leaf in view.outline.leaves if leaf.state == "filled"]
    open_ = [of_leaf[leaf.id] for leaf in view.outline.unanswered]
    new, answering = new_evidence(view), answering_ids(view)
    fresh = [one for one in view.findings if one.id in new]
    free = [one for one in view.findings if one.id not in answering]
    first = _distinct([*_by_turns(_of_pages(fresh)), *_by_turns(open_), *_by_turns(_of_pages(free))])
    filling = _by_turns([found[:MOST_OF_ANSWERED_LEAF] for found in settled])[:MOST_OF_ANSWERED_LEAVES]
    room = EVIDENCE_SHOWN - len(filling)
    ordered = _distinct([*first[:room], *filling, *first[room:], *_by_turns(settled)])
    chosen = {finding.id for finding in ordered[:EVIDENCE_SHOWN]}
    return {id_: finding for id_, finding in _numbered(view).items() if finding.id in chosen}


def named_evidence(view: PlannerView, shown: Mapping[str, Finding]) -> dict[str, Finding]:
    """The findings that the model may name: those that it is shown, and those whose ids the outline shows."""
    named = set(chain.from_iterable(leaf.evidence for leaf in view.outline.leaves))
    return {id_: one for id_, one in _numbered(view).items() if id_ in shown or one.id in named}


def answering_ids(view: PlannerView) -> set[str]:
    """Ids of the findings that answer a sub-question, and stand at no open one."""
    open_ = set(chain.from_iterable(leaf.evidence for leaf in view.outline.unanswered))
    return {id_ for leaf in view.outline.leaves for id_ in leaf.evidence} - open_


def new_evidence(view: PlannerView) -> set[str]:
    """Ids of the findings of the pages that were read in the last round, where there was more than one."""
    rounds = {visit.round for visit in view.visited if visit.findings}
    if len(rounds) < 2:
        return set()
    last = [visit for visit in view.visited if visit.round == max(rounds)]
    urls = {dedupe_key(url) for visit in last for url in (visit.url, visit.final_url) if url}
    return {finding.id for finding in view.findings if dedupe_key(finding.url) in urls}


def _numbered(view: PlannerView) -> dict[str, Finding]:
    return {evidence_id(index): finding for index, finding in enumerate(view.findings)}


def _distinct(findings: Sequence[Finding]) -> list[Finding]:
    return list({finding.id: finding for finding in findings}.values())


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


def outline_lines(outline: Outline, named: Mapping[str, Finding]) -> list[str]:
    """Each section with its sub-questions, one a line; `named` are the findings by the ids that it shows. The title of
    a section that is its only sub-question is told once."""
    names = {finding.id: id_ for id_, finding in named.items()}
    lines = []
    for section in outline.sections:
        if [section.title] != [leaf.question for leaf in section.leaves]:
            lines.append(f"{section.id}. {shortened_text(section.title)}")
        lines += [f"  {leaf.id} {_told(leaf, names)}" for leaf in section.leaves]
    return lines


def outline_from(
    entries: Sequence[OutlineEntry], view: PlannerView, named: Mapping[str, Finding], by: str
) -> Outline:
    """The current outline with the changes that the model's entries make, and the searches made for each leaf.

    Args:
        entries: sub-questions that are new or have changed; a field that one leaves out stays as it was.
        view: what the model was asked about.
        named: the findings that it may name, by their ids.
        by: its name.
    """
    current = current_outline(view)
    made = rewritten(
        current, _proposed_outline(entries, current, named, by), {finding.id for finding in view.findings}
    )
    near = _unfilled_leaves(entries, current, made)
    return with_evidence(made, {}, view.searches, view.visited, near=near, translate=Messages(view.language))


def _proposed_outline(
    entries: Sequence[OutlineEntry], current: Outline, named: Mapping[str, Finding], by: str
) -> Outline:
    """The model's entries as an outline of their own; what they leave out is taken from the current one."""
    sections: dict[str, list[Leaf]] = {}
    titles = {leaf.id: section.title for section in current.sections for leaf in section.leaves}
    before = {leaf.id: leaf.evidence for leaf in current.leaves}
    for entry in entries:
        leaf = _proposed_leaf(entry, before, named)
        if leaf.question or leaf.id in titles:
            title = " ".join(entry.section.split()) or titles.get(leaf.id) or leaf.question
            sections.setdefault(title, []).append(leaf)
    return Outline(
        by=by, sections=[Section(id="", title=title, leaves=leaves) for title, leaves in sections.items()]
    )


def _proposed_leaf(
    entry: OutlineEntry, before: Mapping[str, Sequence[str]], named: Mapping[str, Finding]
) -> Leaf:
    """An entry as a sub-question. It keeps its evidence of before where the entry names none, or calls it filled and
    has none; filled without any is open."""
    found = (named.get(normal_id(id_, "E")) for id_ in entry.evidence)
    evidence = [finding.id for finding in found if finding is not None]
    says_nothing = "evidence" not in entry.model_fields_set
    if says_nothing or (entry.state == "filled" and not entry.evidence):
        evidence = list(before.get(entry.id.strip(), ()))
    return Leaf(
        id=entry.id.strip(),
        question=" ".join(entry.question.split()),
        query=" ".join(entry.query.split()),
        evidence=evidence,
        state="open" if entry.state == "filled" and not evidence else entry.state,
        reason=" ".join(entry.reason.split()),
    )


def _unfilled_leaves(entries: Sequence[OutlineEntry], current: Outline, made: Outline) -> set[str]:
    """Ids of the sub-questions that evidence near to them does not fill.

    What code found to be near to a question and no answer to it stays so where the model says nothing of it, and what
    the model itself calls open is not filled by the part of an answer that it names.
    """
    known, judged = {leaf.id for leaf in current.leaves}, {entry.id.strip() for entry in entries}
    called_open = {
        entry.id.strip() for entry in entries if entry.state != "filled" and "state" in entry.model_fields_set
    }
    unjudged = {leaf.id for leaf in current.unanswered if leaf.evidence and leaf.id not in judged}
    new = {leaf.id for leaf in made.leaves if leaf.id not in known and leaf.state != "filled"}
    return called_open | unjudged | new


def _told(leaf: Leaf, names: dict[str, str]) -> str:
    evidence = " ".join(names[id_] for id_ in leaf.evidence if id_ in names)
    parts = [f"[{leaf.state}] {shortened_text(leaf.question)}"]
    if evidence:
        parts.append(f"evidence: {evidence}")
    if leaf.state == "open" and leaf.query:
        parts.append(f"search: {shortened_text(leaf.query)}")
    if leaf.searches:
        parts.append(f"searched {leaf.searches} time{'s' * (leaf.searches != 1)}")
    if leaf.reason:
        parts.append(shortened_text(leaf.reason))
    return " | ".join(parts)
