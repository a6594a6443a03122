from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.products.price.prose import named_prices, names_price
from tests.cases import each_case


def money(text, territory=""):
    """(amount, currency) of everything that the text calls money."""
    named = (one for one in named_prices(text, territory) if one.has_mark)
    return [(float(price.amount), price.currency) for one in named for price in one.prices]


@each_case(
    ("text", "found"),
    [
        ("$800-1000 is a realistic budget", [(800, "USD"), (1000, "USD")]),
        ("between 1.299,99 € and 2.000 €", [(1299.99, "EUR"), (2000, "EUR")]),
        ("$1–2k", [(1000, "USD"), (2000, "USD")]),
        ("It costs $900 and €800.", [(900, "USD"), (800, "EUR")]),
        ("für CHF 1'299.–", [(1299, "CHF")]),
        ("za 1 299,00 zł", [(1299, "PLN")]),
        ("10\u00a0000\u00a0€", [(10000, "EUR")]),
        ("about 20 quid, or thirty bucks", [(20, "GBP")]),
        ("Laptop bis 900 Franken", [(900, "CHF")]),
        ("50 crowns a month", [(50, "")]),
    ],
)
def test_prices_are_found_in_sentences_with_their_currency(text, found):
    assert money(text) == found


@each_case(
    "text", ["an AMD 5600 processor", "the TOP 10 laptops", "30 % off", "16 to 32 GB", "in 2024", "RTX480 €"]
)
def test_what_only_looks_like_money_is_none(text):
    assert not names_price(text)


def test_a_bare_dollar_is_the_countrys_own():
    assert money("under $900", "CA") == [(900, "CAD")]
    assert money("under $900", "DE") == [(900, "USD")]


def test_a_number_without_a_mark_is_told_apart():
    (named,) = named_prices("a laptop under 1,200")
    assert (float(named.low.amount), named.has_mark) == (1200, False)


@given(st.text(alphabet="0123456789.,$€£k %-–toandUSDEURCHFzł ", max_size=60))
def test_any_text_is_read_in_order(text):
    places = [(one.start, one.end) for one in named_prices(text)]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
