"""A job's time: the work that was done for it, and apart from that its waiting, which has a limit of its own. Pure."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from planner.job.allowances import (
    FIRST_VENDOR_ROUND,
    LEAST_LEFT_S,
    ForcedEnd,
    allowed_actions,
    decisions_made,
    is_in_phase2,
    is_round_open,
    stored_pages_left,
)
from research_crawler.core.models.jobs.decisions import Action
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.messages.in_flight import InFlight, InFlightSnapshot

if TYPE_CHECKING:
    from planner.job.job_editor import JobEditor  # it knows languages: a command that shows times needs none

ROUND_S: Final[dict[Action, float]] = {"search": 30.0, "visit": 45.0, "read_section": 45.0, "ask_human": 0.0}
"""Longest work of a round. A search asks several providers in turn; a visit downloads for up to 30 s, and the page
is read. Waiting for hosts, providers, nodes and models is not part of it."""
HOST_AWAY_S: Final = 120.0
"""A page whose host gives no permit for longer than this is not waited for: the visit ends as busy, and does not
count."""
_LEAST_PAUSE_MS: Final = 1_000
"""Shortest time until a job looks again at a round that is under way."""
NO_SNAPSHOT: Final = InFlightSnapshot()


def date_of(now_ms: int) -> str:
    """The date (UTC) of a time in ms, as ISO text; "" for 0."""
    return datetime.fromtimestamp(now_ms / 1000, UTC).date().isoformat() if now_ms else ""


def seconds_left(job: Job) -> float:
    """Seconds of work that the job may still spend in its phase."""
    limit_s = job.limits.vendors_timeout_seconds if is_in_phase2(job) else job.limits.timeout_seconds
    return max(0.0, limit_s - spent_ms(job) / 1000)


def waiting_left_s(job: Job, now_ms: int) -> float:
    """Seconds that the job may still wait in its phase."""
    return max(0.0, (job.plan.deadline_ms - now_ms) / 1000)


def spent_ms(job: Job) -> int:
    """Work of the phase so far."""
    return job.phase2.spent_ms if job.phase2 and is_in_phase2(job) else job.plan.spent_ms


def elapsed_s(job: Job, now_ms: int) -> float:
    """Seconds of phase 1, work and waiting together, without pauses: up to now, or in all if it has ended."""
    end = job.plan.finished_ms or now_ms
    return max(0.0, (end - job.plan.started_ms) / 1000) if job.plan.started_ms else 0.0


def work_and_waiting_s(job: Job, now_ms: int) -> tuple[float, float]:
    """Seconds of work in both phases so far, and seconds of waiting beside it."""
    worked_s, all_s = job.plan.spent_ms / 1000, elapsed_s(job, now_ms)
    if job.phase2:
        worked_s += job.phase2.spent_ms / 1000
        all_s += max(0, (job.phase2.finished_ms or now_ms) - job.phase2.started_ms) / 1000
    return worked_s, max(0.0, all_s - worked_s)


def add_work(editor: "JobEditor", work_ms: int, now_ms: int) -> None:
    """Count work that ended by now. Work that was done at the same time as other work of the job counts once."""
    fresh_ms = max(0, min(work_ms, now_ms - editor.job.plan.counted_ms))
    if not fresh_ms:
        return
    phase2 = editor.job.phase2
    if phase2 and is_in_phase2(editor.job):
        editor.set(phase2=phase2.changed(spent_ms=phase2.spent_ms + fresh_ms))
    else:
        editor.plan(spent_ms=editor.job.plan.spent_ms + fresh_ms)
    editor.plan(counted_ms=now_ms, deadline_ms=editor.job.plan.deadline_ms + fresh_ms)


def running_ms(job: Job, snapshot: InFlightSnapshot, now_ms: int) -> int:
    """Work for commands that are being worked on, as far as it is not counted yet."""
    longest_ms = max((one.worked_ms for one in snapshot.commands if one.is_leased), default=0)
    return max(0, min(longest_ms, now_ms - job.plan.counted_ms))


def round_opens(job: Job, action: Action, now_ms: int) -> tuple[int, int]:
    """When to look at a new round next, and what the phase will have spent when the round's own time is used up."""
    limit_ms = int(min(ROUND_S[action], seconds_left(job)) * 1000)
    return now_ms + limit_ms, spent_ms(job) + limit_ms


def next_look_ms(job: Job, running: int, now_ms: int) -> int:
    """The earliest time at which the round's own time can be used up."""
    return now_ms + max(_LEAST_PAUSE_MS, job.plan.round_limit_ms - spent_ms(job) - running)


def is_idle(snapshot: InFlightSnapshot) -> bool:
    """Whether nobody could work on the job's commands, because no crawler is alive."""
    return (
        not snapshot.nodes and bool(snapshot.commands) and not any(one.is_leased for one in snapshot.commands)
    )


def is_host_away(command: InFlight) -> bool:
    """Whether a command waits for a host that gives no permit for so long that the job goes on without it."""
    waits_for_host = not (command.is_leased or command.asks_person)
    return waits_for_host and command.free_in_ms > HOST_AWAY_S * 1000


def forced_end(job: Job, now_ms: int) -> ForcedEnd | None:
    """Why phase 1 ends without another decision; None if it goes on."""
    if job.plan.forced:
        return ForcedEnd(job.plan.forced)
    if seconds_left(job) < LEAST_LEFT_S:
        return ForcedEnd.TIMEOUT
    if now_ms >= job.plan.deadline_ms:
        return ForcedEnd.WAITING
    if decisions_made(job) >= job.limits.max_iterations:
        return ForcedEnd.ITERATIONS
    if job.plan.ceiling:
        return ForcedEnd.CEILING
    can_go_on = {"search", "visit", "read_section"} & set(allowed_actions(job)) or stored_pages_left(job)
    return None if can_go_on else ForcedEnd.NOTHING_LEFT


def timers_of(job: Job, now_ms: int) -> dict[tuple[str, int], int]:
    """The timers that a job needs now: {(kind, number): due time in ms}. They replace its earlier ones."""
    plan = job.plan
    if job.state in FINAL_STATES or job.state == "waiting_for_human":
        return {}
    if job.state == "synthesizing":
        return {("go", plan.iteration): now_ms}
    deadline = {("deadline", plan.deadline_timer_no): plan.deadline_ms}
    if job.phase2 and is_round_open(job):
        return {("round", FIRST_VENDOR_ROUND + job.phase2.round): plan.round_until_ms, **deadline}
    if is_round_open(job):
        return {("round", plan.round): plan.round_until_ms, **deadline}
    return {("go", plan.iteration): now_ms, **deadline}
