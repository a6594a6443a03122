"""Complete a job: write its report and last documents, and set its final state."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from planner.columns.picked_values import PickValues
from planner.goal.goal_subject import asked_of
from planner.goal.report_language import messages_of, report_language
from planner.job.clock import work_and_waiting_s
from planner.job.job_editor import MAX_REASON, JobEditor
from planner.job.outcome import outcome_of, outcome_of_report
from planner.money.market import Market
from planner.offers.recommendation import recommendation_view
from planner.reports.checks.check_log import (
    CheckedSentence,
    checks_line,
    claims_document,
    unread_line,
)
from planner.reports.checks.checking import Checker, PairReader
from planner.reports.checks.completed_quotes import has_listing, unquoted_listings, with_completed_quotes
from planner.reports.checks.unsupported import drop_unsupported
from planner.reports.excerpts_below import (
    MOST_PAGE_CHARS,
    VerifyQuotes,
    as_shown,
    command_of,
    is_left_without_quotes,
    nearest_pages_read,
    pages_taken_from,
    room_for_excerpts,
    with_excerpts,
)
from planner.reports.lengths.repeats import without_repeats
from planner.reports.records.run_report import run_report
from planner.reports.report import RenderContext, assemble, extractive_answer
from planner.reports.sources.ranked_evidence import evidence_of
from planner.reports.sources.snippets import quotes_before_snippets, snippet_findings
from planner.reports.typed.lists import typed_pairs
from planner.reports.typed.part_readings import PartReadings, part_readings
from planner.reports.writer_view import MAX_BANK, MAX_WRITTEN_FROM, report_view
from planner.sources.themes import synthesis_of, themes_of
from research_crawler.core.brain_errors import BrainFailed, BudgetExhausted
from research_crawler.core.models.evidence.credibility import Theme
from research_crawler.core.models.evidence.entailment import Pair, Readings, unread
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValues
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import Job, status_of
from research_crawler.core.models.messages.events import summed
from research_crawler.core.models.reports.drafts import RecommendationDraft, ReportDraft
from research_crawler.core.models.reports.report import Report
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.models import Brain, Call
from research_crawler.core.tasks.end_tasks import together
from research_crawler.core.tasks.offload import offload, offload_call, on_main_loop

MAX_REPORT_IN_REDIS = 30_000
"""Most bytes of report.md in the job's Redis record; the archive has all of it."""

FillColumns = Callable[[PickValues], Awaitable[list[ColumnValue]]]
"""Fills the columns of a job, and asks for what it leaves open."""

PageOf = Callable[[str], Awaitable[StoredPage | None]]
"""Finds a stored page by its hash."""

log = logging.getLogger(__name__)


