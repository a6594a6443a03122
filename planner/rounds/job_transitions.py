"""Apply a job's events to it, and decide what to do next. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from planner.job.allowances import (
    LEAST_LEFT_S,
    ForcedEnd,
    is_in_phase2,
    is_round_open,
)
from planner.job.clock import (
    HOST_AWAY_S,
    NO_SNAPSHOT,
    add_work,
    forced_end,
    is_host_away,
    is_idle,
    next_look_ms,
    running_ms,
    seconds_left,
    spent_ms,
)
from planner.job.job_editor import JobEditor
from planner.job.progress import DECIDING, SYNTHESIZING
from planner.offers.vendor_events import postpone
from planner.reviews.answers import IGNORED, apply_answer
from planner.rounds.command_results import EventOutcomes
from planner.rounds.phase2_start import begin_with_vendors
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.records import VisitRecord
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
from research_crawler.core.models.messages.in_flight import InFlightSnapshot
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.vendors import NO_CATALOGUE, Catalogue


@dataclass(frozen=True)
class Finish:
    """Phase 1 ends, because of `forced`."""

    forced: ForcedEnd


Next = Literal["wait", "label", "decide", "vendors", "write", "answered", "conclude", "over"] | Finish


@dataclass(frozen=True)
class StepResult:
    """The job after its events, and what to do next.

    next: wait: for more events; label: commit the new results, ask for the likeliest of them, then decide; decide: ask
    the brain; `Finish`: end phase 1; vendors: continue phase 2; write: write the report; answered:
    commit what a person answered, and go on at once; conclude: a person has accepted the report; over: do nothing.
    """

    job: Job
    next: Next
    findings: tuple[Finding, ...] = ()
    """New findings, to be added to the job's."""
    visitable_urls: tuple[str, ...] = ()
    """Canonical URLs that may be visited from now on."""
    used_events: tuple[str, ...] = ()
    """Uids of the events that had an effect."""
    rejected: tuple[Finding, ...] = ()
    """Findings that a person has rejected in this step."""


def apply_events(  # all that a step sees
    job: Job,
    events: Sequence[Event],
    found: Sequence[Finding],
    now_ms: int,
    catalogue: Catalogue = NO_CATALOGUE,
    snapshot: InFlightSnapshot = NO_SNAPSHOT,
) -> StepResult:
    """Apply a job's events. The same arguments give the same result, so that a takeover decides the same.

    Args:
        job: the job before the step.
        events: what its mailbox holds.
        found: the findings that are already stored.
        now_ms: the time on the clock of the job's version.
        catalogue: known vendors, for phase 2.
        snapshot: where its open commands are; needed if a timer is among the events.
    """
    if job.state in FINAL_STATES:
        return StepResult(job, "over")
    step = _Step(job, found, now_ms, catalogue, snapshot)
    step.begin()
    paused = step.skip_pause(events)
    for event in events:
        step.apply_event(event, paused=paused)
    return step.outcome()


