"""One planning round: ask for decisions, and for the labels of new results, until one can be carried out."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from planner.goal.report_language import messages_of
from planner.job.allowances import ForcedEnd, in_flight
from planner.job.clock import add_work, forced_end, waiting_left_s
from planner.job.commands import RoundPlan
from planner.job.completeness import unmet
from planner.job.goal_reading import with_reading
from planner.job.job_editor import JobEditor
from planner.job.progress import DECIDING
from planner.job.results import apply_labels
from planner.outline.rewriting import rewritten
from planner.outline.states import with_hopeless
from planner.reviews.review_questions import ask_for_plan, planned_decision, wants_plan_approved
from planner.rounds.brain_view import planner_view, shown_candidates
from planner.rounds.decision_commands import plan_round
from planner.rounds.endings import finish
from planner.rounds.judgement import note_judgement, with_last_judgement, within_quality_policy
from planner.rounds.lookups import RoundLookups
from planner.rounds.phase2_start import begin_with_vendors
from planner.rounds.stuck.recovery import decision_of_strategy, leave_loop, search_on_if_uncertain
from planner.rounds.stuck.stuck_rules import RecoveryStrategy, end_of_loop
from planner.types.searching import labels_for_job
from research_crawler.core.brain_errors import BrainFailed, BudgetExhausted, FallbackReason
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import BY_CODE, Answered, Decision, PlannerView
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.people.reviews import OpenQuestion
from research_crawler.core.ports.models import LONGEST_SLOT_WAIT_S, Brain, Call, EvidenceJudge, Outliner
from research_crawler.core.web.urls import canonical_url, slot_of

MAX_ASKS = 4
"""Most questions to brains in one planning round: a repeated decision, a strategy of recovery, the other brain, and one
more."""
_LEAST_CALL_S = 2.0
"""A call of a model has at least this time, also at the end of a job's time."""
LONGEST_ANSWER_S = 900.0
"""Longest time for a model's answers to one question, whatever the settings allow for one call."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Brains:
    """The brain of a job, and the one that is asked when its decision cannot be carried out."""

    own: Brain
    extractive: Brain


class PlanningRound:
    """Takes a job whose round has ended to its next round, or to the end of phase 1."""

    def __init__(
        self,
        job: Job,
        findings: Sequence[Finding],
        *,
        brains: Brains,
        call: Call,
        lookups: RoundLookups,
        clock_ms: Callable[[], int],
        outliner: Outliner | None = None,
        judge: EvidenceJudge | None = None,
    ) -> None:
        """Take a job to its next round.

        Args:
            job: the job, whose last round has ended.
            findings: all that it has found.
            brains: the job's own, and the one without a model.
            call: pays for the brains' questions.
            lookups: what is looked up elsewhere.
            clock_ms: the time.
            outliner: brings the outline up to date at the end if no brain does; None: it stays as it is.
            judge: judges the evidence at the end if no brain does; None: it stays without a score.
        """
        self._outliner, self._judge = outliner, judge
        self.job, self.findings = job, findings
        self._brains, self._call, self._lookups, self._clock_ms = brains, call, lookups, clock_ms
        self._counted_ms, self._waited_s = clock_ms(), call.watch.waited_s
        self._stuck_reason = ""

    async def run(self) -> RoundPlan:
        """Have new results labelled and the next step decided.

        A brain that fails, and a decision that is of no use, are followed by one question to the brain without a model.
        A decision that only repeats what was done is asked for again, until a strategy of recovery is due.

        Returns:
            The job with its commands; `problem` is never set.
        """
        proposal = self.job.review.proposal
        if planned := self._begin_with(proposal):
            return planned
        brain, has_fallen_back = self._brains.own, False
        strategy = RecoveryStrategy.DIFFERENT_QUERY if proposal else None
        for _ in range(MAX_ASKS):
            self._count_work()
            if forced := forced_end(self.job, self._clock_ms()) or self._targets_met():
                return await self._end(forced)
            strategy = self._leave_loop() or (
                strategy if strategy is RecoveryStrategy.DIFFERENT_QUERY else None
            )
            if strategy is RecoveryStrategy.LAST_RESORT:
                return await self._end(end_of_loop(self.job))
            try:
                planned = await self._plan_step(brain, strategy)
            except (BrainFailed, BudgetExhausted, TimeoutError) as error:
                if has_fallen_back:
                    return await self._end(ForcedEnd.BRAIN_FAILED)
                self._note_fallback(error)
                brain, has_fallen_back = self._brains.extractive, True
                continue
            self.job = planned.job
            if not planned.problem:
                return planned
            if planned.problem != "repeated":
                if has_fallen_back:
                    break
                brain, has_fallen_back = self._brains.extractive, True
        return await self._end(ForcedEnd.NOTHING_LEFT)

    def _targets_met(self) -> ForcedEnd | None:
        """The end of phase 1 if it only had to find what was missing, and has found it."""
        has_targets = self.job.plan.targets and self.job.plan.round
        return ForcedEnd.TARGETS if has_targets and not unmet(self.job, self.findings) else None

    def _leave_loop(self) -> RecoveryStrategy | None:
        """Take the next step out of a loop, if the job is in one."""
        recovery = leave_loop(self.job, self.findings, self._clock_ms())
        self.job, self._stuck_reason = recovery.job, recovery.reason or self._stuck_reason
        return recovery.strategy

    async def _plan_step(self, brain: Brain, strategy: RecoveryStrategy | None) -> RoundPlan:
        """Carry out the strategy of recovery, or what a brain decides."""
        decision = decision_of_strategy(strategy, self.job, self.findings, self._stuck_reason)
        return self._plan(decision) if decision else await self._ask(brain, strategy)

    def _plan(self, decision: Decision) -> RoundPlan:
        """Carry out a decision of code; the pages that it names are known from the job or from earlier ones."""
        return plan_round(
            self.job,
            decision,
            now_ms=self._clock_ms(),
            permitted=set(decision.urls),
            findings=self.findings,
            by=BY_CODE,
        )

    def _ask_vendors(self) -> RoundPlan:
        editor = JobEditor(self.job, self._clock_ms())
        editor.set(review=editor.job.review.changed(proposal=None))
        begin_with_vendors(editor)
        return RoundPlan(editor.finish_step(DECIDING) if editor.job.phase2 else editor.job)

    def _begin_with(self, proposal: OpenQuestion | None) -> RoundPlan | None:
        """Carry out what a person has accepted or asked for; None if it names nothing that can be done."""
        if self.job.strategy == "phase2_only":  # its plan, which has no phase 1, was answered
            return self._ask_vendors()
        if proposal is None:
            return None
        self.job = self.job.changed(review=self.job.review.changed(proposal=None))
        names_nothing = proposal.action and not (proposal.queries or proposal.urls)
        if names_nothing or forced_end(self.job, self._clock_ms()):
            return None
        planned = self._plan(planned_decision(proposal))
        self.job = planned.job
        return None if planned.problem else planned

    def _count_work(self) -> None:
        """Count the time that brains have worked since the last count, without waits for slots and models."""
        now_ms, waited_s = self._clock_ms(), self._call.watch.waited_s
        worked_ms = now_ms - self._counted_ms - int((waited_s - self._waited_s) * 1000)
        self._counted_ms, self._waited_s = now_ms, waited_s
        editor = JobEditor(self.job, now_ms)
        add_work(editor, worked_ms, now_ms)
        self.job = editor.job

    async def _end(self, forced: ForcedEnd) -> RoundPlan:
        self._count_work()
        now_ms = self._clock_ms()
        if self._outliner:
            self.job = await with_last_findings(self.job, self.findings, self._outliner, now_ms)
        if self._judge:
            self.job = await with_last_judgement(self.job, self.findings, self._judge, now_ms)
        return RoundPlan(finish(self.job, forced, now_ms=self._clock_ms(), findings=self.findings))

    async def _ask(self, brain: Brain, strategy: RecoveryStrategy | None) -> RoundPlan:
        """Have a brain decide, and begin that. Where it would end with uncertain evidence, recovery comes first."""
        view = await self._view(strategy)
        answered = await self._timed(brain.decide(view, self._call))
        self._count_work()
        if answered.decision is None:
            raise BrainFailed(f"{answered.by} gave no decision")
        self.job = with_reading(
            self.job, answered.intent, answered.type, now_ms=self._clock_ms(), by=answered.by
        )
        editor = JobEditor(self.job, self._clock_ms())
        await self._take_over_answer(editor, answered, view)
        decision = _without_visits(answered.decision) if strategy else answered.decision
        decision = within_quality_policy(editor.job, decision)
        if decision.action == "done" and not in_flight(editor.job):
            recovery = search_on_if_uncertain(editor.job, self.findings, self._clock_ms())
            if recovery.strategy:
                self.job, self._stuck_reason = recovery.job, recovery.reason
                return await self._plan_step(brain, recovery.strategy)
            editor.job = recovery.job
        return await self._begin(editor, decision, by=answered.by)

    async def _take_over_answer(self, editor: JobEditor, answered: Answered, view: PlannerView) -> None:
        """Write into the job what a brain has answered beside its decision: labels, outline and judgement."""
        if view.to_label and answered.labels:
            labels = labels_for_job(self.job, answered.labels)
            editor.set_results(apply_labels(self.job.results, labels))
            editor.note("brain", f"{len(answered.labels)} results labelled", answered.by)
        if answered.note:
            editor.take_over(FallbackReason(answered.note, answered.ceiling))
        await self._outline(editor, answered, view)
        await self._assess(editor, answered, view)

    async def _begin(self, editor: JobEditor, decision: Decision, *, by: str) -> RoundPlan:
        """Begin what was decided, or ask a person first, where nothing may be fetched unasked."""
        permitted = await self._permitted(decision.urls)
        if decision.action in ("search", "visit", "done") and wants_plan_approved(editor.job):
            editor.plan(iteration=editor.job.plan.iteration + 1)
            allowed = decision.changed(urls=[url for url in decision.urls if url in permitted])
            return RoundPlan(ask_for_plan(editor.job, allowed, self._clock_ms()))
        return plan_round(
            editor.job,
            decision,
            now_ms=self._clock_ms(),
            permitted=permitted,
            findings=self.findings,
            by=by,
        )

    async def _outline(self, editor: JobEditor, answered: Answered, view: PlannerView) -> None:
        """Take over the brain's outline; at the end, leaves that a model has not judged are filled without it."""
        known = {finding.id for finding in self.findings}
        outline = (
            rewritten(self.job.outline, answered.outline, known) if answered.outline else self.job.outline
        )
        if answered.decision is not None and answered.decision.action == "done":
            if self._outliner and answered.by != self._brains.extractive.name:
                filled = await self._outliner.outlined(view.changed(outline=outline))
                outline = rewritten(outline, filled, known)
            outline = with_hopeless(outline, self.job.visits, messages_of(self.job.inputs))
        editor.set(outline=outline)

    async def _assess(self, editor: JobEditor, answered: Answered, view: PlannerView) -> None:
        """Take over the brain's judgement; at the end, one without a model where the brain has none."""
        evaluation, analysis, by = answered.evaluation, answered.analysis, answered.by
        is_done = answered.decision is not None and answered.decision.action == "done"
        if evaluation is None and is_done and self._judge:
            judged = await self._judge.judged(view.changed(outline=editor.job.outline))
            evaluation, analysis = judged or (None, analysis)
            by = self._brains.extractive.name
        note_judgement(editor, evaluation, analysis, by)

    async def _view(self, strategy: RecoveryStrategy | None) -> PlannerView:
        slots = list(dict.fromkeys(slot_of(result.url) for result in shown_candidates(self.job)))
        waits = dict(zip(slots, await self._lookups.waits(slots), strict=True)) if slots else {}
        view = planner_view(
            self.job, self.findings, now_ms=self._clock_ms(), waits=waits, stuck=strategy or ""
        )
        return view.changed(
            spent=max(view.spent, await self._lookups.shared_spent(), key=lambda one: one.share)
        )

    async def _permitted(self, urls: Sequence[str]) -> set[str]:
        wanted = {url for raw in urls if (url := canonical_url(raw))}
        known = wanted & {*self.job.inputs.urls, *(result.url for result in self.job.results)}
        rest = sorted(wanted - known)
        return known | set(await self._lookups.permitted(rest) if rest else ())

    async def _timed(self, answer: Awaitable[Answer]) -> Answer:
        left_s = waiting_left_s(self.job, self._clock_ms())
        self._call.deadline_s = max(_LEAST_CALL_S, min(LONGEST_ANSWER_S, left_s))
        self._call.longest_wait_s = min(LONGEST_SLOT_WAIT_S, left_s)
        async with asyncio.timeout(self._call.cut_off_s):
            return await answer

    def _note_fallback(self, error: Exception) -> None:
        editor = JobEditor(self.job, self._clock_ms())
        editor.take_over(FallbackReason.of(error))
        self.job = editor.finish_step()


async def with_last_findings(job: Job, findings: Sequence[Finding], outliner: Outliner, now_ms: int) -> Job:
    """The job with its outline brought up to date, before it ends without a decision of its brain."""
    view = planner_view(job, findings, now_ms=now_ms, waits={})
    known = {finding.id for finding in findings}
    outline = rewritten(job.outline, await outliner.outlined(view), known)
    return job.changed(outline=with_hopeless(outline, job.visits, messages_of(job.inputs)))


def _without_visits(decision: Decision) -> Decision:
    """The decision without URLs: a job that is stuck may only search or end."""
    return decision.changed(urls=[]) if decision.urls else decision
