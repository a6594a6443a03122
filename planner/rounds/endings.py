"""End phase 1: by a decision, or without one, or once what is in flight is there. Pure."""

from collections.abc import Sequence

from planner.job.clock import next_look_ms, seconds_left, spent_ms
from planner.job.completeness import as_said, unmet
from planner.job.draft import Draft
from planner.job.limits import forced_line, in_flight
from planner.job.progress import DECIDING, SYNTHESIZING, reading, searching
from planner.reviews.questions import ask_for_help, ask_for_plan, difficulty_of, wants_plan_approved
from planner.rounds.stuck import stuck_because
from planner.rounds.ways_out import doubt_at_end
from research_crawler.core.models.decisions import Decision
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.phase2 import Phase2
from research_crawler.core.web.urls import host_of

MAX_DONE_REASON = 400
MAX_MISSING, MAX_MISSING_LINE = 8, 100
ENDS_AT_ONCE = frozenset({"timeout", "waiting", "targets", "accepted"})
"""Forced ends that do not wait for commands in flight: there is no time left, or nothing is missing."""


def finish(job: Job, forced: str, *, now_ms: int, findings: Sequence[Finding]) -> Job:
    """End phase 1 without a decision of the planner; `forced` is one of FORCED.

    While pages of earlier rounds are in flight and time is left, the job waits for them instead.
    """
    draft = Draft(job, now_ms)
    if forced not in ENDS_AT_ONCE and in_flight(job):
        return await_the_rest(draft)
    if forced == "nothing left":
        left = doubt_at_end(draft.job, now_ms)
        if left.step == "ask_human":
            return ask_for_help(left.job, "", difficulty_of(left.job, left.reason), now_ms)
        draft.job = left.job
    draft.plan(forced=forced, missing=_lacking(draft, (), findings), last_resort=forced == "stuck")
    draft.note("forced", forced_line(forced))
    if forced == "stuck":
        draft.warn(draft.say("got_stuck", why=stuck_because(job, draft.say) or draft.say("no_progress")))
    return _closed_phase(draft)


def end_by_decision(draft: Draft, decision: Decision, findings: Sequence[Finding], by: str) -> Job:
    """End phase 1 because the planner is done, with its reason and what was not found."""
    draft.plan(
        done_reason=" ".join(decision.reason.split())[:MAX_DONE_REASON],
        missing=_lacking(draft, decision.missing, findings),
    )
    draft.note("done", decision.reason or "enough to answer", by)
    return _closed_phase(draft)


def begin_with_vendors(draft: Draft) -> None:
    """Start phase 2 of a job that needs no phase 1, once a person has seen the plan who wants to."""
    if not _asks_before_vendors(draft):
        draft.plan(finished_ms=draft.now_ms)
        begin_phase2(draft)


def await_the_rest(draft: Draft) -> Job:
    """Open a round without new commands, for those of earlier rounds that are still in flight."""
    limit_ms = spent_ms(draft.job) + int(seconds_left(draft.job) * 1000)
    draft.plan(round=draft.job.plan.round + 1, open=in_flight(draft.job), round_limit_ms=limit_ms)
    draft.plan(round_until_ms=next_look_ms(draft.job, 0, draft.now_ms))
    hosts = dict.fromkeys(host_of(visit.url) for visit in draft.job.visits if not visit.what)
    queries = [search.query for search in draft.job.searches if not search.what]
    return draft.closed(reading(list(hosts)) if hosts else searching(queries))


def begin_phase2(draft: Draft) -> None:
    """Start phase 2, with a time limit of its own, after phase 1 or instead of it."""
    job = draft.job
    deadline_ms = draft.now_ms + int(job.limits.waiting_timeout_s * 1000)
    vendors_ms = job.plan.begun.vendors_ms  # the time for vendors is that of all rounds of a review
    draft.set(phase2=Phase2(started_ms=draft.now_ms, spent_ms=vendors_ms))
    draft.plan(open=[], round_until_ms=0, counted_ms=draft.now_ms)
    draft.plan(deadline_ms=deadline_ms, epoch=job.plan.epoch + 1)
    draft.enter("executing")


def _lacking(draft: Draft, named: Sequence[str], findings: Sequence[Finding]) -> list[str]:
    """What the job did not find: the unanswered leaves of its outline, and what an offer needs.

    What the brain names counts only where there is no outline: it may name what was answered.
    """
    outline = draft.job.outline
    asked = list(named)
    if outline.leaves:
        # A single question is the goal itself: the report says whether it is answered.
        is_goal = len(outline.leaves) == 1 and not outline.is_given and draft.job.inputs.intent != "commerce"
        asked = [] if is_goal else [leaf.question.rstrip("?") for leaf in outline.unanswered]
    lacking = as_said([*asked, *unmet(draft.job, findings)], draft.say)
    return list(dict.fromkeys(" ".join(item.split())[:MAX_MISSING_LINE] for item in lacking))[:MAX_MISSING]


def _closed_phase(draft: Draft) -> Job:
    missing = draft.job.plan.missing
    if missing:
        draft.warn(draft.say("not_found_items", items="; ".join(missing)))
    if draft.job.strategy != "phase1_only" and _asks_before_vendors(draft):
        return draft.job
    draft.plan(open=[], round_until_ms=0, finished_ms=draft.now_ms)
    if draft.job.strategy == "phase1_only":
        draft.enter("synthesizing")
        return draft.closed(SYNTHESIZING)
    begin_phase2(draft)
    return draft.closed(DECIDING)


def _asks_before_vendors(draft: Draft) -> bool:
    """Let the job wait for a person before vendors are asked, if its plan was not approved; True if it waits now."""
    if not wants_plan_approved(draft.job):
        return False
    why = f"{draft.job.strategy_reason}; vendors are asked next"
    draft.job = ask_for_plan(draft.job, Decision(action="done", reason=why), draft.now_ms)
    return True
