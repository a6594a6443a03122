"""Commands of a job: their number, what they are for, and where in the frontier their page is."""

from dataclasses import dataclass
from typing import Literal

from planner.job.limits import (
    seconds_left,
)
from research_crawler.core.models.commands import DAY_S, Command, Purpose, SearchSpec
from research_crawler.core.models.jobs import Job
from research_crawler.core.urls import target_of

NEWS_MAX_AGE_S = 3_600
MAX_PURPOSE_CONTEXT = 2_000
"""Every command carries the purpose; the whole context would be stored once per page."""
ALONE, IN_A_BATCH = 5, 7
"""Priorities: who waits for an answer comes first."""


Problem = Literal["", "not_allowed", "repeated", "nothing_usable"]


def make_command(job: Job, number: int, *, url: str = "", **fields: object) -> Command:
    """The command of a job that has this number, in the job's next round.

    Args:
        url: of the page that it is about; "" for a search.
        fields: those of `Command` that are not the same for every command; they outweigh what is set here.
    """
    shared: dict[str, object] = {
        "round": job.plan.round + 1,
        "purpose": purpose_of(job),
        "priority": IN_A_BATCH if job.inputs.batch else ALONE,
        "batch": job.inputs.batch,
    }
    if url:
        page = target_of(url)
        shared |= {"url": page.url, "slot": page.slot, "h": page.h, "asked": page.url, "asked_h": page.h}
    return Command(id=f"{job.id}:{number}", job=job.id, **{**shared, **fields})


def search_command(job: Job, number: int, spec: SearchSpec) -> Command:
    """A web search of phase 1."""
    return make_command(job, number, kind="search", spider="search", search=spec)


def visit_command(job: Job, number: int, url: str, now_ms: int) -> Command:
    """A page that phase 1 reads; its host has to have time for it before the job has none."""
    return make_command(
        job,
        number,
        url=url,
        kind="visit",
        spider="page",
        max_age_s=NEWS_MAX_AGE_S if job.inputs.type == "news" else DAY_S,
        max_wait_ms=int(seconds_left(job, now_ms) * 1000),
    )


def purpose_of(job: Job) -> Purpose:
    """What the readers of this job's pages need to know."""
    inputs = job.inputs
    return Purpose(
        goal=inputs.goal,
        task=inputs.task,
        context=inputs.context[-MAX_PURPOSE_CONTEXT:],
        intent=inputs.intent,
        language=inputs.language,
        topic=inputs.topic,
    )


@dataclass(frozen=True)
class Planned:
    """What a decision comes to.

    With a `problem` nothing was dispatched and the decision counts as a failed answer.
    """

    job: Job
    commands: tuple[Command, ...] = ()
    problem: Problem = ""
