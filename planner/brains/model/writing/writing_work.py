"""A report that a model is writing section by section: what is written so far, and what each part is shown."""

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from planner.brains.question_and_outline import question_to_answer
from planner.evidence.evidence_allocation import EvidenceAllocation
from planner.evidence.evidence_plan import EvidencePlan, SectionPlan
from planner.evidence.length_plan import LengthPlan, words_in
from planner.reports.sources.ranked_evidence import evidence_id
from research_crawler.core.brain_errors import FallbackReason
from research_crawler.core.models.reasons import CeilingOwner
from research_crawler.core.models.reports.drafts import DraftSection, ReportDraft, ReportView, Sentence
from research_crawler.core.ports.models import Call

PAGE_NEARNESS_SHARE = 0.3
"""How much the nearest quote of its page adds to a quote's nearness: what a question asks mostly stands on one or two
pages, also in sentences that are near to nothing by themselves."""
SCORE_OF_NEARNESS = 0.3
"""How much the score of a finding adds to its nearness to the question."""


@dataclass
class ReportWork:
    """A report that is being written section by section."""

    view: ReportView
    lengths: LengthPlan
    call: Call
    allocation: EvidenceAllocation
    audit: EvidencePlan = field(default_factory=lambda: EvidencePlan(by=""))
    nearest: list[int] = field(default_factory=list)
    """All findings, the most useful for the question first."""
    shown: dict[str, list[int]] = field(default_factory=dict)
    """The findings that the writer of each section has seen."""
    answer: list[Sentence] = field(default_factory=list)
    """What the answer above the sections says; empty while it is written, together with the first of them."""
    sections: dict[str, DraftSection] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    """What could not be written, each with the reason."""
    ceiling: CeilingOwner | None = None
    """Whose ceiling let something not be written."""
    answered: int = 0
    """How many parts the model has given, the audit among them."""
    started_s: float = field(default_factory=time.monotonic)

    def note_failure(self, what: str, error: Exception) -> None:
        """Note what could not be written, and why."""
        why = FallbackReason.of(error)
        self.failed.append(f"{what}: {why.text}")
        self.ceiling = self.ceiling or why.ceiling

    @property
    def left_s(self) -> float:
        """Seconds left for the model's answers."""
        return self.call.deadline_s - (time.monotonic() - self.started_s)

    @property
    def words(self) -> int:
        """Words of a section."""
        return self.lengths.section(len(self.audit.sections))

    @property
    def in_order(self) -> list[DraftSection]:
        """The sections that were written, in the order of the audit."""
        return [self.sections[plan.id] for plan in self.audit.sections if plan.id in self.sections]


def assembled_draft(work: ReportWork, draft: ReportDraft) -> ReportDraft:
    """The draft of the answer with what else was written."""
    return draft.changed(
        sections=work.in_order,
        contradictions=list(work.audit.contradictions),
        unknown=list(work.audit.missing),
        follow_ups=list(work.audit.follow_ups),
        note="; ".join(work.failed),
        ceiling=work.ceiling,
    )


def quoted_section(view: ReportView, plan: SectionPlan, shown: Sequence[int], words: int) -> DraftSection:
    """A section of the quotes themselves, for one that could not be written."""
    sentences: list[Sentence] = []
    for index in shown:
        if sentences and words_in(sentences) >= words:
            break
        sentences.append(Sentence(text=view.findings[index].claim, evidence=[index], is_excerpt=True))
    return DraftSection(id=plan.id, title=plan.title, sentences=sentences)


def quotes_for_inferences(audit: EvidencePlan, shown: Collection[int]) -> list[int]:
    """The findings that inferences follow from, and that the writer of a section would not see beside those shown.

    What follows from several findings is told to each writer who has one of them, and brings the other ones with it,
    though another section has been shown them: "to undo it, use the old head" follows from what the mode leaves alone.
    """
    needed = [
        index
        for claim in audit.claims
        if claim.is_inference and not frozenset(shown).isdisjoint(claim.evidence)
        for index in claim.evidence
    ]
    return [index for index in dict.fromkeys(needed) if index not in shown]


def most_useful(
    nearest: Sequence[int],
    plans: Sequence[SectionPlan],
    most: int,
    *,
    without: Collection[int] = (),
    least: int = 0,
) -> list[int]:
    """The findings that sections name, each section's best first, then the others by nearness; in their order.

    Args:
        nearest: all findings, the most useful for the question first.
        plans: the sections.
        most: how many findings at most.
        without: findings that are left out unless a section names them, or there are too few others.
        least: how many findings at least.
    """
    by_turns = chain.from_iterable(zip_longest(*(plan.evidence for plan in plans)))
    named = [index for index in by_turns if index is not None]
    others = [index for index in nearest if index not in without]
    chosen = list(dict.fromkeys([*named, *others]))[:most]
    rest = [index for index in nearest if index not in chosen]
    return sorted([*chosen, *rest[: max(0, min(least, most) - len(chosen))]])


async def by_nearness(view: ReportView, allocation: EvidenceAllocation, shown: int) -> list[int]:
    """The findings, those first that are near the question; as they are where all can be shown.

    A model gives all quotes of a page the page's relevance, so that of very many pages chance would choose.
    """
    indexes = range(len(view.findings))
    if len(indexes) <= shown:
        return list(indexes)
    near = await allocation.nearness(SectionPlan("", question_to_answer(view.goal, view.task)))
    of_page: defaultdict[str, float] = defaultdict(float)
    for index in indexes:
        of_page[view.findings[index].url] = max(of_page[view.findings[index].url], near[index])
    worth = [
        near[index] + PAGE_NEARNESS_SHARE * of_page[finding.url] + SCORE_OF_NEARNESS * finding.score
        for index, finding in enumerate(view.findings)
    ]
    return sorted(indexes, key=lambda index: -worth[index])


def findings_cited_by(section: DraftSection) -> set[int]:
    """The findings that the sentences and the table of a section name."""
    rows = section.table.rows if section.table else []
    cells = (cell.evidence for row in rows for cell in row.cells)
    return set(chain.from_iterable([*(one.evidence for one in section.sentences), *cells]))


def ids_of(indexes: Sequence[int]) -> list[str]:
    """The ids by which a prompt names findings."""
    return [evidence_id(index) for index in indexes]
