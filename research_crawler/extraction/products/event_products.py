"""Reads the products of a page, or the results of a vendor's search, for an event: with bounded sizes."""

from collections.abc import Mapping

from pydantic import TypeAdapter

from research_crawler.core.models.offers.products import Offer, Product, Provenance, WantedProducts
from research_crawler.core.text.plain_text import cleaned
from research_crawler.core.web.urls import canonical_url
from research_crawler.extraction.products.product_likeness import likeness, ranked
from research_crawler.extraction.products.product_reader import (
    Inspection,
    inspect_page,
    product_of,
    read_products,
)
from research_crawler.extraction.products.visible.product_listing import Row, read_lone_rows, read_rows
from research_crawler.extraction.products.visible.rows import rows_to_products

MAX_SPECS_READ, _MAX_SPEC, _MAX_OFFERS, _MAX_NAME = 30, 200, 20, 300
"""Most specs of a product, longest spec, most offers and longest name in an event; the last is of what
`MAX_PRODUCT_NAME` lets a page say."""
_PRODUCTS = TypeAdapter(list[Product])
_NAMED = 0.5
"""The least likeness to the query for a link beside a price to be a result. Other products on the page have
less."""


def read_wanted(
    body: bytes, *, url: str, headers: Mapping[str, str], wanted: WantedProducts
) -> list[Product]:
    """The products of a vendor's page. With a query, the page is read as a page of results.

    Raises:
        PageUnreadable: as `product_reader.read_products`.
    """
    if wanted.query:
        found = read_results(
            body,
            url=url,
            asked_url=wanted.asked_url or url,
            query=wanted.query,
            headers=headers,
            language=wanted.language,
        )
    else:
        found = read_products(body, url=url, headers=headers, language=wanted.language)
    return [of_vendor(one, wanted) for one in found[: wanted.most]]


def products_json(body: bytes, *, url: str, headers: Mapping[str, str], wanted: str) -> str:
    """`read_wanted` from and to JSON, for the exchange between processes."""
    read = read_wanted(body, url=url, headers=headers, wanted=WantedProducts.model_validate_json(wanted))
    return _PRODUCTS.dump_json(read).decode()


def of_vendor(product: Product, wanted: WantedProducts) -> Product:
    """The product with its vendor's name and clean texts. A price without a currency gets the vendor's, as inferred."""
    specs = {
        name[:_MAX_SPEC]: value[:_MAX_SPEC] for name, value in list(product.specs.items())[:MAX_SPECS_READ]
    }
    if product.price_numeric is not None and not product.currency and wanted.currency:
        inferred = Provenance(source="inferred", path="vendor", confidence=0.5)
        provenance = product.provenance | {"currency": inferred}
        product = product.changed(currency=wanted.currency, provenance=provenance)
    bounded = product.changed(
        name=product.name[:_MAX_NAME],
        vendor=wanted.vendor or product.vendor,
        url=canonical_url(product.url) or product.url,
        specs=specs,
        offers=[_priced_in(product.currency, one) for one in product.offers[:_MAX_OFFERS]],
    )
    return cleaned(bounded)


def _priced_in(currency: str, offer: Offer) -> Offer:
    """The offer in the currency of its product, if its price names none."""
    if offer.price is None or offer.price.currency:
        return offer
    return offer.changed(price=offer.price.changed(currency=currency))


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
