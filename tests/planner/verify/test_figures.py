import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.verify.figures import figures_of, unstated


def lacking(text, source):
    return [figure.text for figure in unstated(figures_of(text), figures_of(source))]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("1,200 people", "1200 people"),
        ("1.234,50 Euro", "€1,234.50"),
        ("5 percent", "5%"),
        ("two million dollars", "$2 million"),
        ("1.5 km", "1,500 metres"),
        ("90 minutes", "1.5 hours"),
        ("twenty-five", "25"),
        ("about 100 employees", "103 employees"),
        ("more than 100 employees", "128 employees"),
        ("a 12-year-old", "12 years old"),
        ("2,000 MB", "2 GB"),
        ("35 °C", "35 degrees Celsius"),
        ("35 degrees", "35 °C"),
        ("41 dB", "41 dBA"),
    ],
)
def test_a_number_is_stated_in_another_form(text, source):
    assert lacking(text, source) == []


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("5 percent", "5 km"),
        ("37 days", "36 days"),
        ("$5 million", "$5 billion"),
        ("version 2.39.5", "version 2.39.4"),
        ("more than 100 employees", "80 employees"),
        ("up to 45 seconds", "up to 30 seconds"),
        ("exactly 100 employees", "103 employees"),
        ("-5 °C", "5 °C"),
        ("35 °C", "35 degrees Fahrenheit"),
        ("414 lb", "414 lb-ft"),
    ],
)
def test_another_number_or_unit_does_not_state_it(text, source):
    assert len(lacking(text, source)) == 1


def test_names_with_digits_and_the_word_once_are_no_numbers():
    assert figures_of("COVID-19 hit the RTX4070 once, per se") == []


@given(st.text(max_size=300))
def test_any_text_states_its_own_numbers(text):
    assert unstated(figures_of(text), figures_of(text)) == []


@given(st.integers(min_value=1, max_value=10**9))
def test_grouping_and_scale_change_no_value(number):
    assert lacking(f"{number:,} people", f"{number} people") == []
    assert lacking(f"{number} people", f"{number:,} people") == []


def test_a_lone_m_behind_a_blank_is_a_metre_unless_something_is_counted_in_millions():
    units = [
        (figure.unit, figure.values[0]) for figure in figures_of("It is 312 m. Stands 12 m above, 5 m people")
    ]
    assert units == [("m", 312.0), ("m", 12.0), ("", 5.0)]


def test_an_amount_and_its_conversion_are_the_same_and_two_amounts_of_one_unit_are_not():
    kilos, pounds, more = (figures_of(text)[0] for text in ("10 kg", "22 lb", "10.2 kg"))
    assert kilos.is_converted(pounds)
    assert not kilos.is_converted(more)


def test_one_behind_tens_is_part_of_a_number_in_words():
    figures = figures_of("Thirty-one miners, and one of them had twenty-one boats")
    assert [figure.values[0] for figure in figures] == [31.0, 21.0]
