import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.verify.figures import figures_of
from planner.verify.number_words import NUMBER_WORDS, halves_of
from planner.verify.units import UNITS


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sechsundzwanzig Zimmer", 26),
        ("veintiséis goles", 26),
        ("treinta y seis casas", 36),
        ("ventotto stanze", 28),
        ("drieëndertig leden", 33),
        ("two dozen people", 24),
        ("an hour and a half", 5_400),
        ("two and a half minutes", 150),
        ("une heure et demie", 5_400),
        ("half an hour", 1_800),
    ],
)
def test_numbers_in_words_are_read_in_several_languages(text, value):
    assert [one.values for one in figures_of(text)] == [(value,)]


@pytest.mark.parametrize(
    "text", ["dozens of people", "once upon a time", "they seize a cent", "a half-hearted try"]
)
def test_other_words_are_no_numbers(text):
    assert figures_of(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("no more than 4,500 soldiers", "at_most"),
        ("must not take more than 400 mg", "at_most"),
        ("nicht mehr als 30 Personen", "at_most"),
        ("no fewer than 30 men", "at_least"),
        ("more than 30 men", "over"),
        ("at most 512 connections", "under"),
        ("verfügt über 62 Zimmer", "exact"),
    ],
)
def test_a_denied_bound_is_the_other_bound(text, kind):
    assert [one.kind for one in figures_of(text)] == [kind]


@given(st.text(max_size=80), st.sampled_from(sorted(NUMBER_WORDS)), st.sampled_from(sorted(UNITS)))
def test_no_text_breaks_the_reading_of_halves(text, number, unit):
    found = list(halves_of(f"{text} {number} and a half {unit} {text}"))
    assert all(half.amount > 0 and half.unit in UNITS and half.start < half.end for half in found)
