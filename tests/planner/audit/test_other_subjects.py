import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.audit.other_subjects import are_of_two_subjects, is_of_another_subject


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which port does the Sieve broker use?", "Metrics of the Sieve broker are served on port 9464."),
        ("How high is the Lantau mast?", "The hill on which the Lantau mast stands is 480 metres high."),
        ("Who won the Ilmar regatta?", "Second place in the Ilmar regatta went to Tom Reeve."),
        ("What is the population of Merrowby?", "About 2,100 people live in the old town of Merrowby."),
    ],
)
def test_what_belongs_to_the_subject_is_another_one(question, text):
    assert is_of_another_subject(text, question)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the capacity of the Norr stadium?", "The capacity of the Norr stadium is 31,500."),
        ("How many people live in Merrowby?", "About 2,100 people live in the town of Merrowby."),
        ("How heavy may bags on the Kestrel be?", "The manual of the Kestrel allows 40 kg for bags."),
        (
            "What share of the Tellus staff works from home?",
            "A third of the staff of Tellus works from home.",
        ),
        ("What is the capital of Estrava?", "The government of Estrava sits in its capital Dovar."),
    ],
)
def test_a_quality_of_the_subject_and_who_tells_of_it_are_no_others(question, text):
    assert not is_of_another_subject(text, question)


def test_two_things_of_one_subject_are_told_apart():
    question = "Is the Lupo pizzeria vegan?"
    one, other = "Every pizza at Lupo is vegan.", "The tiramisu at Lupo contains eggs."
    assert are_of_two_subjects(one, other, question)
    assert not are_of_two_subjects(one, one, question)


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_text_can_be_asked_about(text, question):
    assert is_of_another_subject(text, f"How high is the {question} mast?") in (True, False)
