from hypothesis import given
from hypothesis import strategies as st

from planner.money.prices import price_range
from tests.cases import each_case


@each_case(
    ("text", "low", "high", "currency"),
    [
        ("$800-1000 is a realistic budget", 800, 1000, "USD"),
        ("between 1.299,99 € and 2.000 €", 1299.99, 2000, "EUR"),
        ("around 800 to 1000 dollars", 800, 1000, "USD"),
        ("from £1.5k", 1500, 1500, "GBP"),
        ("an RTX 4060 for 900 USD", 900, 900, "USD"),
        ("$1k–2k", 1000, 2000, "USD"),
        ("US$ 1,299.50", 1299.5, 1299.5, "USD"),
        ("CHF 1'299.– bis CHF 1'500.–", 1299, 1500, "CHF"),
        ("12 hours of battery, 30 % off", None, None, ""),
    ],
)
def test_amounts_with_a_currency_make_the_range(text, low, high, currency):
    found = price_range([text])
    assert (found.min, found.max, found.currency) == (low, high, currency)


def test_the_currency_named_most_often_counts():
    found = price_range(["$900", "€ 1", "$ 700"])
    assert (found.min, found.max, found.currency) == (700, 900, "USD")


@each_case("text", ["It costs about $150 less.", "Save $30 now.", "Members get another $20.", "$50 off"])
def test_a_price_difference_is_not_a_price(text):
    assert price_range([text]).min is None


def test_an_amount_far_from_all_others_is_left_out():
    found = price_range(["$800 to $950", "I paid $890", "$21 for the cooling pad", "$1,100 when it came out"])
    assert (found.min, found.max) == (800, 1100)


@given(st.lists(st.text(alphabet="0123456789.,$€ k-to", max_size=40), max_size=4))
def test_any_text_gives_a_range_or_none(texts):
    found = price_range(texts)
    assert found.min is None or found.min <= found.max
