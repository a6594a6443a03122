"""Rounds: a decision becomes commands, and a round ends."""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from planner.job.commands import search_command, visit_command
from planner.job.draft import Record
from planner.job.limits import (
    LEAST_LEFT_S,
    ROUND_S,
    is_host_wanted,
    is_open_for_visit,
    searches_left,
    seconds_left,
    visits_left,
)
from planner.job.progress import SYNTHESIZING, reading, searching
from planner.rounds.completeness import unmet
from planner.rounds.stuck import is_asked, normal_query, stuck_because
from research_crawler.core.models.commands import Command, SearchSpec
from research_crawler.core.models.decisions import Action, Decision
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import FINAL_STATES, Job, SearchRecord, VisitRecord
from research_crawler.core.models.phase2 import Phase2
from research_crawler.core.urls import canonical_url, host_of

AT_ONCE: dict[Action, int] = {"search": 8, "visit": 12}
"""Commands of one round: their open records fit into one commit whatever their addresses are."""
MAX_QUERY, MAX_URL = 300, 1_000
MAX_DONE_REASON = 400
FIRST_VENDOR_ROUND = 1_000
"""Rounds of phase 2 count from here, so that no timer of phase 1 is taken for one of theirs."""
MAX_MISSING, MAX_MISSING_LINE = 8, 100

Problem = Literal["", "not_allowed", "repeated", "nothing_usable"]

FORCED_LINES = {
    "timeout": "the time limit is reached",
    "iterations": "the number of decisions is used up",
    "nothing left": "no search and no page is left",
    "stuck": "no way out of the loop is left",
    "targets": "what was missing is found",
    "brain failed": "no brain could decide",
}


@dataclass(frozen=True)
class Planned:
    """What a decision comes to.

    With a `problem` nothing was dispatched and the decision counts as a failed answer.
    """

    job: Job
    commands: tuple[Command, ...] = ()
    problem: Problem = ""


def plan_round(
    job: Job,
    decision: Decision,
    *,
    now_ms: int,
    permitted: Collection[str],
    findings: Sequence[Finding] = (),
    by: str = "",
) -> Planned:
    """Open the round that a decision asks for, or end phase 1.

    Args:
        permitted: canonical URLs of the decision that results, links or the caller have named.
    """
    record = Record(job, now_ms)
    record.plan(iteration=job.plan.iteration + 1)
    if decision.action == "done":
        return Planned(_done(record, decision, findings, by))
    if not (searches_left(job) if decision.action == "search" else visits_left(job)):
        record.note("warning", f"{decision.action} is not allowed any more", by)
        return Planned(record.closed(), problem="not_allowed")
    if seconds_left(job, now_ms) < LEAST_LEFT_S:
        return Planned(finish(job, "timeout", now_ms=now_ms, findings=findings))
    if decision.action == "search":
        return _search(record, decision, by)
    return _visit(record, decision, permitted, by)


def finish(job: Job, forced: str, *, now_ms: int, findings: Sequence[Finding]) -> Job:
    """End phase 1 without being asked to: `forced` is a key of FORCED_LINES."""
    record = Record(job, now_ms)
    record.plan(forced=forced, missing=unmet(job, findings), last_resort=forced == "stuck")
    record.note("forced", FORCED_LINES[forced])
    if forced == "stuck":
        why = stuck_because(job) or "the planner did not get on"
        record.warn(f"The research got stuck ({why}); what it found until then may not be enough.")
    return _closed_phase(record)


def timers_of(job: Job, now_ms: int) -> dict[tuple[str, int], int]:
    """The timers that a job in this shape needs: {(kind, number): due}. They replace those it had."""
    plan = job.plan
    if job.state in FINAL_STATES or job.state == "waiting_for_human":
        return {}
    if job.state == "synthesizing":
        return {("go", plan.iteration): now_ms}
    deadline = {("deadline", plan.epoch): plan.deadline_ms}
    if job.phase2 and is_round_open(job):
        return {("round", FIRST_VENDOR_ROUND + job.phase2.round): plan.round_until_ms, **deadline}
    if is_round_open(job):
        return {("round", plan.round): plan.round_until_ms, **deadline}
    return {("go", plan.iteration): now_ms, **deadline}


def is_round_open(job: Job) -> bool:
    """Whether the next decision waits for commands of the last one."""
    return job.plan.round_until_ms > 0


def close_round(record: Record) -> None:
    """The round is complete or its time is over: count whether it brought something new."""
    plan = record.job.plan
    visited = any(visit.round == plan.round for visit in record.job.visits)
    barren = plan.barren_rounds
    if plan.gained == 0:
        barren += 1
    elif visited:
        barren = 0
    late = len(plan.open)
    if late:
        record.note("warning", f"round {plan.round}: went on without {late} of its answers")
    record.plan(open=[], round_until_ms=0, gained=0, barren_rounds=barren)


def _done(record: Record, decision: Decision, findings: Sequence[Finding], by: str) -> Job:
    lacking = list(dict.fromkeys([*decision.missing, *unmet(record.job, findings)]))
    record.plan(
        done_reason=" ".join(decision.reason.split())[:MAX_DONE_REASON],
        missing=[" ".join(item.split())[:MAX_MISSING_LINE] for item in lacking[:MAX_MISSING]],
    )
    record.note("done", decision.reason or "enough to answer", by)
    return _closed_phase(record)


