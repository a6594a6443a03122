"""Which offers have a price that is hard to believe: far below what pages and the other offers say. Pure.

A shop that shows a wrong price for a while, a row with the price of another thing, a deposit, an accessory: all of them
look like the best offer there is. Such an offer is fetched once more and is not recommended until a second fetch shows
the same price.
"""

from collections.abc import Sequence
from statistics import median
from typing import Final

from planner.money.rates import Rates
from research_crawler.core.models.offers.phase2 import Phase2
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reports.report import PriceRange
from research_crawler.core.web.urls import page_key

PRICE_MIN_SHARE_OF_LOWEST: Final = 0.5
"""Below this part of the lowest price that pages name, a "laptop" usually is its case or its charger."""
LEAST_OTHER_OFFERS: Final = 3
"""So many other offers tell what such a thing costs where no page does."""


def far_offers(
    products: Sequence[Product], expected: PriceRange, currency: str, rates: Rates
) -> list[Product]:
    """The offers with a price far below that of pages; where pages name none, below that of the other offers."""
    amounts = [comparable_price(product, currency, rates) for product in products]
    named = rates.convert(expected.min, expected.currency, currency) if expected.min else None
    return [
        product
        for index, product in enumerate(products)
        if is_far_below(amounts[index], named, [*amounts[:index], *amounts[index + 1 :]])
    ]


def is_far_below(amount: float | None, named: float | None, others: Sequence[float | None]) -> bool:
    """Whether a price is far below the lowest one that pages name, or the middle one of other offers."""
    known = [other for other in others if other is not None]
    usual = named or (median(known) if len(known) >= LEAST_OTHER_OFFERS else None)
    return amount is not None and usual is not None and amount < PRICE_MIN_SHARE_OF_LOWEST * usual


def stands(product: Product, phase2: Phase2 | None) -> bool:
    """Whether a second fetch of the offer's page has shown the same price."""
    return bool(phase2 and phase2.rechecks.get(page_key(product.url)))


def comparable_price(product: Product, currency: str, rates: Rates) -> float | None:
    """The price of a product in this currency; None if it has none, or no rate is known."""
    if product.price_numeric is None:
        return None
    amount = float(product.price_numeric)
    if not product.currency or not currency:
        return amount
    return rates.convert(amount, product.currency, currency)