class Completion:
    """Completes a job whose research has ended: writes its report and makes its final record."""

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
        self._findings = [*findings, *snippet_findings(job)]
        self._begun_ms, self._waited_s = clock_ms(), 0.0
        self._market = market or Market()
        self._page_of, self._verify_quotes = page_of, verify_quotes
        self._report_draft = ReportDraft(by="")
        self._choice: RecommendationDraft | None = None
        self._checked: list[CheckedSentence] = []
        self._values: list[ColumnValue] = []
        self._finished: Job | None = None
        self._report: Report | None = None
        self._themes: list[Theme] = []
        self._readings = PartReadings()

    @property
    def report(self) -> Report:
        """The report; it exists once `finished` was called."""
        if self._report is None:
            raise RuntimeError("the report is not assembled yet")
        return self._report

    async def fill(self, filled: FillColumns, brain: Brain, call: Call) -> None:
        """Put the values of the job's columns into the report; `brain` reads what code leaves open."""
        self._values = await filled(partial(self._pick, brain, call))
        self._waited_s = call.watch.waited_s
        self._add_usage(call)

    async def _pick(self, brain: Brain, call: Call, view: ColumnsView) -> PickedValues:
        """The values that a brain names; if it cannot, code's stay as they are."""
        try:
            async with asyncio.timeout(call.cut_off_s):
                picked = await brain.pick_values(view, call)
        except (BrainFailed, BudgetExhausted, TimeoutError) as error:
            picked = PickedValues(by=brain.name, note=str(error) or "it took too long")
        if picked.note:
            self._note_fallback(picked.note)
        return picked

    async def write_plainly(self, extractive: Brain, call: Call) -> str:
        """Have the report drafted by the brain without a model, and return report.md as it would be.

        It is made for a job whose synthesis never ended, so that it has an answer.
        """
        await self._draft([extractive], call)
        await self._recommend([extractive], call)
        written = self._written(self._job, self._clock_ms())
        report = await offload_call(
            assemble, self._job, self._findings, self._report_draft, written, self._choice
        )
        return report.report_markdown

    async def write(self, brain: Brain, extractive: Brain, call: Call) -> None:
        """Have the report drafted by the job's brain, else by the extractive one, and an offer chosen beside it.

        If both fail there is no draft, and the report quotes the findings.
        """
        choosing = call.part("choice", deadline_s=call.deadline_s)
        writers = [brain, extractive]
        if is_left_without_quotes(self._job, self._findings):
            self._findings += await self._quoted(nearest_pages_read(self._job), extractive, call)
            writers = [extractive]
        await together([self._draft(writers, call), self._recommend([brain, extractive], choosing)])
        call.usage = call.usage + choosing.usage
        if self._report_draft.by in ("", extractive.name) and brain.name != extractive.name:
            self._say_that_synthesis_failed()
        elif self._report_draft.note:
            self._note_fallback(self._report_draft.note)
        await self._check(brain, extractive, call)
        await self._show_excerpts(extractive, call)
        await self._read_parts(brain, call)
        await offload_call(self._set_themes)
        self._waited_s = call.watch.waited_s
        self._add_usage(call)

    def _add_usage(self, call: Call) -> None:
        self._job = self._job.changed(
            usage=self._job.usage + call.usage, by_role=summed(self._job.by_role, call.usage.by_role)
        )

    def _set_themes(self) -> None:
        self._themes = themes_of(self._job, asked_of(self._job.inputs), evidence_of(self._findings))

    async def _draft(self, writers: Sequence[Brain], call: Call) -> None:
        """Have the report drafted by the first of these brains that can."""
        why = ""
        view = await offload_call(report_view, self._job, self._findings)
        for writer in writers:
            try:
                async with asyncio.timeout(call.cut_off_s):
                    draft = await writer.write(view, call)
            except (BrainFailed, BudgetExhausted, TimeoutError) as error:
                why = why or str(error) or "it took too long"
                self._note_fallback(why)
            else:
                self._report_draft = draft.changed(note=draft.note or why)
                break

    def _say_that_synthesis_failed(self) -> None:
        """Warn that the report is not the model's, with the reason."""
        why = " ".join((self._report_draft.note or self._job.plan.fallback).split())[:MAX_REASON]
        editor = JobEditor(self._job, self._clock_ms())
        editor.plan(fallback=self._job.plan.fallback or why)
        editor.warn(messages_of(self._job.inputs)("synthesis_failed", reason=why))
        self._job = editor.job

    async def _check(self, brain: Brain, extractive: Brain, call: Call) -> None:
        """Check what a model wrote against its quotes; what `extractive` writes is verbatim."""
        if {self._report_draft.by, self._choice.by if self._choice else ""} <= {"", extractive.name}:
            return
        await self._complete_quotes()

        async def read_pairs(pairs: Sequence[Pair]) -> Readings:
            return await on_main_loop(self._read(brain, pairs, call))

        await offload(self._checked_by(read_pairs, extractive))

    async def _complete_quotes(self) -> None:
        """Let quotes reach as far as the commands that sentences show and that only their stored pages have."""
        if self._page_of is None or not has_listing(self._report_draft):
            return
        known = (await offload_call(report_view, self._job, self._findings)).findings
        lacking = await offload_call(unquoted_listings, self._report_draft, known)
        cited = [known[index] for one in lacking for index in one.evidence if 0 <= index < len(known)]
        shas = dict.fromkeys(finding.page_sha256 for finding in cited if finding.page_sha256)
        found = {sha: await self._page_of(sha) for sha in shas}
        pages = {
            sha: page.page.markdown
            for sha, page in found.items()
            if page is not None and not page.page.nosnippet
        }
        if pages:
            completed = await offload_call(with_completed_quotes, known, lacking, pages)
            by_id = {finding.id: finding for finding in completed}
            longer = [by_id.get(finding.id, finding) for finding in self._findings]
            after = (await offload_call(report_view, self._job, longer)).findings
            if [one.id for one in after] == [one.id for one in known]:  # two quotes may have become one
                self._findings = longer

    async def _show_excerpts(self, extractive: Brain, call: Call) -> None:
        """Below the report of a model that writes little, show what its pages say word for word."""
        room = room_for_excerpts(self._report_draft, self._job)
        if not room:
            return
        known = (await offload_call(report_view, self._job, self._findings)).findings
        added = [
            one.changed(score=0.0) for one in await self._quoted(pages_taken_from(known), extractive, call)
        ]
        longer = [*self._findings, *added]
        view = await offload_call(report_view, self._job, longer)
        if [one.id for one in view.findings[: len(known)]] != [one.id for one in known]:
            return  # snippets stand behind them
        written = await extractive.write(view.changed(max_words=room), call)
        new = range(len(known), len(view.findings))
        title = messages_of(self._job.inputs)("excerpts_only")
        draft = with_excerpts(self._report_draft, written, new, title)
        if draft != self._report_draft:
            self._report_draft, self._findings = draft, longer

    async def _quoted(self, pages: Mapping[str, str], extractive: Brain, call: Call) -> list[Finding]:
        """What code takes from stored pages: by their hashes, the commands that read them."""
        found: list[Finding] = []
        if self._page_of is None or self._verify_quotes is None:
            return found
        for sha, command in pages.items():
            stored = await self._page_of(sha)
            if stored is not None and len(stored.page.markdown) <= MOST_PAGE_CHARS:
                read = await extractive.extract(as_shown(stored, self._job), call)
                goal = asked_of(self._job.inputs)
                found += await offload_call(self._verify_quotes, read, stored, command_of(command), goal)
        return found

    async def _checked_by(self, read_pairs: PairReader, extractive: Brain) -> None:
        view = report_view(self._job, self._findings)
        checker = Checker(view.findings, goal=view.goal, language=view.language, read_pairs=read_pairs)
        if self._report_draft.by not in ("", extractive.name):
            draft = await offload_call(without_repeats, self._report_draft)
            self._report_draft = drop_unsupported(await checker.report(draft), view)
        if self._choice and self._choice.by not in ("", extractive.name):
            self._choice = await checker.recommendation(self._choice)
        self._checked = checker.checked
        told = checks_line(self._checked, messages_of(self._job.inputs))
        self._report_draft = self._report_draft.changed(checks=told)
        editor = JobEditor(self._job, self._clock_ms())
        for line in [*checker.left_out, *filter(None, [unread_line(self._checked)])]:
            editor.note("warning", line)
        self._job = editor.job

    async def _read(self, brain: Brain, pairs: Sequence[Pair], call: Call) -> Readings:
        """What the brain reads in pairs; if it cannot, none of them could be checked."""
        try:
            async with asyncio.timeout(call.cut_off_s):
                language = report_language(self._job.inputs.goal, self._job.inputs.language)
                return await brain.check_entailment(pairs, call, language=language)
        except (BrainFailed, BudgetExhausted, TimeoutError) as error:
            log.info("the sentences of a report were not read again: %s", error or "too late")
            return unread(len(pairs), why=str(error) or "it took too long")

    async def _read_parts(self, brain: Brain, call: Call) -> None:
        """Have the brain read what the parts on request are made of."""
        if pairs := await offload_call(self._pairs_of_parts):
            self._readings = part_readings(pairs, await self._read(brain, pairs, call))

    def _pairs_of_parts(self) -> list[Pair]:
        findings = quotes_before_snippets(evidence_of(self._findings))[:MAX_BANK]
        answer = self._report_draft.answer or extractive_answer(findings)
        return typed_pairs(self._job, findings, answer)

    async def _recommend(self, choosers: Sequence[Brain], call: Call) -> None:
        """Have an offer chosen, if vendors gave any."""
        if self._job.phase2 is None:
            return
        known = evidence_of(self._findings)[:MAX_WRITTEN_FROM]
        view = await offload_call(recommendation_view, self._job, known, self._market.rates)
        for chooser in choosers if view.offers else ():
            try:
                async with asyncio.timeout(call.cut_off_s):
                    self._choice = await chooser.recommend(view, call)
            except (BrainFailed, BudgetExhausted, TimeoutError) as error:
                self._note_fallback(str(error) or "it took too long")
            else:
                break
        if self._choice and self._choice.note:
            self._note_fallback(self._choice.note)

    def finished(self, *, warning: str = "") -> Job:
        """The completed job with its report; `warning`, if given, is added to both."""
        now_ms = self._clock_ms()
        editor = JobEditor(self._job, now_ms)
        if warning:
            editor.warn(warning)
        editor.set(state="completed", completed_at=iso_of(now_ms))
        job = editor.finish_step("Done")
        written = self._written(job, now_ms)
        report = assemble(job, self._findings, self._report_draft, written, self._choice)
        report = report.changed(themes=self._themes, synthesis=synthesis_of(report, asked_of(job.inputs)))
        outcome = outcome_of_report(
            job,
            is_insufficient=bool(report.exit_code),
            is_doubtful=self._is_doubtful(report),
            values=self._values,
        )
        if self._values:
            report = report.changed(exit_code=0 if outcome in ("answered", "partly") else 3)
        self._report = report.changed(values=self._values, outcome=outcome)
        self._job = job.changed(warnings=self._report.warnings, outcome=outcome)
        self._finished = self._job.changed(report=self._report.report_markdown)
        return self._finished

    def _is_doubtful(self, report: Report) -> bool:
        """Whether the report quotes pages of which nobody has read whether they answer, and recommends no offer."""
        has_offer = bool(report.phase2 and report.phase2.recommended)
        return not has_offer and (self._report_draft.is_doubtful or not self._report_draft.by)

    def waiting(self, job: Job) -> Job:
        """The finished job as it waits for a person, with its report; `job` has the question and the state of waiting.

        Until it is accepted, the job is not completed.
        """
        waiting = job.changed(completed_at="")
        self._job = self._finished = waiting
        self._report = self.report.changed(
            state=waiting.state, status=status_of(waiting.state), outcome=outcome_of(waiting)
        )
        return waiting

    def with_warning(self, warning: str) -> Job:
        """The finished or waiting job with one more warning, in its record and in its report."""
        before = self._finished
        done = self.finished(warning=warning)
        return (
            done
            if before is None or before.state == done.state
            else self.waiting(before.changed(warnings=done.warnings, report=done.report))
        )

    def _written(self, job: Job, now_ms: int) -> RenderContext:
        """The time of the whole job: both phases, and the writing of the report."""
        worked_s, waited_s = work_and_waiting_s(job, now_ms)
        writing_s = max(0.0, (now_ms - self._begun_ms) / 1000 - self._waited_s)
        return RenderContext(
            job.completed_at,
            worked_s + writing_s,
            waited_s + self._waited_s,
            rates=self._market.rates,
            catalogue=self._market.catalogue,
            readings=self._readings,
        )

    def in_redis(self) -> Job:
        """The completed job for its Redis hash, with the report cut to MAX_REPORT_IN_REDIS."""
        if self._finished is None:
            raise RuntimeError("the job is not finished yet")
        return self._finished.changed(report=cut_to_redis(self._finished.report))

    def documents(self) -> dict[str, str]:
        """report.md, run_report.md, claims.jsonl and, if vendors were asked, products.json: {file name: text}."""
        writer = self._report_draft.by or "no brain (it quotes the findings)"
        chooser = self._choice.by if self._choice else ""
        texts = {
            "report.md": self.report.report_markdown,
            "run_report.md": run_report(self._job, self.report, writer=writer, chooser=chooser),
        }
        texts["claims.jsonl"] = claims_document(self.report, self._checked)
        if self._values:
            texts["values.json"] = values_document(self._values)
        if self.report.phase2:
            texts["products.json"] = self.report.phase2.model_dump_json(indent=2) + "\n"
        return texts

    def _note_fallback(self, why: str) -> None:
        """Record why another brain took over, once per job."""
        if self._job.plan.fallback:
            return
        editor = JobEditor(self._job, self._clock_ms())
        editor.plan(fallback=why[:MAX_REASON])
        editor.warn_of_fallback(why)
        self._job = editor.job


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
