"""What a person sees of a job at one moment: its sub-questions, its pages, what becomes of each, its best findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from planner.job.outcome import why_partly
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.outline import Section
from research_crawler.core.models.jobs.records import SearchRecord, VisitRecord
from research_crawler.core.models.jobs.status import JobStatus
from research_crawler.core.models.reasons import Reason
from research_crawler.core.web.urls import host_of
from research_crawler.frontier.command_locations import CommandLocation
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import job_and_findings, report_of
from research_crawler.services.jobs.job_status import current_status_of
from research_crawler.services.jobs.research_spend import Spending

BEST_FINDINGS: Final = 8
"""Most findings that the view of a job shows."""
MOST_CARDS: Final = 60
"""Pages that are shown: a job of the deepest kind visits 40, and a page of 200 cards is no longer looked at."""
_CLAIM_LETTERS: Final = 300
"""Longest claim that the view of a job shows."""

PageState = Literal["queued", "node", "person", "reading", "found", "nothing", "refused", "failed"]
"""queued: it waits for its host; node: for a crawler; person: for somebody who opens its host; found, nothing: it was
read; refused: it must not be read; failed: it could not."""


@dataclass(frozen=True)
class PageCard:
    """A page of a job."""

    n: int
    url: str
    host: str
    title: str
    state: PageState
    findings: int = 0
    reason: str = ""
    """Why it gave nothing: a `Reason`, or a text of another program."""
    wait_s: float = 0.0
    """Queued: until its host is free; 0: it waits for downloads under way, and any of them may end at any moment."""
    before: int = 0
    """Queued: how many pages come before it."""


@dataclass(frozen=True)
class JobView:
    """A job at one moment."""

    job: Job
    status: JobStatus
    sections: list[Section]
    searches: list[SearchRecord]
    pages: list[PageCard]
    """Those under way first, then the newest."""
    more_pages: int
    findings: list[Finding]
    """The best first, one of each page."""
    spending: Spending
    values: Mapping[str, ColumnValue]
    """The values that were found, by the ids of the sub-questions that ask for them."""
    why_partly: str
    """Why it is answered in part only; "" if it is not."""

    @property
    def has_only_shops(self) -> bool:
        """Whether the job has ended and fetched pages of shops alone: their offers are no findings."""
        return self.is_over and self.job.pages_fetched > 0 and not self.job.plan.pages_read

    @property
    def is_over(self) -> bool:
        """Whether the job is over."""
        return self.job.state in FINAL_STATES


async def view_of_job(runtime: Runtime, job_id: str, status: JobStatus | None = None) -> JobView:
    """A job as it is now; `status`: what was looked up already.

    Raises:
        UnknownJob: neither Redis nor the archive has it.
    """
    job, found = await job_and_findings(runtime, job_id)
    locations = [] if job.state in FINAL_STATES else await runtime.container.frontier.locations(job.id)
    cards = cards_of(job.visits, locations)
    report = await report_of(runtime, job.id) if job.state in FINAL_STATES and job.inputs.columns else None
    return JobView(
        job=job,
        status=status or await current_status_of(runtime, job),
        sections=job.outline.sections,
        searches=job.searches,
        pages=cards[:MOST_CARDS],
        more_pages=max(0, len(cards) - MOST_CARDS),
        findings=best_of(own_findings(job, found)),
        values=values_by_question(job, report.values) if report else {},
        why_partly=partly_words(job),
        spending=Spending(
            tokens=job.usage.prompt_tokens + job.usage.completion_tokens,
            usd=job.usage.usd,
            max_tokens=job.limits.max_tokens,
            max_usd=job.limits.max_usd,
        ),
    )


def values_by_question(job: Job, values: Sequence[ColumnValue]) -> dict[str, ColumnValue]:
    """The values of a job's columns that were found, by the ids of the sub-questions that ask for them. Pure.

    The sub-questions are the columns in their order, unless the caller gave others.
    """
    if job.inputs.outline:
        return {}
    found = {value.name: value for value in values if value.value is not None}
    asked = zip(job.outline.leaves, job.inputs.columns, strict=False)
    return {leaf.id: found[column.name] for leaf, column in asked if column.name in found}


def cards_of(visits: Sequence[VisitRecord], locations: Sequence[CommandLocation]) -> list[PageCard]:
    """The pages of a job with what becomes of each. Pure."""
    by_command = {location.command: location for location in locations}
    cards = [_card(visit, by_command) for visit in visits]
    return sorted(cards, key=lambda card: (card.state not in _UNDER_WAY, -card.n))


_UNDER_WAY: Final = ("reading", "queued", "node", "person")


def _card(visit: VisitRecord, locations: Mapping[str, CommandLocation]) -> PageCard:
    location = locations.get(visit.command)
    state = _state_of(visit, location)
    return PageCard(
        n=visit.n,
        url=visit.final_url or visit.url,
        host=host_of(visit.final_url or visit.url) or visit.url,
        title=visit.title,
        state=state,
        findings=visit.findings,
        reason=str(visit.reason.kind or "") if visit.reason.kind != Reason.OTHER else visit.reason.text,
        wait_s=location.free_in_ms / 1000 if location and state == "queued" and not location.is_full else 0.0,
        before=location.before if location and state == "queued" else 0,
    )


def _state_of(visit: VisitRecord, location: CommandLocation | None) -> PageState:
    if visit.outcome == "ok":
        return "found" if visit.findings else "nothing"
    if visit.outcome:
        return "refused" if visit.outcome == "refused" else "failed"
    if location is None or location.leased:
        return "reading"
    if location.queue == "person":
        return "person"
    return "node" if location.slot == "_" else "queued"


def partly_words(job: Job) -> str:
    """Why a job is answered in part only, for a page to say in its language; "" if it is not."""
    return why_partly(job)


def own_findings(job: Job, found: Sequence[Finding]) -> Sequence[Finding]:
    """The findings of a job; of a follow-up those that its sub-questions rest on, as the others were found for the
    question before, and their scores are by that one. Pure.
    """
    if not job.inputs.about_job:
        return found
    cited = {piece for leaf in job.outline.leaves for piece in leaf.evidence}
    return [one for one in found if one.id in cited] or found


def best_of(findings: Sequence[Finding]) -> list[Finding]:
    """The best findings, one of each page, so that one page does not fill the list. Pure."""
    first: dict[str, Finding] = {}
    for finding in sorted(findings, key=lambda finding: -finding.score):
        first.setdefault(finding.url, finding)
    return [one.changed(claim=_cut(one.claim)) for one in list(first.values())[:BEST_FINDINGS]]


def _cut(claim: str) -> str:
    """A claim at a length that a list can show, cut between words."""
    if len(claim) <= _CLAIM_LETTERS:
        return claim
    return claim[:_CLAIM_LETTERS].rpartition(" ")[0].rstrip() + " …"
