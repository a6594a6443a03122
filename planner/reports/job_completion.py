"""Complete a job: have its report written, make its final record and its last documents."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial

from planner.columns.picked_values import PickValues
from planner.goal.goal_subject import asked_of
from planner.job.clock import work_and_waiting_s
from planner.job.job_editor import JobEditor
from planner.job.outcome import outcome_of, outcome_of_report
from planner.money.market import Market
from planner.reports.checks.check_log import claims_document
from planner.reports.drafting import Drafting, PageOf, with_fallback, with_usage
from planner.reports.excerpts_below import VerifyQuotes
from planner.reports.records.run_report import run_report
from planner.reports.report import RenderContext, assemble
from planner.reports.sources.site_names import site_names
from planner.sources.themes import synthesis_of
from research_crawler.core.brain_errors import BrainFailed, BudgetExhausted, FallbackReason
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValues
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import Job, status_of
from research_crawler.core.models.reports.report import EVIDENCE_INSUFFICIENT, Report
from research_crawler.core.ports.models import Brain, Call
from research_crawler.core.tasks.offload import offload_call

MAX_REPORT_IN_REDIS = 30_000
"""Most bytes of report.md in the job's Redis record; the archive has all of it."""

FillColumns = Callable[[PickValues], Awaitable[list[ColumnValue]]]
"""Fills the columns of a job, and asks for what it leaves open."""


class JobCompletion:
    """Completes a job whose research has ended, in this order:

    1. `write` has the report drafted and checked (`Drafting`); `fill` has the job's columns filled.
    2. `complete_job` assembles the report and gives the completed job. If a person reviews it, `wait_for_review` makes
       of that the job that waits; if its folder is full, `add_warning` makes both anew with a warning.
    3. `report`, `documents` and `in_redis` are what is archived, written to the folder and committed.
    """

    def __init__(
        self,
        job: Job,
        findings: Sequence[Finding],
        *,
        clock_ms: Callable[[], int],
        market: Market | None = None,
        page_of: PageOf | None = None,
        verify_quotes: VerifyQuotes | None = None,
    ) -> None:
        """Complete a job.

        Args:
            job: the job, whose research has ended.
            findings: what it has found.
            clock_ms: the time.
            market: vendors and rates; by default there are no vendors, and the packaged rates.
            page_of: finds a stored page by its hash; None: quotes stay as they are.
            verify_quotes: makes findings of excerpts of stored pages; None: a report has none of its own.
        """
        self._job, self._clock_ms = job, clock_ms
        self._begun_ms, self._waited_s = clock_ms(), 0.0
        self._market = market or Market()
        self._drafting = Drafting(
            job,
            findings,
            clock_ms=clock_ms,
            market=self._market,
            page_of=page_of,
            verify_quotes=verify_quotes,
        )
        self._page_of = page_of
        self._sites: dict[str, str] = {}
        self._values: list[ColumnValue] = []
        self._ended_job: Job | None = None
        self._report: Report | None = None

    async def write(self, brain: Brain, extractive: Brain, call: Call) -> None:
        """Have the report drafted by the job's brain, else by the extractive one, and an offer chosen beside it.

        If both fail there is no draft, and the report quotes the findings.
        """
        await self._drafting.run(brain, extractive, call)
        self._job, self._waited_s = self._drafting.job, call.watch.waited_s
        if self._page_of:
            self._sites = await site_names(self._drafting.findings, self._page_of)

    async def write_plainly(self, extractive: Brain, call: Call) -> str:
        """Have the report drafted by the brain without a model, and return report.md as it would be.

        It is made for a job whose synthesis never ended, so that it has an answer.
        """
        await self._drafting.run_plainly(extractive, call)
        self._job = self._drafting.job
        report = await offload_call(self._assembled, self._job, self._clock_ms())
        return report.report_markdown

    async def fill(self, filled: FillColumns, brain: Brain, call: Call) -> None:
        """Put the values of the job's columns into the report; `brain` reads what code leaves open."""
        self._values = await filled(partial(self._pick, brain, call))
        self._waited_s = call.watch.waited_s
        self._job = with_usage(self._job, call.usage)

    async def _pick(self, brain: Brain, call: Call, view: ColumnsView) -> PickedValues:
        """The values that a brain names; if it cannot, code's stay as they are."""
        try:
            async with asyncio.timeout(call.cut_off_s):
                picked = await brain.pick_values(view, call)
        except (BrainFailed, BudgetExhausted, TimeoutError) as error:
            why = FallbackReason.of(error)
            picked = PickedValues(by=brain.name, note=why.text, ceiling=why.ceiling)
        if picked.note:
            why = FallbackReason(picked.note, picked.ceiling)
            self._job = with_fallback(self._job, why, self._clock_ms())
        return picked

    def complete_job(self, *, warning: str = "") -> Job:
        """Assemble the report, and return the completed job with it; `warning`, if given, is added to both."""
        now_ms = self._clock_ms()
        editor = JobEditor(self._job, now_ms)
        if warning:
            editor.warn(warning)
        editor.set(state="completed", completed_at=iso_of(now_ms))
        job = editor.finish_step("Done")
        report = self._assembled(job, now_ms)
        report = report.changed(
            themes=self._drafting.themes, synthesis=synthesis_of(report, asked_of(job.inputs))
        )
        outcome = outcome_of_report(
            job,
            is_insufficient=bool(report.exit_code),
            is_doubtful=self._is_doubtful(report),
            values=self._values,
        )
        if self._values:
            report = report.changed(
                exit_code=0 if outcome in ("answered", "partly") else EVIDENCE_INSUFFICIENT
            )
        self._report = report.changed(values=self._values, outcome=outcome)
        self._job = job.changed(warnings=self._report.warnings, outcome=outcome)
        self._ended_job = self._job.changed(report=self._report.report_markdown)
        return self._ended_job

    def _assembled(self, job: Job, now_ms: int) -> Report:
        drafting = self._drafting
        return assemble(job, drafting.findings, drafting.draft, self._context(job, now_ms), drafting.choice)

    def _context(self, job: Job, now_ms: int) -> RenderContext:
        """The time of the whole job: both phases, and the writing of the report."""
        worked_s, waited_s = work_and_waiting_s(job, now_ms)
        writing_s = max(0.0, (now_ms - self._begun_ms) / 1000 - self._waited_s)
        return RenderContext(
            job.completed_at,
            worked_s + writing_s,
            waited_s + self._waited_s,
            rates=self._market.rates,
            catalogue=self._market.catalogue,
            readings=self._drafting.readings,
            sites=self._sites,
        )

    def _is_doubtful(self, report: Report) -> bool:
        """Whether the report quotes pages of which nobody has read whether they answer, and recommends no offer."""
        has_offer = bool(report.phase2 and report.phase2.recommended)
        return not has_offer and (self._drafting.draft.is_doubtful or not self._drafting.draft.by)

    def wait_for_review(self, job: Job) -> Job:
        """Let the completed job and its report wait for a person; `job` has the question and the state of waiting.

        Until it is accepted, the job is not completed.
        """
        waiting = job.changed(completed_at="")
        self._job = self._ended_job = waiting
        self._report = self.report.changed(
            state=waiting.state, status=status_of(waiting.state), outcome=outcome_of(waiting)
        )
        return waiting

    def add_warning(self, warning: str) -> Job:
        """Add a warning to the completed or waiting job, in its record and in its report."""
        before = self._ended_job
        done = self.complete_job(warning=warning)
        return (
            done
            if before is None or before.state == done.state
            else self.wait_for_review(before.changed(warnings=done.warnings, report=done.report))
        )

    @property
    def report(self) -> Report:
        """The report; it exists once `complete_job` was called."""
        if self._report is None:
            raise RuntimeError("the report is not assembled yet")
        return self._report

    def in_redis(self) -> Job:
        """The completed job for its Redis hash, with the report cut to MAX_REPORT_IN_REDIS."""
        if self._ended_job is None:
            raise RuntimeError("the job is not finished yet")
        return self._ended_job.changed(report=cut_to_redis(self._ended_job.report))

    def documents(self) -> dict[str, str]:
        """report.md, run_report.md, claims.jsonl and, if vendors were asked, products.json: {file name: text}."""
        writer = self._drafting.draft.by or "no brain (it quotes the findings)"
        chooser = self._drafting.choice.by if self._drafting.choice else ""
        texts = {
            "report.md": self.report.report_markdown,
            "run_report.md": run_report(self._job, self.report, writer=writer, chooser=chooser),
        }
        texts["claims.jsonl"] = claims_document(self.report, self._drafting.checked)
        if self._values:
            texts["values.json"] = values_document(self._values)
        if self.report.phase2:
            texts["products.json"] = self.report.phase2.model_dump_json(indent=2) + "\n"
        return texts