def _closed_phase(record: Record) -> Job:
    missing = record.job.plan.missing
    if missing:
        record.warn("Not found: " + "; ".join(missing) + ".")
    record.plan(open=[], round_until_ms=0, finished_ms=record.now_ms)
    if record.job.strategy == "phase1_only":
        record.enter("synthesizing")
        return record.closed(SYNTHESIZING)
    begin_phase2(record)
    return record.closed("Looking for vendors")


def begin_phase2(record: Record) -> None:
    """Phase 1 is over, or left out: vendors come next, with a time limit of their own."""
    job = record.job
    deadline_ms = record.now_ms + int(job.limits.vendors_timeout_s * 1000)
    record.set(phase2=Phase2(started_ms=record.now_ms))
    record.plan(open=[], round_until_ms=0, deadline_ms=deadline_ms, epoch=job.plan.epoch + 1)
    record.enter("executing")


def _search(record: Record, decision: Decision, by: str) -> Planned:
    job = record.job
    asked = [" ".join(_printable(query).split())[:MAX_QUERY] for query in decision.queries]
    fresh = _distinct_queries([query for query in asked if normal_query(query) and not is_asked(job, query)])
    queries = fresh[: min(searches_left(job), AT_ONCE["search"])]
    if not queries:
        repeated = any(normal_query(query) for query in asked)
        return _nothing(
            record, "every query of the decision was asked before" if repeated else "no query", repeated, by
        )
    first = job.plan.next_command
    commands = [
        search_command(job, first + place, _spec(job, query, decision)) for place, query in enumerate(queries)
    ]
    number = job.searches[-1].n if job.searches else 0
    records = [
        SearchRecord(n=number + place, command=command.id, query=query, round=job.plan.round + 1)
        for place, (command, query) in enumerate(zip(commands, queries, strict=True), 1)
    ]
    record.set(searches=[*job.searches, *records])
    record.plan(searches_used=job.plan.searches_used + len(queries))
    return _opened(
        record, "search", commands, searching(queries), f"{'; '.join(queries)} – {decision.reason}", by
    )


def _visit(record: Record, decision: Decision, permitted: Collection[str], by: str) -> Planned:
    job = record.job
    asked = list(dict.fromkeys(canonical_url(url) or url for url in decision.urls))
    allowed = [url for url in asked if url in permitted and len(url) <= MAX_URL and is_host_wanted(job, url)]
    if len(allowed) < len(asked):
        refused = next(url for url in asked if url not in allowed)
        record.note(
            "warning", f"{len(asked) - len(allowed)} addresses nobody named were dropped: {refused}", by
        )
    urls = [url for url in allowed if is_open_for_visit(job, url)]
    urls = urls[: min(visits_left(job), AT_ONCE["visit"])]
    if not urls:
        why = "every page of the decision was visited before" if allowed else "no page that may be visited"
        return _nothing(record, why, bool(allowed), by)
    first = job.plan.next_command
    commands = [visit_command(job, first + place, url, record.now_ms) for place, url in enumerate(urls)]
    number = job.visits[-1].n if job.visits else 0
    records = [
        VisitRecord(n=number + place, command=command.id, url=command.url, round=job.plan.round + 1)
        for place, command in enumerate(commands, 1)
    ]
    record.set(visits=[*job.visits, *records])
    record.plan(visits_used=job.plan.visits_used + len(urls))
    names = list(dict.fromkeys(host_of(url) for url in urls))
    return _opened(record, "visit", commands, reading(names), f"{' '.join(urls)} – {decision.reason}", by)


def _nothing(record: Record, why: str, repeated: bool, by: str) -> Planned:
    record.note("warning", why, by)
    if repeated:
        record.plan(repeats=record.job.plan.repeats + 1)
    return Planned(record.closed(), problem="repeated" if repeated else "nothing_usable")


def _opened(
    record: Record, action: Action, commands: Sequence[Command], doing: str, line: str, by: str
) -> Planned:
    plan, now_ms = record.job.plan, record.now_ms
    first = not any(visit.round for visit in record.job.visits) and plan.round == 0
    record.note(action, line, by)
    record.plan(
        round=plan.round + 1,
        open=[command.id for command in commands],
        round_until_ms=min(plan.deadline_ms, now_ms + int(ROUND_S[action] * 1000)),
        next_command=plan.next_command + len(commands),
        gained=0,
        repeats=0,
    )
    record.enter("planning" if first else "executing")
    return Planned(record.closed(doing), tuple(commands))


def _spec(job: Job, query: str, decision: Decision) -> SearchSpec:
    return SearchSpec(
        query=query,
        providers=decision.providers[:8],
        max_results=job.limits.max_results,
        language=job.inputs.language,
    )


def _distinct_queries(queries: Sequence[str]) -> list[str]:
    return list({normal_query(query): query for query in reversed(queries)}.values())[::-1]


def _printable(text: str) -> str:
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)
