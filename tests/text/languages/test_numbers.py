import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages.language import LANGUAGES
from research_crawler.text.languages.numbers import figures, same_figure, unit_of, units
from tests.cases import each_case


@given(
    st.text(alphabet="0123456789.,-– $€%°kmgt½'two and a half million per hour\n") | st.text(),
    st.sampled_from(LANGUAGES),
)
def test_figures_are_pieces_of_the_text_in_its_order(text, language):
    found = figures(text, language)
    assert all(text[figure.start : figure.end] == figure.text for figure in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(math.isfinite(figure.base) for figure in found)


@given(st.integers(-(10**9), 10**9), st.sampled_from(sorted(units())))
def test_every_unit_is_read_behind_a_number(value, name):
    found = figures(f"{value} {name}")
    assert found[0].unit == unit_of(name).name
    assert math.isclose(found[0].base, unit_of(name).base(float(value)), rel_tol=1e-9)
    assert same_figure(found[0], found[0])


@each_case(
    ("one", "other", "are_same"),
    [
        ("7.5 t", "7,500 kg", True),
        ("5.9 million people", "5,912,345 people", True),
        ("about 100", "98", True),
        ("more than 100", "128", True),
        ("no more than 100", "90", True),
        ("no more than 100", "128", False),
        ("10 kg", "22 lb", True),
        ("25 °C", "77 °F", True),
        ("an hour lasts 60 minutes", "3,600 seconds", True),
        ("120 km", "120 km/h", False),
        ("30 days", "40 days", False),
        ("30", "up to 40", False),
        ("2.4.1", "2.4.2", False),
        ("$5 million", "€5 million", False),
        ("40 %", "40 kg", False),
    ],
)
def test_figures_agree_by_value_and_unit(one, other, are_same):
    assert same_figure(figures(one)[-1], figures(other)[-1]) is are_same


@each_case(
    ("language", "text", "value", "unit"),
    [
        ("en", "twenty-five years", 25, "year"),
        ("de", "sechsundzwanzig Kilometer", 26, "km"),
        ("de", "1.200,50 Euro", 1200.5, "EUR"),
        ("fr", "deux millions d'euros", 2_000_000, "EUR"),
        ("es", "treinta y seis horas", 36, "h"),
        ("it", "ventotto giorni", 28, "day"),
        ("nl", "tweeëntwintig dagen", 22, "day"),
        ("pt", "trinta e seis dias", 36, "day"),
        ("pl", "dwadzieścia pięć lat", 25, "year"),
        ("en", "two and a half hours", 2.5, "h"),
        ("en", "1,200", 1200, ""),
        ("de", "1.200", 1200, ""),
    ],
)
def test_numbers_are_read_as_their_language_writes_them(language, text, value, unit):
    (found,) = figures(text, language)
    assert (found.value, found.unit) == (value, unit)


def test_both_ends_of_a_range_have_its_unit():
    assert [figure.base for figure in figures("10–15 kg")] == [10_000, 15_000]
