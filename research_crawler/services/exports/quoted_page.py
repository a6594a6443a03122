"""Shows a quote where it stands in its stored page, for a person who checks it."""

from dataclasses import dataclass
from typing import Final

from research_crawler.core.errors import NoReport, UnknownEvidence
from research_crawler.core.models.reports.cited_parts import Evidence
from research_crawler.core.text.markdown_syntax import is_in_listing
from research_crawler.core.text.plain_text import clean
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import report_of

MOST_TABLE_LETTERS: Final = 4_000
"""Letters of a table above the quoted row that are shown, so that the row stands under its heads."""


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


async def quoted_page(runtime: Runtime, job_id: str, evidence_id: str, letters: int) -> QuotedPage:
    """A piece of evidence of a job's report, with so many letters of the page before it and after it.

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
    return await page_around(runtime, piece, letters)


async def page_around(runtime: Runtime, piece: Evidence, letters: int) -> QuotedPage:
    """A quote with so many letters of its page before it and after it, cut between lines."""
    page = await runtime.container.archive.get_page(piece.page_sha256) if piece.page_sha256 else None
    if page is None:
        return QuotedPage(piece, is_kept=False, quote=clean(piece.quote))
    return around(piece, page.page.markdown, letters)


def around(piece: Evidence, text: str, letters: int) -> QuotedPage:
    """The same of a page's Markdown; blocks that are cut are mended so that they read as what they are."""
    begin = _begin(text, piece.start - letters, piece.start)
    end = _end(text, piece.end, piece.end + letters)
    return QuotedPage(
        piece,
        is_kept=True,
        before=("```\n" if is_in_listing(text, begin) else "") + clean(text[begin : piece.start]),
        quote=clean(text[piece.start : piece.end]),
        after=clean(text[piece.end : end]),
        is_cut=begin > 0 or end < len(text),
    )


def _begin(text: str, place: int, start: int) -> int:
    """Where a line begins between these places, or the table that has it; without one, a word."""
    if place <= 0:
        return 0
    begin = text.find("\n", place, start) + 1
    if not begin:
        return text.find(" ", place, start) + 1 or start
    least = max(0, begin - MOST_TABLE_LETTERS)
    while begin > least and text.startswith("|", begin):
        begin = text.rfind("\n", 0, begin - 1) + 1
    return begin


def _end(text: str, end: int, place: int) -> int:
    """Where a line ends between these places; without one, a word."""
    if place >= len(text):
        return len(text)
    line_end = text.rfind("\n", end, place)
    return line_end if line_end >= 0 else max(end, text.rfind(" ", end, place))
