import pytest

from planner.goal.regions import (
    checked_currency,
    checked_language,
    checked_region,
    detect_currency,
    detect_region,
    goal_language,
)
from research_crawler.core.errors import UsageError
from research_crawler.extraction.products.price.currencies import currency_of
from tests.cases import each_case


@each_case(
    ("goal", "language", "region", "currency"),
    [
        ("find me a cheap gaming laptop with an RTX card", "en", "US", "USD"),
        ("günstiger Gaming-Laptop mit RTX-Karte unter 1000 €", "en", "DE", "EUR"),
        ("günstigen Laptop kaufen", "en", "DE", "EUR"),
        ("gaming laptop under £900", "en", "GB", "GBP"),
        ("gaming laptop under 900 euros", "en", "IE", "EUR"),
        ("gaming laptop in Austria", "en", "AT", "EUR"),
        ("Laptop bis 900 Franken", "de", "CH", "CHF"),
        ("cheap laptop in Canada under $900", "en", "CA", "CAD"),
        ("acheter un ordinateur portable pas cher", "en", "FR", "EUR"),
        ("laptop", "sv", "SE", "SEK"),
    ],
)
def test_region_and_currency_are_read_from_the_goal(goal, language, region, currency):
    assert detect_region(goal, language) == region
    assert detect_currency(goal, region) == currency


def test_one_word_that_english_has_too_does_not_show_another_language():
    assert goal_language("a laptop with a con") == "en"
    assert goal_language("Laptop mit 16 GB unter 900") == "de"


def test_codes_are_accepted_in_upper_and_lower_case_and_checked():
    assert (checked_region("de"), checked_region("uk"), checked_region("")) == ("DE", "GB", "")
    assert checked_currency("eur") == "EUR"
    with pytest.raises(UsageError, match="two letters"):
        checked_region("Atlantis")
    with pytest.raises(UsageError, match="three letters"):
        checked_currency("QQQ")


def test_an_unknown_country_has_no_currency():
    assert currency_of("") == ""
    assert currency_of("DE") == "EUR"


@each_case("code", ["ZZ", "EU", "XA", "XX", "DEU", "1"])
def test_a_code_that_no_country_has_is_refused(code):
    with pytest.raises(UsageError):
        checked_region(code)


@each_case(("text", "code"), [("DE", "de"), ("pt_BR", "pt-BR"), ("", "en"), (" fr ", "fr")])
def test_a_language_is_known_by_its_code(text, code):
    assert checked_language(text) == code


@each_case("text", ["xx", "und", "english", "d", "de-;"])
def test_a_code_that_no_language_has_is_refused(text):
    with pytest.raises(UsageError):
        checked_language(text)
