"""Have a report drafted by a brain, checked against its quotes, and completed with what code adds."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from planner.goal.goal_subject import asked_of
from planner.goal.report_language import messages_of, report_language
from planner.job.job_editor import MAX_REASON, JobEditor
from planner.money.market import Market
from planner.offers.recommendation import recommendation_view
from planner.reports.checks.check_log import CheckedSentence, checks_line, unread_line
from planner.reports.checks.completed_quotes import has_listing, unquoted_listings, with_completed_quotes
from planner.reports.checks.sentence_checks import PairReader, SentenceChecker
from planner.reports.checks.unsupported import drop_unsupported
from planner.reports.excerpts_below import (
    MOST_PAGE_CHARS,
    VerifyQuotes,
    excerpt_command,
    is_left_without_quotes,
    nearest_pages_read,
    page_view_of,
    pages_taken_from,
    room_for_excerpts,
    with_excerpts,
)
from planner.reports.lengths.repeats import without_repeats
from planner.reports.report import extractive_answer
from planner.reports.sources.ranked_evidence import evidence_of
from planner.reports.sources.snippets import quotes_before_snippets, snippet_findings
from planner.reports.typed.lists import typed_pairs
from planner.reports.typed.part_readings import PartReadings, part_readings
from planner.reports.writer_view import MAX_FINDINGS_WITH_MODEL, MAX_FINDINGS_WITHOUT_MODEL, report_view
from planner.sources.themes import themes_of
from research_crawler.core.brain_errors import BrainFailed, BudgetExhausted, FallbackReason
from research_crawler.core.models.evidence.credibility import Theme
from research_crawler.core.models.evidence.entailment import Pair, Readings, unread
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import Usage, summed
from research_crawler.core.models.reports.drafts import RecommendationDraft, ReportDraft
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.models import Brain, Call
from research_crawler.core.tasks.end_tasks import together
from research_crawler.core.tasks.offload import offload, offload_call, on_main_loop

PageOf = Callable[[str], Awaitable[StoredPage | None]]
"""Finds a stored page by its hash."""

log = logging.getLogger(__name__)


class Drafting:
    """What a report is made of, as far as it is there: its draft, the offer that is chosen, and what was checked."""

    def __init__(
        self,
        job: Job,
        findings: Sequence[Finding],
        *,
        clock_ms: Callable[[], int],
        market: Market,
        page_of: PageOf | None,
        verify_quotes: VerifyQuotes | None,
    ) -> None:
        """Begin without a draft. The arguments are those of `JobCompletion`."""
        self._clock_ms, self._market = clock_ms, market
        self._page_of, self._verify_quotes = page_of, verify_quotes
        self.job = job
        """The job; steps add warnings, usage and lines of the timeline."""
        self.findings = [*findings, *snippet_findings(job)]
        """The findings of the job, then the snippets of pages that could not be read."""
        self.draft = ReportDraft(by="")
        """By nobody if all brains failed: the report quotes the findings then."""
        self.choice: RecommendationDraft | None = None
        self.checked: list[CheckedSentence] = []
        self.readings = PartReadings()
        self.themes: list[Theme] = []

    async def run_plainly(self, extractive: Brain, call: Call) -> None:
        """Have the report drafted without a model. Nothing is checked: what that brain writes is verbatim."""
        await self._write_draft([extractive], call)
        await self._recommend_offer([extractive], call)

    async def run(self, brain: Brain, extractive: Brain, call: Call) -> None:
        """Have the report drafted by the job's brain, else by the extractive one, and complete the draft.

        1. The draft is written, and beside it an offer is chosen.
        2. If the job's brain did not write it, the report says so.
        3. A model's sentences are checked against their quotes.
        4. Below a short answer of a model stand excerpts of its pages.
        5. What the parts on request are made of (trends, sentiment …) is read.
        """
        choosing = call.part("choice", deadline_s=call.deadline_s)
        writers = [brain, extractive]
        if is_left_without_quotes(self.job, self.findings):
            self.findings += await self._quoted(nearest_pages_read(self.job), extractive, call)
            writers = [extractive]
        await together(
            [self._write_draft(writers, call), self._recommend_offer([brain, extractive], choosing)]
        )
        call.usage = call.usage + choosing.usage
        if self.draft.by in ("", extractive.name) and brain.name != extractive.name:
            self._say_that_synthesis_failed()
        elif self.draft.note:
            self._take_over(FallbackReason(self.draft.note, self.draft.ceiling))
        await self._check_sentences(brain, extractive, call)
        await self._add_excerpts(extractive, call)
        await self._read_typed_parts(brain, call)
        await offload_call(self._set_themes)
        self.job = with_usage(self.job, call.usage)

    async def _write_draft(self, writers: Sequence[Brain], call: Call) -> None:
        """Have the report drafted by the first of these brains that can."""
        why: FallbackReason | None = None
        view = await offload_call(report_view, self.job, self.findings)
        for writer in writers:
            try:
                async with asyncio.timeout(call.cut_off_s):
                    draft = await writer.write(view, call)
            except (BrainFailed, BudgetExhausted, TimeoutError) as error:
                why = why or FallbackReason.of(error)
                self._take_over(why)
            else:
                unnoted = why and not draft.note
                self.draft = draft.changed(note=why.text, ceiling=why.ceiling) if why and unnoted else draft
                break

    async def _recommend_offer(self, choosers: Sequence[Brain], call: Call) -> None:
        """Have an offer chosen, if vendors gave any."""
        if self.job.phase2 is None:
            return
        known = evidence_of(self.findings)[:MAX_FINDINGS_WITHOUT_MODEL]
        view = await offload_call(recommendation_view, self.job, known, self._market.rates)
        for chooser in choosers if view.offers else ():
            try:
                async with asyncio.timeout(call.cut_off_s):
                    self.choice = await chooser.recommend(view, call)
            except (BrainFailed, BudgetExhausted, TimeoutError) as error:
                self._take_over(FallbackReason.of(error))
            else:
                break
        if self.choice and self.choice.note:
            self._take_over(FallbackReason(self.choice.note, self.choice.ceiling))

    def _say_that_synthesis_failed(self) -> None:
        """Warn that the report is not the model's, with the reason."""
        why = " ".join((self.draft.note or self.job.plan.fallback).split())[:MAX_REASON]
        editor = JobEditor(self.job, self._clock_ms())
        editor.plan(
            fallback=self.job.plan.fallback or why, ceiling=self.job.plan.ceiling or self.draft.ceiling
        )
        editor.warn(messages_of(self.job.inputs)("synthesis_failed", reason=why))
        self.job = editor.job

    async def _check_sentences(self, brain: Brain, extractive: Brain, call: Call) -> None:
        """Check what a model wrote against its quotes; what `extractive` writes is verbatim."""
        if {self.draft.by, self.choice.by if self.choice else ""} <= {"", extractive.name}:
            return
        await self._lengthen_quotes()

        async def read_pairs(pairs: Sequence[Pair]) -> Readings:
            return await on_main_loop(self._read_pairs(brain, pairs, call))

        await offload(self._check_in_thread(read_pairs, extractive))

    async def _lengthen_quotes(self) -> None:
        """Let quotes reach as far as the listings that sentences show and that only their stored pages have.

        The draft names findings by their places, so all stay as they are where a longer quote moves another finding.
        """
        if not has_listing(self.draft):
            return
        known = await self._shown(self.findings)
        unquoted = await offload_call(unquoted_listings, self.draft, known)
        places = [place for sentence in unquoted for place in sentence.evidence if 0 <= place < len(known)]
        pages = await self._quotable_pages([known[place] for place in places])
        if not pages:
            return
        completed = await offload_call(with_completed_quotes, known, unquoted, pages)
        by_id = {finding.id: finding for finding in completed}
        longer = [by_id.get(finding.id, finding) for finding in self.findings]
        if _ids(await self._shown(longer)) == _ids(known):  # else two quotes have become one
            self.findings = longer

    async def _shown(self, findings: Sequence[Finding]) -> Sequence[Finding]:
        """The findings of these that a writer is shown, in the order by which its draft names them."""
        return (await offload_call(report_view, self.job, findings)).findings

    async def _quotable_pages(self, cited: Sequence[Finding]) -> dict[str, str]:
        """The stored text of the pages of these findings by hash, without pages that forbid excerpts."""
        if self._page_of is None:
            return {}
        shas = dict.fromkeys(finding.page_sha256 for finding in cited if finding.page_sha256)
        stored = [(sha, await self._page_of(sha)) for sha in shas]
        return {
            sha: page.page.markdown for sha, page in stored if page is not None and not page.page.nosnippet
        }

    async def _check_in_thread(self, read_pairs: PairReader, extractive: Brain) -> None:
        view = report_view(self.job, self.findings)
        checker = SentenceChecker(
            view.findings, goal=view.goal, language=view.language, read_pairs=read_pairs
        )
        if self.draft.by not in ("", extractive.name):
            draft = await offload_call(without_repeats, self.draft)
            self.draft = drop_unsupported(await checker.check_report(draft), view)
        if self.choice and self.choice.by not in ("", extractive.name):
            self.choice = await checker.check_recommendation(self.choice)
        self.checked = checker.checked
        self.draft = self.draft.changed(checks=checks_line(self.checked, messages_of(self.job.inputs)))
        editor = JobEditor(self.job, self._clock_ms())
        for line in [*checker.left_out, *filter(None, [unread_line(self.checked)])]:
            editor.note("warning", line)
        if self.draft.by == extractive.name and self.draft.certainty:
            editor.note("report", self.draft.certainty, extractive.name)
        self.job = editor.job

    async def _read_pairs(self, brain: Brain, pairs: Sequence[Pair], call: Call) -> Readings:
        """What the brain reads in pairs; if it cannot, none of them could be checked."""
        try:
            async with asyncio.timeout(call.cut_off_s):
                goal = self.job.inputs.goal
                language = report_language(goal, self.job.inputs.language)
                return await brain.check_entailment(pairs, call, question=goal, language=language)
        except (BrainFailed, BudgetExhausted, TimeoutError) as error:
            log.info("the sentences of a report were not read again: %s", error or "too late")
            return unread(len(pairs), why=FallbackReason.of(error).text)

    async def _add_excerpts(self, extractive: Brain, call: Call) -> None:
        """Below the report of a model that writes little, show what its pages say word for word.

        The excerpts become findings of their own behind all others (score 0), because the draft names findings by their
        places. Where they would move one, there are none: snippets stand behind everything else.
        """
        room = room_for_excerpts(self.draft, self.job)
        if not room:
            return
        known = await self._shown(self.findings)
        excerpts = await self._quoted(pages_taken_from(known), extractive, call)
        findings = [*self.findings, *(excerpt.changed(score=0.0) for excerpt in excerpts)]
        view = await offload_call(report_view, self.job, findings)
        if _ids(view.findings[: len(known)]) != _ids(known):
            return
        excerpts_draft = await extractive.write(view.changed(max_words=room), call)
        places = range(len(known), len(view.findings))
        title = messages_of(self.job.inputs)("excerpts_only")
        draft = with_excerpts(self.draft, excerpts_draft, places, title)
        if draft != self.draft:
            self.draft, self.findings = draft, findings

    async def _quoted(self, pages: Mapping[str, str], extractive: Brain, call: Call) -> list[Finding]:
        """What code takes from stored pages: by their hashes, the commands that read them."""
        found: list[Finding] = []
        if self._page_of is None or self._verify_quotes is None:
            return found
        for sha, command in pages.items():
            stored = await self._page_of(sha)
            if stored is not None and len(stored.page.markdown) <= MOST_PAGE_CHARS:
                read = await extractive.extract(page_view_of(stored, self.job), call)
                goal = asked_of(self.job.inputs)
                found += await offload_call(self._verify_quotes, read, stored, excerpt_command(command), goal)
        return found

    async def _read_typed_parts(self, brain: Brain, call: Call) -> None:
        """Have the brain read what the parts on request are made of."""
        if pairs := await offload_call(self._pairs_of_parts):
            self.readings = part_readings(pairs, await self._read_pairs(brain, pairs, call))

    def _pairs_of_parts(self) -> list[Pair]:
        findings = quotes_before_snippets(evidence_of(self.findings))[:MAX_FINDINGS_WITH_MODEL]
        answer = self.draft.answer or extractive_answer(findings)
        return typed_pairs(self.job, findings, answer)

    def _set_themes(self) -> None:
        self.themes = themes_of(self.job, asked_of(self.job.inputs), evidence_of(self.findings))

    def _take_over(self, why: FallbackReason) -> None:
        self.job = with_fallback(self.job, why, self._clock_ms())


def _ids(findings: Sequence[Finding]) -> list[str]:
    return [finding.id for finding in findings]


def with_fallback(job: Job, why: FallbackReason, now_ms: int) -> Job:
    """The job with the reason why another brain took over."""
    editor = JobEditor(job, now_ms)
    editor.take_over(why)
    return editor.job


def with_usage(job: Job, usage: Usage) -> Job:
    """The job with what further calls of models have used."""
    return job.changed(usage=job.usage + usage, by_role=summed(job.by_role, usage.by_role))
