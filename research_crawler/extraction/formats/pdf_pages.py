"""Page numbers of places in the stored text of a PDF."""

from research_crawler.core.models.pages import PageText


def page_number(page: PageText, offset: int) -> int | None:
    """The page of a PDF that an offset in its stored text lies on, counted from 1; None for other documents."""
    starts = page.metadata.get("page_starts")
    if not isinstance(starts, list) or not starts:
        return None
    return max(1, sum(1 for start in starts if isinstance(start, int) and start <= offset))
