"""A text value is the phrase that was asked for, and not its sentence: a table of cases, and what holds for any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.columns.phrases import phrases_of
from research_crawler.text.words import terms

CASES = [
    # question, label, text, value ("" if it has none)
    ("default", "", "The default depth of a pond is two metres (2m).", "two metres"),
    ("default", "", "How deep the pond may be. Defaults to 10.", "10"),
    ("default", "", "The lamp is off by default.", "off"),
    ("default", "", "The default, 64, has proven sufficient.", "64"),
    ("default", "Default", "LampLevel 5", "5"),
    ("default", "Default", "See usage for details", ""),
    ("default", "", "The default is used where nothing else is given and nobody has changed it.", ""),
    ("default", "", "If this is left out, the lamp stays dark.", ""),
    ("director", "", "Its director is Marta Lindqvist.", "Marta Lindqvist"),
    ("director", "", "Director: Jonas Ferrer", "Jonas Ferrer"),
    ("director", "", "The director, Elise Brandt, joined in 2019.", "Elise Brandt"),
    ("material", "Material", "Particleboard", "Particleboard"),
    ("Hersteller", "", "Der Hersteller ist Meyer.", "Meyer"),
]
LEAST_RIGHT = 12


def values(question, label, text, language="en"):
    found = phrases_of(
        text, label, frozenset(terms(question)), subject="LampLevel", is_person=False, language=language
    )
    return [value for value, _ in found]


def test_most_phrases_are_read_and_hardly_any_wrongly():
    found = [values(*case[:3], language="de" if "Der" in case[2] else "en") for case in CASES]
    right = [value == ([case[3]] if case[3] else []) for value, case in zip(found, CASES, strict=True)]
    assert sum(right) >= LEAST_RIGHT, [(case, value) for case, value in zip(CASES, found, strict=True)]


@pytest.mark.parametrize("label", ["", "Default"])
@given(
    st.lists(
        st.sampled_from(["The", "default", "is", "to", ",", ".", ":", "by", "off", "5", "(", "mode", "x_y"]),
        max_size=14,
    ).map(" ".join)
    | st.text(max_size=100)
)
def test_a_phrase_stands_where_it_is_said_to(label, text):
    for value, start in phrases_of(
        text, label, frozenset(terms("default mode")), subject="", is_person=True, language="en"
    ):
        assert value and text[start : start + len(value)] == value
