"""The documents that a model is shown to put evidence in order and to write the parts of a report."""

from collections.abc import Sequence
from itertools import chain

from planner.brains.model.prompts.document_parts import (
    UNKNOWN,
    WHOLE_QUOTE_CHARS,
    by_page,
    evidence_line,
    goal_text,
    shortened_text,
)
from planner.evidence.evidence_plan import EvidencePlan, SectionPlan
from planner.reports.sources.ranked_evidence import evidence_id
from prompts.fences import fenced, fenced_lines, marks
from prompts.loader import Document, Entries
from research_crawler.core.models.reports.drafts import ReportView, Sentence
from research_crawler.core.models.reports.report_parts import LISTED_PARTS

AUDITED_QUOTE_CHARS = 600
"""Longest quote for the auditor, who sees most of the evidence at once."""
LISTED_RULES = "\n".join(f"- `{part.key}`: {part.request}." for part in LISTED_PARTS)
ALONE = (
    "- `table`, only where things are compared: `columns` begins with the kind of thing, then what a chooser weighs\n"
    "  (how it works, costs, limits, for whom); a row has a `label` and a cell for each further column; each tells of\n"
    "  the same aspect; a row that not all can fill is left out.\n"
    "- `worked_out`: a figure that follows from quoted ones, its `calculation` as `2 + 1 = 3`; else empty.\n"
    "- `contradictions`: two sides that cannot both be true of one thing at one time. `missing`: what nothing says.\n"
    "  `follow_ups`: what a reader asks next and no evidence answers. `further`: evidence whose page tells most of\n"
    "  the rest."
)
"""What the answer holds besides if no audit was made and no sections follow."""
ABOVE_SECTIONS = "- Sections below go into detail; the answer says the whole in short."
NOT_LOOKED_FOR = "nothing is noted yet: see for yourself what the evidence leaves open"
SHORT = "- Keep to the keys of the schema."
"""For a small model."""


def report_documents(
    view: ReportView,
    shown: Sequence[int],
    fence: str,
    *,
    words: int,
    audit: EvidencePlan | None = None,
) -> dict[str, Document]:
    """Inputs of the report's prompt; `shown` are indexes of findings, and evidence is numbered E1, E2 …"""
    return _common(view, fence) | {
        "evidence": fenced(fence, _evidence(view, shown)),
        "audit": fenced_lines(fence, _notes(view, audit, shown)),
        "missing": _missing([*view.missing, *(audit.missing if audit else ())], fence),
        "words": str(words),
    }


def audit_documents(
    view: ReportView, shown: Sequence[int], fence: str, *, planned: Sequence[SectionPlan], most_sections: int
) -> dict[str, Document]:
    """Inputs of the auditor's prompt."""
    lines = [f"{plan.id}. {_section(plan)}{_so_far(plan, shown)}" for plan in planned]
    if planned:
        sections: Document = fenced_lines(fence, lines)
    else:
        sections = (
            f"Name 2 to {most_sections} sections that together answer the goal in detail: `id` is S1, S2 …, `title` "
            "a few words without the words of the goal."
        )
    return _common(view, fence) | {
        "sections": sections,
        "evidence": fenced(fence, _evidence(view, shown, AUDITED_QUOTE_CHARS)),
        "missing": _missing(view.missing, fence),
    }


def section_documents(
    view: ReportView,
    plan: SectionPlan,
    shown: Sequence[int],
    fence: str,
    *,
    words: int,
    audit: EvidencePlan,
    written: Sequence[Sentence],
) -> dict[str, Document]:
    """Inputs of the section writer's prompt; `written` are sentences that it must not repeat."""
    others = [one.title for one in audit.sections if one.id != plan.id]
    already_written = Entries(items=[f"- {one.text}" for one in written], worth=[0.5] * len(written))
    return _common(view, fence) | {
        "section": fenced_lines(fence, _parts(plan)),
        "others": fenced_lines(fence, [f"- {title}" for title in others]),
        "evidence": fenced(fence, _evidence(view, shown)),
        "audit": fenced_lines(fence, _notes(view, audit, shown)),
        "written": fenced(fence, already_written),
        "words": str(words),
    }


