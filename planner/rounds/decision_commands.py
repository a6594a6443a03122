"""Start the round that a decision of the planner asks for, or end phase 1 with it. Pure."""

import unicodedata
from collections.abc import Collection, Sequence
from typing import assert_never

from planner.job.allowances import (
    LEAST_LEFT_S,
    ForcedEnd,
    in_flight,
    is_host_wanted,
    is_open_for_visit,
    may_ask_reviewer,
    searches_left,
    unread_sections,
    visits_left,
)
from planner.job.clock import seconds_left
from planner.job.commands import RoundPlan, search_command, section_command
from planner.job.job_editor import JobEditor
from planner.job.progress import reading, searching
from planner.quality.attempts import opened_attempt
from planner.quality.shorter_queries import most_query_chars, shorter_query
from planner.reviews.review_questions import ask_for_help, difficulty_of
from planner.rounds.endings import end_by_decision, finish
from planner.rounds.opening import (
    MOST_COMMANDS_AT_ONCE,
    asked_together,
    await_the_rest,
    opened_round,
    prefetched_urls,
    record_commands,
    record_visits,
)
from planner.rounds.stuck.stuck_rules import is_searched
from planner.types.searching import search_spec
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import MOST_QUERY_CHARS, Action, Decision
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import SearchRecord
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.web.urls import canonical_url, host_of
from research_crawler.text.questions.query_words import normal_query

_MAX_URL = 1_000
"""Longest address that a decision may have."""


def plan_round(
    job: Job,
    decision: Decision,
    *,
    now_ms: int,
    permitted: Collection[str],
    findings: Sequence[Finding] = (),
    by: str = "",
) -> RoundPlan:
    """Start the round that a decision asks for, or end phase 1.

    Args:
        permitted: the decision's canonical URLs that results, links or the caller have named.
        by: the brain that decided.
    """
    editor = JobEditor(job, now_ms)
    editor.plan(iteration=job.plan.iteration + 1)
    match decision.action:
        case "done":
            if not in_flight(job):
                return RoundPlan(end_by_decision(editor, decision, findings, by))
            editor.note("done", decision.reason or "enough to answer", by)
            return RoundPlan(await_the_rest(editor))
        case "ask_human":
            return _ask_person(editor, decision, by)
        case "search":
            left = searches_left(job)
        case "visit" | "read_section":
            left = visits_left(job)
        case unknown:
            assert_never(unknown)
    if not left:
        editor.note("warning", f"{decision.action} is not allowed any more", by)
        return RoundPlan(editor.finish_step(), problem="not_allowed")
    if seconds_left(job) < LEAST_LEFT_S:
        return RoundPlan(finish(job, ForcedEnd.TIMEOUT, now_ms=now_ms, findings=findings))
    if decision.action == "read_section":
        return _read_sections(editor, decision, by)
    if decision.action == "search":
        return _search(editor, decision, permitted, by)
    return _visit(editor, decision, permitted, by)


def _ask_person(editor: JobEditor, decision: Decision, by: str) -> RoundPlan:
    """Let the job wait for a person, once nothing is in flight: what it has found by then goes with the question."""
    if not may_ask_reviewer(editor.job):
        editor.note("warning", "ask_human is not allowed", by)
        return RoundPlan(editor.finish_step(), problem="not_allowed")
    if in_flight(editor.job):
        return RoundPlan(await_the_rest(editor))
    difficulty = difficulty_of(editor.job, decision.reason)
    return RoundPlan(ask_for_help(editor.job, decision.question, difficulty, editor.now_ms))


def _search(editor: JobEditor, decision: Decision, permitted: Collection[str], by: str) -> RoundPlan:
    """Start the searches of a decision, and beside them the visits that it may have too."""
    job = editor.job
    decided = _usable_queries(job, decision)
    fresh = _distinct_queries([query for query in decided if not is_searched(job, query)])
    queries = fresh[: min(searches_left(job), MOST_COMMANDS_AT_ONCE["search"])]
    if not queries:
        why = "every query of the decision was used before" if decided else "the decision has no query"
        return _no_commands(editor, why, bool(decided), by)
    first = job.plan.next_command
    commands: list[Command] = [
        search_command(job, first + index, search_spec(job, query, decision.providers[:8]))
        for index, query in enumerate(queries)
    ]
    number = job.searches[-1].n if job.searches else 0
    records = [
        SearchRecord(n=number + index, command=command.id, query=query, round=job.plan.round + 1)
        for index, (command, query) in enumerate(zip(commands, queries, strict=True), 1)
    ]
    editor.set(searches=[*job.searches, *records])
    editor.set(assessed=opened_attempt(job.assessed, decision, queries, job.plan.round + 1))
    editor.plan(searches_used=job.plan.searches_used + len(queries))
    editor.plan(next_command=first + len(commands))
    if urls := _open_urls(editor, decision, permitted, by)[0] if visits_left(job) else []:
        editor.note("beside", " ".join(urls), by)
        commands += record_visits(editor, urls)
    action: Action = "visit" if urls else "search"
    return opened_round(
        editor, action, commands, searching(queries), f"{'; '.join(queries)} – {decision.reason}", by
    )


