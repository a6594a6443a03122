"""Say when a job is stuck in a loop, and which strategy of recovery comes next."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from planner.job.allowances import (
    ForcedEnd,
    allowed_actions,
    candidates,
    is_host_wanted,
    is_open_for_visit,
    visits_left,
)
from planner.quality.attempts import best_attempt
from planner.quality.quality_policy import is_enough
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.text.questions.query_words import normal_query
from research_crawler.text.writing.messages import ENGLISH_MESSAGES, Messages

BARREN_ROUNDS = 2
"""A job is stuck after this many rounds in a row without a new finding."""


class RecoveryStrategy(StrEnum):
    """How a job that gets no further recovers; brains are shown the value."""

    DIFFERENT_QUERY = "different_query"
    NARROWER_QUESTION = "narrower_question"
    UNUSED_LEAD = "unused_lead"
    ASK_PERSON = "ask_human"
    LAST_RESORT = "last_resort"
    """The research ends, with a warning."""


RECOVERY_ORDER: Final = (
    RecoveryStrategy.DIFFERENT_QUERY,
    RecoveryStrategy.NARROWER_QUESTION,
    RecoveryStrategy.UNUSED_LEAD,
    RecoveryStrategy.ASK_PERSON,
)
"""The strategies that are each taken once and in this order; `PlanningState.recovery_step` counts those that were
tried or passed over. After them comes the last resort."""
STRATEGY_WORDS: Final = {
    RecoveryStrategy.DIFFERENT_QUERY: "a markedly different query",
    RecoveryStrategy.NARROWER_QUESTION: "a narrower sub-question",
    RecoveryStrategy.UNUSED_LEAD: "an unused lead",
    RecoveryStrategy.ASK_PERSON: "a person",
}
LEAST_LEAD: Final = 0.25
"""Least score of a result that counts as a lead: below it results are about something else."""


def is_searched(job: Job, query: str) -> bool:
    """Whether the job has used this query before."""
    normal = normal_query(query)
    return any(normal_query(search.query) == normal for search in job.searches)


def stuck_because(job: Job, translate: Messages = ENGLISH_MESSAGES) -> str:
    """Why the job is stuck in a loop; "" if it is not."""
    if job.plan.repeats:
        return translate("chosen_twice")
    if job.plan.barren_rounds >= BARREN_ROUNDS:
        return translate("barren_rounds", n=job.plan.barren_rounds)
    return ""


def next_strategy(job: Job, findings: Sequence[Finding] = ()) -> RecoveryStrategy:
    """The next strategy: the first in the order that was not tried and is possible."""
    allowed = allowed_actions(job)
    possible = {
        RecoveryStrategy.DIFFERENT_QUERY: "search" in allowed,
        RecoveryStrategy.NARROWER_QUESTION: "search" in allowed and bool(narrower_query(job)),
        RecoveryStrategy.UNUSED_LEAD: visits_left(job) > 0 and bool(unused_lead(job, findings)),
        RecoveryStrategy.ASK_PERSON: "ask_human" in allowed,
    }
    return next(
        (strategy for strategy in RECOVERY_ORDER[job.plan.recovery_step :] if possible[strategy]),
        RecoveryStrategy.LAST_RESORT,
    )


def step_after(strategy: RecoveryStrategy) -> int:
    """What `PlanningState.recovery_step` is after this strategy."""
    return RECOVERY_ORDER.index(strategy) + 1


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


def end_of_loop(job: Job) -> ForcedEnd:
    """Why a job ends that only repeats itself: what it has is enough, or it is stuck."""
    best = best_attempt(job.assessed.attempts)
    has_enough = best is not None and is_enough(best.evaluation, job.limits.quality)
    return ForcedEnd.NOTHING_LEFT if has_enough else ForcedEnd.STUCK
