"""Exports the report of a job, for every interface."""

from planner.goal.report_language import report_language
from research_crawler.core.errors import NoReport
from research_crawler.core.models.reports.report import Report
from research_crawler.core.text.plain_text import cleaned
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.exports.formats import Format
from research_crawler.services.exports.manuscript import Context, Manuscript, context_of
from research_crawler.services.jobs.control import find_job, report_of


async def export_report(runtime: Runtime, job_id: str, form: Format) -> bytes:
    """The report of a job as a document.

    Raises:
        UnknownJob: no job has this id.
        NoReport: the job is not over, or it ended without a report.
        NoBrowser: the format needs a browser, and there is none that works.
    """
    return await form.render(await manuscript_of(runtime, job_id), runtime.config)


async def manuscript_of(runtime: Runtime, job_id: str) -> Manuscript:
    """A job's report with what its formats need.

    Raises:
        UnknownJob: no job has this id.
        NoReport: the job is not over, or it ended without a report.
    """
    job, stored = await find_job(runtime, job_id), await report_of(runtime, job_id)
    if stored is None:
        raise NoReport(f"job {job_id} is not over ({job.state})", job_id)
    if not stored.report_markdown:
        why = f": {job.error}" if job.error else ""
        raise NoReport(f"job {job_id} ended without a report ({job.state}{why})", job_id)
    report = cleaned(stored)
    language = report_language(job.inputs.goal, job.inputs.language)
    return Manuscript(report, language, await _contexts(runtime, stored))


async def _contexts(runtime: Runtime, report: Report) -> dict[str, Context]:
    """The text around each quote, from the pages that are stored, one page at a time."""
    contexts: dict[str, Context] = {}
    for sha in dict.fromkeys(piece.page_sha256 for piece in report.evidence if piece.page_sha256):
        page = await runtime.container.archive.get_page(sha)
        if page is None:
            continue
        text = page.page.markdown
        of_page = (piece for piece in report.evidence if piece.page_sha256 == sha)
        contexts |= {piece.id: context_of(text, piece.start, piece.end) for piece in of_page}
    return contexts
