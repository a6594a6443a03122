"""Apply a job's events to it, and decide what to do next. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from planner.job.clock import (
    NO_LOOK,
    add_work,
    forced_end,
    is_idle,
    next_look_ms,
    running_ms,
    seconds_left,
    spent_ms,
)
from planner.job.draft import MAX_REASON, MAX_SUMMARY, Draft
from planner.job.limits import (
    LEAST_LEFT_S,
    is_date_wanted,
    is_host_wanted,
    is_in_phase2,
    is_result_wanted,
    is_round_open,
)
from planner.job.progress import DECIDING, SYNTHESIZING
from planner.job.rejected import is_rejected
from planner.job.results import link_results, merge_results
from planner.offers.events import apply_outcome, postpone
from planner.quality.attempts import with_refusals
from planner.reports.shopping.offers import NO_CATALOGUE
from planner.reviews.answers import IGNORED, take_answer
from planner.rounds.looking import given_up, pause_ms
from planner.rounds.rounds import begin_phase2, close_round
from planner.text.normal_quote import normal_quote
from research_crawler.core.models.events import Event, PageReading
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.in_flight import Look
from research_crawler.core.models.jobs import FINAL_STATES, Job
from research_crawler.core.models.pages import MAX_LINKS
from research_crawler.core.models.records import SearchRecord, VisitRecord
from research_crawler.core.vendors import Catalogue
from research_crawler.core.web.urls import canonical_url

Next = Literal["wait", "score", "decide", "finish", "vendors", "write", "answered", "conclude", "over"]


@dataclass(frozen=True)
class Applied:
    """The job after its events, and what to do next.

    next: wait: for more events; score: commit the new results, ask for the likeliest of them, then decide; decide: ask
    the brain; finish: end phase 1 because of `forced`; vendors: continue phase 2; write: write the report; answered:
    commit what a person answered, and go on at once; conclude: a person has accepted the report; over: do nothing.
    """

    job: Job
    next: Next
    findings: tuple[Finding, ...] = ()
    """New findings, to be added to the job's."""
    seen: tuple[str, ...] = ()
    """Canonical URLs that may be visited from now on."""
    used: tuple[str, ...] = ()
    """Uids of the events that had an effect."""
    forced: str = ""
    rejected: tuple[Finding, ...] = ()
    """Findings that a person has rejected in this step."""


def apply(  # all that a step sees
    job: Job,
    events: Sequence[Event],
    found: Sequence[Finding],
    now_ms: int,
    catalogue: Catalogue = NO_CATALOGUE,
    look: Look = NO_LOOK,
) -> Applied:
    """Apply a job's events. The same arguments give the same result, so that a takeover decides the same.

    Args:
        job: the job before the step.
        events: what its mailbox holds.
        found: the findings that are already stored.
        now_ms: the time on the clock of the job's version.
        catalogue: known vendors, for phase 2.
        look: where its open commands are; needed if a timer is among the events.
    """
    if job.state in FINAL_STATES:
        return Applied(job, "over")
    step = _Step(job, found, now_ms, catalogue, look)
    step.begin()
    paused = step.skip_pause(events)
    for event in events:
        step.apply_event(event, paused=paused)
    return step.outcome()


