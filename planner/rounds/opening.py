"""Open a round: with commands, or to wait for those of earlier rounds. Pure."""

from collections.abc import Sequence
from typing import TypeVar

from planner.job.allowances import in_flight, stored_pages_left
from planner.job.clock import next_look_ms, round_opens, seconds_left, spent_ms
from planner.job.commands import RoundPlan, stored_command, visit_command
from planner.job.job_editor import JobEditor
from planner.job.progress import reading, searching
from research_crawler.core.models.jobs.decisions import Action
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import Command, SectionCommand, VisitCommand
from research_crawler.core.web.urls import host_of

MOST_COMMANDS_AT_ONCE: dict[Action, int] = {"search": 8, "visit": 12, "read_section": 4}
"""Most commands of one round: their open records fit into one commit, however long their URLs are."""

Reading = TypeVar("Reading", VisitCommand, SectionCommand)
"""A command to read a page, or a section of a stored one."""


def opened_round(
    editor: JobEditor, action: Action, commands: Sequence[Command], doing: str, line: str, by: str
) -> RoundPlan:
    """Open the next round with these commands and what was asked for ahead; `line` goes into the timeline."""
    plan, now_ms = editor.job.plan, editor.now_ms
    first = not any(visit.round for visit in editor.job.visits) and plan.round == 0
    ahead = prefetched_urls(editor.job)
    kinds = {one.kind for one in commands}
    editor.note("search" if "search" in kinds else "section" if "section" in kinds else "visit", line, by)
    until_ms, limit_ms = round_opens(editor.job, "visit" if ahead else action, now_ms)
    editor.plan(
        round=plan.round + 1,
        open_commands=list(dict.fromkeys([*(command.id for command in commands), *ahead])),
        round_until_ms=until_ms,
        round_limit_ms=limit_ms,
        repeats=0,
    )
    editor.enter("planning" if first else "executing")
    return RoundPlan(editor.finish_step(doing), tuple(commands))


def read_stored(job: Job, now_ms: int) -> RoundPlan:
    """Start the first round: read files of the caller, and pages of earlier jobs again, from the archive.

    Files count as visits, remembered pages as none; nothing is fetched.
    """
    editor = JobEditor(job, now_ms)
    chosen = stored_pages_left(job)[: MOST_COMMANDS_AT_ONCE["visit"]]
    commands = [
        stored_command(job, job.plan.next_command + index, source) for index, source in enumerate(chosen)
    ]
    editor.plan(stored=[])
    if not commands:
        return RoundPlan(editor.finish_step())
    record_commands(editor, commands)
    remembered = sum(source.origin == "memory" for source in chosen)
    editor.plan(visits_used=editor.job.plan.visits_used - remembered)
    origins = {command.id: source for command, source in zip(commands, chosen, strict=True)}
    for visit in editor.job.visits:
        if source := origins.get(visit.command):
            editor.replace_visit(visit.changed(origin=source.origin, title=source.title))
    names = "; ".join(source.title or source.url for source in chosen)
    return opened_round(
        editor, "read_section", commands, "Reading stored pages", f"stored pages: {names}", ""
    )


def await_the_rest(editor: JobEditor) -> Job:
    """Open a round without new commands, for those of earlier rounds that are still in flight."""
    limit_ms = spent_ms(editor.job) + int(seconds_left(editor.job) * 1000)
    editor.plan(round=editor.job.plan.round + 1, open_commands=in_flight(editor.job), round_limit_ms=limit_ms)
    editor.plan(round_until_ms=next_look_ms(editor.job, 0, editor.now_ms))
    hosts = dict.fromkeys(host_of(visit.url) for visit in editor.job.visits if not visit.outcome)
    queries = [search.query for search in editor.job.searches if not search.outcome]
    return editor.finish_step(reading(list(hosts)) if hosts else searching(queries))


def record_visits(editor: JobEditor, urls: Sequence[str]) -> list[VisitCommand]:
    """The commands to read these pages, recorded in the job as visits of its next round."""
    job = editor.job
    first = job.plan.next_command
    commands = asked_together(
        [visit_command(job, first + index, url, editor.now_ms) for index, url in enumerate(urls)]
    )
    record_commands(editor, commands)
    return commands


def asked_together(commands: Sequence[Reading]) -> list[Reading]:
    """Commands to read pages or sections which tell how many there are in the same step."""
    return [
        command.changed(job_context=command.job_context.changed(pages_asked_together=len(commands)))
        if command.job_context and len(commands) > 1
        else command
        for command in commands
    ]


def record_commands(editor: JobEditor, commands: Sequence[VisitCommand | SectionCommand]) -> None:
    """Record visits, of pages or of sections of stored pages, in the job."""
    job = editor.job
    number = job.visits[-1].n if job.visits else 0
    records = [
        VisitRecord(
            n=number + index,
            command=command.id,
            url=command.url,
            round=job.plan.round + 1,
            section=command.section.heading if isinstance(command, SectionCommand) else "",
            sha=command.section.sha if isinstance(command, SectionCommand) else "",
        )
        for index, command in enumerate(commands, 1)
    ]
    editor.set(visits=[*job.visits, *records])
    editor.plan(
        visits_used=job.plan.visits_used + len(commands),
        next_command=job.plan.next_command + len(commands),
    )


def prefetched_urls(job: Job) -> list[str]:
    """The visits of the coming round that were asked for before it was decided on and have no outcome yet."""
    return [visit.command for visit in job.visits if not visit.outcome and visit.round == job.plan.round + 1]
