"""Collect the products of phase 2 in the job's record: merge rows and pages, and keep them small."""

from collections.abc import Iterable, Sequence

from planner.job.job_editor import size_of
from planner.offers.search_terms import Wanted
from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.offers.products import Product
from research_crawler.core.web.urls import canonical_url, page_key

PER_VENDOR = 6
"""Most products of one vendor."""
PRODUCTS_ROOM = 14_000
"""Most bytes of all products; with vendors, timeline and plan they fit into one commit."""
FEW_SPECS = 3
"""Where the record has no room, offers keep so many specs before they keep none."""
MAX_SPECS, MAX_SPEC, MAX_NAME, MAX_FIELD = 10, 80, 160, 80
"""Most specs of an offer; longest spec, name and other field in characters."""
MAX_OFFER_URL = 400
"""Most characters of a vendor's URL in the record; a longer URL is left out."""


def compact(product: Product, host: str, url: str = "") -> Product:
    """A product as the record keeps it: with this vendor, without the fields that only the reader of its page needs."""
    specs = {name[:MAX_FIELD]: value[:MAX_SPEC] for name, value in list(product.specs.items())[:MAX_SPECS]}
    return product.changed(
        name=" ".join(product.name.split())[:MAX_NAME],
        vendor=host,
        url=_short_url(product.url) or url,
        specs=specs,
        brand=product.brand[:MAX_FIELD],
        variant=product.variant[:MAX_FIELD],
        offers=[],
        provenance={},
        gaps=[],
    )


def _short_url(url: str) -> str:
    canonical = canonical_url(url)
    return canonical if len(canonical) <= MAX_OFFER_URL else ""


def fitting_products(products: Iterable[Product], wanted: Wanted) -> list[Product]:
    """The products of the wanted kind that fit a query, best first; at the same fit, advertised ones come last."""
    scored = [(wanted.fit(product), product) for product in products if product.name.strip()]
    fits = [(score, product) for score, product in scored if score]
    fits.sort(key=lambda fit: (-fit[0], fit[1].sponsored, fit[1].price_numeric is None))
    return [product for _, product in fits]


def is_incomplete(product: Product) -> bool:
    """Whether a row lacks facts that the product's own page may have."""
    return (
        product.price_numeric is None
        or product.availability == "unknown"
        or product.condition == "unknown"
        or not product.specs
    )


def merged(row: Product, page: Product) -> Product:
    """A product from its row in a list and its own page. The page comes first; the row fills what it lacks."""
    fills = {
        name
        for name, value in row
        if value not in (None, "", {}, [], "unknown") and getattr(page, name) in (None, "", {}, [], "unknown")
    }
    # Amount, text, currency and what they mean come from the same place.
    fills = fills - {"price", "currency"} if page.price_numeric is not None else fills | {"price_from"}
    filled = with_values_of(page, row, fills - {"name"} | {"url"})
    return filled.changed(name=page.name or row.name)


def with_rows(known: Sequence[Product], rows: Sequence[Product], host: str, wanted: Wanted) -> list[Product]:
    """The products with those of a vendor's rows that are wanted, at most PER_VENDOR of this vendor."""
    own = [product for product in known if product.vendor == host]
    own_urls = {product.url for product in own}
    compacted = (compact(row, host) for row in rows)
    fresh = [row for row in compacted if row.url not in own_urls or not row.url]
    best = fitting_products([*own, *fresh], wanted)[:PER_VENDOR]
    return cut_to_room([p for p in known if p.vendor != host] + best)


def with_page(known: Sequence[Product], page: Product, host: str, key: str) -> list[Product]:
    """The products; the one with this page key is completed from its own page."""
    read = compact(page, host)
    return cut_to_room([merged(p, read) if p.vendor == host and page_key(p.url) == key else p for p in known])


def priced(products: Iterable[Product]) -> list[Product]:
    """The products with a price: only these are offers."""
    return [product for product in products if product.price_numeric is not None]


def cut_to_room(products: Sequence[Product]) -> list[Product]:
    """As many products as fit into PRODUCTS_ROOM bytes.

    The last products lose their specs first. Then the last products of the vendors with the most products are
    dropped, and the only product of a vendor after all others.
    """
    cut = list(products)
    for specs in (FEW_SPECS, 0):
        cut = _with_fewer_specs(cut, specs)
        while size_of(cut) > PRODUCTS_ROOM and len(cut) > len({product.vendor for product in cut}):
            counts = [product.vendor for product in cut]
            fullest = max(dict.fromkeys(counts), key=counts.count)
            cut.pop(len(counts) - 1 - counts[::-1].index(fullest))
    while size_of(cut) > PRODUCTS_ROOM:
        cut.pop()
    return cut


def _with_fewer_specs(products: Sequence[Product], most: int) -> list[Product]:
    changed = list(products)
    for index in reversed(range(len(changed))):
        if size_of(changed) <= PRODUCTS_ROOM:
            break
        specs = dict(list(changed[index].specs.items())[:most])
        changed[index] = changed[index].changed(specs=specs)
    return changed
