"""Start the round that a decision asks for, and close a round."""

import unicodedata
from collections.abc import Collection, Sequence

from planner.job.clock import next_look_ms, round_opens, seconds_left, spent_ms
from planner.job.commands import Planned, search_command, section_command, stored_command, visit_command
from planner.job.completeness import as_said, unmet
from planner.job.draft import Draft
from planner.job.limits import (
    FIRST_VENDOR_ROUND,
    LEAST_LEFT_S,
    forced_line,
    in_flight,
    is_host_wanted,
    is_open_for_visit,
    is_round_open,
    may_ask,
    searches_left,
    unread_sections,
    visits_left,
)
from planner.job.progress import DECIDING, SYNTHESIZING, reading, searching
from planner.quality.attempts import opened_attempt
from planner.quality.shorter_queries import most_query_chars, shorter_query
from planner.reviews.questions import ask_for_help, difficulty_of
from planner.rounds.stuck import is_searched, normal_query, stuck_because
from planner.types.searching import search_spec
from research_crawler.core.models.commands import Command
from research_crawler.core.models.decisions import Action, Decision
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import FINAL_STATES, Job
from research_crawler.core.models.phase2 import Phase2
from research_crawler.core.models.records import SearchRecord, VisitRecord
from research_crawler.core.web.urls import canonical_url, host_of

_AT_ONCE: dict[Action, int] = {"search": 8, "visit": 12, "read_section": 4}
"""Most commands of one round: their open records fit into one commit, however long their URLs are."""
_MAX_QUERY, _MAX_URL = 300, 1_000
MAX_DONE_REASON = 400
MAX_MISSING, MAX_MISSING_LINE = 8, 100
ENDS_AT_ONCE = frozenset({"timeout", "waiting", "targets", "accepted"})
"""Forced ends that do not wait for commands in flight: there is no time left, or nothing is missing."""


def plan_round(
    job: Job,
    decision: Decision,
    *,
    now_ms: int,
    permitted: Collection[str],
    findings: Sequence[Finding] = (),
    by: str = "",
) -> Planned:
    """Start the round that a decision asks for, or end phase 1.

    Args:
        permitted: the decision's canonical URLs that results, links or the caller have named.
        by: the brain that decided.
    """
    draft = Draft(job, now_ms)
    draft.plan(iteration=job.plan.iteration + 1)
    if decision.action == "done" and in_flight(job):
        draft.note("done", decision.reason or "enough to answer", by)
        return Planned(_await_the_rest(draft))
    if decision.action == "done":
        return Planned(_done(draft, decision, findings, by))
    if decision.action == "ask_human":
        return _ask_person(draft, decision, by)
    if not (searches_left(job) if decision.action == "search" else visits_left(job)):
        draft.note("warning", f"{decision.action} is not allowed any more", by)
        return Planned(draft.closed(), problem="not_allowed")
    if seconds_left(job) < LEAST_LEFT_S:
        return Planned(finish(job, "timeout", now_ms=now_ms, findings=findings))
    if decision.action == "read_section":
        return _read_sections(draft, decision, by)
    if decision.action == "search":
        return _search(draft, decision, permitted, by)
    return _visit(draft, decision, permitted, by)


def finish(job: Job, forced: str, *, now_ms: int, findings: Sequence[Finding]) -> Job:
    """End phase 1 without a decision of the planner; `forced` is one of FORCED.

    While pages of earlier rounds are in flight and time is left, the job waits for them instead.
    """
    draft = Draft(job, now_ms)
    if forced not in ENDS_AT_ONCE and in_flight(job):
        return _await_the_rest(draft)
    draft.plan(forced=forced, missing=_lacking(draft, (), findings), last_resort=forced == "stuck")
    draft.note("forced", forced_line(forced))
    if forced == "stuck":
        draft.warn(draft.say("got_stuck", why=stuck_because(job, draft.say) or draft.say("no_progress")))
    return _closed_phase(draft)


