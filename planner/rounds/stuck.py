"""Decide when a job is stuck in a loop, and what the next step out of it is."""

import re
import unicodedata
from typing import Literal

from planner.job.limits import allowed_actions
from planner.text.messages import ENGLISH_MESSAGES, Messages
from research_crawler.core.models.jobs import Job

BARREN_ROUNDS = 2
"""A job is stuck after this many rounds in a row without a new finding."""

WayOut = Literal["different_query", "last_resort"]

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


def way_out(job: Job) -> WayOut:
    """The next step out of the loop: once a different query, if a search is left; then the last resort."""
    if job.plan.stuck_step == 0 and "search" in allowed_actions(job):
        return "different_query"
    return "last_resort"
