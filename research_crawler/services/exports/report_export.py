"""Exports the report of a job, for every interface."""

import asyncio
from collections.abc import Sequence

from planner.goal.report_language import report_language
from research_crawler.core.errors import NoReport
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.cited_parts import Evidence
from research_crawler.core.models.reports.report import Report
from research_crawler.core.text.plain_text import cleaned, is_clean
from research_crawler.core.text.translatable import translatable
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.exports.formats import Format
from research_crawler.services.exports.manuscript import Context, Manuscript, context_of, evidence_of_sources
from research_crawler.services.jobs.job_lookup import job_and_report


async def export_report(runtime: Runtime, job_id: str, form: Format) -> bytes:
    """The report of a job as a document.

    Raises:
        UnknownJob: no job has this id.
        NoReport: the job is not over, or it ended without a report.
        NoBrowser: the format needs a browser, and there is none that works.
    """
    return await form.render(await manuscript_of(runtime, job_id), runtime.config)


async def manuscript_of(runtime: Runtime, job_id: str) -> Manuscript:
    """A job's report with what its formats need, the text around its cited quotes among it.

    Raises:
        UnknownJob: no job has this id.
        NoReport: the job is not over, or it ended without a report.
    """
    job, stored = await _stored(runtime, job_id)
    contexts = await contexts_of(runtime, evidence_of_sources(stored))
    return Manuscript(_cleaned(stored), _language(job), contexts)


async def reading_manuscript(runtime: Runtime, job_id: str) -> Manuscript:
    """A job's report for reading in a page: of its evidence that of its sources, without the text around it.

    Raises:
        UnknownJob, NoReport: as above.
    """
    job, stored = await _stored(runtime, job_id)
    return Manuscript(_cleaned(stored.changed(evidence=evidence_of_sources(stored))), _language(job))


def _cleaned(report: Report) -> Report:
    return report if is_clean(report) else cleaned(report)


async def contexts_of(runtime: Runtime, pieces: Sequence[Evidence]) -> dict[str, Context]:
    """The text around each of these quotes, from the pages that are stored, one page at a time."""
    by_page: dict[str, list[Evidence]] = {}
    for piece in pieces:
        if piece.page_sha256:
            by_page.setdefault(piece.page_sha256, []).append(piece)
    contexts: dict[str, Context] = {}
    for sha, of_page in by_page.items():
        page = await runtime.container.archive.get_page(sha)
        if page is not None:
            contexts |= await asyncio.to_thread(_of_page, page.page.markdown, of_page)
    return contexts


def _of_page(text: str, pieces: Sequence[Evidence]) -> dict[str, Context]:
    return {piece.id: context_of(text, piece.start, piece.end) for piece in pieces}


async def _stored(runtime: Runtime, job_id: str) -> tuple[Job, Report]:
    job, stored = await job_and_report(runtime, job_id)
    if stored is None:
        raise NoReport(
            translatable("job %(job)s is not over; its report can be read when it is", job=job_id), job_id
        )
    if not stored.report_markdown:
        why = f": {job.error}" if job.error else ""
        raise NoReport(f"job {job_id} ended without a report ({job.state}{why})", job_id)
    return job, stored


def _language(job: Job) -> str:
    return report_language(job.inputs.goal, job.inputs.language)
