"""A report that a model is writing section by section: what is written so far, and what each part is shown."""

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from planner.brains.questions import question_of
from planner.evidence.evidence_allocation import EvidenceAllocation
from planner.evidence.evidence_plan import EvidencePlan, SectionPlan
from planner.evidence.lengths import LengthPlan, words_in
from planner.reports.sources.evidence import evidence_id
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
    answered: int = 0
    """How many parts the model has given, the audit among them."""
    started_s: float = field(default_factory=time.monotonic)

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
    )


def quoted_section(view: ReportView, plan: SectionPlan, shown: Sequence[int], words: int) -> DraftSection:
    """A section of the quotes themselves, for one that could not be written."""
    sentences: list[Sentence] = []
    for place in shown:
        if sentences and words_in(sentences) >= words:
            break
        sentences.append(Sentence(text=view.findings[place].claim, evidence=[place], is_excerpt=True))
    return DraftSection(id=plan.id, title=plan.title, sentences=sentences)


def quotes_for_inferences(audit: EvidencePlan, shown: Collection[int]) -> list[int]:
    """The findings that inferences follow from, and that the writer of a section would not see beside those shown.

    What follows from several findings is told to each writer who has one of them, and brings the other ones with it,
    though another section has been shown them: "to undo it, use the old head" follows from what the mode leaves alone.
    """
    needed = [
        place
        for claim in audit.claims
        if claim.is_inference and not frozenset(shown).isdisjoint(claim.evidence)
        for place in claim.evidence
    ]
    return [place for place in dict.fromkeys(needed) if place not in shown]


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
    named = [place for place in by_turns if place is not None]
    others = [place for place in nearest if place not in without]
    chosen = list(dict.fromkeys([*named, *others]))[:most]
    rest = [place for place in nearest if place not in chosen]
    return sorted([*chosen, *rest[: max(0, min(least, most) - len(chosen))]])


async def by_nearness(view: ReportView, allocation: EvidenceAllocation, shown: int) -> list[int]:
    """The findings, those first that are near the question; as they are where all can be shown.

    A model gives all quotes of a page the page's relevance, so that of very many pages chance would choose.
    """
    places = range(len(view.findings))
    if len(places) <= shown:
        return list(places)
    near = await allocation.nearness(SectionPlan("", question_of(view.goal, view.task)))
    of_page: defaultdict[str, float] = defaultdict(float)
    for place in places:
        of_page[view.findings[place].url] = max(of_page[view.findings[place].url], near[place])
    worth = [
        near[place] + PAGE_NEARNESS_SHARE * of_page[finding.url] + SCORE_OF_NEARNESS * finding.score
        for place, finding in enumerate(view.findings)
    ]
    return sorted(places, key=lambda place: -worth[place])


def places_cited_by(section: DraftSection) -> set[int]:
    """The findings that the sentences and the table of a section name."""
    rows = section.table.rows if section.table else []
    cells = (cell.evidence for row in rows for cell in row.cells)
    return set(chain.from_iterable([*(one.evidence for one in section.sentences), *cells]))


def ids_of(places: Sequence[int]) -> list[str]:
    """The ids by which a prompt names findings."""
    return [evidence_id(place) for place in places]
