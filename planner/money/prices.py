"""Prices named in running text: the range that phase 1 expects."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median

from research_crawler.core.models.reports import PriceRange
from research_crawler.extraction.products.price.prose import named_prices

_DIFFERENCE_AFTER = re.compile(
    r"\s?(?:less|more|off|cheaper|dearer|extra|discount|saved|billiger|weniger|mehr)\b", re.I
)
_DIFFERENCE_BEFORE = re.compile(r"\b(?:save[sd]?|another|extra|additional)\s$", re.I)
FAR, MANY = 3.0, 4
"""Three times the median, or a third of it, among at least so many amounts: used and sold-out copies of a thing lie
within, its case and its charger do not."""


def price_range(texts: Iterable[str]) -> PriceRange:
    """Least and greatest amount with a currency in these texts, in the currency named most often.

    Differences ("$150 less") are no prices, and an amount far from all the others is the price of something else.
    """
    amounts = [found for text in texts for found in _amounts(text)]
    if not amounts:
        return PriceRange()
    currency = Counter(name for name, _ in amounts).most_common(1)[0][0]
    values = _alike([value for name, value in amounts if name == currency])
    return PriceRange(min=min(values), max=max(values), currency=currency)


def _alike(values: list[float]) -> list[float]:
    """Without what is so far from most of them that it is the price of something else."""
    middle = median(values)
    return (
        [value for value in values if middle / FAR <= value <= middle * FAR]
        if len(values) >= MANY
        else values
    )


def _amounts(text: str) -> Iterator[tuple[str, float]]:
    for named in named_prices(text):
        is_difference = _DIFFERENCE_AFTER.match(text, named.end) or _DIFFERENCE_BEFORE.search(
            text[: named.start]
        )
        if not is_difference:
            yield from ((price.currency, float(price.amount)) for price in named.prices if price.currency)