def read_stored(job: Job, now_ms: int) -> Planned:
    """Start the first round: read files of the caller, and pages of earlier jobs again, from the archive.

    They count as visits; nothing is fetched.
    """
    draft = Draft(job, now_ms)
    chosen = job.plan.stored[: min(visits_left(job), _AT_ONCE["visit"])]
    commands = [
        stored_command(job, job.plan.next_command + place, source) for place, source in enumerate(chosen)
    ]
    draft.plan(stored=[])
    if not commands:
        return Planned(draft.closed())
    _record(draft, commands)
    origins = {command.id: source for command, source in zip(commands, chosen, strict=True)}
    for visit in draft.job.visits:
        if source := origins.get(visit.command):
            draft.replace_visit(visit.changed(origin=source.origin, title=source.title))
    names = "; ".join(source.title or source.url for source in chosen)
    return _opened(draft, "read_section", commands, "Reading stored pages", f"stored pages: {names}", "")


def timers_of(job: Job, now_ms: int) -> dict[tuple[str, int], int]:
    """The timers that a job needs now: {(kind, number): due time in ms}. They replace its earlier ones."""
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


def close_round(draft: Draft) -> None:
    """Close a round that is complete or whose time is over, and count whether it brought something new.

    A round that brought no page at all says nothing about what can be found: it does not count as barren.
    """
    plan = draft.job.plan
    has_searched = any(search.round == plan.round for search in draft.job.searches)
    has_read = any(
        visit.round == plan.round and visit.what == "ok" and not visit.origin for visit in draft.job.visits
    )
    barren = plan.barren_rounds
    if plan.gained and not has_searched:
        barren = 0
    elif not plan.gained and (has_searched or has_read):
        barren += 1
    if plan.open:
        draft.note("warning", f"round {plan.round}: continued without {len(plan.open)} of its answers")
    draft.plan(open=[], round_until_ms=0, round_limit_ms=0, gained=0, barren_rounds=barren)


def _await_the_rest(draft: Draft) -> Job:
    """Open a round without new commands, for those of earlier rounds that are still in flight."""
    limit_ms = spent_ms(draft.job) + int(seconds_left(draft.job) * 1000)
    draft.plan(round=draft.job.plan.round + 1, open=in_flight(draft.job), round_limit_ms=limit_ms)
    draft.plan(round_until_ms=next_look_ms(draft.job, 0, draft.now_ms))
    hosts = dict.fromkeys(host_of(visit.url) for visit in draft.job.visits if not visit.what)
    queries = [search.query for search in draft.job.searches if not search.what]
    return draft.closed(reading(list(hosts)) if hosts else searching(queries))


def _done(draft: Draft, decision: Decision, findings: Sequence[Finding], by: str) -> Job:
    draft.plan(
        done_reason=" ".join(decision.reason.split())[:MAX_DONE_REASON],
        missing=_lacking(draft, decision.missing, findings),
    )
    draft.note("done", decision.reason or "enough to answer", by)
    return _closed_phase(draft)


def _ask_person(draft: Draft, decision: Decision, by: str) -> Planned:
    """Let the job wait for a person, once nothing is in flight: what it has found by then goes with the question."""
    if not may_ask(draft.job):
        draft.note("warning", "ask_human is not allowed", by)
        return Planned(draft.closed(), problem="not_allowed")
    if in_flight(draft.job):
        return Planned(_await_the_rest(draft))
    difficulty = difficulty_of(draft.job, decision.reason)
    return Planned(ask_for_help(draft.job, decision.question, difficulty, draft.now_ms))


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
    draft.plan(open=[], round_until_ms=0, finished_ms=draft.now_ms)
    if draft.job.strategy == "phase1_only":
        draft.enter("synthesizing")
        return draft.closed(SYNTHESIZING)
    begin_phase2(draft)
    return draft.closed(DECIDING)


