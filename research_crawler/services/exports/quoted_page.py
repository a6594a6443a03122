"""Shows a quote where it stands in its stored page, for a person who checks it."""

from dataclasses import dataclass
from typing import Final

from research_crawler.core.errors import NoReport, UnknownEvidence
from research_crawler.core.models.reports.cited_parts import Evidence
from research_crawler.core.text.plain_text import clean
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import report_of

LETTERS_AROUND: Final = 20_000
"""Letters of the page before the quote, and after it: a stored page may have a million."""


@dataclass(frozen=True)
class QuotedPage:
    """A piece of evidence with the text of its page."""

    piece: Evidence
    is_kept: bool
    """False: the page is no longer stored, or was never read, as with the snippet of a search result."""
    before: str = ""
    quote: str = ""
    after: str = ""
    is_cut: bool = False
    """Whether the page has more text than is given."""


async def quoted_page(runtime: Runtime, job_id: str, evidence_id: str) -> QuotedPage:
    """A piece of evidence of a job's report, with the page around it.

    Raises:
        UnknownJob: no job has this id.
        NoReport: the job is not over.
        UnknownEvidence: the report has no such evidence.
    """
    report = await report_of(runtime, job_id)
    if report is None:
        raise NoReport(f"job {job_id} is not over", job_id)
    piece = next((one for one in report.evidence if one.id == evidence_id), None)
    if piece is None:
        raise UnknownEvidence(evidence_id, job_id)
    page = await runtime.container.archive.get_page(piece.page_sha256) if piece.page_sha256 else None
    if page is None:
        return QuotedPage(piece, is_kept=False)
    text = page.page.markdown
    begin, end = max(0, piece.start - LETTERS_AROUND), piece.end + LETTERS_AROUND
    return QuotedPage(
        piece,
        is_kept=True,
        before=clean(text[begin : piece.start]),
        quote=clean(text[piece.start : piece.end]),
        after=clean(text[piece.end : end]),
        is_cut=begin > 0 or end < len(text),
    )
