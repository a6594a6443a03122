"""Finds the page number of an offset in the stored text of a PDF."""

from research_crawler.core.models.web.pages import PageText


def page_number(page: PageText, offset: int) -> int | None:
    """The number (from 1) of the PDF page that contains an offset of the text; None for other documents."""
    starts = page.metadata.get("page_starts")
    if not isinstance(starts, list) or not starts:
        return None
    return max(1, sum(1 for start in starts if isinstance(start, int) and start <= offset))
