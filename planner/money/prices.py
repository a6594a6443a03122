"""Read prices from running text, for the price range that phase 1 reports."""

from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median

from research_crawler.core.models.reports.report import PriceRange
from research_crawler.extraction.products.price.prose import named_prices
from research_crawler.text.offers.purchase import is_difference

FAR, MANY = 3.0, 4
"""Among at least MANY amounts, those above FAR times the median or below a FAR-th of it are left out. Used and
sold-out copies of a product lie within these bounds; its case and its charger do not."""


def price_range(texts: Iterable[str]) -> PriceRange:
    """The lowest and the highest price in these texts, in the currency that they name most often.

    Amounts without a currency and differences ("$150 less") are not prices. An amount far from all others is
    taken for the price of something else.
    """
    amounts = [found for text in texts for found in _amounts(text)]
    if not amounts:
        return PriceRange()
    currency = Counter(name for name, _ in amounts).most_common(1)[0][0]
    values = _alike([value for name, value in amounts if name == currency])
    return PriceRange(min=min(values), max=max(values), currency=currency)


def _alike(values: list[float]) -> list[float]:
    """The values without those that are too far from the median to be prices of the same product."""
    middle = median(values)
    return (
        [value for value in values if middle / FAR <= value <= middle * FAR]
        if len(values) >= MANY
        else values
    )


def _amounts(text: str) -> Iterator[tuple[str, float]]:
    for named in named_prices(text):
        if not is_difference(text[: named.start], text[named.end :]):
            yield from ((price.currency, float(price.amount)) for price in named.prices if price.currency)
