import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.same_fact import Stated
from planner.audit.spans import Span, range_of, span_of
from planner.verify.figures import figures_of


def ranges(text):
    return [(one.low, one.high) for figure in figures_of(text) if (one := range_of(figure, text))]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("The lilies grow 60 to 90 cm tall.", 0.6, 0.9),
        ("The lilies grow 60-90 cm tall.", 0.6, 0.9),
        ("Store it between 15 °C and 25 °C.", 15, 25),
        ("Die Anlage fasst 1.200 bis 1.500 Liter.", 1_200, 1_500),
        ("entre 10 et 12 km", 10_000, 12_000),
    ],
)
def test_a_range_is_read_with_its_unit(text, low, high):
    assert ranges(text) == [(pytest.approx(low), pytest.approx(high))]


@pytest.mark.parametrize(
    "text", ["La bicicletta Fulmine 3 arriva a 9 kg.", "The final ended 3-1.", "from 2019 to 24 days"]
)
def test_other_numbers_side_by_side_are_no_range(text):
    assert ranges(text) == []


def test_bounds_and_estimates_leave_open_what_lies_in_them():
    spans = {
        text: span_of(figures_of(text)[0], text)
        for text in ("at most 30 kg", "at least 30 kg", "about 30 kg")
    }
    assert spans["at most 30 kg"] == Span(0, 30_000)
    assert spans["at least 30 kg"] == Span(30_000, math.inf)
    assert spans["about 30 kg"].meets(Span(33_000, 33_000))
    assert not spans["about 30 kg"].meets(Span(40_000, 40_000))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2 hours and 9 minutes", 7_740), ("two hours and nine minutes", 7_740), ("1 h 20 min", 4_800)],
)
def test_hours_and_their_minutes_are_one_time(text, seconds):
    assert [one.values for one in Stated(f"The crossing takes {text}.").figures] == [(seconds,)]


@given(st.integers(1, 400), st.integers(1, 400), st.sampled_from([" to ", "-", " bis ", " à "]))
def test_a_range_is_never_upside_down(one, other, between):
    assert all(low < high for low, high in ranges(f"It weighs {one}{between}{other} kg."))
