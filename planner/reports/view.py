"""Show a brain what it needs to write a report."""

from collections.abc import Sequence

from planner.goal.about import asked_of
from planner.goal.language import messages_of, report_language
from planner.job.clock import date_of
from planner.job.limits import forced_line
from planner.reports.records.state_document import state_document
from planner.reports.reviewed import remarks_as_task
from planner.reports.sources.evidence import written_from
from research_crawler.core.models.drafts import ReportView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job

MAX_WRITTEN_FROM = 60
"""Most findings that an answer is written from; the job's record keeps the others."""
MAX_BANK = 240
"""Most findings that the sections of a report choose from."""


def report_view(job: Job, findings: Sequence[Finding], *, most: int = MAX_WRITTEN_FROM) -> ReportView:
    """What a brain sees to write a report; `findings` are ordered as their evidence ids are."""
    return ReportView(
        goal=asked_of(job.inputs),
        today=date_of(job.plan.touched_ms),
        task=f"{job.inputs.task} {remarks_as_task(job)}".strip(),
        intent=job.inputs.intent,
        language=report_language(job.inputs.goal, job.inputs.language),
        findings=written_from(findings, most),
        searches=job.searches,
        visited=job.visits,
        pages_read=job.plan.pages_read,
        done_reason=job.plan.done_reason or forced_line(job.plan.forced, messages_of(job.inputs)),
        missing=job.plan.missing,
        depth=job.inputs.depth,
        outline=job.outline,
        max_words=job.inputs.max_words,
        state_document=state_document(job, findings),
    )
