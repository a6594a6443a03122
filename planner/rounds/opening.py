"""Open a round with its commands, tell which timers a job needs, and close the round. Pure."""

from collections.abc import Sequence

from planner.job.clock import round_opens
from planner.job.commands import Planned, stored_command, visit_command
from planner.job.draft import Draft
from planner.job.limits import FIRST_VENDOR_ROUND, is_round_open, stored_pages_left
from research_crawler.core.models.commands import Command
from research_crawler.core.models.decisions import Action
from research_crawler.core.models.jobs import FINAL_STATES, Job
from research_crawler.core.models.records import VisitRecord

MOST_COMMANDS_AT_ONCE: dict[Action, int] = {"search": 8, "visit": 12, "read_section": 4}
"""Most commands of one round: their open records fit into one commit, however long their URLs are."""


def opened_round(
    draft: Draft, action: Action, commands: Sequence[Command], doing: str, line: str, by: str
) -> Planned:
    """Open the next round with these commands and what was asked for ahead; `line` goes into the timeline."""
    plan, now_ms = draft.job.plan, draft.now_ms
    first = not any(visit.round for visit in draft.job.visits) and plan.round == 0
    ahead = asked_ahead(draft.job)
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


def read_stored(job: Job, now_ms: int) -> Planned:
    """Start the first round: read files of the caller, and pages of earlier jobs again, from the archive.

    They count as visits; nothing is fetched.
    """
    draft = Draft(job, now_ms)
    chosen = stored_pages_left(job)[: MOST_COMMANDS_AT_ONCE["visit"]]
    commands = [
        stored_command(job, job.plan.next_command + place, source) for place, source in enumerate(chosen)
    ]
    draft.plan(stored=[])
    if not commands:
        return Planned(draft.closed())
    record_commands(draft, commands)
    origins = {command.id: source for command, source in zip(commands, chosen, strict=True)}
    for visit in draft.job.visits:
        if source := origins.get(visit.command):
            draft.replace_visit(visit.changed(origin=source.origin, title=source.title))
    names = "; ".join(source.title or source.url for source in chosen)
    return opened_round(draft, "read_section", commands, "Reading stored pages", f"stored pages: {names}", "")


def record_visits(draft: Draft, urls: Sequence[str]) -> list[Command]:
    """The commands to read these pages, recorded in the draft as visits of its next round."""
    job = draft.job
    first = job.plan.next_command
    commands = [visit_command(job, first + place, url, draft.now_ms) for place, url in enumerate(urls)]
    record_commands(draft, commands)
    return commands


def record_commands(draft: Draft, commands: Sequence[Command]) -> None:
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


def asked_ahead(job: Job) -> list[str]:
    """The visits of the coming round that were asked for before it was decided on and have no outcome yet."""
    return [visit.command for visit in job.visits if not visit.what and visit.round == job.plan.round + 1]


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