class _Step:
    """The state of one call of `apply`: the draft, and what the events have brought."""

    def __init__(
        self, job: Job, found: Sequence[Finding], now_ms: int, catalogue: Catalogue, look: Look
    ) -> None:
        self.draft, self.now_ms, self.catalogue, self.look = Draft(job, now_ms), now_ms, catalogue, look
        self.found = found
        self.known_ids = {finding.id for finding in found}
        self.known_quotes = {normal_quote(finding.quote) for finding in found}
        self.findings: list[Finding] = []
        self.seen: dict[str, None] = {}
        self.used: list[str] = []
        self.answering = IGNORED
        self.timed_out = False
        self.new_results = False

    def begin(self) -> None:
        """Start the clock of a job at its first step."""
        job = self.draft.job
        if job.plan.started_ms:
            return
        deadline = self.now_ms + int(job.limits.waiting_timeout_s * 1000)
        self.draft.plan(started_ms=self.now_ms, counted_ms=self.now_ms, deadline_ms=deadline, epoch=1)
        self.draft.plan(touched_ms=self.now_ms)
        self.draft.enter("planning")
        self.seen |= dict.fromkeys(job.inputs.urls)
        if job.strategy == "phase2_only":
            self.draft.plan(finished_ms=self.now_ms)
            begin_phase2(self.draft)

    def skip_pause(self, events: Iterable[Event]) -> bool:
        """Move the deadline and the round by the time for which no process could work on the job.

        Returns:
            True if there was such a time.
        """
        plan = self.draft.job.plan
        late = pause_ms(self.draft.job, events, self.look, self.now_ms)
        if self.draft.job.state in ("synthesizing", "waiting_for_human") or not late:
            return False
        self.draft.plan(
            started_ms=plan.started_ms + (0 if plan.finished_ms else late),
            deadline_ms=plan.deadline_ms + late,
            round_until_ms=plan.round_until_ms + late if plan.round_until_ms else 0,
            epoch=plan.epoch + 1,
        )
        if is_in_phase2(self.draft.job):
            postpone(self.draft, late)
        if not is_idle(self.look):  # status says that; in the timeline it would be a line for every look
            self.draft.note(
                "resumed", f"no process worked on the job for {late / 1000:.0f} s, which do not count"
            )
        return True

    def apply_event(self, event: Event, *, paused: bool) -> None:
        """Apply one event; after a pause, timers have no effect."""
        plan = self.draft.job.plan
        in_phase2 = is_in_phase2(self.draft.job)
        if event.kind == "done":
            self._settled(event)
        elif event.kind == "answer" and self.answering.effect == "ignored":
            self.answering = take_answer(self.draft, event, [*self.found, *self.findings])
            self.seen |= dict.fromkeys(self.answering.seen)
            self.used += [event.uid] if self.answering.effect != "ignored" else []
        elif (
            event.kind == "round" and is_round_open(self.draft.job) and event.no == plan.round and not paused
        ):
            self.used.append(event.uid)
            self.timed_out = True
        elif event.kind == "deadline" and event.no == plan.epoch and not (paused or in_phase2):
            self.used.append(event.uid)
            if self.now_ms >= plan.deadline_ms:  # work that was counted since has moved it on
                self.draft.plan(forced="waiting")

    def outcome(self) -> Applied:
        """The result of all events."""
        job = self.draft.job
        following: Next
        if self.answering.effect != "ignored":
            following = "conclude" if self.answering.effect == "conclude" else "answered"
            return self._applied(following, DECIDING if following == "answered" else "")
        if job.state == "waiting_for_human":
            return self._applied("wait")
        if is_in_phase2(job):
            job = self.draft.closed()
            return Applied(job, "vendors", tuple(self.findings), tuple(self.seen), tuple(self.used))
        if is_round_open(job) and self.timed_out and job.plan.open:
            self._look_at_round()
        elif is_round_open(job) and not job.plan.open:
            close_round(self.draft)
        forced, action = "", ""
        if job.state == "synthesizing":
            following = "write"
            action = SYNTHESIZING
        elif self.draft.job.plan.forced:
            following, forced = "finish", self.draft.job.plan.forced
        elif is_round_open(self.draft.job):
            following = "wait"
        elif self.new_results:
            following, action = "score", DECIDING
        else:
            forced = forced_end(self.draft.job, self.now_ms)
            following, action = ("finish" if forced else "decide"), DECIDING
        job = self.draft.closed(action)
        return Applied(job, following, tuple(self.findings), tuple(self.seen), tuple(self.used), forced)

    def _applied(self, following: Next, action: str = "") -> Applied:
        return Applied(
            self.draft.closed(action),
            following,
            tuple(self.findings),
            tuple(self.seen),
            tuple(self.used),
            rejected=self.answering.rejected,
        )

    def _look_at_round(self) -> None:
        """Close a round that has used up its own time or the job's; else look again when that can be the case."""
        for event in given_up(self.draft.job, self.look):
            self._settled(event)
        job = self.draft.job
        running = running_ms(job, self.look, self.now_ms)
        if seconds_left(job) - running / 1000 < LEAST_LEFT_S:
            add_work(self.draft, running, self.now_ms)
            self.draft.plan(forced="timeout")
        elif not job.plan.open or spent_ms(job) + running >= job.plan.round_limit_ms:
            close_round(self.draft)
        else:
            self.draft.plan(round_until_ms=next_look_ms(job, running, self.now_ms))

    def _settled(self, event: Event) -> None:
        job = self.draft.job
        self.draft.plan(open=[c for c in job.plan.open if c != event.command])
        if apply_outcome(self.draft, event, self.catalogue):
            self.used.append(event.uid)
            self._count(event)
            return
        search = next((s for s in job.searches if s.command == event.command), None)
        visit = next((v for v in job.visits if v.command == event.command), None)
        if (search or visit) is None or (search or visit).what:  # type: ignore[union-attr]  # one of them is there
            return
        self.used.append(event.uid)
        self._count(event)
        if search:
            self._searched(search, event)
        elif visit:
            self._visited(visit, event)

    def _count(self, event: Event) -> None:
        job = self.draft.job
        self.draft.set(
            usage=job.usage + event.usage,
            downloads=job.downloads + event.downloads,
            pages_fetched=job.pages_fetched + event.pages_fetched,
        )
        add_work(self.draft, int(event.seconds * 1000), self.now_ms)

    def _searched(self, search: SearchRecord, event: Event) -> None:
        allowed = [r for r in event.results if is_host_wanted(self.draft.job, r.url)]
        allowed = [r for r in allowed if is_date_wanted(self.draft.job, r.published)]
        wanted = [r for r in allowed if is_result_wanted(self.draft.job, r)]
        if len(wanted) * 2 < len(allowed):  # then it is we who know too few names of the technology
            wanted = allowed
        if others := len(allowed) - len(wanted):
            stack = self.draft.job.inputs.stack
            self.draft.note("warning", f"{others} results about something else than {stack} were left out")
        results, new = merge_results(self.draft.job.results, wanted, search=search.n)
        self.draft.set_results(results)
        self.new_results |= any(not result.scored for result in self.draft.job.results)
        self._gain(new)
        self.seen |= dict.fromkeys(url for r in event.results if (url := canonical_url(r.url)))
        done = search.changed(
            results=len(event.results),
            what=event.what,
            reason=event.reason.cut(MAX_REASON),
            providers=event.providers,
            web_calls=event.downloads,
        )
        self.draft.replace_search(done)
        if event.what != "ok":
            self.draft.plan(searches_used=max(0, self.draft.job.plan.searches_used - 1))
            self.draft.note("warning", f"search “{search.query}”: {event.what} {event.reason}")
            assessed = with_refusals(self.draft.job.assessed, search.round, event.providers)
            self.draft.set(assessed=assessed)

    def _visited(self, visit: VisitRecord, event: Event) -> None:
        is_read = event.what == "ok"
        done = visit.changed(
            what=event.what, reason=event.reason.cut(MAX_REASON), wait_s=event.wait_s, counted=is_read
        )
        if event.page:
            done = self._read(done, event.page)
        done = done.changed(findings=self._add_findings(self._of_wanted_date(done, event.findings)))
        self.draft.replace_visit(done)
        if is_read and not visit.section:
            self.draft.plan(pages_read=self.draft.job.plan.pages_read + 1)
            return
        if is_read:
            return
        self.draft.plan(visits_used=max(0, self.draft.job.plan.visits_used - 1))
        why = f"{visit.url}: {event.what} {event.reason}"
        if visit.url in self.draft.job.inputs.urls:
            self.draft.warn(self.draft.say("named_page_unread", why=why))
        else:
            self.draft.note("warning", why)

    def _of_wanted_date(self, visit: VisitRecord, findings: Sequence[Finding]) -> Sequence[Finding]:
        """The findings of a page, unless the caller does not want pages of its date; own files are always wanted."""
        if visit.origin == "file" or is_date_wanted(self.draft.job, visit.published):
            return findings
        self.draft.note("warning", f"{visit.url}: not used, because it is dated {visit.published[:10]}")
        return []

    def _read(self, visit: VisitRecord, page: PageReading) -> VisitRecord:
        job = self.draft.job
        links = [link for link in page.links[:MAX_LINKS] if is_host_wanted(job, link.url)]
        about = f"{job.inputs.goal} {job.inputs.topic}"
        self.draft.set_results([*job.results, *link_results(job.results, links, about=about)])
        urls = [page.url, page.final_url, *(link.url for link in links)]
        self.seen |= dict.fromkeys(url for raw in urls if (url := canonical_url(raw)))
        if page.note and not job.plan.fallback:
            self.draft.plan(fallback=page.note[:MAX_REASON])
            self.draft.warn_of_fallback(page.note)
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
            if finding.id in self.known_ids or is_rejected(self.draft.job.review, finding):
                continue
            self.known_ids.add(finding.id)
            self.findings.append(finding)
            added += 1
            quote = normal_quote(finding.quote)
            new += quote not in self.known_quotes
            self.known_quotes.add(quote)
        self.draft.plan(findings=self.draft.job.plan.findings + new)
        self._gain(new)
        return added

    def _gain(self, amount: int) -> None:
        self.draft.plan(gained=self.draft.job.plan.gained + amount)
