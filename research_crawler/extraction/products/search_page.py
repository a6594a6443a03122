"""Reads the results of a vendor's search: all rows that match the query, even if there is only one."""

from collections.abc import Mapping

from research_crawler.core.models.offers.products import Product
from research_crawler.core.web.urls import canonical_url
from research_crawler.extraction.products.product_likeness import likeness, ranked
from research_crawler.extraction.products.product_reader import Inspection, inspect_page, product_of
from research_crawler.extraction.products.visible.lone_rows import read_lone_rows
from research_crawler.extraction.products.visible.product_listing import Row, read_rows
from research_crawler.extraction.products.visible.rows import rows_to_products

_NAMED = 0.5
"""The least likeness to the query for a link beside a price to be a result. Other products on the page have
less."""


def read_results(
    body: bytes | str,
    *,
    url: str,
    asked_url: str,
    query: str,
    headers: Mapping[str, str] | None = None,
    language: str = "",
) -> list[Product]:
    """The products that a search page lists for a query, best match first.

    If the search was redirected to a product's page, the result is that product.

    Args:
        body: the downloaded bytes or text.
        url: the final URL. Shops with only one matching product redirect to its page.
        asked_url: the URL of the search.
        query: what was searched for.
        headers: response headers, names in lower case.
        language: the page's language tag, if a better one is known than the page states.

    Raises:
        PageUnreadable: as `product_reader.read_products`.
    """
    inspection = inspect_page(body, url=url, headers=headers, language=language)
    listed = _matching(inspection, read_rows(inspection.page, inspection.candidates), query)
    if any(likeness(one.name, query) >= _NAMED for one in listed):
        return listed
    # Beside a single hit, a shop lists what other customers have bought.
    lone = read_lone_rows(
        inspection.page, inspection.candidates, lambda name: likeness(name, query) >= _NAMED
    )
    products = _matching(inspection, lone, query) or listed
    if products or canonical_url(url) == canonical_url(asked_url):
        return products
    product = product_of(inspection)
    return [product] if product and likeness(f"{product.brand} {product.name}", query) >= _NAMED else []


def _matching(inspection: Inspection, rows: list[Row], query: str) -> list[Product]:
    return ranked(rows_to_products(inspection.page, rows, inspection.mentions), query)
