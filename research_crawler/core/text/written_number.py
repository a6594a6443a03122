"""A number as a person writes it into a form: with a point or a comma, and with marks between thousands."""

from decimal import Decimal
from typing import Final

from babel.core import UnknownLocaleError
from babel.numbers import NumberFormatError, get_group_symbol, parse_decimal

_WAYS: Final = ("en", "de", "fr", "de_CH")
"""Ways to write numbers, in the order in which they are tried behind that of the reader's language: 1,299.50, 1.299,50,
1 299,50 and 1’299.50."""
_MONEY_DIGITS: Final = 2
"""An amount with three digits behind its mark may be thousands, or a slip: 1.049."""


def written_number(text: str, *, language: str = "en", is_money: bool = False) -> Decimal:
    """The number that a person wrote, as the language writes numbers, else in the first other way that fits it.

    Args:
        text: the number alone, without unit and currency.
        language: in which the person reads.
        is_money: it is an amount, which has no three digits behind its mark.

    Raises:
        ValueError: it is no number, or nobody knows which one is meant.
    """
    written = text.strip().replace("'", "’")
    for way in (language, *_WAYS):
        try:
            group = get_group_symbol(way)
            spaced = "".join(group if char.isspace() and group.isspace() else char for char in written)
            number = parse_decimal(spaced, locale=way, strict=True)
        except (NumberFormatError, UnknownLocaleError, ValueError):
            continue
        exponent = number.as_tuple().exponent
        if not isinstance(exponent, int) or (is_money and exponent < -_MONEY_DIGITS):
            break
        return number
    raise ValueError(text)
