"""Decide when a job is stuck in a loop, and what the next step out of it is."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, Literal

from planner.job.limits import (
    allowed_actions,
    candidates,
    is_host_wanted,
    is_open_for_visit,
    visits_left,
)
from planner.text.messages import ENGLISH_MESSAGES, Messages
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job

BARREN_ROUNDS = 2
"""A job is stuck after this many rounds in a row without a new finding."""

WayOut = Literal["different_query", "narrower_question", "unused_lead", "ask_human", "last_resort"]

LADDER: Final[tuple[WayOut, ...]] = ("different_query", "narrower_question", "unused_lead", "ask_human")
"""The ways out of a loop, each taken once and in this order; `Plan.stuck_step` counts those that were tried or passed
over. After them comes the last resort: done, with a warning."""
WAYS: Final[dict[WayOut, str]] = {
    "different_query": "a markedly different query",
    "narrower_question": "a narrower sub-question",
    "unused_lead": "an unused lead",
    "ask_human": "a person",
}
LEAST_LEAD: Final = 0.25
"""Least score of a result that counts as a lead: below it results are about something else."""

_NOT_WORD = re.compile(r"[\W_]+")


def normal_query(query: str) -> str:
    """A query without case, punctuation and Unicode variants; two queries are the same if these are equal."""
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", query).casefold()).strip()


def is_searched(job: Job, query: str) -> bool:
    """Whether the job has used this query before."""
    normal = normal_query(query)
    return any(normal_query(search.query) == normal for search in job.searches)


def stuck_because(job: Job, say: Messages = ENGLISH_MESSAGES) -> str:
    """Why the job is stuck in a loop; "" if it is not."""
    if job.plan.repeats:
        return say("chosen_twice")
    if job.plan.barren_rounds >= BARREN_ROUNDS:
        return say("barren_rounds", n=job.plan.barren_rounds)
    return ""


def way_out(job: Job, findings: Sequence[Finding] = ()) -> WayOut:
    """The next step out of the loop: the first on the ladder that was not tried and is possible."""
    allowed = allowed_actions(job)
    possible: dict[WayOut, bool] = {
        "different_query": "search" in allowed,
        "narrower_question": "search" in allowed and bool(narrower_query(job)),
        "unused_lead": visits_left(job) > 0 and bool(unused_lead(job, findings)),
        "ask_human": "ask_human" in allowed,
    }
    return next((step for step in LADDER[job.plan.stuck_step :] if possible[step]), "last_resort")


def steps_tried(step: WayOut) -> int:
    """What `Plan.stuck_step` is after this step of the ladder."""
    return LADDER.index(step) + 1


def narrower_query(job: Job) -> str:
    """A query for one open sub-question that was not searched yet, the least searched first; "" if there is none."""
    leaves = sorted(job.outline.unanswered, key=lambda leaf: leaf.searches)
    if len(job.outline.leaves) < 2:  # a single one is the whole question
        return ""
    queries = (query for leaf in leaves for query in (leaf.query, leaf.question) if query)
    return next((query for query in queries if not is_searched(job, query)), "")


def unused_lead(job: Job, findings: Sequence[Finding]) -> str:
    """A page that was never visited: one that earlier jobs learned from, else the best result that is left."""
    remembered = [f.url for f in findings if not f.command.startswith(f"{job.id}:") and f.url]
    results = [r.url for r in candidates(job) if r.score >= LEAST_LEAD and r.priority != "skip"]
    wanted = (url for url in dict.fromkeys([*remembered, *results]) if is_host_wanted(job, url))
    return next((url for url in wanted if is_open_for_visit(job, url)), "")
