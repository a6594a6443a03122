"""Prices named in running text: the range that phase 1 expects."""

import re
from collections import Counter
from collections.abc import Iterable
from statistics import median

from research_crawler.core.models.reports import PriceRange

_NUMBER = r"\d{1,3}(?:[., \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_MARK = r"US\$|\$|€|£|USD|EUR|GBP|dollars?|bucks|euros?|pounds?"
_PRICE = re.compile(
    rf"(?P<before>{_MARK})?\s?(?P<low>{_NUMBER})(?P<k>k\b)?"
    rf"(?:\s?(?:-|–|to|and|bis|à)\s?(?P<between>{_MARK})?\s?(?P<high>{_NUMBER})(?P<k2>k\b)?)?"
    rf"\s?(?P<after>{_MARK})?(?![\w%])",
    re.I,
)
_DIFFERENCE_AFTER = re.compile(
    r"\s?(?:less|more|off|cheaper|dearer|extra|discount|saved|billiger|weniger|mehr)\b", re.I
)
_DIFFERENCE_BEFORE = re.compile(r"\b(?:save[sd]?|another|extra|additional)\s$", re.I)
FAR, MANY = 3.0, 4
"""Three times the median, or a third of it, among at least so many amounts: used and sold-out copies of a thing lie
within, its case and its charger do not."""
_CURRENCY = {"$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "buck": "USD", "€": "EUR", "eur": "EUR",
             "euro": "EUR", "£": "GBP", "gbp": "GBP", "pound": "GBP"}  # fmt: skip


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


def _amounts(text: str) -> Iterable[tuple[str, float]]:
    for match in _PRICE.finditer(text):
        mark = (match["before"] or match["between"] or match["after"] or "").lower()
        currency = _CURRENCY.get(mark) or _CURRENCY.get(mark.rstrip("s"))
        if (
            not currency
            or _DIFFERENCE_AFTER.match(text, match.end())
            or _DIFFERENCE_BEFORE.search(text[: match.start()])
        ):
            continue
        shared_k = match["k"] or match["k2"] if match["high"] else match["k"]
        yield currency, _value(match["low"]) * (1000 if shared_k else 1)
        if match["high"]:
            yield currency, _value(match["high"]) * (1000 if match["k2"] else 1)


def _value(number: str) -> float:
    """A number in either notation: the last mark is decimal when one or two digits follow it."""
    digits = re.sub(r"[ \u00a0\u202f]", "", number)
    match = re.fullmatch(r"(.*?)[.,](\d{1,2})", digits)
    whole, cents = (match[1], match[2]) if match else (digits, "0")
    return float(f"{re.sub(r'[.,]', '', whole)}.{cents}")
