"""Begin a new round of research after a review, from the kept record. Pure.

It has searches, visits and decisions of its own; money and time are those of the whole job.
"""

from planner.job.job_editor import JobEditor
from planner.job.progress import decided_searches, decided_visits, written_progress
from research_crawler.core.models.evidence.quality import Assessed
from research_crawler.core.models.jobs.records import RoundStart, SearchRecord, VisitRecord
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why

_WITHDRAWN = Why(Reason.CANCELLED, "the job waited for a person")


def rebase_clock(editor: JobEditor) -> None:
    """Take the time in which the job waited for a person out of its time."""
    plan = editor.job.plan
    waited_ms = max(0, editor.now_ms - plan.touched_ms)
    editor.plan(
        started_ms=plan.started_ms + waited_ms,
        deadline_ms=plan.deadline_ms + waited_ms,
        counted_ms=editor.now_ms,
        deadline_timer_no=plan.deadline_timer_no + 1,
    )


def open_new_round(editor: JobEditor) -> None:
    """Let phase 1 begin again with what is known; vendors are asked again after it."""
    rebase_clock(editor)
    _end_withdrawn(editor)
    job, phase2 = editor.job, editor.job.phase2
    editor.plan(
        review_round_start=RoundStart(
            iterations=job.plan.iteration,
            searches_used=job.plan.searches_used,
            visits_used=job.plan.visits_used,
            searches=decided_searches(job),
            visits=decided_visits(job),
            round=job.plan.round,
            vendors_ms=phase2.spent_ms if phase2 else job.plan.review_round_start.vendors_ms,
        ),
        deadline_ms=editor.now_ms + int(job.limits.waiting_timeout_seconds * 1000),
        finished_ms=0,
        forced="",
        done_reason="",
        missing=[],
        named_missing=[],
        targets=[],
        last_resort=False,
        recovery_step=0,
        barren_rounds=0,
        repeats=0,
        gained=0,
    )
    rounds = job.review.rounds + 1
    editor.set(
        phase2=None,
        progress=written_progress(job.progress),
        assessed=Assessed(),  # a person has said that what was graded is not enough
        report="",
        completed_at="",
        outcome=None,
        warnings=[],
        review=job.review.changed(question=None, rounds=rounds, accepted=False),
    )
    editor.note("review", f"round {rounds} of the review begins")
    editor.enter("executing")


def _end_withdrawn(editor: JobEditor) -> None:
    """End the records of commands that were withdrawn while the job waited: no event will."""

    def ended_search(record: SearchRecord) -> SearchRecord:
        return record if record.outcome else record.changed(outcome="failed", reason=_WITHDRAWN)

    def ended_visit(record: VisitRecord) -> VisitRecord:
        return record if record.outcome else record.changed(outcome="busy", reason=_WITHDRAWN, counted=False)

    searches, visits = editor.job.searches, editor.job.visits
    searches_open = sum(not one.outcome for one in searches)
    visits_open = sum(not one.outcome for one in visits)
    editor.set(searches=[ended_search(one) for one in searches], visits=[ended_visit(one) for one in visits])
    plan = editor.job.plan
    editor.plan(
        searches_used=max(0, plan.searches_used - searches_open),
        visits_used=max(0, plan.visits_used - visits_open),
    )
