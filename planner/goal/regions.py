"""Find the buyer's country and currency: as the caller names them, else by words and signs in the goal."""

from functools import cache
from typing import Final

from research_crawler.core.errors import UsageError
from research_crawler.core.text.translatable import translatable
from research_crawler.extraction.products.price.currencies import currency_of
from research_crawler.extraction.products.price.prose import named_prices
from research_crawler.text.languages.language import detect
from research_crawler.text.offers.shopping import language_of_wish
from research_crawler.text.writing.messages import REPORT_LANGUAGES

_SHOPS_OF: Final = frozenset("US GB DE AT CH FR ES IT NL BE IE PL SE CA AU IN JP".split())  # noqa: SIM905
"""Countries whose names are looked for in a goal: more of them are words of something else (jersey, turkey)."""
_CALLED: Final = {
    "US": "usa|u.s.|u.s.a.|america", "GB": "uk|u.k.|britain|england|scotland|wales", "NL": "holland", "PL": "polsce",
}  # fmt: skip
"""What people call a country beside its name."""
_HOME = {"USD": "US", "CAD": "CA", "AUD": "AU", "GBP": "GB", "CHF": "CH", "PLN": "PL", "INR": "IN", "JPY": "JP",
        "SEK": "SE", "$": "US"}  # fmt: skip
"""The country of a currency, for currencies that only one country uses."""
EURO_IN_ENGLISH = "IE"
"""The country of a goal in English with an amount in euros."""
OF_LANGUAGE = {"en": "US", "de": "DE", "fr": "FR", "es": "ES", "it": "IT", "nl": "NL", "pl": "PL", "sv": "SE",
               "ja": "JP", "pt": "PT", "da": "DK", "fi": "FI", "cs": "CZ", "nb": "NO", "no": "NO"}  # fmt: skip
"""The country with the most shops in a language."""
_NO_COUNTRY = frozenset(("EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"))
"""Codes of CLDR for unions, tests and unknown places."""


def checked_region(text: str) -> str:
    """A country code in capitals.

    Raises:
        UsageError: no country has this code.
    """
    code = {"UK": "GB"}.get(text.strip().upper(), text.strip().upper())
    if code and not (len(code) == 2 and code in _territories()):
        raise UsageError(translatable("%(text)r is not a country code; give two letters, e.g. DE", text=text))
    return code


def checked_currency(text: str) -> str:
    """A currency code in capitals.

    Raises:
        UsageError: no currency has this code.
    """
    code = text.strip().upper()
    if code and code not in _currencies():
        raise UsageError(
            translatable("%(text)r is not a currency code; give three letters, e.g. EUR", text=text)
        )
    return code


def detect_region(goal: str, language: str = "en") -> str:
    """The buyer's country: the one that the goal names, else that of its currency, else that of its language."""
    if named := _country_named(goal):
        return named
    sign = _sign_in(goal)
    detected = goal_language(goal, language)
    if home := _HOME.get(sign):
        return home
    if sign == "EUR" and detected == "en":
        return EURO_IN_ENGLISH
    return OF_LANGUAGE.get(detected, "US")


def detect_currency(goal: str, region: str) -> str:
    """The currency that the goal names, else that of the region.

    A "$" alone means the region's own dollar if it has one, else US dollars.
    """
    sign, regional = _sign_in(goal), currency_of(region)
    if sign == "$":
        return regional if regional.endswith("D") and regional != "USD" else "USD"
    return sign or regional


def goal_language(goal: str, language: str = "en") -> str:
    """The language of a goal: the caller's, unless that is English (the default) and the goal's words show another."""
    if language and language[:2].lower() != "en":
        return language[:2].lower()
    return detect(goal, "") or language_of_wish(goal) or "en"


def _country_named(goal: str) -> str:
    names = _country_names()
    words = goal.lower().replace(",", " ").rstrip("?!").split()
    found = (" ".join(words[at : at + size]) for size in (3, 2, 1) for at in range(len(words)))
    return next((names[name] for name in found if name in names), "")


@cache
def _country_names() -> dict[str, str]:
    """Country codes by the names of the countries in the languages of reports, in lower case."""
    from babel import Locale

    names = {name: code for code, called in _CALLED.items() for name in called.split("|")}
    for language in REPORT_LANGUAGES:
        territories = Locale(language).territories
        names |= {str(territories[code]).lower(): code for code in _SHOPS_OF}
    return names


def _sign_in(goal: str) -> str:
    """The currency of the first amount that a goal names; "$" for dollars of no country."""
    here, there = (
        next((price.low.currency for price in named_prices(goal, country) if price.has_mark), "")
        for country in ("US", "CA")
    )
    return here if here == there else "$"


def checked_language(text: str) -> str:
    """A language code such as `de` or `pt-BR`; `en` for an empty text.

    Raises:
        UsageError: no language has this code.
    """
    language, _, variant = text.strip().replace("_", "-").partition("-")
    if not language:
        return "en"
    if language.lower() not in _languages() or (variant and not variant.isalnum()):
        raise UsageError(
            translatable("%(text)r is not a language code; give two letters, e.g. de", text=text)
        )
    return "-".join([language.lower(), *([variant] if variant else [])])


@cache
def _territories() -> frozenset[str]:
    from babel import Locale

    codes = (str(code) for code in Locale("en").territories)
    return frozenset(code for code in codes if len(code) == 2 and code.isalpha()) - _NO_COUNTRY


@cache
def _languages() -> frozenset[str]:
    from babel import Locale

    return frozenset(str(code) for code in Locale("en").languages) - {"mul", "und", "zxx", "mis"}


@cache
def _currencies() -> frozenset[str]:
    from babel.numbers import list_currencies

    return frozenset(list_currencies())