def _common(view: ReportView, fence: str) -> dict[str, Document]:
    return {
        "fence": marks(fence),
        "goal": goal_text(view.goal, view.task),
        "today": view.today or UNKNOWN,
        "language": view.language,
    }


def _evidence(view: ReportView, shown: Sequence[int], most: int = WHOLE_QUOTE_CHARS) -> Entries:
    """The evidence page by page, each in the order of its page: the steps of a how-to stand as they are to be done."""
    pages = list(dict.fromkeys(view.findings[index].url for index in shown))
    ordered = sorted(
        shown, key=lambda index: (pages.index(view.findings[index].url), view.findings[index].start)
    )
    findings = [view.findings[index] for index in ordered]
    lines = [
        f"{evidence_id(index)}. {evidence_line(one, most)}"
        for index, one in zip(ordered, findings, strict=True)
    ]
    return by_page(findings, lines, [finding.score for finding in findings])


def _missing(items: Sequence[str], fence: str) -> Document:
    """What is known to be missing. Where nobody has named anything, that is said and no more: pages that were read last
    may leave open what the goal asks."""
    return fenced_lines(fence, [f"- {shortened_text(one)}" for one in items] or [f"- {NOT_LOOKED_FOR}"])


def _section(plan: SectionPlan) -> str:
    questions = [question for question in plan.sub_questions if question != plan.title]
    return " – ".join([shortened_text(plan.title), *map(shortened_text, questions)])


def _parts(plan: SectionPlan) -> list[str]:
    """The title of a section, and its questions by the ids of `part_ids`."""
    ids = part_ids(plan)
    if not ids:
        return [_section(plan)]
    return [shortened_text(plan.title), *(f"{id_}. {shortened_text(one)}" for id_, one in ids.items())]


def part_ids(plan: SectionPlan) -> dict[str, str]:
    """The questions of a section by their ids, Q1, Q2 …; none if it asks only one thing."""
    if len(plan.sub_questions) < 2:
        return {}
    return {f"Q{n}": question for n, question in enumerate(plan.sub_questions, start=1)}


def _so_far(plan: SectionPlan, shown: Sequence[int]) -> str:
    """The evidence that the outline has for a section."""
    ids = [evidence_id(index) for index in plan.evidence if index in set(shown)]
    return f" | so far: {' '.join(ids)}" if ids else ""


def _notes(view: ReportView, audit: EvidencePlan | None, shown: Sequence[int]) -> list[str]:
    """What the audit says about the findings that are shown; ids of others are left out.

    What follows from several findings is said only to those who see all of them. A claim in the words of a finding is
    told by its ids, because these words stand in the evidence.
    """
    if audit is None:
        return []
    known = frozenset(shown)
    lines, quoted = list[str](), list[tuple[int, ...]]()
    for claim in audit.claims:
        indexes = tuple(index for index in claim.evidence if index in known)
        if not indexes or (claim.is_inference and len(indexes) < len(claim.evidence)):
            continue
        if claim.is_inference or claim.text not in {view.findings[index].claim for index in indexes}:
            mark = "inference: " if claim.is_inference else ""
            lines.append(f"- {mark}{shortened_text(claim.text)} ({', '.join(map(evidence_id, indexes))})")
        else:
            quoted.append(indexes)
    if known == frozenset(chain.from_iterable(quoted)):  # all that is shown: no choice was made
        quoted = [same for same in quoted if len(same) > 1]
    if quoted:
        told = ", ".join("=".join(map(evidence_id, same)) for same in quoted)
        lines.append(f"- facts as they stand (= where several say the same): {told}")
    for pair in audit.contradictions:
        sides = [
            f"{shortened_text(side.text)} ({', '.join(map(evidence_id, side.evidence))})"
            for side in (pair.one, pair.other)
        ]
        if known & {*pair.one.evidence, *pair.other.evidence} and pair.is_founded:
            lines.append(f"- contradiction: {' / '.join(sides)}")
    return lines
