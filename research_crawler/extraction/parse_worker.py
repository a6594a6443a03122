"""What a parse process does: bytes in, a string out."""

from research_crawler.core.errors import PageUnreadable

READ, REFUSED = "r", "x"


def read_in_worker(body: bytes, url: str, headers: dict[str, str], status: int) -> str:
    """Read a page; the first letter of the answer says what follows: the page as JSON, or the reason."""
    from research_crawler.extraction.sanitize import read_page  # the parent needs no parsers

    try:
        return READ + read_page(body, url=url, headers=headers, status=status).model_dump_json()
    except PageUnreadable as refused:
        return REFUSED + refused.reason
