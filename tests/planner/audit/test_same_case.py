import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.same_case import is_other_case, is_other_measure, is_same_time
from planner.verify.dates import dates_of
from planner.verify.figures import figures_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The motor gives 300 kW.", "In boost mode the motor gives 420 kW."),
        ("Sales rose by 23 percent.", "Among people under thirty, sales rose by 12 percent."),
        ("The Orlo runs 590 km in the summer cycle.", "The Orlo runs 410 km in the winter cycle."),
        ("The Orlo 55 charges at 150 kW.", "The Orlo 50 charges at 120 kW."),
        ("Der Motor leistet 300 kW.", "Ohne Kühlung sind es 200 kW."),
    ],
)
def test_a_statement_about_another_mode_group_or_sibling_is_about_another_case(one, other):
    assert is_other_case(one, other)
    assert is_other_case(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("28 people are in quarantine.", "In total 35 people are in quarantine."),
        ("The Orlo carries 40 kg.", "In our test the Orlo carried 45 kg."),
        ("On Sunday 14 people were hurt.", "According to the hospital 19 people were hurt."),
        ("The clock was made in 1788.", "In 1791 the clock was made."),
        ("In boost mode it gives 300 kW.", "In boost mode it gives 420 kW."),
    ],
)
def test_who_says_something_and_when_is_no_case_of_its_own(one, other):
    assert not is_other_case(one, other)


def test_a_case_that_the_question_names_is_the_one_that_is_asked_about():
    one, other = "With a trailer the Orlo takes 12 seconds.", "The Orlo takes 9 seconds."
    assert is_other_case(one, other)
    assert not is_other_case(one, other, question="How fast is the Orlo with a trailer?")


@pytest.mark.parametrize(
    ("one", "other", "is_other"),
    [
        ("The tower is 43 metres high.", "It stands 21 metres above the sea.", True),
        ("The battery lasts for 11 hours.", "The battery charges in 2 hours.", True),
        ("11 hours of music", "charged within 2 hours", True),
        ("The tower is 43 metres high.", "The tower is 45 metres high.", False),
        ("It sprints in 6.6 seconds.", "It sprints in 5.7 seconds.", False),
        ("It takes 6 minutes.", "It is done in 5 minutes.", False),
    ],
)
def test_a_size_is_no_distance_and_the_time_that_is_needed_is_not_how_long_it_lasts(one, other, is_other):
    (mine,), (theirs,) = ([figure for figure in figures_of(text) if figure.unit] for text in (one, other))
    assert is_other_measure(mine, one, theirs, other) is is_other


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("on 2 May 2026", "on 7 May 2026", False),
        ("in 2019", "in 2024", False),
        ("on 2 May 2026", "in May 2026", True),
        ("on 2 May", "in 2026", True),
        ("on 2 May 2026", "today", True),
    ],
)
def test_what_holds_on_one_day_does_not_contradict_what_holds_on_another(one, other, is_same):
    assert is_same_time(dates_of(one)[0], dates_of(other)[0]) is is_same


@given(st.text(max_size=200), st.text(max_size=200))
def test_both_orders_of_any_texts_give_the_same_answer(one, other):
    assert is_other_case(one, other) == is_other_case(other, one)
    assert not is_other_measure(*(part for text in (one, one) for part in (_first(text), text)))


def _first(text):
    return next(iter(figures_of(text)), figures_of("43 m")[0])
