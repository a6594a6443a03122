"""One step of a job: apply its events, do what follows from them, and commit."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import assert_never

from planner.analysis.lexical_judge import LexicalJudge
from planner.columns.filling import fill_columns
from planner.columns.picked_values import PickValues
from planner.job.clock import NO_SNAPSHOT, timers_of
from planner.job.commands import telling_known
from planner.job.job_editor import JobEditor
from planner.job.progress import SYNTHESIZING
from planner.job.rejected import not_rejected
from planner.offers.vendor_rounds import next_commands
from planner.reports.job_completion import JobCompletion, accepted_job, cut_to_redis, failed_job
from planner.reports.records.documents import documents
from planner.reviews.review_questions import ask_for_review, wants_review
from planner.rounds.earlier_findings import reuse_earlier_findings
from planner.rounds.endings import finish
from planner.rounds.job_transitions import Finish, StepResult, apply_events
from planner.rounds.judgement import with_last_judgement
from planner.rounds.lookups import StoreLookups
from planner.rounds.opening import read_stored
from planner.rounds.planning_round import Brains, PlanningRound, with_last_findings
from planner.rounds.ports import CLAIM_MS, Ports
from planner.rounds.visit_prefetch import prefetch_visits
from research_crawler.core.errors import LeaseLost, ResearchError, StorageFull
from research_crawler.core.failpoints import failpoint
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import FINAL_STATES, ClaimedJob, Job
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import (
    DeadlineDue,
    Event,
    JobResumed,
    RoundDue,
    read_event,
    summed,
)
from research_crawler.core.models.messages.in_flight import InFlightSnapshot
from research_crawler.core.ports.models import LONGEST_SLOT_WAIT_S, Call, EvidenceJudge, Outliner
from research_crawler.core.tasks.offload import offload_call
from research_crawler.core.tasks.work_time import active_s, measured_by

LEXICAL_JUDGE = LexicalJudge()
log = logging.getLogger(__name__)


class JobStep:
    """Applies a job's events and does what follows from them. It ends with one commit or an exception."""

    def __init__(self, ports: Ports, taken: ClaimedJob) -> None:
        self._ports, self._taken, self._id = ports, taken, taken.job.id
        self._since_s = active_s()
        self._snapshot = NO_SNAPSHOT
        self.is_committing = False
        """True once the commit starts: from then on the step must not be cancelled."""

    async def run(self) -> None:
        """Do the step.

        Raises:
            LeaseLost: another process has the job now.
            NewerWire: an event has a newer version than this process knows.
        """
        failpoint("after-take")
        events = [read_event(raw) for raw in self._taken.events]
        found = not_rejected(self._taken.job.review, await self._ports.jobs.findings(self._id))
        job, known = await reuse_earlier_findings(self._with_folder_error(), self._ports, self._taken.now_ms)
        self._snapshot = await self._snapshot_if_due(events)
        catalogue = self._ports.market.catalogue
        applied = apply_events(job, events, [*found, *known], self._taken.now_ms, catalogue, self._snapshot)
        applied = replace(applied, findings=(*known, *applied.findings))
        findings = not_rejected(applied.job.review, [*found, *applied.findings])
        if applied.rejected:
            await self._retract(applied, findings)
        await self._follow(applied, findings)

    async def fail(self, why: str) -> None:
        """End the job as failed; `why` tells the user what to do. What was found is reported without a model."""
        failed = failed_job(self._taken.job, why, self._clock_ms())
        findings = not_rejected(failed.review, await self._ports.jobs.findings(self._id))
        if findings and self._taken.job.state == "synthesizing":
            failed = failed.changed(report=cut_to_redis(await self._plain_report(findings)))
        try:
            await self._ports.archive.save_job(failed, findings, {})
        finally:  # a job that cannot be archived must end nevertheless
            await self._commit(failed, StepResult(failed, "over"), findings, withdraw=True)

    async def _plain_report(self, findings: list[Finding]) -> str:
        """report.md without a model, for a job whose synthesis never ended; empty if that fails too."""
        ports, job = self._ports, self._taken.job
        completion = JobCompletion(job, findings, clock_ms=self._clock_ms, market=ports.market)
        try:
            return await completion.write_plainly(
                ports.extractive_brain, self._call(job.limits.writing_timeout_seconds)
            )
        except Exception:  # whatever broke the synthesis may break this: the job must end
            log.exception("job %s: it has no report without a model either", self._id)
            return ""

    async def _follow(self, applied: StepResult, findings: list[Finding]) -> None:
        match applied.next:
            case "wait" | "answered":
                await self._commit(applied.job, applied, findings)
            case "conclude":
                await self._conclude(applied, findings)
            case "label":
                planned = prefetch_visits(applied.job, self._taken.now_ms)
                await self._commit(planned.job, applied, findings, commands=planned.commands)
            case Finish(forced=forced):
                applied = replace(applied, job=await self._outlined(applied.job, findings))
                ended = finish(applied.job, forced, now_ms=self._taken.now_ms, findings=findings)
                await self._commit(ended, applied, findings, withdraw=bool(ended.plan.finished_ms))
            case "vendors":
                await self._ask_vendors(applied, findings)
            case "write":
                await self._write(applied, findings)
            case "decide":
                await self._decide(applied, findings)
            case "over":
                pass
            case _ as unknown:
                assert_never(unknown)

    async def _decide(self, applied: StepResult, findings: list[Finding]) -> None:
        if applied.job.plan.stored and (stored := read_stored(applied.job, self._clock_ms())).commands:
            await self._commit(stored.job, applied, findings, commands=stored.commands)
            return
        ports, job, call = self._ports, applied.job, self._call(0.0)
        planning_round = PlanningRound(
            job,
            findings,
            brains=Brains(own=await ports.brain_for(job), extractive=ports.extractive_brain),
            call=call,
            lookups=StoreLookups(ports, job, applied.visitable_urls),
            clock_ms=self._clock_ms,
            outliner=await self._outliner(job),
            judge=await self._judge(job),
        )
        with measured_by(call.watch):
            planned = await planning_round.run()
        new = planned.job.changed(
            usage=planned.job.usage + call.usage, by_role=summed(planned.job.by_role, call.usage.by_role)
        )
        withdraw = bool(new.plan.finished_ms) or new.state == "waiting_for_human"
        await self._commit(new, applied, findings, commands=planned.commands, withdraw=withdraw)

    async def _outlined(self, job: Job, findings: list[Finding]) -> Job:
        """The job with its outline up to date, before it ends without a decision."""
        if (outliner := await self._outliner(job)) and findings:
            job = await with_last_findings(job, findings, outliner, self._clock_ms())
        if judge := await self._judge(job):
            job = await with_last_judgement(job, findings, judge, self._clock_ms())
        return job

    async def _outliner(self, job: Job) -> Outliner | None:
        return self._ports.outliner if await self._is_extractive(job) else LEXICAL_JUDGE

    async def _judge(self, job: Job) -> EvidenceJudge | None:
        return self._ports.judge if await self._is_extractive(job) else LEXICAL_JUDGE

    async def _is_extractive(self, job: Job) -> bool:
        """Whether the job's brain is the one without a model, whose vectors are known anyway."""
        return (await self._ports.brain_for(job)).name == self._ports.extractive_brain.name

    async def _ask_vendors(self, applied: StepResult, findings: list[Finding]) -> None:
        planned = next_commands(applied.job, findings, self._taken.now_ms, self._ports.market, self._snapshot)
        has_ended = planned.job.state == "synthesizing"
        await self._commit(planned.job, applied, findings, commands=planned.commands, withdraw=has_ended)

    async def _write(self, applied: StepResult, findings: list[Finding]) -> None:
        """Write the report to disk and to the archive, before the job is committed as finished."""
        ports, call = self._ports, self._call(applied.job.limits.writing_timeout_seconds)
        call.longest_wait_s = LONGEST_SLOT_WAIT_S
        completion = JobCompletion(
            applied.job,
            findings,
            clock_ms=self._clock_ms,
            market=ports.market,
            page_of=ports.archive.get_page,
            verify_quotes=ports.verify_quotes,
        )
        with measured_by(call.watch):
            brain = await ports.brain_for(applied.job)
            await completion.write(brain, ports.extractive_brain, call)
            reading = call.part("columns", deadline_s=call.deadline_s)
            await completion.fill(partial(self._values, applied.job, findings), brain, reading)
        new = await offload_call(completion.complete_job)
        if wants_review(new, completion.report):
            new = completion.wait_for_review(ask_for_review(new, self._clock_ms()))
        await self._check_claim()
        if new.folder:
            try:
                texts = await offload_call(lambda: documents(new, findings) | completion.documents())
                await ports.folder.write(new.folder, texts, version=self._taken.job.version)
            except StorageFull as error:
                new = completion.add_warning(str(error))
        await ports.archive.save_job(new, findings, completion.report.model_dump(mode="json"))
        await self._commit(completion.in_redis(), applied, findings, withdraw=True)
        await self._check_archive(new, findings, completion)

    async def _check_claim(self) -> None:
        """Write nothing of a job that another planner has by now: its report is the one that stays."""
        if await self._ports.jobs.renew({self._id: self._taken.token}):
            raise LeaseLost(f"job {self._id} was taken over")

    async def _check_archive(self, new: Job, findings: Sequence[Finding], completion: JobCompletion) -> None:
        """Archive and write the committed report again, if a planner that has lost the job was writing meanwhile."""
        ports, report = self._ports, completion.report.model_dump(mode="json")
        archived = await ports.archive.get_job(self._id)
        if archived is None or archived[0].version != new.version:
            return  # it was forgotten, or goes on
        if archived[2].get("report_markdown") != report["report_markdown"]:
            await ports.archive.save_job(new, findings, report)
        if new.folder:
            texts = documents(new, findings) | completion.documents()
            with suppress(StorageFull):
                await ports.folder.write(new.folder, texts, version=self._taken.job.version, again=True)

    async def _conclude(self, applied: StepResult, findings: list[Finding]) -> None:
        """Complete a job whose report a person has accepted; where the report was deleted, it is written again."""
        archived = await self._ports.archive.get_job(self._id)
        if archived is None or not archived[2]:
            editor = JobEditor(applied.job, self._taken.now_ms)
            editor.enter("synthesizing")
            await self._commit(editor.finish_step(SYNTHESIZING), applied, findings)
            return
        new = accepted_job(applied.job, self._clock_ms())
        report = archived[2] | {"state": "completed", "status": "completed", "outcome": new.outcome}
        whole = new.changed(report=archived[0].report)
        await self._ports.archive.save_job(whole, findings, report)
        await self._commit(new, applied, findings, withdraw=True)

    async def _retract(self, applied: StepResult, findings: list[Finding]) -> None:
        """Mark what a person rejected in the archive, before the step is committed: memory must not return it.

        The report that rests on it goes too; the new round writes another one.
        """
        archive = self._ports.archive
        await archive.retract(self._id, [finding.id for finding in applied.rejected])
        if archived := await archive.get_job(self._id):
            await archive.save_job(archived[0].changed(report=""), findings, {})

    async def _values(self, job: Job, findings: Sequence[Finding], pick: PickValues) -> list[ColumnValue]:
        """The values of the job's columns, from the stored pages that it read or that memory has given it findings of;
        a model reads what code leaves open."""
        if not job.inputs.columns or self._ports.embedder is None:
            return []
        read = [visit.sha for visit in job.visits] + [finding.page_sha256 for finding in findings]
        shas = dict.fromkeys(sha for sha in read if sha)
        found = [await self._ports.archive.get_page(sha) for sha in shas]
        pages = [page for page in found if page is not None and not page.page.nosnippet]
        by, asked = self._ports.extractive_brain.name, None if await self._is_extractive(job) else pick
        return await fill_columns(
            job, pages, self._ports.embedder, by=by, pick=asked, catalogue=self._ports.market.catalogue
        )

    async def _snapshot_if_due(self, events: Sequence[Event]) -> InFlightSnapshot:
        """Where the job's open commands are; looked up only if a timer has rung or the job was interrupted."""
        if any(isinstance(event, RoundDue | DeadlineDue | JobResumed) for event in events):
            return await self._ports.waits.look(self._id)
        return NO_SNAPSHOT

    def _call(self, deadline_s: float) -> Call:
        return Call(
            job=self._id,
            key=str(self._taken.job.version),
            token=self._taken.token,
            deadline_s=deadline_s,
            batch=self._taken.job.inputs.batch,
        )

    def _clock_ms(self) -> int:
        """The current time on the clock of the job's version.

        That clock starts when the version is first taken. Each earlier try that failed counts as CLAIM_MS. It stands
        still while this process does.
        """
        passed_ms = (active_s() - self._since_s) * 1000
        return self._taken.now_ms + (self._taken.takes - 1) * CLAIM_MS + int(passed_ms)

    def _with_folder_error(self) -> Job:
        error = self._ports.folder_errors.pop(self._id, "")
        if not error:
            return self._taken.job
        editor = JobEditor(self._taken.job, self._taken.now_ms)
        editor.warn(error)
        return editor.job

    async def _commit(
        self,
        new: Job,
        applied: StepResult,
        findings: Sequence[Finding],
        *,
        commands: Sequence[Command] = (),
        withdraw: bool = False,
    ) -> None:
        timers = timers_of(new, self._clock_ms())
        commands = commands if await self._is_extractive(new) else telling_known(new, commands, findings)
        failpoint("before-commit")
        self.is_committing = True
        answer = await self._ports.jobs.commit(
            self._taken,
            new,
            commands=commands,
            timers=timers,
            findings=applied.findings,
            seen=applied.visitable_urls,
            withdraw=withdraw,
        )
        if answer == "lost":
            raise LeaseLost(f"job {self._id} was taken over")
        if answer != "ok":
            raise ResearchError(f"the step of job {self._id} was refused: {answer}")
        failpoint("after-commit")
        try:
            # Before the next step starts: its documents are newer and must not be overwritten.
            await self._publish(new, findings)
            if any(kind == "go" for kind, _ in timers):
                await self._ports.jobs.fire()  # the timer is due now: do not wait for the next second
        except Exception:  # the step is committed: a failure after that must not fail it
            log.exception("job %s: cannot publish its progress", self._id)

    async def _publish(self, new: Job, findings: Sequence[Finding]) -> None:
        """Write the documents of a committed step."""
        if new.folder and new.state not in FINAL_STATES:
            try:
                texts, version = documents(new, findings), self._taken.job.version
                texts |= {"report.md": new.report} if new.report else {}
                await self._ports.folder.write(new.folder, texts, version=version)
            except StorageFull as error:
                self._ports.folder_errors[self._id] = str(error)
