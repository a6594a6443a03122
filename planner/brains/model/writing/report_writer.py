"""Write a report with a model: a short one in one call, a longer one section by section after an audit."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final, TypeVar

from planner.brains.model.client import ModelClient, RoleRequest
from planner.brains.model.model_brain_settings import ModelSettings
from planner.brains.model.writing.writing_documents import (
    ABOVE_SECTIONS,
    ALONE,
    LISTED_RULES,
    SHORT,
    audit_documents,
    part_ids,
    report_documents,
    section_documents,
)
from planner.brains.model.writing.writing_parse import (
    LEAST_PARTS,
    all_contradictions,
    audit_from,
    draft_from,
    draft_section_from,
    in_parts,
    new_sentences,
)
from planner.brains.model.writing.writing_work import (
    ReportWork,
    assembled_draft,
    by_nearness,
    findings_cited_by,
    ids_of,
    most_useful,
    quoted_section,
    quotes_for_inferences,
)
from planner.brains.question_and_outline import question_to_answer
from planner.evidence.contradictions import contradictions, contradictions_as_written
from planner.evidence.evidence_allocation import EvidenceAllocation
from planner.evidence.evidence_plan import EvidencePlan, SectionPlan, in_waves, sections_of
from planner.evidence.length_plan import LEAST_SHARE, LengthPlan, carried_by, length_plan, report_words
from planner.evidence.without_model import assigned, plan_without_model
from planner.reports.lengths.repeats import without_repeats
from planner.reports.sources.ranked_evidence import evidence_id
from prompts.fences import fence_of
from prompts.loader import load
from prompts.report_answers import AuditAnswer, ReportAnswer, SectionAnswer
from prompts.report_schemas import audit_schema, report_schema, section_schema
from research_crawler.core.brain_errors import BadAnswer, BrainFailed, BudgetExhausted
from research_crawler.core.log import get_log
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import (
    Contradiction,
    DraftSection,
    ReportDraft,
    ReportView,
    Sentence,
)
from research_crawler.core.ports.models import Call, Embedder
from research_crawler.core.tasks.end_tasks import together
from research_crawler.text.languages.words import terms

MOST_SECTIONS: Final = 8
"""Most sections of a report that a model writes."""
WORDS_OF_A_SECTION: Final = 120
"""Where the outline names no sections, a report has one for about so many words."""
LEAST_EXTENSION: Final = 40
"""An extension of fewer words is not asked for."""
LEAST_SHOWN: Final = 24
"""Fewest quotes that the writer of the answer sees, those nearest to the question, whatever an auditor has left out."""
ANSWERED_CLAIMS: Final = 5
"""Claims of the audit that stand for an answer that could not be written."""

Found = TypeVar("Found")
log = get_log(__name__)
_LEAST_SHARE_FOUND: Final = 0.5
"""The least share of a sentence's words that its quote has, as for the sides of contradictions. Whether the quote says
the sentence is for the checks to find."""


class ReportWriter:
    """Asks a model for the parts of a report.

    A short report is one call. One with sections takes, in sequence, the audit, the answer together with all sections
    that need no other, further ones in the order of their needs, and at most one extension to a length that the caller
    asked for.
    """

    def __init__(
        self, client: ModelClient, settings: ModelSettings, name: str, embedder: Embedder | None = None
    ) -> None:
        """`name`: of the brain, for the drafts; `embedder`: finds what no section has been assigned."""
        self._client, self._settings, self._name, self._embedder = client, settings, name, embedder

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        """The report's parts, each sentence with its evidence."""
        lengths = length_plan(
            view.findings,
            depth=view.depth,
            leaves=len(view.outline.leaves),
            max_words=view.max_words,
            is_outline_given=view.outline.is_given,
        )
        question = question_to_answer(view.goal, view.task)
        disputed = self._disputed(view)
        allocation = EvidenceAllocation(view.findings, self._embedder, question)
        nearest = await by_nearness(view, allocation, self._settings.shown_evidence)
        if lengths.has_sections and self._settings.writes_sections:
            work = ReportWork(view, lengths, call, allocation, nearest=nearest)
            return await self._by_section(work, disputed)
        return await self._alone(view, lengths, nearest, disputed, call)

    def _disputed(self, view: ReportView) -> list[Contradiction]:
        """What pages say differently, as far as code can tell; nothing for a small model, whose prompts are short."""
        if not self._settings.writes_sections:
            return []
        question = question_to_answer(view.goal, view.task)
        return contradictions_as_written(contradictions(question, view.findings), view.language)

    async def _alone(
        self,
        view: ReportView,
        lengths: LengthPlan,
        nearest: Sequence[int],
        disputed: Sequence[Contradiction],
        call: Call,
    ) -> ReportDraft:
        shown = sorted(nearest[: self._settings.shown_evidence])
        parts = ALONE if self._settings.bounds.reasons else SHORT
        audit = EvidencePlan(by="code", contradictions=tuple(disputed))
        documents = report_documents(view, shown, fence_of(call.job), words=lengths.answer, audit=audit)
        schema = report_schema(self._settings.bounds, ids_of(shown), words=lengths.answer)
        question = RoleRequest("report", load("report", lists=LISTED_RULES, parts=parts), documents, schema)
        answer = await self._client.ask(question, ReportAnswer, call)
        is_brief = not self._settings.bounds.reasons or leaves_out_much(answer, schema)
        answer = with_found_evidence(answer, view.findings, shown, view.language)
        with self._client.counting_failures(call):
            draft = draft_from(answer, shown, self._name)
        pairs = all_contradictions(draft.contradictions, disputed)
        return draft.changed(contradictions=pairs, is_brief=is_brief)

    async def _by_section(self, work: ReportWork, disputed: Sequence[Contradiction]) -> ReportDraft:
        lengths = work.lengths
        audit = await self._audited(work)
        if len(audit.sections) < 2:
            return await self._alone(work.view, lengths, work.nearest, disputed, work.call)
        pairs = all_contradictions(audit.contradictions, disputed)
        work.audit = replace(audit, contradictions=tuple(pairs))
        first, *others = in_waves(work.audit.sections)
        draft, *_ = await together([self._answer(work), *(self._section(work, plan) for plan in first)])
        work.answer = draft.answer
        for wave in others:
            await together([self._section(work, plan) for plan in wave])
        if not work.answered:  # quotes by section are no report: the brain without a model makes a better one
            why = "; ".join(work.failed)
            raise BudgetExhausted(why, work.ceiling) if work.ceiling else BadAnswer(why)
        draft = assembled_draft(work, draft)
        words = report_words(without_repeats(draft))
        if lengths.is_asked and words < LEAST_SHARE * lengths.aim:
            await self._extend(work, lengths.aim - words)
            draft = assembled_draft(work, draft)
        return draft

    async def _audited(self, work: ReportWork) -> EvidencePlan:
        """The model's audit, or the one without a model where its answer is of no use."""
        view, planned = work.view, sections_of(work.view)
        shown = most_useful(work.nearest, planned, self._settings.audited_evidence)
        most = max(2, min(MOST_SECTIONS, work.lengths.aim // WORDS_OF_A_SECTION))

        async def ask(call: Call) -> EvidencePlan:
            question = RoleRequest(
                "auditor",
                load("auditor"),
                audit_documents(view, shown, fence_of(call.job), planned=planned, most_sections=most),
                audit_schema(
                    self._settings.bounds, ids_of(shown), [plan.id for plan in planned], most_sections=most
                ),
            )
            answer = await self._client.ask(question, AuditAnswer, call)
            with self._client.counting_failures(call):
                return audit_from(
                    answer,
                    shown,
                    planned,
                    self._name,
                    most_sections=most,
                    keeps_order=view.outline.is_given,
                )

        try:
            audit = await self._part(work, "audit", ask)
        except BadAnswer as error:
            work.note_failure("the audit", error)
            return await plan_without_model(view, work.allocation, planned)
        work.allocation.passed_over = set(shown) - {
            index for plan in audit.sections for index in plan.evidence
        }
        return replace(audit, sections=tuple(await assigned(audit.sections, work.allocation)))

    async def _answer(self, work: ReportWork) -> ReportDraft:
        """The answer above the sections; where it cannot be written, the first claims of the audit."""
        view = work.view
        shown = most_useful(
            work.nearest,
            work.audit.sections,
            self._settings.shown_evidence,
            without=work.allocation.passed_over,
            least=LEAST_SHOWN,
        )

        async def ask(call: Call) -> ReportDraft:
            words = work.lengths.answer
            question = RoleRequest(
                "report",
                load("report", lists=LISTED_RULES, parts=ABOVE_SECTIONS),
                report_documents(view, shown, fence_of(call.job), words=words, audit=work.audit),
                report_schema(self._settings.bounds, ids_of(shown), words=words, is_alone=False),
            )
            answer = await self._client.ask(question, ReportAnswer, call)
            answer = with_found_evidence(answer, view.findings, shown, view.language)
            with self._client.counting_failures(call):
                return draft_from(answer, shown, self._name)

        try:
            return await self._part(work, "answer", ask)
        except BrainFailed as error:
            claims = [claim for claim in work.audit.claims if not claim.is_inference][:ANSWERED_CLAIMS]
            if not claims:
                raise
            work.note_failure("the answer", error)
            sentences = [Sentence(text=claim.text, evidence=list(claim.evidence)) for claim in claims]
            return ReportDraft(by=self._name, answer=sentences)

    async def _section(self, work: ReportWork, plan: SectionPlan) -> None:
        """Write a section from its own evidence; where that fails, quote the evidence."""
        others = {index for one in work.audit.sections if one.id != plan.id for index in one.evidence}
        taken = await work.allocation.take(plan, others)
        if not taken:
            return
        shown = work.shown[plan.id] = [*taken, *quotes_for_inferences(work.audit, taken)]
        needed = [work.answer, *(work.sections[one].sentences for one in plan.needs if one in work.sections)]
        try:
            section = await self._written(work, plan, shown, work.words, list(chain.from_iterable(needed)))
        except (BrainFailed, BudgetExhausted) as error:
            work.note_failure(f"the section “{plan.title}”", error)
            section = quoted_section(work.view, plan, shown, work.words)
        work.sections[plan.id] = section

    async def _extend(self, work: ReportWork, lacking: int) -> None:
        """Have the sections extended that have evidence left; none without evidence."""
        left: list[tuple[SectionPlan, list[int]]] = []
        for plan in work.audit.sections:
            if section := work.sections.get(plan.id):
                unused = [index for index in work.shown[plan.id] if index not in findings_cited_by(section)]
                unused += await work.allocation.take(replace(plan, evidence=()), ())
                if carried_by([work.view.findings[index] for index in unused]) >= LEAST_EXTENSION // 2:
                    left.append((plan, unused))
        each = lacking // len(left) if left else 0
        if each < LEAST_EXTENSION:  # a few sections are extended well instead of all a little
            left = sorted(left, key=lambda one: -len(one[1]))[: max(1, lacking // LEAST_EXTENSION)]
            each = max(LEAST_EXTENSION, lacking // len(left)) if left else 0
        await together([self._extended(work, plan, unused, each) for plan, unused in left])

    async def _extended(self, work: ReportWork, plan: SectionPlan, unused: list[int], words: int) -> None:
        section = work.sections[plan.id]
        try:
            more = await self._written(work, plan, unused, words, section.sentences, part="more")
        except (BrainFailed, BudgetExhausted) as error:
            log.info("section_not_extended", section=plan.id, why=str(error))
            return
        sentences = in_parts([*section.sentences, *new_sentences(more.sentences, section.sentences)])
        work.sections[plan.id] = section.changed(sentences=sentences, table=section.table or more.table)

    async def _written(
        self,
        work: ReportWork,
        plan: SectionPlan,
        shown: Sequence[int],
        words: int,
        written: Sequence[Sentence],
        *,
        part: str = "text",
    ) -> DraftSection:
        words = min(words, max(LEAST_EXTENSION, carried_by([work.view.findings[index] for index in shown])))
        parts = part_ids(plan)
        least = 1 if part == "more" and any(one.heading for one in written) else LEAST_PARTS

        async def ask(call: Call) -> DraftSection:
            question = RoleRequest(
                "section_writer",
                load("section_writer"),
                section_documents(
                    work.view, plan, shown, fence_of(call.job), words=words, audit=work.audit, written=written
                ),
                section_schema(self._settings.bounds, words, list(parts)),
            )
            answer = await self._client.ask(question, SectionAnswer, call)
            with self._client.counting_failures(call):
                return draft_section_from(answer, plan, shown, parts, least_parts=least)

        return await self._part(work, f"{plan.id}:{part}", ask)

    @staticmethod
    async def _part(work: ReportWork, name: str, ask: Callable[[Call], Awaitable[Found]]) -> Found:
        """Ask under a key of the part's own, so that a process that takes the job over finds its answer."""
        call = work.call.part(name, deadline_s=work.left_s)
        try:
            found = await ask(call)
        finally:
            work.call.usage = work.call.usage + call.usage
        work.answered += 1
        return found


def leaves_out_much(answer: ReportAnswer, schema: Mapping[str, Any]) -> bool:
    """Whether an answer lacks at least half of the fields that its schema asks for, as those of small models do."""
    asked = ReportAnswer.model_fields.keys() & set(schema["required"])
    return 2 * len(asked & answer.model_fields_set) <= len(asked)


def with_found_evidence(
    answer: ReportAnswer, findings: Sequence[Finding], shown: Sequence[int], language: str
) -> ReportAnswer:
    """The answer, with the quote that has most of its words for each sentence that names none."""
    if all(one.evidence for one in answer.answer):
        return answer
    known = {index: set(terms(findings[index].quote, language)) for index in shown}

    def found(text: str) -> list[str]:
        words = set(terms(text, language))
        best = max(known, key=lambda index: len(words & known[index]), default=None)
        if best is None or len(words & known[best]) < _LEAST_SHARE_FOUND * len(words) or not words:
            return []
        return [evidence_id(best)]

    sentences = [one if one.evidence else one.changed(evidence=found(one.text)) for one in answer.answer]
    return answer.changed(answer=sentences)
