"""Tells an amount that is paid again and again ("49.95 per month") from a price.

The names of days, weeks, months, and years are those of CLDR (`babel`), in the page's language and in English.
"""

import re
from functools import lru_cache
from typing import Final, Literal

from babel.core import Locale, UnknownLocaleError
from babel.units import format_unit

_SPANS: Final = ("day", "week", "month", "quarter", "year")
_LEAST_NAME, _LEAST_STEM = 2, 4
"""A shorter name is also that of another unit (`m`); of shorter ones other words are made."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_WIDTHS: Final[tuple[Literal["long", "short"], ...]] = ("long", "short")
_COUNTS: Final = (1, 2, 5, 1.5)
"""Numbers that languages count with forms of their own."""
_BEHIND: Final = re.compile(
    r"[\s*¹²)]{0,3}(?:(?P<slash>[/／])\s?|(?P<joint>[^\W\d_]{1,4}\.?)\s)?(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?)"
)
"""What may stand behind an amount before the name of a span: a slash, or one short word ("a", "pro", "par", "al")."""


def is_rate(behind: str, language: str = "") -> bool:
    """Whether the text directly behind an amount says that it is paid for each span of time.

    Args:
        behind: "/mo", " per month", " monatlich".
        language: the language tag of the page.
    """
    found = _BEHIND.match(behind)
    if found is None:
        return False
    word, codes = found["word"].casefold(), {language[:2].lower(), "en"}
    if found["slash"] or found["joint"]:
        names = frozenset[str]().union(*(_names(code, span) for code in codes for span in _SPANS))
        return word in names or (bool(found["slash"]) and any(_shortens(word, name) for name in names))
    # "monthly", "monatlich": alone, only a word that is made of the name of the month ("$5 weekend", "$9 day pack")
    months = frozenset[str]().union(*(_names(code, "month") for code in codes))
    return any(len(name) > _LEAST_STEM and word.startswith(name) and word != name for name in months)


def _shortens(word: str, name: str) -> bool:
    """Whether a word has letters of a name in its order and begins as it does: `mo`, `yr`; or is its last character."""
    if not word.isascii() and len(word) < _LEAST_NAME:
        return name.endswith(word)
    letters = iter(name)
    return len(word) >= _LEAST_NAME and word[0] == name[0] and all(letter in letters for letter in word)


@lru_cache(maxsize=256)
def _names(language: str, span: str) -> frozenset[str]:
    """The words for a span of time in a language: "month", "months", "mth"."""
    try:
        locale = Locale.parse(language)
    except (ValueError, UnknownLocaleError, TypeError):
        return frozenset()
    written = (
        format_unit(count, f"duration-{span}", width, locale=locale) for width in _WIDTHS for count in _COUNTS
    )
    return frozenset(word for text in written for word in _WORD.findall(text.casefold()) if _is_name(word))


def _is_name(word: str) -> bool:
    return len(word) >= _LEAST_NAME or not word.isascii()