class _Step:
    """The state of one call of `apply_events`: the editor, and what the events have brought."""

    def __init__(
        self,
        job: Job,
        found: Sequence[Finding],
        now_ms: int,
        catalogue: Catalogue,
        snapshot: InFlightSnapshot,
    ) -> None:
        self.editor, self.now_ms, self.catalogue, self.snapshot = (
            JobEditor(job, now_ms),
            now_ms,
            catalogue,
            snapshot,
        )
        self.found, self.brought = found, EventOutcomes(self.editor, found)
        self.answering = IGNORED
        self.timed_out = False

    def begin(self) -> None:
        """Start the clock of a job at its first step."""
        job = self.editor.job
        if job.plan.started_ms:
            return
        deadline = self.now_ms + int(job.limits.waiting_timeout_seconds * 1000)
        self.editor.plan(
            started_ms=self.now_ms, counted_ms=self.now_ms, deadline_ms=deadline, deadline_timer_no=1
        )
        self.editor.plan(touched_ms=self.now_ms)
        self.editor.enter("planning")
        self.brought.visitable_urls |= dict.fromkeys(job.inputs.urls)
        if job.strategy == "phase2_only":
            begin_with_vendors(self.editor)

    def skip_pause(self, events: Iterable[Event]) -> bool:
        """Move the deadline and the round by the time for which no process could work on the job.

        Returns:
            True if there was such a time.
        """
        plan = self.editor.job.plan
        late = pause_ms(self.editor.job, events, self.snapshot, self.now_ms)
        if self.editor.job.state in ("synthesizing", "waiting_for_human") or not late:
            return False
        self.editor.plan(
            started_ms=plan.started_ms + (0 if plan.finished_ms else late),
            deadline_ms=plan.deadline_ms + late,
            round_until_ms=plan.round_until_ms + late if plan.round_until_ms else 0,
            deadline_timer_no=plan.deadline_timer_no + 1,
        )
        if is_in_phase2(self.editor.job):
            postpone(self.editor, late)
        if not is_idle(self.snapshot):  # status says that; in the timeline it would be a line for every look
            self.editor.note(
                "resumed", f"no process worked on the job for {late / 1000:.0f} s, which do not count"
            )
        return True

    def apply_event(self, event: Event, *, paused: bool) -> None:
        """Apply one event; after a pause, timers have no effect."""
        plan = self.editor.job.plan
        in_phase2 = is_in_phase2(self.editor.job)
        match event:
            case CommandDone():
                self.brought.settle(event, self.catalogue, self.now_ms)
            case PersonAnswered() if self.answering.effect == "ignored":
                self.answering = apply_answer(self.editor, event, [*self.found, *self.brought.findings])
                self.brought.visitable_urls |= dict.fromkeys(self.answering.seen)
                self.brought.used_events += [event.uid] if self.answering.effect != "ignored" else []
            case RoundDue(no=plan.round) if is_round_open(self.editor.job) and not paused:
                self.brought.used_events.append(event.uid)
                self.timed_out = True
            case DeadlineDue(no=plan.deadline_timer_no) if not (paused or in_phase2):
                self.brought.used_events.append(event.uid)
                if self.now_ms >= plan.deadline_ms:  # work that was counted since has moved it on
                    self.editor.plan(forced=ForcedEnd.WAITING)
            case RoundDue() | DeadlineDue() | PersonAnswered():  # it came late
                pass
            case (
                JobStarted() | JobResumed() | NextStepDue()
            ):  # that the step is taken is all that they ask for
                pass
            case _ as unknown:
                assert_never(unknown)

    def outcome(self) -> StepResult:
        """The result of all events."""
        job = self.editor.job
        if self.answering.effect != "ignored":
            is_over = self.answering.effect == "conclude"
            return self._applied("conclude" if is_over else "answered", "" if is_over else DECIDING)
        if job.state == "waiting_for_human":
            return self._applied("wait")
        if is_in_phase2(job):
            return self._applied("vendors")
        if is_round_open(job) and self.timed_out and job.plan.open_commands:
            self._look_at_round()
        elif is_round_open(job) and not job.plan.open_commands:
            close_round(self.editor)
        if job.state == "synthesizing":
            return self._applied("write", SYNTHESIZING)
        if forced := self.editor.job.plan.forced:
            return self._applied(Finish(ForcedEnd(forced)))
        if is_round_open(self.editor.job):
            return self._applied("wait")
        if self.brought.new_results:
            return self._applied("label", DECIDING)
        end = forced_end(self.editor.job, self.now_ms)
        return self._applied(Finish(end) if end else "decide", DECIDING)

    def _applied(self, following: Next, action: str = "") -> StepResult:
        return StepResult(
            self.editor.finish_step(action),
            following,
            tuple(self.brought.findings),
            tuple(self.brought.visitable_urls),
            tuple(self.brought.used_events),
            rejected=self.answering.rejected,
        )

    def _look_at_round(self) -> None:
        """Close a round that has used up its own time or the job's; else look again when that can be the case."""
        for event in given_up(self.editor.job, self.snapshot):
            self.brought.settle(event, self.catalogue, self.now_ms)
        self._leave_to_person()
        job = self.editor.job
        running = running_ms(job, self.snapshot, self.now_ms)
        if seconds_left(job) - running / 1000 < LEAST_LEFT_S:
            add_work(self.editor, running, self.now_ms)
            self.editor.plan(forced=ForcedEnd.TIMEOUT)
        elif not job.plan.open_commands or spent_ms(job) + running >= job.plan.round_limit_ms:
            close_round(self.editor)
        else:
            self.editor.plan(round_until_ms=next_look_ms(job, running, self.now_ms))

    def _leave_to_person(self) -> None:
        """Take the pages for which a person is asked out of the round: they are awaited before the job ends."""
        asked = asked_of_person(self.editor.job, self.snapshot)
        if asked:
            commands = {visit.command for visit in asked}
            self.editor.plan(
                open_commands=[one for one in self.editor.job.plan.open_commands if one not in commands]
            )
            for visit in asked:
                self.editor.replace_visit(visit.changed(left_to_person=True))
            urls = " ".join(visit.url for visit in asked)
            self.editor.note("asks", f"a person is asked to open {urls} (research interventions list)")


def close_round(editor: JobEditor) -> None:
    """Close a round that is complete or whose time is over, and count whether it brought something new.

    A round that brought no page at all says nothing about what can be found: it does not count as barren. Neither does
    the last one from before a person's answer, which was counted when it was closed.
    """
    plan = editor.job.plan
    is_counted = 0 < plan.round <= plan.review_round_start.round
    has_searched = any(search.round == plan.round for search in editor.job.searches)
    has_read = any(
        visit.round == plan.round and visit.outcome == "ok" and not visit.origin
        for visit in editor.job.visits
    )
    barren = plan.barren_rounds
    if plan.gained and not has_searched:
        barren = 0
    elif not plan.gained and not is_counted and (has_searched or has_read):
        barren += 1
    if plan.open_commands:
        editor.note(
            "warning", f"round {plan.round}: continued without {len(plan.open_commands)} of its answers"
        )
    editor.plan(open_commands=[], round_until_ms=0, round_limit_ms=0, gained=0, barren_rounds=barren)


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
        CommandDone(uid=id_, command=id_, outcome="busy", reason=why, wait_s=away_s[id_])
        for id_ in (visit.command for visit in job.visits if not visit.outcome)
        if id_ in away_s
    ]


def asked_of_person(job: Job, snapshot: InFlightSnapshot) -> list[VisitRecord]:
    """The visits of the open round for which a person is asked; in a round that only awaits pages there are none."""
    waiting = {one.command for one in snapshot.commands if one.asks_person}
    return [
        visit
        for visit in job.visits
        if visit.command in waiting
        and visit.round == job.plan.round
        and visit.command in job.plan.open_commands
    ]
