"""What a brain is shown to write a report."""

from collections.abc import Sequence

from planner.job.limits import (
    FORCED_LINES,
)
from planner.reports.evidence import evidence_of
from planner.reports.state_document import state_document
from research_crawler.core.models.decisions import ReportView
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job

MAX_WRITTEN_FROM = 60
"""Findings that a report is written from; the record keeps the rest."""


def report_view(job: Job, findings: Sequence[Finding]) -> ReportView:
    """What the report is written from: `findings` in the order that evidence ids count."""
    return ReportView(
        goal=job.inputs.goal,
        task=job.inputs.task,
        intent=job.inputs.intent,
        language=job.inputs.language,
        findings=evidence_of(findings)[:MAX_WRITTEN_FROM],
        searches=job.searches,
        visited=job.visits,
        done_reason=job.plan.done_reason or FORCED_LINES.get(job.plan.forced, ""),
        missing=job.plan.missing,
        state_document=state_document(job, findings),
    )
