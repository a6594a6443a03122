"""Loops: when a job is stuck, and which way out comes next (row 1.10)."""

import re
import unicodedata
from typing import Literal

from planner.job.limits import allowed_actions
from research_crawler.core.models.jobs import Job

BARREN_ROUNDS = 2
"""So many rounds without a finding in a row are a loop."""

WayOut = Literal["different_query", "last_resort"]

_NOT_WORD = re.compile(r"[\W_]+")


def normal_query(query: str) -> str:
    """What makes two queries the same: words in order, without case, accents' encoding and punctuation."""
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", query).casefold()).strip()


def is_asked(job: Job, query: str) -> bool:
    """Whether the job has made this query before."""
    wanted = normal_query(query)
    return any(normal_query(search.query) == wanted for search in job.searches)


def stuck_because(job: Job) -> str:
    """Why the job is in a loop, or an empty string."""
    if job.plan.repeats:
        return "the same query or page was asked for twice"
    if job.plan.barren_rounds >= BARREN_ROUNDS:
        return f"{job.plan.barren_rounds} rounds in a row brought no new finding"
    return ""


def way_out(job: Job) -> WayOut:
    """The next step of the ladder; each is taken once. Without a search left the first cannot be taken."""
    if job.plan.stuck_step == 0 and "search" in allowed_actions(job):
        return "different_query"
    return "last_resort"