def _usable_queries(job: Job, decision: Decision) -> list[str]:
    """The decision's queries that have a word, printable, and as short as the job's providers take them."""
    queries = [" ".join(_printable(query).split())[:MOST_QUERY_CHARS] for query in decision.queries]
    if most_chars := most_query_chars(job):
        queries = [shorter_query(query, most_chars) for query in queries]
    return [query for query in queries if normal_query(query)]


def _visit(editor: JobEditor, decision: Decision, permitted: Collection[str], by: str) -> RoundPlan:
    urls, has_allowed = _open_urls(editor, decision, permitted, by)
    if not urls and prefetched_urls(editor.job):
        editor.note("wait", f"waiting for pages that were asked for ahead – {decision.reason}", by)
        return RoundPlan(await_the_rest(editor))
    if not urls and any(visit.round == editor.job.plan.round + 1 for visit in editor.job.visits):
        return RoundPlan(
            editor.finish_step(), problem="repeated"
        )  # they are read: no loop, but another decision is due
    if not urls:
        why = (
            "every page of the decision was visited before"
            if has_allowed
            else "the decision has no page that may be visited"
        )
        return _no_commands(editor, why, has_allowed, by)
    commands = record_visits(editor, urls)
    names = list(dict.fromkeys(host_of(url) for url in urls))
    return opened_round(
        editor, "visit", commands, reading(names), f"{' '.join(urls)} – {decision.reason}", by
    )


def _read_sections(editor: JobEditor, decision: Decision, by: str) -> RoundPlan:
    """Start reading sections of stored pages that were not shown yet; each counts as a visit."""
    unread = set(unread_sections(editor.job))
    chosen = [section for section in dict.fromkeys(decision.sections) if section in unread]
    chosen = chosen[: min(visits_left(editor.job), MOST_COMMANDS_AT_ONCE["read_section"])]
    pages = {visit.sha: visit for visit in editor.job.visits if visit.sha and not visit.section}
    commands = asked_together(
        [
            section_command(
                editor.job, editor.job.plan.next_command + index, pages[section.sha], section.heading
            )
            for index, section in enumerate(section for section in chosen if section.sha in pages)
        ]
    )
    if not commands:
        return _no_commands(editor, "the decision has no section that may be read", False, by)
    record_commands(editor, commands)
    headings = [command.section.heading for command in commands]
    doing = f"Reading sections: {', '.join(headings)}"
    line = f"{'; '.join(f'“{heading}”' for heading in headings)} – {decision.reason}"
    return opened_round(editor, "read_section", commands, doing, line, by)


def _open_urls(
    editor: JobEditor, decision: Decision, permitted: Collection[str], by: str
) -> tuple[list[str], bool]:
    """The decision's pages that may be visited now, and whether any of its pages was permitted."""
    job = editor.job
    decided = list(dict.fromkeys(canonical_url(url) or url for url in decision.urls))
    allowed = [
        url for url in decided if url in permitted and len(url) <= _MAX_URL and is_host_wanted(job, url)
    ]
    if len(allowed) < len(decided):
        refused = next(url for url in decided if url not in allowed)
        count = len(decided) - len(allowed)
        editor.note("warning", f"{count} URLs were dropped that no result or page has named: {refused}", by)
    urls = [url for url in allowed if is_open_for_visit(job, url)]
    return urls[: min(visits_left(job), MOST_COMMANDS_AT_ONCE["visit"])], bool(allowed)


def _no_commands(editor: JobEditor, why: str, repeated: bool, by: str) -> RoundPlan:
    editor.note("warning", why, by)
    if repeated:
        editor.plan(repeats=editor.job.plan.repeats + 1)
    return RoundPlan(editor.finish_step(), problem="repeated" if repeated else "nothing_usable")


def _distinct_queries(queries: Sequence[str]) -> list[str]:
    return list({normal_query(query): query for query in reversed(queries)}.values())[::-1]


def _printable(text: str) -> str:
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)
