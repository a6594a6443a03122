"""Show a brain what it needs to write a report."""

from collections.abc import Sequence

from planner.goal.goal_subject import added_terms, asked_of
from planner.goal.report_language import messages_of, report_language
from planner.job.allowances import forced_line
from planner.job.clock import date_of
from planner.reports.review_notes import remarks_as_task
from planner.reports.sources.ranked_evidence import written_from
from planner.reports.sources.snippets import without_snippets
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.drafts import ReportView

MAX_FINDINGS_WITHOUT_MODEL = 60
"""Most findings that an answer is written from without a model; the job's record keeps the others."""
MAX_FINDINGS_WITH_MODEL = 240
"""Most findings that a model's report chooses from, its sections each for itself."""


def report_view(job: Job, findings: Sequence[Finding], *, most: int = MAX_FINDINGS_WITH_MODEL) -> ReportView:
    """What a brain sees to write a report; `findings` are ordered as their evidence ids are."""
    return ReportView(
        goal=asked_of(job.inputs),
        today=date_of(job.plan.touched_ms),
        task=f"{job.inputs.task} {remarks_as_task(job)}".strip(),
        follow_up=job.inputs.goal if job.inputs.about_job else "",
        added=added_terms(job.inputs),
        intent=job.inputs.intent,
        language=report_language(job.inputs.goal, job.inputs.language),
        findings=written_from(findings, most),
        searches=job.searches,
        visited=job.visits,
        pages_read=job.plan.pages_read,
        done_reason=job.plan.done_reason or forced_line(job.plan.forced, messages_of(job.inputs)),
        missing=[*job.plan.missing, *job.plan.named_missing],
        depth=job.inputs.depth,
        outline=job.outline,
        max_words=job.inputs.max_words,
    )


def quoted_from(view: ReportView) -> ReportView:
    """The view of a brain that only quotes: the best findings, without snippets of pages that nobody has read.

    Snippets stand behind all other findings, so that each finding keeps its place. A follow-up question sees more, so
    that the findings of the job before leave room for its own.
    """
    most = MAX_FINDINGS_WITH_MODEL if view.added else MAX_FINDINGS_WITHOUT_MODEL
    return view.changed(findings=without_snippets(view.findings)[:most])
