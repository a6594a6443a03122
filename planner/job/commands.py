"""Make the commands of a job: searches and visits of pages."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from planner.goal.goal_subject import asked_of
from planner.job.clock import HOST_AWAY_S, waiting_left_s
from planner.outline.making import leaf_texts
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.planning_state import StoredSource
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import (
    STORED_PAGE_MAX_AGE_S,
    Command,
    JobContext,
    SearchCommand,
    SearchSpec,
    SectionCommand,
    SectionSpec,
    VisitCommand,
)
from research_crawler.core.web.urls import frontier_target

NEWS_PAGE_MAX_AGE_S = 3_600
"""News takes a stored page only if it is no older than this; other research up to `STORED_PAGE_MAX_AGE_S`."""
MAX_CONTEXT_CHARS = 2_000
"""Most characters of the context in a command. Every command has its job context, so all of it would be stored once per
page."""
MAX_CONTEXT_QUESTIONS = 8
"""Most open sub-questions that go with a command, for the reader of the page."""
MOST_KNOWN, KNOWN_CHARS = 6, 200
"""Most findings of earlier pages that a reader is told, and characters of each: what a second page builds on is among
the first findings of the first."""
JOB_PRIORITY, BATCH_PRIORITY = 5, 7
"""Priorities of commands: a job that a user waits for comes before one of a batch."""

Problem = Literal["", "not_allowed", "repeated", "nothing_usable"]


@dataclass(frozen=True)
class RoundPlan:
    """The commands that follow from a decision, and the job with them.

    If there is a `problem`, there are no commands and the decision counts as a failed answer.
    """

    job: Job
    commands: tuple[Command, ...] = ()
    problem: Problem = ""


class SharedFields(TypedDict):
    """The fields that all commands of a job have."""

    id: str
    job: str
    round: int
    job_context: JobContext
    priority: int
    batch: bool
    batch_id: str


class PageFields(TypedDict):
    """The fields of a command whose page is fetched."""

    url: str
    slot: str
    page_key: str
    requested_url: str
    requested_page_key: str
    asks_person: bool


def shared_fields(
    job: Job,
    number: int,
    *,
    round: int | None = None,
    priority: int | None = None,
    job_context: JobContext | None = None,
) -> SharedFields:
    """The fields of a command of a job, with this number.

    Args:
        round: the round that it belongs to; None: the job's next one.
        priority: None: the one that the job's commands have.
        job_context: None: what is known of the job.
    """
    usual = BATCH_PRIORITY if job.inputs.batch else JOB_PRIORITY
    return SharedFields(
        id=f"{job.id}:{number}",
        job=job.id,
        round=job.plan.round + 1 if round is None else round,
        job_context=job_context or job_context_of(job),
        priority=usual if priority is None else priority,
        batch=job.inputs.batch,
        batch_id=job.inputs.batch_id,
    )


def page_fields(job: Job, url: str) -> PageFields:
    """The fields of a command of a job that fetches this page."""
    page = frontier_target(url)
    ask = job.inputs.blocker_policy == "ask"
    return PageFields(
        url=page.url,
        slot=page.slot,
        page_key=page.page_key,
        requested_url=page.url,
        requested_page_key=page.page_key,
        asks_person=ask,
    )


def search_command(job: Job, number: int, spec: SearchSpec, *, round: int | None = None) -> SearchCommand:
    """The command for a web search."""
    return SearchCommand(**shared_fields(job, number, round=round), search=spec)


def visit_command(job: Job, number: int, url: str, now_ms: int) -> VisitCommand:
    """The command to read a page in phase 1; it ends as busy if its host gives no permit for a long time."""
    job_context = job_context_of(job).changed(query=_query_for(job, url))
    return VisitCommand(
        **shared_fields(job, number, job_context=job_context),
        **page_fields(job, url),
        retries_unreachable=url in job.inputs.urls,
        max_age_s=NEWS_PAGE_MAX_AGE_S if job.inputs.type == "news" else STORED_PAGE_MAX_AGE_S,
        max_wait_ms=longest_wait_ms(job, now_ms),
    )


def _query_for(job: Job, url: str) -> str:
    """The search that found a page, and the searches that begin in the same round: they say what is looked for."""
    number = next((result.search for result in job.results if result.url == url), 0)
    asked = [search for search in job.searches if search.n == number or search.round > job.plan.round]
    return " ".join(search.query for search in asked)


def longest_wait_ms(job: Job, now_ms: int) -> int:
    """How long a command of the job may wait for its host, in ms."""
    return int(min(HOST_AWAY_S, waiting_left_s(job, now_ms)) * 1000)


def section_command(job: Job, number: int, visit: VisitRecord, heading: str) -> SectionCommand:
    """The command to read a section of a page that a visit has stored; it waits for no host and fetches nothing."""
    url, spec = visit.final_url or visit.url, SectionSpec(sha=visit.sha, heading=heading)
    return _stored_command(job, number, url, spec)


def stored_command(job: Job, number: int, source: StoredSource) -> SectionCommand:
    """The command to read a page of the archive for the job's question; it waits for no host and fetches nothing."""
    return _stored_command(job, number, source.url, SectionSpec(sha=source.sha, heading=""))