def record_visits(draft: Draft, urls: Sequence[str]) -> list[Command]:
    """The commands to read these pages, recorded in the draft as visits of its next round."""
    job = draft.job
    first = job.plan.next_command
    commands = [visit_command(job, first + place, url, draft.now_ms) for place, url in enumerate(urls)]
    _record(draft, commands)
    return commands


def _record(draft: Draft, commands: Sequence[Command]) -> None:
    """Record visits, of pages or of sections of stored pages, in the draft."""
    job = draft.job
    number = job.visits[-1].n if job.visits else 0
    records = [
        VisitRecord(
            n=number + place,
            command=command.id,
            url=command.url,
            round=job.plan.round + 1,
            section=command.section.heading if command.section else "",
            sha=command.section.sha if command.section else "",
        )
        for place, command in enumerate(commands, 1)
    ]
    draft.set(visits=[*job.visits, *records])
    draft.plan(
        visits_used=job.plan.visits_used + len(commands),
        next_command=job.plan.next_command + len(commands),
    )


def begin_phase2(draft: Draft) -> None:
    """Start phase 2, with a time limit of its own, after phase 1 or instead of it."""
    job = draft.job
    deadline_ms = draft.now_ms + int(job.limits.waiting_timeout_s * 1000)
    vendors_ms = job.plan.begun.vendors_ms  # the time for vendors is that of all rounds of a review
    draft.set(phase2=Phase2(started_ms=draft.now_ms, spent_ms=vendors_ms))
    draft.plan(open=[], round_until_ms=0, counted_ms=draft.now_ms)
    draft.plan(deadline_ms=deadline_ms, epoch=job.plan.epoch + 1)
    draft.enter("executing")


def _search(draft: Draft, decision: Decision, permitted: Collection[str], by: str) -> Planned:
    """Start the searches of a decision, and beside them the visits that it may have too."""
    job = draft.job
    decided = [" ".join(_printable(query).split())[:_MAX_QUERY] for query in decision.queries]
    if most_chars := most_query_chars(job):
        decided = [shorter_query(query, most_chars) for query in decided]
    fresh = _distinct_queries([q for q in decided if normal_query(q) and not is_searched(job, q)])
    queries = fresh[: min(searches_left(job), _AT_ONCE["search"])]
    if not queries:
        repeated = any(normal_query(query) for query in decided)
        why = "every query of the decision was used before" if repeated else "the decision has no query"
        return _no_commands(draft, why, repeated, by)
    first = job.plan.next_command
    commands = [
        search_command(job, first + place, search_spec(job, query, decision.providers[:8]))
        for place, query in enumerate(queries)
    ]
    number = job.searches[-1].n if job.searches else 0
    records = [
        SearchRecord(n=number + place, command=command.id, query=query, round=job.plan.round + 1)
        for place, (command, query) in enumerate(zip(commands, queries, strict=True), 1)
    ]
    draft.set(searches=[*job.searches, *records])
    draft.set(assessed=opened_attempt(job.assessed, decision, queries, job.plan.round + 1))
    draft.plan(searches_used=job.plan.searches_used + len(queries))
    draft.plan(next_command=first + len(commands))
    if urls := _open_urls(draft, decision, permitted, by)[0] if visits_left(job) else []:
        draft.note("beside", " ".join(urls), by)
        commands += record_visits(draft, urls)
    action: Action = "visit" if urls else "search"
    return _opened(
        draft, action, commands, searching(queries), f"{'; '.join(queries)} – {decision.reason}", by
    )


def _visit(draft: Draft, decision: Decision, permitted: Collection[str], by: str) -> Planned:
    urls, has_allowed = _open_urls(draft, decision, permitted, by)
    if not urls and _asked_ahead(draft.job):
        draft.note("wait", f"waiting for pages that were asked for ahead – {decision.reason}", by)
        return Planned(_await_the_rest(draft))
    if not urls and any(visit.round == draft.job.plan.round + 1 for visit in draft.job.visits):
        return Planned(
            draft.closed(), problem="repeated"
        )  # they are read: no loop, but another decision is due
    if not urls:
        why = (
            "every page of the decision was visited before"
            if has_allowed
            else "the decision has no page that may be visited"
        )
        return _no_commands(draft, why, has_allowed, by)
    commands = record_visits(draft, urls)
    names = list(dict.fromkeys(host_of(url) for url in urls))
    return _opened(draft, "visit", commands, reading(names), f"{' '.join(urls)} – {decision.reason}", by)


