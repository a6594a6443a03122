"""Start phase 2, after phase 1 or instead of it, once a person has seen the plan who wants to. Pure."""

from planner.job.job_editor import JobEditor
from planner.reviews.review_questions import ask_for_plan, wants_plan_approved
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.offers.phase2 import Phase2


def begin_with_vendors(editor: JobEditor) -> None:
    """Start phase 2 of a job that needs no phase 1, once a person has seen the plan who wants to."""
    if not asks_before_vendors(editor):
        editor.plan(finished_ms=editor.now_ms)
        begin_phase2(editor)


def begin_phase2(editor: JobEditor) -> None:
    """Start phase 2, with a time limit of its own, after phase 1 or instead of it."""
    job = editor.job
    deadline_ms = editor.now_ms + int(job.limits.waiting_timeout_seconds * 1000)
    vendors_ms = (
        job.plan.review_round_start.vendors_ms
    )  # the time for vendors is that of all rounds of a review
    editor.set(phase2=Phase2(started_ms=editor.now_ms, spent_ms=vendors_ms))
    editor.plan(open_commands=[], round_until_ms=0, counted_ms=editor.now_ms)
    editor.plan(deadline_ms=deadline_ms, deadline_timer_no=job.plan.deadline_timer_no + 1)
    editor.enter("executing")


def asks_before_vendors(editor: JobEditor) -> bool:
    """Let the job wait for a person before vendors are asked, if its plan was not approved; True if it waits now."""
    if not wants_plan_approved(editor.job):
        return False
    why = f"{editor.job.strategy_reason}; vendors are asked next"
    editor.job = ask_for_plan(editor.job, Decision(action="done", reason=why), editor.now_ms)
    return True
