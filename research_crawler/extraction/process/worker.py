"""The functions that a parse process runs. They take bytes and return a string."""

from research_crawler.core.errors import PageUnreadable

PAGE_READ, PAGE_REFUSED, PAGE_BLOCKED = "r", "x", "b"


def read_in_worker(body: bytes, url: str, headers: dict[str, str], status: int) -> str:
    """Read a page. The first letter of the answer says what follows: a page as JSON, a reason, a blocker."""
    # Imported here, because the parent process needs no parsers.
    from research_crawler.extraction.page import read_page

    if blocker := look_in_worker(body, url, headers, status):
        return PAGE_BLOCKED + blocker
    try:
        return PAGE_READ + read_page(body, url=url, headers=headers, status=status).model_dump_json()
    except PageUnreadable as refused:
        return PAGE_REFUSED + refused.reason.text


def read_products_in_worker(body: bytes, url: str, headers: dict[str, str], wanted: str) -> str:
    """Read the products of a page. The first letter says what follows: the products as JSON, or a reason."""
    from research_crawler.extraction.products.reading import products_json

    try:
        return PAGE_READ + products_json(body, url=url, headers=headers, wanted=wanted)
    except PageUnreadable as refused:
        return PAGE_REFUSED + refused.reason.text


def read_sitemap_in_worker(body: bytes, url: str, query: str) -> str:
    """The URLs of a sitemap that match a query, as JSON."""
    from research_crawler.extraction.products.sitemap import sitemap_json

    return sitemap_json(body, url, query)


def look_in_worker(body: bytes, url: str, headers: dict[str, str], status: int) -> str:
    """The name of the blocker that was sent instead of the page; "" if there is none."""
    from research_crawler.extraction.blockers.detection import detect_blocker
    from research_crawler.extraction.blockers.model import SHELL

    blocker = detect_blocker(body, url=url, status=status, headers=headers)
    return "" if blocker is None or blocker.kind == SHELL else blocker.name
