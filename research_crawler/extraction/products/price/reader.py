"""Reads a price as shops write it into an amount and a currency."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from research_crawler.extraction.products.price.currencies import (
    MINOR_DIGITS,
    decimal_mark,
    mark_ending,
    mark_in,
    mark_starting,
    named_in_words,
    resolve_currency,
    territory_of,
)

_SPACES = re.compile(r"[\s\u00a0\u2000-\u200f\u202a-\u202f\u2060\ufeff]+")
_NUMBER = re.compile(r"(?<![\d])(?:\d[\d.,' ]*|[.,]\d+)")
_NO_DECIMALS = re.compile(r"(?<=\d)\s?[.,]?\s?[-–—−]{1,2}(?!\s?\d)")
_LOOSE_POINT = re.compile(r"(?<=\d)([.,]) (?=\d\d(?!\d))")
_GROUPED = re.compile(r"\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,3})?|\d[\d.,']*|[.,]\d+")
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d|(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}")
_MINOR_PART = re.compile(r"\s?(\d{1,2})\s?(?:коп|к\.|к\b|gr\b|ct\b|ст\b|bani\b|hal\b)", re.I)
_CENTS_BEHIND_MARK = re.compile(r"\s?(\d{2})(?![\d.,%])")
_MYRIAD = re.compile(r"\s?[万萬만]")
_FREE = re.compile(r"\W*(?:free|gratis|kostenlos|gratuit[eo]?|за так|бесплатно)\W*", re.I)
_TIMES = re.compile(r"\s?[x×](?![^\W\d_])", re.I)
_MAX_KEPT = 160
"""The most characters of a text whose price is kept for when the page says it again."""
_LONGEST_NAME = 40
"""The most characters behind a number in which the name of a currency is looked for."""
_MARK_GAP = 2
"""The most characters between a number and its currency mark: a space, a point."""


@dataclass(frozen=True, slots=True)
class Price:
    """An amount of money read from a text."""

    amount: Decimal
    currency: str
    """ISO 4217 code; "" if neither the text nor the page tells it."""
    mark: str
    """The currency as written: "€", "kr", "USD"."""
    text: str
    """The number with its mark, as written."""


@dataclass(frozen=True, slots=True)
class Numerals:
    """How a page writes numbers and money."""

    territory: str = ""
    decimal: str = ""
    """The decimal separator of the page's language and country; "" if it is not known."""
    currency: str = ""
    """The page's currency, if something on the page names it."""
    language: str = ""
    """The page's language tag; "" if it is not known."""

    @classmethod
    def of(cls, *, language: str = "", tld: str = "", currency: str = "") -> "Numerals":
        """The numerals for a page's language tag, top-level domain and named currency."""
        territory = territory_of(language, tld)
        return cls(territory, decimal_mark(language, territory), currency, language)


def parse_price(text: str, *, language: str = "", tld: str = "", currency_hint: str = "") -> Price | None:
    """Read the price in a text. If the text has several numbers, the one beside a currency mark wins.

    Args:
        text: "1.299,00 €", "$1,299.99", "CHF 1'299.–", also with words around it.
        language: the page's language tag ("de", "en-GB"); it decides ambiguous separators.
        tld: the top-level domain of the page's host ("de", "co.uk"); it decides what "$" and "kr" mean.
        currency_hint: a currency code or mark found elsewhere, for texts without one.
    """
    return read_price(text, Numerals.of(language=language, tld=tld, currency=currency_hint))


def read_price(text: str, numerals: Numerals) -> Price | None:
    """`parse_price` for many texts of one page, which have the same numerals, and often the same prices."""
    return _read_again(text, numerals) if len(text) <= _MAX_KEPT else _read(text, numerals)


def _read(text: str, numerals: Numerals) -> Price | None:
    clean = clean_text(text)
    hint = _hinted(numerals)
    numbers = [match for match in _NUMBER.finditer(clean) if not _is_not_price(clean, match)]
    if not numbers:
        return (
            Price(Decimal(0), hint, mark_in(numerals.currency), text.strip())
            if _FREE.fullmatch(clean)
            else None
        )
    split = _split(clean, numbers)
    for number in split:
        if mark_span := _mark_beside(clean, *number):
            return _priced(clean, number, mark_span, numerals, hint)
    for start, end in split:
        name, code = named_in_words(
            clean[end : end + _LONGEST_NAME].lstrip(), numerals.language, numerals.territory
        )
        amount = read_amount(clean[start:end], numerals.decimal) if name else None
        if amount is not None:
            return Price(amount, code, name, f"{clean[start:end]} {name}")
    start, end = split[0]
    amount = read_amount(clean[start:end], numerals.decimal, MINOR_DIGITS.get(hint, 2))
    mark = mark_in(clean) or mark_in(numerals.currency)
    currency = resolve_currency(mark, numerals.territory, hint) or hint
    return None if amount is None else Price(amount, currency, mark, clean[start:end].strip(" .,"))


_read_again = lru_cache(maxsize=512)(_read)


def clean_text(text: str) -> str:
    """Normalise a text: ASCII digits for all scripts, one kind of space, "1299,-" without its dash."""
    return _cleaned_again(text) if len(text) <= _MAX_KEPT else _cleaned(text)


