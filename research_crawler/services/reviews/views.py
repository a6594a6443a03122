"""What a person is shown of a job before answering: its answer, its journey, its key sources and its plan."""

from collections.abc import Sequence

from pydantic import Field

from planner.goal.report_language import messages_of
from planner.job.rejected import not_rejected
from planner.reports.records.outlines import outline_so_far
from planner.reports.report import default_journey
from planner.reports.sources.ranked_evidence import evidence_id, evidence_of
from planner.reports.sources.snippets import without_snippets
from research_crawler.core.errors import UsageError
from research_crawler.core.models.base import Frozen
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job, State
from research_crawler.core.models.people.reviews import OpenQuestion, Remark
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.report import Report, ReportOutlineSection
from research_crawler.core.web.urls import host_of
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import job_and_findings

MOST_SHOWN_CLAIMS = 12
"""Most statements of the answer that are shown; report.md has all of them."""


class ReviewedFinding(Frozen):
    """A finding that a person may reject by its id."""

    id: str
    """`E1`, `E2` …, as in the report."""
    finding: str
    claim: str
    url: str
    title: str = ""


class ReviewView(Frozen):
    """A job as a person reviews it."""

    job: str
    state: State
    goal: str
    question: OpenQuestion | None = None
    """What the job waits for; None: it does not wait."""
    answer: list[str] = Field(default_factory=list)
    """Statements of the answer, or the best findings so far."""
    certainty: str = ""
    journey: str = ""
    sources: list[Source] = Field(default_factory=list)
    findings: list[ReviewedFinding] = Field(default_factory=list)
    outline: list[ReportOutlineSection] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    rounds: int = 0
    remarks: list[Remark] = Field(default_factory=list)
    report_markdown: str = ""
    """The whole report; empty if none is written yet."""

    @property
    def answering(self) -> dict[str, ReviewedFinding]:
        """The findings that the answer gives in their own words, by these words: nobody wants to read them twice."""
        answer = set(self.answer)
        return {one.claim: one for one in self.findings if one.claim in answer}

    @property
    def further(self) -> list[ReviewedFinding]:
        """The findings that do not stand in the answer."""
        answer = set(self.answer)
        return [one for one in self.findings if one.claim not in answer]


async def review_of(runtime: Runtime, job_id: str) -> ReviewView:
    """What a person is shown of a job.

    Raises:
        UnknownJob: no job has this id.
        UsageError: the job is a run of a watch.
    """
    job, findings, report = await reviewed_record(runtime, job_id)
    return review_view(job, findings, report)


async def reviewed_record(runtime: Runtime, job_id: str) -> tuple[Job, list[Finding], Report | None]:
    """The job, the findings that nobody has rejected, and the report that waits or is accepted; None: there is none.

    Raises:
        UnknownJob: no job has this id.
        UsageError: the job is a run of a watch.
    """
    job, found = await job_and_findings(runtime, job_id)
    if job.inputs.watch is not None:
        raise UsageError(f"job {job_id} is a run of a watch, which nobody reviews; see: research watch list")
    findings = not_rejected(job.review, found)
    question = job.review.question
    has_report = job.state == "completed" or (question is not None and question.kind == "review")
    archived = await runtime.container.archive.get_report(job_id) if has_report else None
    report = Report.model_validate(archived[1]) if archived and archived[1] else None
    return job, findings, report


def review_view(job: Job, findings: Sequence[Finding], report: Report | None) -> ReviewView:
    """The view of a job with its findings and its report, if there is one."""
    shown = shown_findings(findings, report)
    answer = [claim.text for claim in report.claims] if report else [one.claim for one in shown]
    return ReviewView(
        job=job.id,
        state=job.state,
        goal=job.inputs.goal,
        question=job.review.question,
        answer=answer[:MOST_SHOWN_CLAIMS],
        journey=report.journey if report else default_journey(job, messages_of(job.inputs)),
        sources=report.sources if report else _pages(job),
        findings=shown,
        outline=outline_so_far(job.outline),
        warnings=report.warnings if report else job.warnings,
        rounds=job.review.rounds,
        remarks=job.review.remarks,
        report_markdown=report.report_markdown if report else "",
    )


def shown_findings(findings: Sequence[Finding], report: Report | None) -> list[ReviewedFinding]:
    """The findings with the ids that the report gives them; without a report, with those that it would give."""
    if report is None:
        best = without_snippets(evidence_of(findings))
        named = [(evidence_id(place), finding) for place, finding in enumerate(best)]
    else:  # its evidence is in that order already, which takes long to find for thousands of findings
        of_quote = {(one.quote, one.url): one for one in reversed(findings)}
        cited = [(one.id, of_quote.get((one.quote, one.url))) for one in report.evidence]
        named = [(id_, finding) for id_, finding in cited if finding and not finding.is_snippet]
    return [
        ReviewedFinding(id=id_, finding=f.id, claim=f.claim, url=f.url, title=f.title) for id_, f in named
    ]


def _pages(job: Job) -> list[Source]:
    """The pages that were read so far, while no report has numbered its sources."""
    read = [visit for visit in job.visits if visit.outcome == "ok" and not visit.section]
    return [
        Source(
            n=place,
            title=visit.title,
            url=visit.final_url or visit.url,
            host=host_of(visit.final_url or visit.url),
            published=visit.published,
            fetched_at=visit.fetched_at,
            summary=visit.summary,
        )
        for place, visit in enumerate(read, 1)
    ]
