"""Prices in running text: sentences of pages, and what a person asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from research_crawler.extraction.products.price.currencies import MARKS, MINOR_DIGITS, SIGNS, resolve_currency
from research_crawler.extraction.products.price.reader import Price, read_amount

_CODES = (
    "AED|AUD|BGN|BRL|CAD|CHF|CLP|CNY|CZK|DKK|EUR|GBP|HKD|HRK|HUF|IDR|ILS|INR|ISK|JPY|KRW|KZT|MXN|MYR|NOK|NZD|PLN|RON|RSD"
    "|RUB|RUR|SEK|SGD|THB|TWD|UAH|USD|VND|ZAR"
)
"""Codes that are no word or name of something else: `AMD 5600` is a processor, `TOP 10` a list."""
_ANY_CASE = {
    "usd": "USD", "eur": "EUR", "gbp": "GBP", "chf": "CHF", "dollar": "$", "dollars": "$", "buck": "$", "bucks": "$",
    "euro": "€", "euros": "€", "pound": "£", "pounds": "£", "quid": "£", "franken": "CHF", "yen": "JPY",
    "rupee": "INR", "rupees": "INR", "zł": "PLN", "kč": "CZK", "crown": "", "crowns": "",
}  # fmt: skip
"""Words for money, with the mark that they mean; "" where it depends on the country."""
_SIGNS = sorted((mark for mark in MARKS if mark[-1] in SIGNS), key=len, reverse=True)
_MARK = (
    rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, _SIGNS))}"
    rf"|(?:{_CODES}|(?i:{'|'.join(sorted(_ANY_CASE, key=len, reverse=True))}))(?![^\W\d_]))"
)
_NUMBER = r"(?:\d{1,3}(?:[., '’\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)"
_PRICE = re.compile(
    rf"(?:(?P<before>{_MARK})\s?|(?<![\w.,]))(?P<low>{_NUMBER})(?P<low_k>[kK]\b)?(?:\s?(?P<behind>{_MARK}))?"
    rf"(?:\s?(?:-|–|(?i:to|and|bis|und|à|et)\b)\s?"
    rf"(?P<high_before>{_MARK})?\s?(?P<high>{_NUMBER})(?P<high_k>[kK]\b)?(?:\s?(?P<high_behind>{_MARK}))?)?"
    r"(?![\w%])"
)


AT_MOST = (
    r"under|below|less than|at most|up to|max(?:imum)?\.?|no more than|cheaper than|not over|within|budget(?: of| is)?"
    r"|unter|bis(?: zu)?|höchstens|maximal|weniger als|moins de|jusqu'à|maximum|menos de|hasta|meno di|fino a|onder"
)
AT_LEAST = r"over|above|more than|at least|from|über|ab|mindestens|plus de|más de"
"""Words before a price that make it a bound: alternatives of a regular expression."""
_COUNTED = re.compile(r"\s?[\w\"”]")


@dataclass(frozen=True, slots=True)
class NamedPrice:
    """A price in a text, or a range of two."""

    low: Price
    high: Price | None
    start: int
    end: int
    """Where it stands in the text."""

    @property
    def has_mark(self) -> bool:
        """Whether the text says that it is money; else it is a number that may be anything."""
        return bool(self.low.mark)

    def is_count_in(self, text: str) -> bool:
        """Whether something else than money is counted: "55 inches", "30 years"."""
        return not self.has_mark and bool(_COUNTED.match(text, self.end))

    @property
    def prices(self) -> tuple[Price, ...]:
        """The price, or both ends of the range."""
        return (self.low, self.high) if self.high else (self.low,)


def named_prices(text: str, territory: str = "") -> Iterator[NamedPrice]:
    """All numbers in a text that are money, or may be: those without a mark have an empty one.

    The ends of a range share a mark and a `k`: "$800-1000", "800 to 1000 dollars", "$1–2k".

    Args:
        territory: ISO 3166 code of the country whose "$" is meant; "" for the likeliest.
    """
    for match in _PRICE.finditer(text):
        low_mark = match["before"] or match["behind"] or match["high_before"] or match["high_behind"] or ""
        high_mark = match["high_before"] or match["high_behind"] or low_mark
        low_k = match["low_k"] or (match["high_k"] if match["high"] else None)
        low = _price(match["low"], low_mark, territory, thousands=bool(low_k))
        high = match["high"] and _price(match["high"], high_mark, territory, thousands=bool(match["high_k"]))
        yield NamedPrice(low, high or None, match.start(), match.end())


def names_price(text: str) -> bool:
    """Whether a text names an amount of money."""
    return any(price.has_mark for price in named_prices(text))


def _price(number: str, mark: str, territory: str, *, thousands: bool) -> Price:
    meant = _ANY_CASE.get(mark.lower(), mark)
    currency = resolve_currency(meant, territory) if meant else ""
    amount = read_amount(number.replace("’", "'"), minor_digits=MINOR_DIGITS.get(currency, 2)) or Decimal(0)
    return Price(amount * 1000 if thousands else amount, currency, mark, number)
