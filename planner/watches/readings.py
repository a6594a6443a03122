"""Turn the outcome of a fetch into readings: the products on a page, or the reason why there is none. Pure."""

from uuid import uuid5

from planner.goal.product_kind import product_kind_of
from planner.job.job_editor import MAX_REASON
from planner.watches.matching import is_about
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.watches.watch import (
    WATCH_SPACE,
    Identity,
    ObservationState,
    Reading,
    WatchPage,
)
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import canonical_url, host_of

_MAX_RESULTS = 20
"""Most products of one search page that a watch keeps."""
_MAX_TEXT = 300
"""Longest name and other text of a reading."""


def readings_of(
    event: CommandDone, page: WatchPage, *, target: int, fetch_attempt: int, now_ms: int
) -> list[Reading]:
    """What a command's outcome shows about the watched products; at least one reading."""
    if event.outcome != "ok":
        state: ObservationState = "blocked" if event.outcome in ("blocked", "refused") else "failed"
        return [
            _reading_without_product(
                event, page, target, fetch_attempt, now_ms, state, event.reason or Why(Reason(event.outcome))
            )
        ]
    products = _watched_products(event.products, page)
    if not products:
        return [
            _reading_without_product(
                event, page, target, fetch_attempt, now_ms, "unclear", Why(Reason.NO_PRODUCT_SHOWN)
            )
        ]
    return [
        _reading(
            event, product, page, target=target, fetch_attempt=fetch_attempt, now_ms=now_ms, ordinal=ordinal
        )
        for ordinal, product in enumerate(products)
    ]


def timeout_reading(
    command: str, page: WatchPage, *, target: int, fetch_attempt: int, now_ms: int
) -> Reading:
    """The reading of a page that was not fetched in time."""
    event = CommandDone(uid=command, command=command)
    why = Why(Reason.TIMEOUT, "the page was not fetched in time")
    return _reading_without_product(event, page, target, fetch_attempt, now_ms, "failed", why)


def _watched_products(products: list[Product], page: WatchPage) -> list[Product]:
    if page.kind == "product":
        return products[:1]
    kind = product_kind_of(page.query)
    results = [
        product
        for product in products
        if not product.sponsored
        and is_about(page.query, product.name)
        and not kind.is_other(product.name, product.brand)
    ]
    return results[:_MAX_RESULTS]


def _reading(
    event: CommandDone,
    product: Product,
    page: WatchPage,
    *,
    target: int,
    fetch_attempt: int,
    now_ms: int,
    ordinal: int,
) -> Reading:
    sold_out = product.availability == "out_of_stock" or product.in_stock is False
    state: ObservationState = "out_of_stock" if sold_out else "offer" if product.price_numeric else "unclear"
    doubtful = any(gap.field == "price" and gap.reason == "contradictory" for gap in product.gaps)
    contradiction = Reason.CONTRADICTION if doubtful else Reason.NONE
    reasons = {"unclear": Reason.NO_PRICE_SHOWN, "offer": contradiction}
    return Reading(
        id=_reading_id(event, ordinal),
        target=target,
        at_ms=now_ms,
        state=state,
        identity=_identity(product, page),
        price=product.price_numeric if state == "offer" else None,
        currency=(product.currency or page.currency) if state == "offer" else "",
        availability=product.availability,
        page_sha=event.page.sha if event.page else "",
        reason=Why(reasons.get(state, Reason.NONE)),
        sources=_sources(product),
        doubtful=doubtful,
        fetch_attempt=fetch_attempt,
    )


def _identity(product: Product, page: WatchPage) -> Identity:
    own = canonical_url(product.url)
    return Identity(
        vendor=(product.vendor or page.host or host_of(page.url)).removeprefix("www."),
        url=own,
        asked=page.url if page.kind == "product" else "",
        name=" ".join(product.name.split())[:_MAX_TEXT],
        sku=product.sku[:100],
        gtin=product.gtin.zfill(14) if product.gtin else "",
        mpn=product.mpn[:100],
        brand=product.brand[:100],
        variant=product.variant[:100],
        condition=product.condition,
    )


def _sources(product: Product) -> list[str]:
    provenance = product.provenance.get("price")
    return [] if provenance is None else [provenance.source, *provenance.also]


def _reading_without_product(
    event: CommandDone,
    page: WatchPage,
    target: int,
    fetch_attempt: int,
    now_ms: int,
    state: ObservationState,
    reason: Why,
) -> Reading:
    asked = page.url if page.kind == "product" else ""
    vendor = (page.host or host_of(page.url)).removeprefix("www.")
    return Reading(
        id=_reading_id(event, 0),
        target=target,
        at_ms=now_ms,
        state=state,
        identity=Identity(vendor=vendor, asked=asked),
        page_sha=event.page.sha if event.page else "",
        reason=reason.on_one_line().cut(MAX_REASON),
        fetch_attempt=fetch_attempt,
    )


def _reading_id(event: CommandDone, ordinal: int) -> str:
    return str(uuid5(WATCH_SPACE, f"{event.command}:{ordinal}"))