def _read_sections(draft: Draft, decision: Decision, by: str) -> Planned:
    """Start reading sections of stored pages that were not shown yet; each counts as a visit."""
    unread = set(unread_sections(draft.job))
    chosen = [section for section in dict.fromkeys(decision.sections) if section in unread]
    chosen = chosen[: min(visits_left(draft.job), _AT_ONCE["read_section"])]
    pages = {visit.sha: visit for visit in draft.job.visits if visit.sha and not visit.section}
    commands = [
        section_command(draft.job, draft.job.plan.next_command + place, pages[section.sha], section.heading)
        for place, section in enumerate(section for section in chosen if section.sha in pages)
    ]
    if not commands:
        return _no_commands(draft, "the decision has no section that may be read", False, by)
    _record(draft, commands)
    headings = [command.section.heading for command in commands if command.section]
    doing = f"Reading sections: {', '.join(headings)}"
    line = f"{'; '.join(f'“{heading}”' for heading in headings)} – {decision.reason}"
    return _opened(draft, "read_section", commands, doing, line, by)


def _open_urls(
    draft: Draft, decision: Decision, permitted: Collection[str], by: str
) -> tuple[list[str], bool]:
    """The decision's pages that may be visited now, and whether any of its pages was permitted."""
    job = draft.job
    decided = list(dict.fromkeys(canonical_url(url) or url for url in decision.urls))
    allowed = [
        url for url in decided if url in permitted and len(url) <= _MAX_URL and is_host_wanted(job, url)
    ]
    if len(allowed) < len(decided):
        refused = next(url for url in decided if url not in allowed)
        count = len(decided) - len(allowed)
        draft.note("warning", f"{count} URLs were dropped that no result or page has named: {refused}", by)
    urls = [url for url in allowed if is_open_for_visit(job, url)]
    return urls[: min(visits_left(job), _AT_ONCE["visit"])], bool(allowed)


def _asked_ahead(job: Job) -> list[str]:
    """The visits of the coming round that were asked for before it was decided on and have no outcome yet."""
    return [visit.command for visit in job.visits if not visit.what and visit.round == job.plan.round + 1]


def _no_commands(draft: Draft, why: str, repeated: bool, by: str) -> Planned:
    draft.note("warning", why, by)
    if repeated:
        draft.plan(repeats=draft.job.plan.repeats + 1)
    return Planned(draft.closed(), problem="repeated" if repeated else "nothing_usable")


def _opened(
    draft: Draft, action: Action, commands: Sequence[Command], doing: str, line: str, by: str
) -> Planned:
    plan, now_ms = draft.job.plan, draft.now_ms
    first = not any(visit.round for visit in draft.job.visits) and plan.round == 0
    ahead = _asked_ahead(draft.job)
    kinds = {one.kind for one in commands}
    draft.note("search" if "search" in kinds else "section" if "section" in kinds else "visit", line, by)
    until_ms, limit_ms = round_opens(draft.job, "visit" if ahead else action, now_ms)
    draft.plan(
        round=plan.round + 1,
        open=list(dict.fromkeys([*(command.id for command in commands), *ahead])),
        round_until_ms=until_ms,
        round_limit_ms=limit_ms,
        repeats=0,
    )
    draft.enter("planning" if first else "executing")
    return Planned(draft.closed(doing), tuple(commands))


def _distinct_queries(queries: Sequence[str]) -> list[str]:
    return list({normal_query(query): query for query in reversed(queries)}.values())[::-1]


def _printable(text: str) -> str:
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)
