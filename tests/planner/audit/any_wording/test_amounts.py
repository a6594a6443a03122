import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.any_wording.amounts import amounts_of


@pytest.mark.parametrize(
    ("text", "unit", "low", "high"),
    [
        ("The female gives birth to two or three cubs.", "", 2, 3),
        ("Litters consist of five to seven young.", "", 5, 7),
        ("The ferry takes three quarters of an hour.", "second", 2700, 2700),
        ("De overtocht duurt drie kwartier.", "second", 2700, 2700),
        ("Weight: 9.8 kg.", "g", 9800, 9800),
        ("Le village compte 3 200 habitants.", "", 3200, 3200),
        ("Half of the staff works from home.", "%", 45, 55),
        ("Change the filter twice.", "", 2, 2),
    ],
)
def test_shares_ranges_in_words_and_thousands_with_a_blank_are_amounts(text, unit, low, high):
    [amount] = amounts_of(text)
    assert (amount.unit, amount.span.low, amount.span.high) == (unit, pytest.approx(low), pytest.approx(high))


def test_days_and_years_are_no_amounts():
    assert amounts_of("It was opened on 3 March 1927.") == []


@given(st.text(max_size=200))
def test_every_amount_stands_in_its_text(text):
    for amount in amounts_of(text):
        assert 0 <= amount.start < amount.end <= len(text)
        assert amount.span.low <= amount.span.high
