"""Results of a vendor's search: all rows that have to do with the query, also where there are only one or two."""

from collections.abc import Mapping

from research_crawler.core.models.products import Product
from research_crawler.core.urls import canonical_url
from research_crawler.extraction.products.ladder import Look, look_at, product_of
from research_crawler.extraction.products.likeness import likeness, ranked
from research_crawler.extraction.products.visible.listing import Row, read_rows
from research_crawler.extraction.products.visible.lone_rows import read_lone_rows
from research_crawler.extraction.products.visible.rows import rows_to_products

_NAMED = 0.5
"""Likeness to the query from which a link beside a price is a result: what a shop shows besides has less."""


def read_results(
    body: bytes | str,
    *,
    url: str,
    asked_url: str,
    query: str,
    headers: Mapping[str, str] | None = None,
    language: str = "",
) -> list[Product]:
    """The products that a search page offers for a query, likest first; of a page that it led to, that product.

    Args:
        body: as downloaded.
        url: the final URL: shops that know only one such product lead to its page.
        asked_url: of the search.
        query: what was searched for.
        headers: names in lower case.
        language: the page's language tag, where it is known better than the page says.

    Raises:
        PageUnreadable: as `ladder.read_products`.
    """
    look = look_at(body, url=url, headers=headers, language=language)
    listed = _fitting(look, read_rows(look.page, look.candidates), query)
    if any(likeness(one.name, query) >= _NAMED for one in listed):
        return listed
    # Beside the one hit it has, a shop lists what others have bought.
    lone = read_lone_rows(look.page, look.candidates, lambda name: likeness(name, query) >= _NAMED)
    products = _fitting(look, lone, query) or listed
    if products or canonical_url(url) == canonical_url(asked_url):
        return products
    product = product_of(look)
    return [product] if product and likeness(f"{product.brand} {product.name}", query) >= _NAMED else []


def _fitting(look: Look, rows: list[Row], query: str) -> list[Product]:
    return ranked(rows_to_products(look.page, rows, look.mentions), query)
