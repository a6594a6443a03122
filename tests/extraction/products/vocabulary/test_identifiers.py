"""Tests of the numbers that identify products."""

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.products.vocabulary.identifiers import (
    clean_code,
    codes_in_url,
    named_codes,
    valid_gtin,
)
from tests.cases import each_case


@each_case("code", ["4006381333931", "036000291452", "96385074", "00012345600012", "978-3-16-148410-0"])
def test_a_number_with_a_correct_check_digit_is_a_gtin(code):
    assert valid_gtin(code) == code.replace("-", "")


@each_case("code", ["4006381333932", "123", "0000000000000", "40063813339３1", "abc", ""])
def test_other_texts_are_not_gtins(code):
    assert valid_gtin(code) == ""


@given(st.text(alphabet="0123456789", min_size=12, max_size=12), st.integers(1, 9))
def test_a_gtin_with_one_wrong_digit_is_refused(body, step):
    right = next(code for digit in "0123456789" if (code := valid_gtin(body + digit)) or digit == "9")
    if right:
        wrong = right[:-1] + str((int(right[-1]) + step) % 10)
        assert valid_gtin(wrong) == ""


@each_case("text", ["null", "N/A", "undefined", "0", "", "https://example.com/x", "{{sku}}", "x" * 80])
def test_placeholders_are_not_article_numbers(text):
    assert clean_code(text) == ""


def test_codes_of_a_url_are_in_order_of_likelihood():
    assert codes_in_url("https://shop.example/p/blue-mug-482913.html?size=300")[:2] == [
        "blue-mug-482913",
        "482913",
    ]
    assert named_codes("https://shop.example/store/1227?pid=260591&size=300") == ["260591"]
