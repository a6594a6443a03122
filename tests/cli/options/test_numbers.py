import click
import pytest

from research_crawler.cli.options.option_values import Number, WholeNumber
from tests.cases import each_case


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(Number(0), "is not a valid number"), (WholeNumber(1), "is not a valid whole number")],
)
def test_what_is_no_number_is_refused_in_plain_words(kind, expected):
    with pytest.raises(click.BadParameter, match=expected):
        kind.convert("abc", None, None)


@pytest.mark.parametrize("kind", [Number(1), WholeNumber(1)])
def test_a_number_out_of_its_range_is_refused(kind):
    with pytest.raises(click.BadParameter, match="not in the range"):
        kind.convert("0", None, None)


@each_case("text", ["nan", "-nan", "inf", "Infinity", "1e999"])
def test_what_is_no_finite_number_is_refused(text):
    with pytest.raises(click.BadParameter, match="is not a valid number"):
        Number(0, min_open=True).convert(text, None, None)
