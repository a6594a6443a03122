"""The steps of a watch's run: fetch all pages, fetch those with something new again, end. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

from planner.job.commands import page_fields, shared_fields
from planner.watches.readings import readings_of, timeout_reading
from planner.watches.schedule import run_id
from research_crawler.core.models.jobs.job import FINAL_STATES, Job, JobInputs
from research_crawler.core.models.messages.commands import Command, JobContext, VendorCommand, VendorSpec
from research_crawler.core.models.messages.events import (
    CommandDone,
    DeadlineDue,
    Event,
    JobResumed,
    JobStarted,
    NextStepDue,
    PersonAnswered,
    RoundDue,
)
from research_crawler.core.models.watches.watch import Reading, Watch, WatchPage, WatchProgress, WatchRun

MOST_FETCHES = 3
"""Most fetches of a page in one run: the first, the one that confirms, and one more if that one fails."""
ROUND_MS = 30 * 60_000
"""Longest time of a round of fetches, enough to fetch 300 pages of one host politely."""
WATCH_PRIORITY = 6
"""Priority of commands: after users' questions, before batches."""
CONFIRM_MS = 60_000
"""How long to wait before the second fetch, if nobody says otherwise."""
AGAIN_TIMER = "go"
"""The kind of the timer that rings when it is time for the next fetch; its event is `NextStepDue`."""


@dataclass(frozen=True)
class RunReading:
    """The readings of a run's events, and the run with these events counted."""

    job: Job
    readings: list[Reading] = field(default_factory=list)
    is_late: bool = False
    """The round's time is over."""
    is_time_again: bool = False
    """It is time to fetch pages again."""


@dataclass(frozen=True)
class NextAction:
    """What a run does next: wait, fetch, or end (its state is then `completed`)."""

    job: Job
    commands: Sequence[Command] = ()
    timers: dict[tuple[str, int], int] = field(default_factory=dict)


def run_job(watch: Watch, slot_ms: int, *, created_at: str, is_manual: bool = False) -> Job:
    """The job for one slot of a watch; `is_manual`: a person asked for it."""
    run = WatchRun(watch=watch.id, slot_ms=slot_ms, pages=watch.pages, region=watch.region)
    goal = f"watch {watch.id}: {watch.name}"[:400]
    inputs = JobInputs(
        goal=goal, intent="commerce", intent_given=True, watch=run, retries_unreachable=is_manual
    )
    return Job(id=run_id(watch.id, slot_ms), inputs=inputs, brain="", created_at=created_at)


def read_run(job: Job, events: Sequence[Event], now_ms: int) -> RunReading:
    """Read events: the first answer to each command counts, and only timers of the open round."""
    run, plan, progress = _run_of(job), job.plan, job.watch
    open_ids, answered = list(plan.open_commands), list(progress.answered)
    readings: list[Reading] = []
    is_late = is_time_again = False
    for event in events:
        match event:
            case CommandDone(command=command) if command in open_ids:
                open_ids.remove(command)
                answered.append(command)
                target = progress.targets[command]
                readings += readings_of(
                    event, run.pages[target], target=target, fetch_attempt=progress.fetches, now_ms=now_ms
                )
            case RoundDue(no=plan.round):
                is_late = bool(open_ids)
            case NextStepDue(no=plan.round):
                is_time_again = True
            case CommandDone() | RoundDue() | NextStepDue():  # it came late
                pass
            case JobStarted() | JobResumed() | DeadlineDue() | PersonAnswered():
                pass
            case _ as unknown:
                assert_never(unknown)
    ended = [event for event in events if isinstance(event, CommandDone)]
    if is_late:
        readings += [_timeout_reading(job, command, now_ms) for command in open_ids]
        open_ids = []
    counted = job.changed(
        plan=plan.changed(open_commands=open_ids),
        watch=progress.changed(answered=answered),
        downloads=job.downloads + sum(event.downloads for event in ended),
        pages_fetched=job.pages_fetched + sum(event.pages_fetched for event in ended),
    )
    return RunReading(counted, readings, is_late, is_time_again)