def values_document(values: Sequence[ColumnValue]) -> str:
    """The values of a job's columns as JSON, by the name of their column."""
    records = {value.name: value.model_dump(mode="json", exclude={"name"}) for value in values}
    return json.dumps(records, indent=2, ensure_ascii=False) + "\n"


def cut_to_redis(report: str) -> str:
    """A report.md for the job's Redis record, cut to MAX_REPORT_IN_REDIS."""
    return report.encode()[:MAX_REPORT_IN_REDIS].decode(errors="ignore")


def accepted_job(job: Job, now_ms: int) -> Job:
    """The job, completed because a person has accepted its report."""
    editor = JobEditor(job, now_ms)
    editor.set(state="completed", completed_at=iso_of(now_ms))
    return editor.finish_step("Done")


def failed_job(job: Job, text: str, now_ms: int) -> Job:
    """The job, ended as failed without a report; `text` says what the user can do."""
    editor = JobEditor(job, now_ms)
    editor.note("failed", text)
    editor.plan(finished_ms=job.plan.finished_ms or now_ms, open_commands=[], round_until_ms=0)
    editor.set(state="failed", error=text, completed_at=iso_of(now_ms))
    return editor.finish_step()


def iso_of(now_ms: int) -> str:
    """A time in ms as ISO text (UTC)."""
    return datetime.fromtimestamp(now_ms / 1000, UTC).isoformat(timespec="seconds")
