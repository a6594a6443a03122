"""The report of a job, and each of its quotes in the text of its page."""

from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response

from research_crawler.core.text.plain_text import cleaned
from research_crawler.interfaces.dashboard.pages import page
from research_crawler.interfaces.http.access import DASHBOARD
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.services.exports.html_page import parts_of
from research_crawler.services.exports.manuscript import shortened
from research_crawler.services.exports.quoted_page import quoted_page
from research_crawler.services.exports.report_export import manuscript_of
from research_crawler.services.exports.source_lines import facts_of

router = APIRouter(prefix="/jobs")


@router.get("/{job_id}/report")
async def report_page(request: Request, job_id: str, runtime: RuntimeOf) -> Response:
    """The report; each mark leads to its quote."""
    manuscript = await manuscript_of(runtime, job_id)
    evidence = f"{DASHBOARD}/jobs/{quote(manuscript.report.job, safe='')}/evidence/"
    return page(
        request,
        "report.html",
        manuscript=manuscript,
        report=manuscript.report,
        parts=parts_of(manuscript, evidence_base=evidence),
        evidence=evidence,
        shortened=shortened,
        facts_of=facts_of,
    )


@router.get("/{job_id}/evidence/{evidence_id}")
async def evidence_page(request: Request, job_id: str, evidence_id: str, runtime: RuntimeOf) -> Response:
    """A quote, marked in the stored text of its page."""
    found = await quoted_page(runtime, job_id, evidence_id)
    return page(request, "evidence.html", job_id=job_id, found=found, piece=cleaned(found.piece))
