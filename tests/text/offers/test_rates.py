import pytest

from research_crawler.text.offers.rates import is_rate


@pytest.mark.parametrize(
    ("behind", "language"),
    [(" per month", "en"), ("/mo. for 12 mo.", "en"), ("/ mo", "en-US"), (" a year", "en"), (" monthly", "en"),
     ("/Monat", "de"), (" pro Monat", "de-AT"), (" monatlich", "de"), (" par mois", "fr"), (" al mes", "es"),
     (" na miesiąc", "pl"), ("/月", "ja"), ("/week", "xx")],
)  # fmt: skip
def test_an_amount_for_each_span_of_time_is_a_rate_in_the_language_of_the_page_and_in_english(
    behind, language
):
    assert is_rate(behind, language)


@pytest.mark.parametrize(
    ("behind", "language"),
    [("", "en"), ("/kg", "en"), ("/100 g", "de"), (" each", "en"), (" weekend", "en"), (" day pack", "en"),
     (" 2 year warranty", "en"), ("/yd", "en"), ("/m²", "en"), (" Stück", "de")],
)  # fmt: skip
def test_an_amount_for_a_thing_or_its_weight_is_none(behind, language):
    assert not is_rate(behind, language)