def _timeout_reading(job: Job, command: str, now_ms: int) -> Reading:
    """The reading of the page that a command did not bring in time."""
    target = job.watch.targets[command]
    page = _run_of(job).pages[target]
    return timeout_reading(command, page, target=target, fetch_attempt=job.watch.fetches, now_ms=now_ms)


def next_action(
    reading: RunReading, again: Sequence[int], now_ms: int, *, confirm_ms: int = CONFIRM_MS
) -> NextAction:
    """Decide what the run does next.

    Args:
        again: numbers of the pages with something new that is not confirmed.
        confirm_ms: how long the planner waits before the second fetch, where the run itself does not say.
    """
    job, plan = reading.job, reading.job.plan
    if job.state in FINAL_STATES:
        return NextAction(job)
    if not job.watch.fetches:
        return _fetch(job, range(len(_run_of(job).pages)), now_ms)
    if plan.open_commands:
        return NextAction(job, timers={("round", plan.round): plan.round_until_ms})
    if reading.is_time_again and job.watch.again:
        return _fetch(job, job.watch.again, now_ms)
    if plan.round_until_ms and again and job.watch.fetches < MOST_FETCHES:
        own_ms = _run_of(job).confirm_ms
        return _wait(job, again, now_ms, confirm_ms if own_ms is None else own_ms)
    if not plan.round_until_ms and job.watch.again:  # an event came before the pause was over
        return NextAction(job, timers={(AGAIN_TIMER, plan.round): plan.deadline_ms})
    return NextAction(_ended(job, now_ms))


def _fetch(job: Job, targets: Sequence[int], now_ms: int) -> NextAction:
    run, plan = _run_of(job), job.plan
    commands = [_command(job, run, target, plan.next_command + index) for index, target in enumerate(targets)]
    if not commands:
        return NextAction(_ended(job, now_ms))
    opened = plan.changed(
        round=plan.round + 1,
        open_commands=[command.id for command in commands],
        round_until_ms=now_ms + ROUND_MS,
        deadline_ms=0,
        next_command=plan.next_command + len(commands),
        started_ms=plan.started_ms or now_ms,
        touched_ms=now_ms,
    )
    chosen = {command.id: target for command, target in zip(commands, targets, strict=True)}
    progress = WatchProgress(targets=job.watch.targets | chosen, fetches=job.watch.fetches + 1)
    new = job.changed(state="executing", plan=opened, watch=progress)
    return NextAction(new, commands, {("round", opened.round): opened.round_until_ms})


def _wait(job: Job, again: Sequence[int], now_ms: int, confirm_ms: int) -> NextAction:
    due = now_ms + confirm_ms
    plan = job.plan.changed(round_until_ms=0, deadline_ms=due, touched_ms=now_ms)
    progress = job.watch.changed(again=list(again))
    return NextAction(job.changed(plan=plan, watch=progress), timers={(AGAIN_TIMER, plan.round): due})


def _ended(job: Job, now_ms: int) -> Job:
    plan = job.plan.changed(open_commands=[], round_until_ms=0, finished_ms=now_ms)
    return job.changed(state="completed", plan=plan)


def _command(job: Job, run: WatchRun, target: int, number: int) -> VendorCommand:
    page: WatchPage = run.pages[target]
    job_context = JobContext(goal=page.query or page.url, intent="commerce")
    return VendorCommand(
        **shared_fields(job, number, priority=WATCH_PRIORITY, job_context=job_context),
        **page_fields(job, page.url),
        max_age_s=0,
        accepts_long_delay=True,
        retries_unreachable=job.inputs.retries_unreachable,
        vendor=VendorSpec(
            host=page.host,
            query=page.query,
            page=page.kind,
            region=run.region,
            currency=page.currency,
        ),
    )


def _run_of(job: Job) -> WatchRun:
    if job.inputs.watch is None:
        raise ValueError(f"job {job.id} is not a run of a watch")
    return job.inputs.watch
