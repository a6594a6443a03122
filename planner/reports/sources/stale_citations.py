"""Mark the citations of a report whose pages were deleted; the citations themselves stay."""

from collections.abc import Collection

from research_crawler.core.models.archive.keeping import GONE
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.report import Report
from research_crawler.text.writing.markdown import address


def cited_pages(report: Report) -> set[str]:
    """Hashes of all pages that a report is based on."""
    hashes = {entry.page_sha256 for entry in report.evidence}
    return (hashes | {source.content_hash for source in report.sources}) - {""}


def mark_gone(report: Report, kept: Collection[str]) -> Report:
    """The report, with a mark at every citation whose page is not in `kept`.

    Args:
        kept: hashes of the pages that the archive still has.
    """
    gone = cited_pages(report) - set(kept)
    if not gone:
        return report
    sources = [
        source.changed(gone=True) if source.content_hash in gone else source for source in report.sources
    ]
    marked = [source for source in sources if source.gone]
    lines = [_marked(line, marked) for line in report.report_markdown.split("\n")]
    return report.changed(sources=sources, gone_pages=sorted(gone), report_markdown="\n".join(lines))


def _marked(line: str, gone: Collection[Source]) -> str:
    """A line of Key Sources (`3. Title – host, date, URL`) with the mark at its end, if its page is gone."""
    is_gone = any(
        line.startswith(f"{source.n}. ") and line.endswith((f", {address(source.url)}", f", {source.url}"))
        for source in gone
    )
    return f"{line} ({GONE})" if is_gone else line
