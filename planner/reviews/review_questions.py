"""Ask a person, and wait: a job with an open question holds no lease and no claim, and has no timer. Pure."""

from collections.abc import Sequence
from typing import Final

from planner.job.job_editor import JobEditor
from planner.job.progress import decided_searches, decided_visits, written_progress
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.people.reviews import OpenQuestion, QuestionKind
from research_crawler.core.models.reports.report import Report

WAITING_FOR_PERSON: Final = "Waiting for the answer of a person"
MAX_QUESTION: Final = 400
"""Longest question to a person, in characters."""
MAX_PLANNED: Final = 8
"""Most queries, and most pages, of a plan that a person is shown."""
REVIEW_QUESTION: Final = "Is this the answer that you wanted?"
PLAN_QUESTION: Final = "Shall the research go by this plan?"
STUCK_QUESTION: Final = "What should be looked for now, or where? A fact, a page or a narrower wish helps."


def wants_review(job: Job, report: Report) -> bool:
    """Whether a person is asked before this report completes its job."""
    if job.review.accepted or job.inputs.review == "never":
        return False
    return job.inputs.review == "always" or is_uncertain(job, report)


def is_uncertain(job: Job, report: Report) -> bool:
    """Whether the evidence of a report is insufficient, or the research ended at a limit with something missing."""
    return bool(report.exit_code or job.plan.last_resort or (job.plan.forced and job.plan.missing))


def ask_for_review(job: Job, now_ms: int) -> Job:
    """The job with its finished report, waiting until a person accepts or rejects it."""
    editor = JobEditor(job, now_ms)
    _ask(editor, "review", REVIEW_QUESTION)
    # The report is written, but the job is not over before it is accepted.
    editor.set(progress=written_progress(job.progress))
    return editor.finish_step(WAITING_FOR_PERSON)


def ask_for_help(job: Job, question: str, difficulty: str, now_ms: int) -> Job:
    """The job, waiting for the help of a person with what it has found so far."""
    editor = JobEditor(job, now_ms)
    editor.set(review=job.review.changed(helped=job.review.helped + 1))
    _ask(editor, "ask", question or STUCK_QUESTION, difficulty=difficulty)
    return editor.finish_step(WAITING_FOR_PERSON)


def wants_plan_approved(job: Job) -> bool:
    """Whether a person must see the plan before anything is fetched; stored pages are read without that."""
    has_fetched = bool(job.searches or job.phase2) or any(
        not (visit.origin or visit.section) for visit in job.visits
    )
    return job.inputs.approve_plan and not job.review.plan_approved and not has_fetched


def ask_for_plan(job: Job, decision: Decision, now_ms: int) -> Job:
    """The job, waiting until a person accepts what would be searched and read first.

    With `done` nothing would be: what is known answers the question, or vendors are asked next.
    """
    editor = JobEditor(job, now_ms)
    _ask(
        editor,
        "plan",
        PLAN_QUESTION,
        action=decision.action if decision.action in ("search", "visit") else "",
        queries=decision.queries,
        urls=decision.urls,
        reason=decision.reason,
    )
    return editor.finish_step(WAITING_FOR_PERSON)


def planned_decision(question: OpenQuestion) -> Decision:
    """The decision that a plan consists of."""
    return Decision(
        action=question.action or "done",
        queries=question.queries,
        urls=question.urls,
        reason=question.reason,
    )


def difficulty_of(job: Job, reason: str) -> str:
    """Why the research needs a person: what it got stuck with, what was tried, and what is still open."""
    tried = f"{decided_searches(job)} searches and {decided_visits(job)} pages so far"
    open_ = [leaf.question for leaf in job.outline.unanswered]
    lacking = f"; not answered: {'; '.join(open_)}" if open_ else ""
    return f"{reason or 'the planner made no progress'}; {tried}{lacking}"


def _ask(  # the parts of a question
    editor: JobEditor,
    kind: QuestionKind,
    text: str,
    *,
    difficulty: str = "",
    action: str = "",
    queries: Sequence[str] = (),
    urls: Sequence[str] = (),
    reason: str = "",
) -> None:
    """Put the question into the record, and let nothing wake the job but its answer."""
    number = editor.job.review.asked + 1
    question = OpenQuestion(
        no=number,
        kind=kind,
        text=_line(text),
        difficulty=_line(difficulty),
        action="visit" if action == "visit" else "search" if action else "",
        queries=list(queries)[:MAX_PLANNED],
        urls=list(urls)[:MAX_PLANNED],
        reason=_line(reason),
    )
    editor.set(review=editor.job.review.changed(question=question, asked=number))
    editor.plan(open_commands=[], round_until_ms=0, round_limit_ms=0)
    editor.note("review", f"question {number} ({kind}): {question.text} {question.difficulty}".strip())
    editor.enter("waiting_for_human")


def _line(text: str) -> str:
    return " ".join(text.split())[:MAX_QUESTION]
