"""Make the commands of a job: searches and visits of pages."""

from dataclasses import dataclass
from typing import Literal

from planner.goal.goal_subject import asked_of
from planner.job.clock import HOST_AWAY_S, waiting_left_s
from planner.outline.making import leaf_texts
from research_crawler.core.models.commands import (
    DAY_S,
    NO_SLOT,
    Command,
    Purpose,
    SearchSpec,
    SectionSpec,
)
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.plan import StoredSource
from research_crawler.core.models.records import VisitRecord
from research_crawler.core.web.urls import target_of

NEWS_MAX_AGE_S = 3_600
MAX_PURPOSE_CONTEXT = 2_000
"""Most characters of the context in a command. Every command has its purpose, so all of it would be stored once per
page."""
MAX_PURPOSE_QUESTIONS = 8
JOB_PRIORITY, BATCH_PRIORITY = 5, 7
"""Priorities of commands: a job that a user waits for comes before one of a batch."""

Problem = Literal["", "not_allowed", "repeated", "nothing_usable"]


@dataclass(frozen=True)
class Planned:
    """The commands that follow from a decision, and the job with them.

    If there is a `problem`, there are no commands and the decision counts as a failed answer.
    """

    job: Job
    commands: tuple[Command, ...] = ()
    problem: Problem = ""


def make_command(job: Job, number: int, *, url: str = "", **fields: object) -> Command:
    """A command of a job, with this number, in the job's next round.

    Args:
        url: the page that it is about; "" for a search.
        fields: further fields of `Command`; they override those that are set here.
    """
    shared: dict[str, object] = {
        "round": job.plan.round + 1,
        "purpose": purpose_of(job),
        "priority": BATCH_PRIORITY if job.inputs.batch else JOB_PRIORITY,
        "batch": job.inputs.batch,
        "batch_id": job.inputs.batch_id,
        "ask": job.inputs.blocker_policy == "ask",
    }
    if url:
        page = target_of(url)
        shared |= {"url": page.url, "slot": page.slot, "h": page.h, "asked": page.url, "asked_h": page.h}
    return Command(id=f"{job.id}:{number}", job=job.id, **{**shared, **fields})


def search_command(job: Job, number: int, spec: SearchSpec) -> Command:
    """The command for a web search of phase 1."""
    return make_command(job, number, kind="search", spider="search", search=spec)


def visit_command(job: Job, number: int, url: str, now_ms: int) -> Command:
    """The command to read a page in phase 1; it ends as busy if its host gives no permit for a long time."""
    return make_command(
        job,
        number,
        url=url,
        kind="visit",
        spider="page",
        insists=url in job.inputs.urls,
        max_age_s=NEWS_MAX_AGE_S if job.inputs.type == "news" else DAY_S,
        max_wait_ms=int(min(HOST_AWAY_S, waiting_left_s(job, now_ms)) * 1000),
    )


def section_command(job: Job, number: int, visit: VisitRecord, heading: str) -> Command:
    """The command to read a section of a page that a visit has stored; it waits for no host and fetches nothing."""
    return make_command(
        job,
        number,
        kind="section",
        spider="page",
        url=visit.final_url or visit.url,
        slot=NO_SLOT,
        h="",
        section=SectionSpec(sha=visit.sha, heading=heading),
    )


def stored_command(job: Job, number: int, source: StoredSource) -> Command:
    """The command to read a page of the archive for the job's question; it waits for no host and fetches nothing."""
    return make_command(
        job,
        number,
        kind="section",
        spider="page",
        url=source.url,
        slot=NO_SLOT,
        h="",
        section=SectionSpec(sha=source.sha, heading=""),
    )


def purpose_of(job: Job) -> Purpose:
    """What the code that reads this job's pages needs to know about the job."""
    inputs = job.inputs
    return Purpose(
        goal=asked_of(inputs),
        task=inputs.task,
        context=inputs.context[-MAX_PURPOSE_CONTEXT:],
        intent=inputs.intent,
        language=inputs.language,
        topic=inputs.topic,
        questions=_asked_beside_goal(job),
    )


def _asked_beside_goal(job: Job) -> list[str]:
    """The unanswered sub-questions that a caller or a model has written; others are parts of the goal."""
    if job.outline.by not in ("user", "model"):
        return []
    return leaf_texts(job.outline.unanswered[:MAX_PURPOSE_QUESTIONS])
