"""Products of phase 2 in the job's record: merged from rows and pages, kept small."""

from collections.abc import Iterable, Sequence

from planner.job.draft import size_of
from planner.offers.search_terms import best_fit
from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.products import Product
from research_crawler.core.urls import canonical_url, page_key

PER_VENDOR = 6
PRODUCTS_ROOM = 14_000
"""Bytes: with vendors, timeline and plan they fit one commit."""
FEW_SPECS = 3
MAX_SPECS, MAX_SPEC, MAX_NAME, MAX_FIELD = 10, 80, 160, 80
MAX_OFFER_URL = 400
"""Characters of a vendor's URL that the record keeps; a longer one is left out."""


def compact(product: Product, host: str, url: str = "") -> Product:
    """A product as the record keeps it: of this vendor, without what only its page's reader needs."""
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


def fitting(products: Iterable[Product], queries: Sequence[str]) -> list[Product]:
    """Those that fit one of the queries, best first; advertised ones after others that fit as well."""
    scored = [(best_fit(product, queries), product) for product in products if product.name.strip()]
    kept = [(score, product) for score, product in scored if score]
    return [
        p for _, p in sorted(kept, key=lambda one: (-one[0], one[1].sponsored, one[1].price_numeric is None))
    ]


def is_incomplete(product: Product) -> bool:
    """Whether its own page would tell what a row leaves open."""
    return (
        product.price_numeric is None
        or product.availability == "unknown"
        or product.condition == "unknown"
        or not product.specs
    )


def merged(row: Product, page: Product) -> Product:
    """A product of a list with what its own page says: the page is believed, the row fills what it leaves open."""
    fills = {
        name
        for name, value in row
        if value not in (None, "", {}, [], "unknown") and getattr(page, name) in (None, "", {}, [], "unknown")
    }
    if page.price_numeric is not None:  # amount, text and currency belong together
        fills -= {"price", "currency"}
    filled = with_values_of(page, row, fills - {"name"} | {"url"})
    return filled.changed(name=page.name or row.name)


def with_rows(
    known: Sequence[Product], rows: Sequence[Product], host: str, queries: Sequence[str]
) -> list[Product]:
    """The products with a vendor's fitting rows, at most PER_VENDOR of them."""
    own = [product for product in known if product.vendor == host]
    taken = {product.url for product in own}
    fresh = [row for row in (compact(one, host) for one in rows) if row.url not in taken or not row.url]
    best = fitting([*own, *fresh], queries)[:PER_VENDOR]
    return within([p for p in known if p.vendor != host] + best)


def with_page(known: Sequence[Product], page: Product, host: str, key: str) -> list[Product]:
    """The products with what a product's own page says of one of them, which has this key."""
    read = compact(page, host)
    return within([merged(p, read) if p.vendor == host and page_key(p.url) == key else p for p in known])


def priced(products: Iterable[Product]) -> list[Product]:
    """Those that are offers: with a price."""
    return [product for product in products if product.price_numeric is not None]


def within(products: Sequence[Product], room: int = PRODUCTS_ROOM) -> list[Product]:
    """As many as fit: specs of the last ones go first, then the last products of the vendors with most of them, and
    only then a vendor's only product."""
    kept = list(products)
    for specs in (FEW_SPECS, 0):
        kept = _with_fewer_specs(kept, specs, room)
        while size_of(kept) > room and len(kept) > len({product.vendor for product in kept}):
            counts = [product.vendor for product in kept]
            fullest = max(dict.fromkeys(counts), key=counts.count)
            kept.pop(len(counts) - 1 - counts[::-1].index(fullest))
    while size_of(kept) > room:
        kept.pop()
    return kept


def _with_fewer_specs(products: Sequence[Product], most: int, room: int) -> list[Product]:
    kept = list(products)
    for place in reversed(range(len(kept))):
        if size_of(kept) <= room:
            break
        specs = dict(list(kept[place].specs.items())[:most])
        kept[place] = kept[place].changed(specs=specs)
    return kept
