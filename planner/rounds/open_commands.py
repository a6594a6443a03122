"""What a step learns from a look at a job's open commands: pauses, and hosts that are away. Pure."""

from collections.abc import Iterable

from planner.job.allowances import is_round_open
from planner.job.clock import HOST_AWAY_S, is_host_away, is_idle
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.events import CommandDone, Event, JobResumed
from research_crawler.core.models.messages.in_flight import InFlightSnapshot
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why

PAUSE_MS = 15_000
"""Timers are delivered within a second or two. A later step means that no process worked on the job meanwhile."""


def pause_ms(job: Job, events: Iterable[Event], snapshot: InFlightSnapshot, now_ms: int) -> int:
    """The time before this step in which no process could work on the job: no planner or no crawler ran."""
    plan = job.plan
    due_ms = min(plan.round_until_ms, plan.deadline_ms) if is_round_open(job) else plan.touched_ms
    late_ms = now_ms - due_ms if now_ms - due_ms > PAUSE_MS else 0
    if is_idle(snapshot) or any(isinstance(event, JobResumed) for event in events):
        late_ms = max(late_ms, now_ms - plan.touched_ms)
    return max(0, late_ms)


def given_up(job: Job, snapshot: InFlightSnapshot) -> list[CommandDone]:
    """The ends of visits whose hosts give no permit for a long time, as the frontier ends them when they are queued."""
    away_s = {one.command: one.free_in_ms / 1000 for one in snapshot.commands if is_host_away(one)}
    why = Why(Reason.HOST_BUSY, f"for more than {HOST_AWAY_S:.0f} s")
    return [
        CommandDone(uid=id_, command=id_, what="busy", reason=why, wait_s=away_s[id_])
        for id_ in (visit.command for visit in job.visits if not visit.what)
        if id_ in away_s
    ]


def asked_of_person(job: Job, snapshot: InFlightSnapshot) -> list[VisitRecord]:
    """The visits of the open round for which a person is asked; in a round that only awaits pages there are none."""
    waiting = {one.command for one in snapshot.commands if one.asks_person}
    return [
        visit
        for visit in job.visits
        if visit.command in waiting and visit.round == job.plan.round and visit.command in job.plan.open
    ]
