"""Take what came of searches and visits into a job's record. Pure."""

from collections.abc import Iterable, Sequence

from planner.job.allowances import is_date_wanted, is_host_wanted, is_result_wanted
from planner.job.clock import add_work
from planner.job.job_editor import MAX_REASON, MAX_SUMMARY, JobEditor
from planner.job.rejected import is_rejected
from planner.job.results import link_results, merge_results, named_links
from planner.offers.vendor_events import apply_outcome
from planner.quality.attempts import with_refusals
from planner.types.searching import fresh_news
from research_crawler.core.brain_errors import FallbackReason
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.records import SearchRecord, VisitRecord
from research_crawler.core.models.messages.events import CommandDone, PageReading, summed
from research_crawler.core.models.web.pages import MAX_LINKS
from research_crawler.core.vendors import Catalogue
from research_crawler.core.web.urls import canonical_url
from research_crawler.text.measures.normal_quote import normal_quote


class EventOutcomes:
    """What the events of one step have brought: results, pages and findings, each written into the job."""

    def __init__(self, editor: JobEditor, found: Sequence[Finding]) -> None:
        """Start with nothing; `found` are the findings that the job has already."""
        self.editor = editor
        self.known_ids = {finding.id for finding in found}
        self.known_quotes = {normal_quote(finding.quote) for finding in found}
        self.findings: list[Finding] = []
        self.visitable_urls: dict[str, None] = {}
        self.used_events: list[str] = []
        self.new_results = False

    def settle(self, event: CommandDone, catalogue: Catalogue, now_ms: int) -> None:
        """Take the outcome of a command, of either phase; one that has an outcome already has no effect."""
        job = self.editor.job
        self.editor.plan(open_commands=[c for c in job.plan.open_commands if c != event.command])
        if apply_outcome(self.editor, event, catalogue):
            self.used_events.append(event.uid)
            self._count_costs(event, now_ms)
            return
        search = next((s for s in job.searches if s.command == event.command), None)
        visit = next((v for v in job.visits if v.command == event.command), None)
        if (search or visit) is None or (search or visit).outcome:  # type: ignore[union-attr]  # one of them is there
            return
        self.used_events.append(event.uid)
        self._count_costs(event, now_ms)
        if search:
            self._take_search(search, event)
        elif visit:
            self._take_visit(visit, event)

    def _count_costs(self, event: CommandDone, now_ms: int) -> None:
        job = self.editor.job
        self.editor.set(
            usage=job.usage + event.usage,
            by_role=summed(job.by_role, event.by_role),
            downloads=job.downloads + event.downloads,
            pages_fetched=job.pages_fetched + event.pages_fetched,
        )
        add_work(self.editor, int(event.seconds * 1000), now_ms)

    def _take_search(self, search: SearchRecord, event: CommandDone) -> None:
        allowed = [r for r in event.results if is_host_wanted(self.editor.job, r.url)]
        allowed = [r for r in allowed if is_date_wanted(self.editor.job, r.published)]
        allowed = fresh_news(self.editor.job, allowed)
        wanted = [r for r in allowed if is_result_wanted(self.editor.job, r)]
        if len(wanted) * 2 < len(allowed):  # then it is we who know too few names of the technology
            wanted = allowed
        if others := len(allowed) - len(wanted):
            stack = self.editor.job.inputs.stack
            self.editor.note("warning", f"{others} results about something else than {stack} were left out")
        results, new = merge_results(self.editor.job.results, wanted, search=search.n)
        self.editor.set_results(results)
        self.new_results |= any(not result.scored for result in self.editor.job.results)
        self._count_new(new)
        self.visitable_urls |= dict.fromkeys(url for r in event.results if (url := canonical_url(r.url)))
        done = search.changed(
            results=len(event.results),
            outcome=event.outcome,
            reason=event.reason.cut(MAX_REASON),
            providers=event.providers,
            web_calls=event.downloads,
        )
        self.editor.replace_search(done)
        if event.outcome != "ok":
            self.editor.plan(searches_used=max(0, self.editor.job.plan.searches_used - 1))
            self.editor.note("warning", f"search “{search.query}”: {event.outcome} {event.reason}")
            assessed = with_refusals(self.editor.job.assessed, search.round, event.providers)
            self.editor.set(assessed=assessed)

    def _take_visit(self, visit: VisitRecord, event: CommandDone) -> None:
        is_read = event.outcome == "ok"
        done = visit.changed(
            outcome=event.outcome,
            reason=event.reason.cut(MAX_REASON),
            wait_s=event.wait_s,
            counted=is_read,
            settled_in=self.editor.job.plan.round,
        )
        if event.page:
            done = self._take_page(done, event.page, event.findings)
        done = done.changed(findings=self._add_findings(self._of_wanted_date(done, event.findings)))
        self.editor.replace_visit(done)
        if is_read and not visit.section:
            self.editor.plan(pages_read=self.editor.job.plan.pages_read + 1)
            return
        if is_read:
            return
        if visit.origin != "memory":  # a remembered page was not counted
            self.editor.plan(visits_used=max(0, self.editor.job.plan.visits_used - 1))
        why = f"{visit.url}: {event.outcome} {event.reason}"
        if visit.url in self.editor.job.inputs.urls:
            self.editor.warn(self.editor.translate("named_page_unread", why=why))
        else:
            self.editor.note("warning", why)

    def _of_wanted_date(self, visit: VisitRecord, findings: Sequence[Finding]) -> Sequence[Finding]:
        """The findings of a page, unless the caller does not want pages of its date; own files are always wanted."""
        if visit.origin == "file" or is_date_wanted(self.editor.job, visit.published):
            return findings
        self.editor.note("warning", f"{visit.url}: not used, because it is dated {visit.published[:10]}")
        return []

    def _take_page(self, visit: VisitRecord, page: PageReading, findings: Sequence[Finding]) -> VisitRecord:
        job = self.editor.job
        links = [link for link in page.links[:MAX_LINKS] if is_host_wanted(job, link.url)]
        about = f"{job.inputs.goal} {job.inputs.topic}"
        results = [*job.results, *link_results(job.results, links, about=about)]
        quotes = [finding.quote for finding in findings]
        self.editor.set_results([*results, *named_links(results, links, quotes, about=about)])
        urls = [page.url, page.final_url, *(link.url for link in links)]
        self.visitable_urls |= dict.fromkeys(url for raw in urls if (url := canonical_url(raw)))
        if page.note:
            self.editor.take_over(FallbackReason(page.note, page.ceiling))
        return visit.changed(
            final_url=page.final_url,
            canonical_url=page.canonical_url,
            title=page.title[:MAX_REASON],
            published=page.published,
            fetched_at=page.fetched_at,
            sha=page.sha,
            from_store=page.from_store,
            relevance=page.relevance,
            confidence=page.confidence,
            summary=page.summary[:MAX_SUMMARY],
            answers_all=page.answers_all,
            leads_to=page.leads_to,
            by=page.by,
            kind=page.kind,
            left_out=[] if visit.section else page.left_out,
        )

    def _add_findings(self, findings: Iterable[Finding]) -> int:
        """Keep new findings; one whose quote is known from another page is kept too, but not counted as new.

        Returns:
            How many findings were added.
        """
        added = new = 0
        for finding in findings:
            if finding.id in self.known_ids or is_rejected(self.editor.job.review, finding):
                continue
            self.known_ids.add(finding.id)
            self.findings.append(finding)
            added += 1
            quote = normal_quote(finding.quote)
            new += quote not in self.known_quotes
            self.known_quotes.add(quote)
        self.editor.plan(findings=self.editor.job.plan.findings + new)
        self._count_new(new)
        return added

    def _count_new(self, amount: int) -> None:
        self.editor.plan(gained=self.editor.job.plan.gained + amount)