def _cleaned(text: str) -> str:
    if not text.isascii():
        text = "".join(map(_ascii_digit, text))
    return _NO_DECIMALS.sub("", _LOOSE_POINT.sub(r"\1", _SPACES.sub(" ", text))).strip()


_cleaned_again = lru_cache(maxsize=512)(_cleaned)


def read_amount(number: str, decimal: str = "", minor_digits: int = 2) -> Decimal | None:
    """The value of a number. If its separators are ambiguous, the page's decimal separator decides.

    Three digits after a single separator are thousands, unless nothing or 0 is before it or the currency has
    three minor digits: shops write thousands far more often than a tenth of a cent.
    """
    digits = number.replace(" ", "").replace("'", "")
    digits = digits.rstrip(".,")
    if len(re.findall("[.,]", digits)) > 1:
        digits = digits.lstrip(".,")
    point = _decimal_position(digits, decimal, minor_digits)
    integer, fraction = (digits, "") if point is None else (digits[:point], digits[point + 1 :])
    integer, fraction = (re.sub(r"\D", "", part) for part in (integer, fraction))
    try:
        return Decimal(f"{integer or '0'}.{fraction}" if fraction else integer or "0")
    except InvalidOperation:
        return None


def _decimal_position(digits: str, decimal: str, minor_digits: int) -> int | None:
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return None
    behind = len(digits) - last - 1
    mark, before = digits[last], digits[:last]
    other_mark = "," if mark == "." else "."
    if mark in before:
        return last if behind in (1, 2) or (other_mark in before and behind != 3) else None
    if other_mark in before:
        return last
    if behind != 3:
        return last
    if not before.strip("0"):
        return last
    if minor_digits == 3 and decimal in ("", mark):
        return last
    return last if len(before) > 3 and mark == decimal else None


def _ascii_digit(char: str) -> str:
    if char < "\u0080":
        return char
    if char in "٫．":
        return "."
    if char in "٬，":
        return ","
    if char in "’‘ʼ´＇":
        return "'"
    value = unicodedata.decimal(char, None)
    return char if value is None else str(value)


def _hinted(numerals: Numerals) -> str:
    return resolve_currency(mark_in(numerals.currency), numerals.territory) if numerals.currency else ""


def _is_not_price(clean: str, number: re.Match[str]) -> bool:
    """Whether a number is a percentage, a date, or how many times a price is paid: `12 x $49.95`."""
    end = number.start() + len(number[0].rstrip())
    if clean[end : end + 1] == "%" or clean[end : end + 2] == " %":
        return True
    if _TIMES.match(clean, end) and not mark_ending(
        clean[max(0, number.start() - 16) : number.start()].rstrip()
    ):
        return True
    return bool(_DATE.match(clean, number.start()))


def _split(clean: str, numbers: list[re.Match[str]]) -> list[tuple[int, int]]:
    """The spans of the numbers. A space inside a number is a group separator only before three digits."""
    spans = []
    for number in numbers:
        for piece in _GROUPED.finditer(clean, number.start(), number.end()):
            end = piece.start() + len(piece[0].rstrip(".,' "))
            spans.append((piece.start(), end))
    return spans


def _mark_beside(clean: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of the mark directly before or after a number. A code after it wins over a "$" before it."""
    head = clean[max(0, start - 16) : start].rstrip(" :")
    tail = clean[end : end + 18]
    gap = len(tail) - len(tail.lstrip(" .,万萬만"))
    before, behind = mark_ending(head), mark_starting(tail[gap:]) if gap <= _MARK_GAP else ""
    if before == "$" and len(code := mark_ending(head[:-1].rstrip())) == 3:
        head, before = head[:-1].rstrip(), code
    if before and not (before == "$" and len(behind) == 3):
        stop = start - min(start, 16) + len(head)
        return stop - len(before), stop
    return (end + gap, end + gap + len(behind)) if behind else None


def _priced(
    clean: str, number: tuple[int, int], mark: tuple[int, int], numerals: Numerals, hint: str
) -> Price | None:
    start, end = number
    written = clean[mark[0] : mark[1]]
    currency = resolve_currency(written, numerals.territory, hint) or hint
    amount = read_amount(clean[start:end], numerals.decimal, MINOR_DIGITS.get(currency, 2))
    if amount is None:
        return None
    last = max(end, mark[1])
    if myriad := _MYRIAD.match(clean, end):
        amount *= 10_000
        last = max(last, myriad.end())
    elif mark[0] >= end and (cents := _cents(clean, mark, amount)):
        amount += Decimal(cents[1].ljust(2, "0")) / 100
        last = cents.end()
    return Price(amount, currency, written, clean[min(start, mark[0]) : last].strip(" .,"))


def _cents(clean: str, mark: tuple[int, int], amount: Decimal) -> re.Match[str] | None:
    """The cents after the mark: "12 руб. 50 коп.", "35€99"."""
    if amount != amount.to_integral_value():
        return None
    if part := _MINOR_PART.match(clean, mark[1]):
        return part
    cents = _CENTS_BEHIND_MARK.match(clean, mark[1])
    written = clean[mark[0] : mark[1]]
    return (
        cents
        if cents
        and clean.count(written) == 1
        and not mark_starting(clean[cents.end() : cents.end() + 18].lstrip())
        else None
    )
