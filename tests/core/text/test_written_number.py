"""A number is read as the person who wrote it meant it, or refused."""

import contextlib
from decimal import Decimal

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.text.written_number import written_number
from tests.cases import each_case


@each_case(
    ("text", "language", "number"),
    [
        ("28,50", "de", "28.5"),
        ("28,50", "en", "28.5"),
        ("889,00", "en", "889"),
        ("1.299,00", "en", "1299"),
        ("1,299.00", "de", "1299"),
        ("1.049", "de", "1049"),
        ("1,049", "en", "1049"),
        ("2.3", "de", "2.3"),
        ("1 299,50", "en", "1299.5"),
        ("1'299.50", "en", "1299.5"),
        ("-5", "en", "-5"),
    ],
)
def test_an_amount_is_read_with_point_and_comma_in_either_language(text, language, number):
    assert written_number(text, language=language, is_money=True) == Decimal(number)


@each_case("text", ["1.049", "0,899", "12,34,56", "1.2.3", "nan", "inf", "", "12 or 13", "abc"])
def test_an_amount_that_may_be_another_is_refused(text):
    with pytest.raises(ValueError):
        written_number(text, is_money=True)


def test_a_weight_may_have_three_digits_behind_its_mark():
    assert written_number("1.049") == Decimal("1.049")
    assert written_number("1,049", language="de") == Decimal("1.049")


@given(
    st.decimals(min_value=-(10**9), max_value=10**9, places=2),
    st.sampled_from(["en", "de", "fr", "es", "it", "nl", "pt", "pl"]),
)
def test_what_a_page_writes_is_read_back(number, language):
    shown = format_decimal(number, locale=language, decimal_quantization=False)
    assert written_number(shown, language=language, is_money=True) == number


@given(st.text(max_size=30), st.sampled_from(["en", "de", "xx"]))
def test_any_text_is_a_number_or_refused(text, language):
    with contextlib.suppress(ValueError):
        assert written_number(text, language=language).is_finite()