def _stored_command(job: Job, number: int, url: str, spec: SectionSpec) -> SectionCommand:
    page = frontier_target(url)
    return SectionCommand(
        **shared_fields(job, number),
        url=url,
        requested_url=page.url,
        requested_page_key=page.page_key,
        section=spec,
    )


def job_context_of(job: Job) -> JobContext:
    """What the code that reads this job's pages needs to know about the job."""
    inputs = job.inputs
    return JobContext(
        goal=asked_of(inputs),
        task=inputs.task,
        context=inputs.context[-MAX_CONTEXT_CHARS:],
        intent=inputs.intent,
        language=inputs.language,
        topic=inputs.topic,
        sub_questions=_asked_beside_goal(job),
        model=job.model,
    )


def telling_known(job: Job, commands: Sequence[Command], findings: Sequence[Finding]) -> tuple[Command, ...]:
    """Commands to read pages, which tell what other pages have said: a question may be answered by two together.

    Nothing is told where that decides nothing: thorough research, news and offers go on to a decision in any case.
    """
    inputs = job.inputs
    wants_more = inputs.depth == "deep" or job.limits.quality.is_thorough or inputs.type == "news"
    known = [] if wants_more or inputs.intent != "informational" else known_from(findings)
    return tuple(
        command.changed(job_context=command.job_context.changed(known=known))
        if known and command.job_context and isinstance(command, VisitCommand | SectionCommand)
        else command
        for command in commands
    )


def known_from(findings: Sequence[Finding]) -> list[str]:
    """The first finding of each page that was read, then the second ones; those of the last page first."""
    counts, pages = Counter[str](), dict[str, int]()
    ranked = []
    for finding in findings:
        if not finding.is_snippet:
            page = pages.setdefault(finding.url, len(pages))
            ranked.append((counts[finding.url], -page, " ".join(finding.claim.split())[:KNOWN_CHARS]))
            counts[finding.url] += 1
    return list(dict.fromkeys(claim for *_, claim in sorted(ranked, key=lambda one: one[:2])))[:MOST_KNOWN]


def _asked_beside_goal(job: Job) -> list[str]:
    """The unanswered sub-questions that a caller or a model has written, else a follow-up question in its own words.

    Other sub-questions are parts of the goal.
    """
    if job.outline.by not in ("user", "model"):
        return [job.inputs.goal] if job.inputs.about_job and asked_of(job.inputs) != job.inputs.goal else []
    return leaf_texts(job.outline.unanswered[:MAX_CONTEXT_QUESTIONS])
