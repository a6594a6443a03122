"""A figure that no quote has is shown where it follows from figures that the quotes have."""

from hypothesis import given
from hypothesis import strategies as st

from planner.verify.calculation import calculation_in
from planner.verify.cited_source import CitedSource
from tests.cases import each_case

QUOTES = ["Each release is supported for two years.", "There is one year of overlap; it began in 1999."]


@each_case(
    ("text", "shown"),
    [
        ("2 + 1 = 3", "2 + 1 = 3"),
        ("2003-1999=4", "2003 − 1999 = 4"),
        ("3 * 2.5 = 7.5", "3 × 2.5 = 7.5"),
        ("2 + 3 × 4 = 14", "2 + 3 × 4 = 14"),
        ("10 / 3 = 3.33", "10 ÷ 3 = 3.33"),
        ("10 / 3 = 3.34", ""),
        ("1000 / 3 = 333", "1000 ÷ 3 = 333"),
        ("2 / 3 = 1", ""),
        ("1 / 3 = 0", ""),
        ("2 + 1 = 4", ""),
        ("2 + = 2", ""),
        ("2 = 2", ""),
        ("1 / 0 = 0", ""),
        ("2 + 1 = 3 or more", ""),
        ("two and one", ""),
        ("__import__('os') = 1", ""),
        ("9 ** 9 = 1", ""),
    ],
)
def test_a_calculation_counts_if_it_is_one_and_its_result_is_right(text, shown):
    found = calculation_in(text)
    assert (found.text if found else "") == shown


@each_case(
    ("text", "rests"),
    [("2 + 1 = 3", True), ("1999 + 2 = 2001", True), ("2 + 5 = 7", False), ("4 - 1 = 3", False)],
)
def test_each_number_of_a_calculation_stands_in_a_quote(text, rests):
    assert calculation_in(text).rests_on([CitedSource([quote]) for quote in QUOTES]) is rests


@given(st.text("0123456789+-*/=. ", max_size=90))
def test_any_text_is_read(text):
    found = calculation_in(text)
    assert found is None or "=" in text
